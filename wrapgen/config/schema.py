"""Every key of `wrapgen.toml` and of the user's own file: its type, its default and one line that says what it does.

The structs are the single source: they decode the files, refuse what is unknown, and print the commented
`wrapgen.toml` that `wrap init` writes.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from wrapgen.config.task_ids import DEFAULT_PATTERN

NEXT_NAMES = (
    "next", "next session", "next session priorities", "next session tasks", "next session goals", "next step",
    "next steps", "next action", "next actions", "what's next", "follow-up", "follow-ups", "action items",
    "to do next", "for next session", "tomorrow",
    "다음", "다음 세션", "다음 단계", "다음 작업", "다음 할 일", "다음에 할 일", "후속 작업", "남은 작업", "내일 할 일",
    "下一步", "下一步行动", "下次", "后续", "后续工作", "待办", "明日计划",
    "次回", "次のステップ", "残タスク",
)  # fmt: skip
DONE_NAMES = (
    "done", "completed", "what was done", "shipped", "finished",
    "완료", "완료된 작업", "한 일", "오늘 한 일",
    "已完成", "今日完成", "完成",
    "完了", "やったこと",
)  # fmt: skip
DECISION_NAMES = (
    "decision", "decisions", "decisions made", "key decisions", "recent decisions",
    "결정", "결정 사항", "결정사항", "주요 결정", "최근 결정",
    "决定", "决策", "关键决策", "最近决定", "決定", "決策", "決定事項",
)  # fmt: skip
STORE_ADDRESS = r"\A(?:postgres(?:ql)?://[^\x00-\x20\x7f]*)?\Z"
"""An address of PostgreSQL as libpq reads it, or nothing."""
SESSION_NAMES = ("session", "세션", "会话", "會話", "セッション")


class Sources(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where the four durable sources are."""

    journals: Annotated[
        tuple[str, ...],
        Meta(description="Journals: globs with YYYY, MM and DD where the date stands; ** is any number of folders."),
    ] = ("journals/**/YYYY-MM-DD*.md",)
    active_todos: Annotated[
        tuple[str, ...], Meta(description="Lists of active tasks, with <project> and <task> where the names stand.")
    ] = ("projects/<project>/actives/<task>/todos.md",)
    project_todos: Annotated[tuple[str, ...], Meta(description="Project lists.")] = ("projects/<project>/todos.md",)
    progress: Annotated[tuple[str, ...], Meta(description="Progress files.")] = ("projects/<project>/PROGRESS.md",)


class Sections(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Names of headings; compared without emoji, numbering, brackets, dates, case and closing colon."""

    next: Annotated[tuple[str, ...], Meta(description="Headings whose lists are open work.")] = NEXT_NAMES
    done: Annotated[tuple[str, ...], Meta(description="Headings whose lists are finished work.")] = DONE_NAMES
    decisions: Annotated[tuple[str, ...], Meta(description="Headings whose lists say what was decided.")] = (
        DECISION_NAMES
    )
    session: Annotated[tuple[str, ...], Meta(description="First word of a heading that opens a session block.")] = (
        SESSION_NAMES
    )


# A phrase begins with a letter and is short; endings, gaps and alternatives in braces multiply the ways to fit.
_CUE = r"\A[=^]{0,2}(?=[\w{])(?=[^…~]*(?:[…~][^…~]*){0,2}\Z)(?:[^{}]*\{[^{}]*\}){0,3}[^{}]*\Z"
Cue = Annotated[str, Meta(max_length=200, pattern=_CUE)]


class FollowUps(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How follow-ups that were only said are found."""

    min_confidence: Annotated[
        float, Meta(ge=0, le=1, description="Below this a follow-up is not offered, only counted.")
    ] = 0.5
    cues: Annotated[
        dict[str, tuple[Cue, ...]],
        Meta(description='Further phrases that put work off, by language: { en = ["circle back to"] }.'),
    ] = {}


Name = Annotated[str, Meta(pattern=r"\S")]  # a name of blanks would be found everywhere


FolderName = Annotated[str, Meta(max_length=255, pattern=r"\A(?!\.{1,2}\Z)[^/\\\x00-\x1f\x7f]+\Z")]


class Project(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A project's other names and working folders: `[projects.web]`."""

    paths: Annotated[
        tuple[str, ...], Meta(description="Working folders (and their git worktrees); ~ is expanded.")
    ] = ()
    aliases: Annotated[tuple[Name, ...], Meta(description="Other names that mean this project.")] = ()


StageName = Annotated[str, Meta(pattern=r"\A[^\s/]+\Z")]  # stands in a line of its own, and in commands


class Stage(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Stage snapshots: where one task stands, for the next session to resume it."""

    dir: Annotated[str, Meta(min_length=1, description="The folder of the snapshots, relative to the vault.")] = (
        "snapshots"
    )
    task_id_pattern: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=200,
            description='Task ids: a regular expression for the whole id, or "datarim" for that tool\'s ids.',
        ),
    ] = DEFAULT_PATTERN
    names: Annotated[tuple[StageName, ...], Meta(min_length=1, description="The stages that there are.")] = (
        "init", "prd", "plan", "design", "do", "qa", "verify", "compliance", "archive", "edit", "publish", "write",
        "dream", "doctor", "optimize", "auto",
    )  # fmt: skip
    marker: Annotated[
        str, Meta(pattern=r"\A[^\x00-\x1f\x7f-\x9f\u2028\u2029]+\Z", max_length=200,
                  description="The line that stands where a text was cut to fit.")
    ] = "<!-- snapshot-truncated, full text: session jsonl -->"  # fmt: skip
    stale_days: Annotated[
        int, Meta(ge=0, le=100_000, description="A snapshot older than so many days is called stale.")
    ] = 7
    keep: Annotated[int, Meta(ge=0, le=100, description="How many former snapshots of a task are kept beside it.")] = 3


class Agents(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What sub-agents return, and what they are given."""

    contract: Annotated[
        dict[str, Literal["off", "warn", "block"]],
        Meta(description='How strict to be with a type of agent: { reviewer = "block" }; "warn" for others.'),
    ] = {}
    shrink_over: Annotated[
        int, Meta(ge=0, description="Answers of more characters reach the leader as a digest; 0 for never.")
    ] = 0
    context_budget: Annotated[
        int, Meta(ge=100, le=100_000, description="Tokens of what a new agent is given of others' work.")
    ] = 1_500
    keep_days: Annotated[
        int, Meta(ge=1, le=100_000, description="Days after which what agents did may be forgotten.")
    ] = 90


class Hooks(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What hooks do that is not for everybody."""

    warn_of_dead_ends: Annotated[
        bool, Meta(description="Tell a session when its user's words name something that was tried and given up.")
    ] = False


class Tracks(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Hot and cold track: what of a conversation lasts when the host folds it."""

    stale_days: Annotated[
        int, Meta(ge=0, le=100_000, description="A hot track older than so many days is called stale.")
    ] = 14


class Page(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The page that `wrap page` writes."""

    links: Annotated[
        Literal["file", "vscode", "obsidian"],
        Meta(description="What opens a source: file for the browser, or an editor, which goes to the line."),
    ] = "file"


class Config(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything `wrapgen.toml` can say."""

    output: Annotated[
        str, Meta(min_length=1, description="The dashboard, relative to the vault; rebuilt on every run.")
    ] = "ACTIVE-STATUS.md"
    cap: Annotated[int, Meta(ge=1, le=1000, description="How many priorities are shown.")] = 15
    lookback_days: Annotated[
        int, Meta(ge=0, le=100_000, description="Days back from the newest journal; older open items count as expired.")
    ] = 30
    due_soon_days: Annotated[
        int, Meta(ge=0, le=100_000, description="Due within so many days ranks before priority.")
    ] = 3
    dedup_threshold: Annotated[
        float, Meta(ge=50, le=100, description="Likeness (percent) from which two items may be one.")
    ] = 85.0
    resolve_threshold: Annotated[
        float, Meta(ge=50, le=100, description="Likeness (percent) from which a done item resolves an open one.")
    ] = 95.0
    lock: Annotated[
        Literal["kernel", "shared"], Meta(description="kernel; shared for folders on a network file system.")
    ] = "kernel"
    lock_timeout: Annotated[
        float, Meta(ge=0, le=3600, description="Seconds to wait for the lock; fractions are allowed.")
    ] = 10.0
    dates: Annotated[
        Literal["mtime", "git"], Meta(description="What dates a tick: the file's mtime, or the line's commit.")
    ] = "mtime"
    share_page: Annotated[
        bool,
        Meta(description="The dashboard is committed: it shows what the notes say, and nothing that only you know."),
    ] = False
    pending: Annotated[
        Literal["local", "store"],
        Meta(description="Where follow-ups wait: with you, or in the team's store, for all clones of the vault."),
    ] = "local"
    vault: Annotated[
        str, Meta(max_length=200, description="The vault's name in the team's store, the same in every clone.")
    ] = ""
    link_style: Annotated[
        Literal["markdown", "obsidian"], Meta(description="How the dashboard links to sources: markdown, or wikilinks.")
    ] = "markdown"
    lang: Annotated[
        Literal["", "ko", "en", "zh", "ja"],
        Meta(description="Language of what is written for agents; empty for that of the system, else English."),
    ] = ""
    max_file_bytes: Annotated[
        int, Meta(ge=1, description="Files larger than this are listed as unreadable instead of read.")
    ] = 5_000_000
    follow: Annotated[
        tuple[str, ...], Meta(description="Folders or files of the vault whose links may lead out of it.")
    ] = ()
    sources: Sources = Sources()
    sections: Sections = Sections()
    followups: FollowUps = FollowUps()
    stage: Stage = Stage()
    agents: Agents = Agents()
    hooks: Hooks = Hooks()
    tracks: Tracks = Tracks()
    page: Page = Page()
    projects: dict[FolderName, Project] = {}

    @property
    def evidence_threshold(self) -> float:
        """Likeness (percent) from which a done item says anything about an open one: resolves it, or probably."""
        return min(self.dedup_threshold, self.resolve_threshold)


class UserAgents(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the user's own file says about sub-agents."""

    store: Annotated[
        str,
        Meta(
            pattern=STORE_ADDRESS,
            description="The team's PostgreSQL, postgresql://...; empty for a file of each vault. WRAPGEN_STORE wins.",
        ),
    ] = ""


READERS = ("claude", "codex", "gemini", "llm")
"""Programs that are known by name; any other one is an argument list."""


class UserReader(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who reads conversations for follow-ups. Only the user's own file may name a program."""

    command: Annotated[
        str | tuple[str, ...],
        Meta(description='claude, codex, gemini or llm; or an argument list that takes stdin; "" for nobody.'),
    ] = ""
    window_tokens: Annotated[
        int, Meta(ge=1_000, le=1_000_000, description="Tokens of a conversation that it is given at once, at most.")
    ] = 24_000
    per_day: Annotated[
        int, Meta(ge=0, le=100_000, description="How often it is called in a vault on one day, at most.")
    ] = 40
    timeout: Annotated[float, Meta(ge=1, le=3_600, description="Seconds after which a call is given up.")] = 120.0


class UserConfig(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The user's own file, `wrapgen/config.toml` in the user's configuration folder."""

    default_vault: Annotated[
        str, Meta(description="The vault that is used outside of every vault; empty for none.")
    ] = ""
    trusted_vaults: Annotated[
        tuple[str, ...], Meta(description="Vaults that hooks may act for; written by wrap init and wrap trust.")
    ] = ()
    agents: UserAgents = UserAgents()
    reader: UserReader = UserReader()
