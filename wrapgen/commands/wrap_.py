"""`wrap`: the session-end run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wrapgen.commands.rebuild import rebuild

if TYPE_CHECKING:
    from wrapgen.commands.app import App


def wrap_session(app: App, *, as_json: bool) -> None:
    """Rebuild the dashboard and print the audit.

    Args:
        app: the global options.
        as_json: print the audit as JSON.
    """
    rebuilt = rebuild(app)
    if as_json:
        app.print_json(rebuilt.as_json(app))
        return
    if app.quiet:
        return
    from wrapgen.commands.report import print_audit

    app.say(f"{app.config.output}: {'rebuilt' if rebuilt.changed else 'unchanged'}")
    app.say("")
    print_audit(app, rebuilt.run)
