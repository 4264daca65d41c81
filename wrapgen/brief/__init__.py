"""The session brief: what a sub-agent must know of the session that starts it, within a budget of tokens. PURE."""

from wrapgen.brief.prompt import SNAPSHOT_MAX_TOKENS, estimate_snapshot_tokens, format_for_prompt
from wrapgen.brief.snapshot import FileChange, Snapshot, Teammate, create_snapshot, diff_snapshots
from wrapgen.text.tokens import estimate_tokens

__all__ = [
    "SNAPSHOT_MAX_TOKENS",
    "FileChange",
    "Snapshot",
    "Teammate",
    "create_snapshot",
    "diff_snapshots",
    "estimate_snapshot_tokens",
    "estimate_tokens",
    "format_for_prompt",
]
