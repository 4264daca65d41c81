"""Makes vaults together with what must be found in them.

The generator writes line by line and notes where it put an open item, so that it needs no parser to know.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import TYPE_CHECKING

from hypothesis import strategies as st

from tests.support import TODAY, Vault

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

WORDS = (
    "fix", "login", "add", "retry", "upload", "queue", "deploy", "staging", "users", "table", "docs", "rotate",
    "배포", "스크립트", "정리", "로그인", "오류", "修复", "登录", "错误", "部署",
)  # fmt: skip
GREEK = ("αβγ", "δεζ", "ηθι", "κλμ", "νξο", "πρσ", "τυφ", "χψω", "ωψχ", "φυτ")
PROJECTS = ("web", "api", "infra")
NEXT_HEADINGS = (
    "Next", "Next Session", "🚀 Next Steps", "3. Next:", "**Next**", "Follow-ups (later)", "다음 할 일",
    "下一步", "次回",
)  # fmt: skip
DONE_HEADINGS = ("Done", "✅ Completed", "한 일", "已完成", "完了")
FORMS = {
    "box": ("- [ ] {text}",),
    "bullet": ("* {text}",),
    "number": ("7. {text}",),
    "other mark": ("- [{sign}] {text}",),
    "marker": ("- TODO {text}",),
    "marked": ("- [ ] {text} {mark}",),
    "ticked": ("- [x] {text}",),
    "cancelled": ("- [-] {text}",),
    "finished marker": ("- DONE {text}",),
    "signed": ("- {text} ✅",),
    "struck": ("- ~~{text}~~",),
    "nested": ("- {text}", "  - [ ] {text} below"),
    "detail": ("- [ ] {text}", "  - {text} in detail"),
    "long": ("- [ ] {text}", "  {text}", "", "  Another paragraph."),
    "empty": ("- [ ]", "- [ ] 09:00 -"),
}
BOXED = ("box", "other mark", "marker", "marked", "detail", "long")
PLAIN = ("bullet", "number", "nested")
MARKS = ("⏳ 2026-05-30", "🛫 2026-04-01", "🆔 one", "⛔ one", "📅 2026-04-30", "📅 2026-02-30", "🔁 every week", "🔺")
OTHER_HEADINGS = ("Notes", "Weather", "메모", "Undone things")

# Few enough phrases that the same work is often written down twice, and sometimes done.
PHRASES = (
    "Fix the login", "Add retry to the uploader", "Add a retry to the uploader", "Run step 3", "Run step 5",
    "Rotate the staging keys", "로그인 오류 수정", "修复登录错误",
)  # fmt: skip
words = st.one_of(
    st.sampled_from(PHRASES),
    st.sampled_from(PHRASES).map("(web) {}".format),
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join),
)
greek = st.lists(st.sampled_from(GREEK), min_size=2, max_size=6).map(" ".join)
days = st.integers(0, 60).map(lambda back: date.fromisoformat(TODAY) - timedelta(days=back - 3))


@dataclass
class Page:
    """A file while it is written.

    Attributes:
        collected: 1-based lines of the items that must be found.
        boxes: lines of open boxes that are not said to be next.
        has_next: whether a section says what is.
    """

    lines: list[str] = field(default_factory=list)
    collected: list[int] = field(default_factory=list)
    boxes: list[int] = field(default_factory=list)
    has_next: bool = False
    ending: str = "\n"
    mark: bool = False
    final: bool = True

    def add(self, *lines: str, collected: bool = False, box: bool = False) -> None:
        if collected or box:
            (self.collected if collected else self.boxes).append(len(self.lines) + 1)
        self.lines += lines

    @property
    def data(self) -> bytes:
        text = self.ending.join(self.lines) + (self.ending if self.final else "")
        return text.encode("utf-8-sig" if self.mark else "utf-8")


@dataclass
class Plan:
    """A vault that was not yet written."""

    pages: dict[str, Page] = field(default_factory=dict)
    changed: dict[str, str] = field(default_factory=dict)
    config: str = ""

    @property
    def collected(self) -> list[tuple[str, int]]:
        return sorted((path, line) for path, page in self.pages.items() for line in page.collected)

    def build(self, root: Path) -> Vault:
        vault = Vault(root)
        vault.write("wrapgen.toml", self.config)
        for path, page in self.pages.items():
            vault.write(path, page.data, self.changed[path])
        return vault


def _entry(draw: Callable, page: Page, text: str, *, boxes_only: bool, here: bool) -> None:
    """One list item in any of its forms; `here` says whether open ones are said to be next at this place."""
    page.has_next = page.has_next or (here and not boxes_only)
    form = draw(st.sampled_from(sorted(FORMS)))
    sign, mark = draw(st.sampled_from("/~>!?")), draw(st.sampled_from(MARKS))
    first, *rest = (line.format(text=text, sign=sign, mark=mark) for line in FORMS[form])
    boxed = form in BOXED
    page.add(first, collected=here and (boxed or (form in PLAIN and not boxes_only)), box=boxed)
    if form == "nested":
        page.add(*rest, collected=here, box=True)
    else:
        page.add(*rest)


def _noise(draw: Callable, page: Page, text: str) -> None:
    """Blocks that hold no items, although they look so; each ends every list before it."""
    match draw(st.sampled_from(("nothing", "fence", "comment", "quote", "prose"))):
        case "fence":
            page.add("", "```", f"- [ ] {text}", "```", "")
        case "comment":
            page.add("", "<!--", f"- [ ] {text}", "-->", "")
        case "quote":
            page.add("", f"> - [ ] {text}", "", "<!-- -->", "")
        case "prose":
            page.add("", f"Prose about {text}.", "")
        case _:
            pass


def _section(draw: Callable, page: Page, texts: st.SearchStrategy[str], level: int, *, boxes_only: bool) -> None:
    role = draw(st.sampled_from(("next", "next", "done", "done", "other")))
    headings = {"next": NEXT_HEADINGS, "done": DONE_HEADINGS, "other": OTHER_HEADINGS}[role]
    page.add("", f"{'#' * level} {draw(st.sampled_from(headings))}", "")
    _noise(draw, page, draw(texts))
    for _ in range(draw(st.integers(0, 4))):
        _entry(draw, page, draw(texts), boxes_only=boxes_only, here=boxes_only or role == "next")
    if role == "next" and not boxes_only and draw(st.booleans()):
        page.has_next = True
        page.add("", "| State | Task |", "| --- | --- |")
        page.add(f"| ⏳ | {draw(texts)} |", collected=True)
        page.add(f"| ✅ | {draw(texts)} |")
    _noise(draw, page, draw(texts))


@st.composite
def pages(draw: Callable, kind: str, texts: st.SearchStrategy[str] = words, sessions: bool = True) -> Page:
    """A file of one of the four kinds."""
    page = Page(ending=draw(st.sampled_from(("\n", "\n", "\r\n"))), mark=draw(st.booleans()), final=draw(st.booleans()))
    if draw(st.booleans()):
        page.add("---", "tags: [a]", "---")
    page.add("# A page")
    for _ in range(draw(st.integers(0, 3))):
        in_session = kind == "journal" and sessions and draw(st.booleans())
        if in_session:
            names = draw(st.lists(st.sampled_from(PROJECTS), max_size=2))
            page.add("", f"## Session: {' and '.join(names)} work")
        _section(draw, page, texts, 3 if in_session else 2, boxes_only=kind == "active")
    # Boxes are read anywhere in journals and active tasks, elsewhere where no section says what comes next.
    if kind in ("journal", "active") or not page.has_next:
        page.collected = sorted([*page.collected, *page.boxes])
    return page


@st.composite
def plans(draw: Callable) -> Plan:
    """A vault with journals of two months, the lists of three projects and notes, some of them much alike."""
    plan = Plan(config=f'cap = {draw(st.sampled_from((1, 3, 15)))}\n[sources]\nlists = ["notes/*.md"]\n')

    def add(path: str, kind: str) -> None:
        plan.pages[path] = draw(pages(kind))
        plan.changed[path] = draw(days).isoformat()

    for day in draw(st.lists(days, max_size=4, unique=True)):
        add(f"journals/{day:%Y/%m}/{day}.md", "journal")
    for project in draw(st.lists(st.sampled_from(PROJECTS), max_size=3, unique=True)):
        add(f"projects/{project}/todos.md", "todos")
        if draw(st.booleans()):
            add(f"projects/{project}/PROGRESS.md", "progress")
        if draw(st.booleans()):
            add(f"projects/{project}/actives/upload/todos.md", "active")
    for name in draw(st.sampled_from(("", "", "a", "abcd"))):
        add(f"notes/{name}.md", "todos")
    return plan


@st.composite
def unrelated_pages(draw: Callable, plan: Plan) -> tuple[str, Page]:
    """A file that has nothing to do with a vault: other letters, another project, no newer journal."""
    journals = sorted(path.removesuffix(".md") for path in plan.pages if path.startswith("journals/"))
    places = [("projects/omega/todos.md", "todos"), ("projects/omega/PROGRESS.md", "progress"),
              ("projects/omega/actives/upload/todos.md", "active")]  # fmt: skip
    places += [(f"{path}-beside.md", "journal") for path in journals]
    path, kind = draw(st.sampled_from(places))
    return path, draw(pages(kind, texts=greek, sessions=False))
