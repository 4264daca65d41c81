"""Whatever stands in a host's settings: coming and going changes nothing, and what others do meanwhile stays."""

import json
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.support import examples
from wrapgen.hosts.host import CLAUDE, CURSOR, HOSTS, Scope, is_own
from wrapgen.hosts.installer import Guest
from wrapgen.hosts.jsontext import JsonTextError
from wrapgen.hosts.places import HostFiles
from wrapgen.hosts.settings import Wanted, entries, merge, without

SCALARS = st.none() | st.booleans() | st.integers() | st.text(max_size=8)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
COMMANDS = st.sampled_from(
    ["echo hi", "wrap hook stop", "/old/wrapgen hook session-start --host codex", "shrinkwrap hook x"]
)
HANDLERS = st.fixed_dictionaries({"type": st.just("command"), "command": COMMANDS}) | VALUES
GROUPS = (
    st.fixed_dictionaries({"hooks": st.lists(HANDLERS, max_size=3)}, optional={"matcher": st.text(max_size=5)}) | VALUES
)
EVENTS = st.sampled_from(["SessionStart", "Stop", "Notification", "AfterTool"])
HOOKS = st.dictionaries(EVENTS, st.lists(GROUPS, max_size=3), max_size=3)
SETTINGS = st.dictionaries(st.sampled_from(["model", "env", "statusLine", "권한"]), VALUES, max_size=3).flatmap(
    lambda table: st.just(table) | HOOKS.map(lambda hooks: {**table, "hooks": hooks})
)
TEXTS = st.tuples(SETTINGS, st.sampled_from([None, 0, 2, "\t"]), st.sampled_from(["\n", "\r\n"])).map(
    lambda drawn: json.dumps(drawn[0], indent=drawn[1], ensure_ascii=False).replace("\n", drawn[2]) + drawn[2]
)
HOST = st.sampled_from(list(HOSTS.values()))


def ours_out(value):
    """The settings without what is ours, by data alone; what would be left empty of it goes too."""
    hooks = {}
    for event, groups in value.get("hooks", {}).items():
        kept = []
        for group in groups:
            handlers = group.get("hooks") if isinstance(group, dict) else None
            if not isinstance(handlers, list) or not any(map(is_own, handlers)):
                kept.append(group)
            elif others := [one for one in handlers if not is_own(one)]:
                kept.append({**group, "hooks": others})
        if kept or not groups:
            hooks[event] = kept
    rest = {key: one for key, one in value.items() if key != "hooks"}
    return {**rest, "hooks": hooks} if hooks or value.get("hooks") == {} else rest


@settings(max_examples=examples(60), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(TEXTS, HOST)
def test_only_ours_is_taken_out(text, host):
    assert json.loads(without(text, host, None)) == ours_out(json.loads(text))


@settings(max_examples=examples(60), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(TEXTS, HOST)
@example(
    '{"hooks": {"SessionStart": [], "Stop": [{"hooks": [{"type": "command", "command": "wrap hook stop"}]}]}}\n', CLAUDE
)
@example(
    '{"hooks": {"SessionStart": [], "Stop": [{"hooks": [{"type": "command", "command": "wrap hook stop"}]}]}}\n', CURSOR
)
def test_ours_is_put_in_once_and_all_else_stays(text, host):
    wanted = Wanted(host, ("/bin/wrap",))
    merged = merge(text, wanted)
    assert merge(merged, wanted) == merged
    assert sorted(one.event for one in entries(merged, host)) == sorted(
        event.name
        for event in host.events
        if not event.on_request or event.name in {one.event for one in entries(text, host)}
    )
    expected = ours_out(json.loads(text))
    assert ours_out(json.loads(without(merged, host, text))) == expected or expected.get("hooks") is None


@settings(max_examples=examples(25), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(TEXTS, HOST)
def test_coming_and_going_leaves_the_former_bytes(text, host):
    clean = without(text, host, None)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "settings.json"
        file.write_bytes(clean.encode())
        guest = Guest(HostFiles(host, Scope.USER, file, Path(folder) / "skills"), {"wrap": "text"})
        wanted = Wanted(host, ("/bin/wrap",))
        guest.install(wanted, guest.plan(wanted, {}))
        assert file.read_bytes() != clean.encode()
        guest.uninstall(guest.farewell())
        assert file.read_bytes() == clean.encode()
        assert [one.name for one in Path(folder).iterdir()] == ["settings.json"]


@settings(max_examples=examples(25), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    TEXTS, HOST, st.dictionaries(st.sampled_from(["model", "theme"]), VALUES, min_size=1), st.sampled_from([None, 4])
)
def test_what_somebody_wrote_meanwhile_stays(text, host, change, indent):
    clean = json.loads(without(text, host, None))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "settings.json"
        file.write_text(json.dumps(clean), encoding="utf-8")
        guest = Guest(HostFiles(host, Scope.USER, file, Path(folder) / "skills"), {})
        wanted = Wanted(host, ("/bin/wrap",))
        guest.install(wanted, guest.plan(wanted, {}))
        file.write_text(json.dumps({**json.loads(file.read_bytes()), **change}, indent=indent), encoding="utf-8")
        guest.uninstall(guest.farewell())
        assert json.loads(file.read_bytes()) == {**clean, **change}


@given(st.text(max_size=30) | VALUES.map(json.dumps), HOST)
def test_anything_else_is_refused_and_nothing_breaks(text, host):
    try:
        merged = merge(text, Wanted(host, ("wrap",)))
    except JsonTextError:
        return
    assert entries(merged, host)
