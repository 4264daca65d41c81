"""What journals say beside open and finished work: what was decided, and what the sessions are about. PURE."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from wrapgen.config import SectionNames
from wrapgen.model import Decision
from wrapgen.notes import Document, Kind, Source
from wrapgen.pipeline.projects import Projects
from wrapgen.text.headings import session_subject, within


@dataclass(frozen=True, slots=True)
class Journals:
    """The journals of a vault, as one project sees them."""

    sources: Iterable[Source]  # any sources; those that are no journals are skipped
    sections: SectionNames  # the configured names of headings
    projects: Projects  # the known projects
    project: str | None = None  # the project; None sees all of them

    def decisions(self, enough: int) -> list[Decision]:
        """The newest decisions, oldest first; those of a session that names other projects alone are left out."""
        found: list[Decision] = []
        for source in self._newest_first():
            document = source.document
            headings = [(one.title, one.parent) for one in document.sections]
            decided = within(headings, self.sections.decisions)
            here = [
                Decision(entry.text, source.day, f"{source.path}:{entry.line}")
                for entry in document.entries
                if entry.section >= 0 and decided[entry.section] and self._concerns(document, entry.section)
            ]
            found = here + found
            if len(found) >= enough:
                break
        return found

    def newest_session(self) -> str:
        """The heading of the newest session that names the project, else of the newest that names none; or nothing."""
        unnamed = ""
        for source in self._newest_first():
            for section in reversed(source.document.sections):
                if not session_subject(section.title, self.sections.session):
                    continue  # no session, or one that says nothing about itself
                named = self.projects.named_in(section.title)
                if self.project is None or self.project in named:
                    return section.title
                unnamed = unnamed or ("" if named else section.title)
        return unnamed

    def _newest_first(self) -> list[Source]:
        journals = [one for one in self.sources if one.kind is Kind.JOURNAL_NEXT]
        return sorted(journals, key=lambda one: (one.day or date.min, one.path), reverse=True)

    def _concerns(self, document: Document, section: int) -> bool:
        """Whether a section is about the project, or about nobody's in particular."""
        while section >= 0:
            title = document.sections[section].title
            if session_subject(title, self.sections.session) is not None:
                named = self.projects.named_in(title)
                return self.project is None or not named or self.project in named
            section = document.sections[section].parent
        return True
