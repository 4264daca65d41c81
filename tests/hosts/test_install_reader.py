"""`wrap install claude --reader`: what is sent where is said first, and it is taken back as it came."""

import pytest

from tests.hosts.conftest import done
from tests.support import wrap
from wrapgen.config import user_config_path
from wrapgen.workflows import user_config


def test_nobody_reads_unless_asked_for(claude):
    assert "sent to" not in claude.install().out
    assert user_config.own().reader.command == ""


def test_it_says_what_is_sent_where_and_names_the_hosts_own_program(claude):
    out = claude.install("--reader").out
    sent = next(line for line in out.splitlines() if "sent to" in line)
    assert "`claude`" in sent
    assert "24,000 tokens" in sent
    assert "40 times a day" in sent
    assert "secrets removed" in sent
    assert "wrap install claude --no-reader" in out
    assert user_config.own().reader.command == "claude"


def test_installing_again_leaves_it(claude):
    claude.install("--reader")
    claude.install()
    assert user_config.own().reader.command == "claude"


@pytest.mark.slow
@pytest.mark.parametrize("host", ["codex", "gemini"])
def test_each_host_names_its_own(host):
    done(wrap("install", host, "--reader"))
    assert user_config.own().reader.command == host


@pytest.mark.slow
def test_no_reader_any_more(claude):
    claude.install("--reader")
    assert "conversations are no longer sent" in claude.install("--no-reader").out
    assert user_config.own().reader.command == ""
    assert "conversations are no longer sent" not in claude.install("--no-reader").out


def test_uninstalling_takes_it_back(claude):
    claude.install("--reader")
    assert "conversations are no longer sent" in claude.uninstall().out
    assert user_config.own().reader.command == ""


@pytest.mark.slow
def test_uninstalling_another_host_or_none_that_reads_leaves_it(claude):
    claude.install("--reader")
    done(wrap("install", "codex"))
    assert "conversations are no longer sent" not in done(wrap("uninstall", "codex")).out
    assert user_config.own().reader.command == "claude"


@pytest.mark.slow
def test_a_dry_run_names_nobody(claude):
    claude.install("--reader", "--dry-run")
    assert user_config.own().reader.command == ""
    claude.install("--reader")
    claude.uninstall("--dry-run")
    assert user_config.own().reader.command == "claude"


@pytest.mark.slow
def test_the_users_own_limits_and_comments_stay(claude):
    file = user_config_path()
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text('# mine\ndefault_vault = ""\n\n[reader]\n# few\nper_day = 3\n', "utf-8")
    out = claude.install("--reader").out
    assert "24,000 tokens" in out
    assert "3 times a day" in out
    text = file.read_text("utf-8")
    assert text.startswith("# mine\n")
    assert "# few\nper_day = 3\n" in text
    assert (user_config.own().reader.command, user_config.own().reader.per_day) == ("claude", 3)


@pytest.mark.slow
def test_an_argument_list_of_the_users_own_stays_when_a_host_goes(claude):
    claude.install()
    file = user_config_path()
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text('[reader]\ncommand = ["claude", "--mine"]\n', "utf-8")
    assert "conversations are no longer sent" not in claude.uninstall().out
    assert user_config.own().reader.command == ("claude", "--mine")


def test_a_users_file_that_is_broken_is_not_overwritten(claude):
    file = user_config_path()
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("[reader\n", "utf-8")
    result = wrap("install", "claude", "--reader")
    assert result.code == 1
    assert f"{file}:1" in result.err
    assert file.read_text("utf-8") == "[reader\n"
    assert claude.uninstall().code == 0
