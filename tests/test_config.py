"""`wrapgen.toml`: every default of the specification, and a clear word about everything that it does not allow."""

import re

import pytest

from tests.support import TODAY, journal, next_list, wrap
from wrapgen.config import Config, UserConfig, load, user_config_path
from wrapgen.config.schema import Sections, describe

GOOD = journal("2026-04-23", next_list("Fix the login"))


def test_an_empty_file_means_the_defaults(vault):
    config = load(vault().path("wrapgen.toml"), Config)
    assert (config.cap, config.lookback_days, config.dedup_threshold, config.lock_timeout) == (15, 30, 85, 10)
    assert (config.output, config.link_style, config.follow) == ("ACTIVE-STATUS.md", "markdown", ())


def test_a_byte_order_mark_and_crlf_do_no_harm(vault):
    built = vault(GOOD)
    built.write("wrapgen.toml", b"\xef\xbb\xbfcap = 2\r\n[projects.web]\r\naliases = ['w']\r\n")
    assert load(built.path("wrapgen.toml"), Config).cap == 2


def test_the_timeout_may_be_fractional(vault):
    assert load(vault(config="lock_timeout = 0.25\n").path("wrapgen.toml"), Config).lock_timeout == 0.25


BROKEN = {
    "syntax": ("cap = 15\nlookback_days = = 3\n", 2, "TOML"),
    "open string": ('cap = 15\n\noutput = "x\n', 3, "TOML"),
    "twice": ("cap = 15\ncap = 16\n", 2, "TOML"),
    "unknown key": ("cap = 15\nlookback_day = 3\n", 2, "lookback_days"),
    "unknown key in a table": ('[sections]\nnext = ["Next"]\ndune = ["x"]\n', 3, "sections.done"),
    "unknown table": ('cap = 3\n\n[source]\njournals = ["x"]\n', 3, "sources"),
    "unknown key of a project": ('[projects.web]\naliases = ["w"]\npath = ["x"]\n', 3, "projects.web.paths"),
    "unknown dotted key": ('cap = 3\nsections.nest = ["x"]\n', 2, "sections.next"),
    "wrong type": ('lookback_days = 3\ncap = "many"\n', 2, "cap"),
    "text instead of a list": ('[sections]\nnext = "Next"\n', 2, "sections.next"),
    "number in a list": ('[sections]\nnext = ["Next", 3]\n', 2, "sections.next"),
    "bool instead of a number": ("cap = true\n", 1, "cap"),
    "fraction of a count": ("cap = 1.5\n", 1, "cap"),
    "project that is no table": ('cap = 3\n[projects]\nweb = "x"\n', 3, "projects"),
    "list of a project": ('[projects.web]\n\naliases = "w"\n', 3, "aliases"),
    "value too small": ("lookback_days = 3\ncap = 0\n", 2, "cap"),
    "negative": ("lookback_days = -1\n", 1, "lookback_days"),
    "not a number": ("lock_timeout = nan\n", 1, "lock_timeout"),
    "threshold above all": ("dedup_threshold = 101\n", 1, "dedup_threshold"),
    "unknown choice": ('cap = 3\n\n\nlink_style = "html"\n', 4, "obsidian"),
    "output outside": ('output = "../x.md"\n', 1, "output"),
    "output at the root of the disk": ('output = "/tmp/x.md"\n', 1, "output"),
    "output with a NUL": ('cap = 3\noutput = "a\\u0000b.md"\n', 2, "output"),
    "output is the folder": ('output = "."\n', 1, "output"),
    "output is the configuration": ('output = "wrapgen.toml"\n', 1, "output"),
    "output is among the program's own files": ('output = ".agents/locks/active-status.lock"\n', 1, "output"),
    "pattern without words": ('[sources]\njournals = [""]\n', 2, "sources.journals"),
    "alias without words": ('[projects.web]\naliases = [" "]\n', 2, "projects.web.aliases"),
    "more days than there are": ("due_soon_days = 99999999999\n", 1, "due_soon_days"),
    "empty output": ('output = ""\n', 1, "output"),
    "snapshots outside": ('cap = 3\n[stage]\ndir = "../x"\n', 3, "stage.dir"),
    "snapshots at the root of the disk": ('[stage]\ndir = "/tmp"\n', 2, "stage.dir"),
    "snapshots in the vault itself": ('[stage]\ndir = "."\n', 2, "stage.dir"),
    "snapshots among the program's own files": ('[stage]\ndir = ".git/x"\n', 2, "stage.dir"),
    "task ids that take for ever": ('[stage]\ntask_id_pattern = "(A+)+"\n', 2, "stage.task_id_pattern"),
    "task ids that are no pattern": ('[stage]\n\ntask_id_pattern = "(A"\n', 3, "datarim"),
    "a pattern without end": (f'[stage]\ntask_id_pattern = "{"a" * 201}"\n', 2, "stage.task_id_pattern"),
    "no stages": ("[stage]\nnames = []\n", 2, "stage.names"),
    "a stage of two words": ('[stage]\nnames = ["plan", "do it"]\n', 2, "stage.names"),
    "class of characters": ('cap = 3\n[sources]\nlists = ["[A-Z]*.md"]\n', 3, "[A-Z]*.md"),
    "negation": ('[sources]\nignore = ["!drafts/*.md"]\n', 2, "!drafts/*.md"),
    "endless choices": ('[sources]\nlists = ["' + "{a,b}/" * 9 + '*.md"]\n', 2, "sources.lists"),
    "a mark of two characters": ('[tasks]\n\nstates = {"xx" = "done"}\n', 3, "tasks.states.xx"),
    "a section of journals": ('[sources]\njournals = ["j/YYYY-MM-DD.md#Next"]\n', 2, "path#heading is for hand_overs"),
    "a section without words": ('[sources]\n\nhand_overs = ["a.md#"]\n', 3, "names no heading"),
    "a section with endless stars": ('[sources]\nlists = ["a.md#*a*b*c*d*"]\n', 2, "names no heading"),
    "a section of no file": ('[sources]\nlists = ["#Next"]\n', 2, "does not name a file"),
    "a section outside": ('[sources]\nhand_overs = ["../a.md#Next"]\n', 2, "leads outside the vault"),
    "unknown key of items": ('[items]\nignored = ["Signal:*"]\n', 2, "items.ignore"),
    "journals outside": ('[sources]\njournals = ["../YYYY-MM-DD.md"]\n', 2, "sources.journals"),
}


@pytest.mark.sampled(5)
@pytest.mark.parametrize("name", BROKEN)
@pytest.mark.parametrize("words", [("regen",), (), ("audit",)])
def test_a_broken_file_is_exit_1_with_its_line_and_nothing_is_written(vault, name, words):
    text, line, named = BROKEN[name]
    built = vault(GOOD, config=text)
    built.dashboard.write_text("old\n", encoding="utf-8")
    before = built.snapshot()
    result = wrap(*words, vault=built)
    assert (result.code, result.out) == (1, "")
    assert f"{built.path('wrapgen.toml')}:{line}:" in result.err
    assert named in result.err
    assert "Traceback" not in result.err
    assert result.err.count("\n") == 1, "one paragraph"
    assert built.snapshot() == before


GONE = (
    'resolve_threshold = "x"\ndates = "git"\nshare_page = true\nmax_file_bytes = 0\n'
    '[followups]\nmin_confidence = 7\n[stage]\nmarker = ""\nkeep = -1\nstale_days = 1\n[tracks]\nstale_days = 1\n'
    "[agents]\ncontext_budget = 1\nkeep_days = 0\nshrink_over = 9\n[hooks]\nwarn_of_dead_ends = true\n"
    '[page]\nlinks = "vscode"\n'
)


def test_a_key_of_an_earlier_version_is_named_and_changes_nothing(vault):
    built = vault(GOOD, config=GONE)
    assert load(built.path("wrapgen.toml"), Config) == Config()
    result = wrap("regen", vault=built)
    assert result.code == 0
    plain = vault(GOOD, name="plain")
    wrap("regen", vault=plain)
    assert built.page == plain.page
    said = re.findall(r"`([a-z_.]+)` is gone and changes nothing", result.err)
    assert sorted(name.rpartition(".")[2] for name in said) == sorted(re.findall(r"^(\w+) =", GONE, re.MULTILINE))
    assert f"{built.path('wrapgen.toml')}:2: `dates` is gone" in result.err
    assert "`page.links` is gone and changes nothing; `link_style` is for the page too" in result.err
    assert "is gone" in wrap("doctor", vault=built).out


@pytest.mark.parametrize(
    ("own", "gained", "lost"),
    [
        ((), (), ()),
        (("Baton",), ("Baton",), ()),
        (("next",), (), ()),
        (("!Now", "! pending"), (), ("now", "pending")),
        (("Baton", "!Nowhere"), ("Baton",), ()),
        (("Now", "!Now"), (), ("now",)),
    ],
)
def test_names_of_sections_are_added_to_the_usual_ones(own, gained, lost):
    usual, names = Config().names.next, Config(sections=Sections(next=own)).names.next
    assert names == (*(name for name in usual if name not in lost), *gained)


def test_a_key_that_never_was_is_an_error_beside_one_that_is_gone(vault):
    result = wrap("regen", vault=vault(GOOD, config='dates = "git"\ndate = "git"\n'))
    assert (result.code, "unknown key `date`" in result.err) == (1, True)


@pytest.mark.parametrize(
    ("text", "allowed"),
    [
        ("cap = 0\n", "at least 1"),
        ('link_style = "html"\n', "markdown"),
        ('lock = "none"\n', "shared"),
        ('cap = "x"\n', "whole number"),
    ],
)
def test_the_message_says_what_is_allowed(vault, text, allowed):
    assert allowed in wrap("regen", vault=vault(GOOD, config=text)).err


def test_a_file_that_is_not_utf8(vault):
    built = vault(GOOD)
    built.write("wrapgen.toml", b"# caf\xe9\n")
    result = wrap("regen", vault=built)
    assert result.code == 1
    assert "wrapgen.toml" in result.err
    assert not built.dashboard.exists()


def test_deep_tables_end(vault):
    built = vault(GOOD, config="a = " + "[" * 5000 + "]" * 5000)
    result = wrap("regen", vault=built)
    assert result.code == 1
    assert "unexpected" not in result.err


def test_every_message_survives_odd_keys(vault):
    built = vault(GOOD, config='"\\u001b[31m" = 1\n')
    result = wrap("regen", vault=built)
    assert result.code == 1
    assert "\x1b" not in result.err


# The user's own file


def test_the_default_vault_of_the_user(vault):
    built = vault(GOOD)
    own = user_config_path()
    own.parent.mkdir(parents=True)
    own.write_text(f"default_vault = '{built.root}'\n", encoding="utf-8")
    assert load(own, UserConfig).default_vault == str(built.root)
    assert wrap("regen").code == 0
    assert built.dashboard.exists()


def test_a_broken_user_file_is_named_only_when_it_is_needed(vault):
    built = vault(GOOD)
    own = user_config_path()
    own.parent.mkdir(parents=True)
    own.write_text("default_valt = 'x'\n", encoding="utf-8")
    result = wrap("regen")
    assert result.code == 1
    assert f"{own}:1:" in result.err
    assert "default_vault" in result.err
    assert wrap("regen", vault=built).code == 0


def test_the_vault_cannot_name_what_belongs_to_the_user(vault):
    assert wrap("regen", vault=vault(GOOD, config="default_vault = 'x'\n")).code == 1


def test_today_is_the_pinned_day(vault):
    built = vault(GOOD)
    assert wrap("regen", "--json", vault=built).json["today"] == TODAY


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("x" * 20_000, "a line of more than"),
        ("[a" + ".a" * 9_000 + "]", "a line of more than"),
        ("# x\n" * 300_000, "larger than"),
        ("# \ud55c\n".encode("utf-8", "surrogatepass").decode() * 250_000, "larger than"),
        ("lock_timeout = inf", "lock_timeout"),
        ('[projects."../../x"]', "projects"),
        ('[projects.".."]', "projects"),
        ('[followups]\ncues = { en = ["{a,b}{a,b}{a,b}{a,b} x"] }', "cues"),
        ('[followups]\ncues = { en = ["a\u2026b\u2026c\u2026d"] }', "cues"),
        ('[followups]\ncues = { en = [""] }', "cues"),
        ('[followups]\ncues = { en = ["^"] }', "cues"),
    ],
)
def test_what_could_hang_or_lead_elsewhere_is_refused(vault, text, why):
    result = wrap("audit", vault=vault({}, config=text))
    assert result.code == 1
    assert why in result.err


def test_cues_with_every_sign(vault, tmp_path):
    cues = '["{circle,come} back…soon", "{,x}", "=put* off", "^later on$"]'
    built = vault({}, config=f"[followups]\ncues = {{ en = {cues} }}")
    talk = tmp_path / "talk.json"
    talk.write_text('{"turns": [{"role": "user", "text": "We circle back to the login soon."}]}')
    assert wrap("orphans", "--transcript", talk, "--dry-run", vault=built).code == 0


@pytest.mark.slow
def test_the_written_defaults_are_the_defaults(vault):
    """What `wrap init` writes commented out must be right once the # is taken away."""
    for key in describe(Config):
        if ".NAME." not in key.name:
            table, _, name = key.name.rpartition(".")
            built = vault({}, config=(f"[{table}]\n" if table else "") + f"{name} = {key.default}\n")
            assert load(built.root / "wrapgen.toml", Config) == Config(), key.name
