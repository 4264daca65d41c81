"""Who may say where the team's store is, and that its password is told to nobody."""

import pytest

from tests.support import wrap
from wrapgen.agents.databases import PostgresStore
from wrapgen.config import shown_address
from wrapgen.errors import UnavailableError

pytestmark = pytest.mark.xdist_group("postgres")

SECRET = "s3cret-word"


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("postgresql://ann:pw@db/x", "postgresql://ann:***@db/x"),
        ("postgresql://ann:p@w:/@db:5432/x", "postgresql://ann:***@db:5432/x"),
        ("postgresql://db/x?user=ann&password=pw&sslmode=require", "postgresql://db/x?user=ann&password=***&sslmode=require"),
        ("postgresql://db/x?sslpassword=pw", "postgresql://db/x?sslpassword=***"),
        ("postgres://ann@db:5432/x", "postgres://ann@db:5432/x"),
    ],
)  # fmt: skip
def test_passwords_are_not_shown(address, shown):
    assert shown_address(address) == shown


@pytest.mark.parametrize(
    "address",
    [
        f"postgresql://ann:{SECRET}@127.0.0.1:1/x",
        f"postgresql://ann:{SECRET}%zz@db/x",
        f"postgresql://ann:p@{SECRET}@db/x",
        f"postgresql://ann:1/{SECRET}@db/x",
        f"postgresql://ann:1?{SECRET}@db/x",
        f"postgresql://127.0.0.1:1/x?password={SECRET}",
        f"postgresql://127.0.0.1:1/x?nonsense={SECRET}",
    ],
)
def test_an_error_says_no_password(address):
    with pytest.raises(UnavailableError) as caught:
        PostgresStore(address)
    shown = str(caught.value)
    assert SECRET not in shown.replace(f"nonsense={SECRET}", "")


@pytest.mark.slow
def test_a_wrong_password_is_not_repeated(server):
    with pytest.raises(UnavailableError, match="authentication failed") as caught:
        PostgresStore(server.address("postgres").replace(server.password, SECRET))
    assert SECRET not in str(caught.value)


def test_a_vault_may_not_name_one(vault):
    built = vault(config='[agents]\ncontract = {}\nstore = "postgresql://ann:s3cret-word@db/x"\n')
    result = wrap("agent", "record", "--session", "s1", "a word", vault=built)
    assert result.code == 1
    assert "wrapgen.toml:3: `agents.store` is not allowed in a vault" in result.err
    assert "WRAPGEN_STORE" in result.err
    assert SECRET not in result.err


@pytest.mark.parametrize("named", ["mysql://x", "postgresql://a b", "/tmp/agents.db"])
def test_something_else_than_an_address(vault, monkeypatch, named):
    monkeypatch.setenv("WRAPGEN_STORE", named)
    result = wrap("agent", "list", vault=vault())
    assert (result.code, "$WRAPGEN_STORE: is not the address of a PostgreSQL server" in result.err) == (1, True)


@pytest.mark.slow
def test_of_the_users_own_file_and_of_the_environment_which_wins(vault, home, monkeypatch, team):
    own = home / "wrapgen" / "config.toml"
    own.parent.mkdir()
    own.write_text(f'[agents]\nstore = "{team}"\n')
    built = vault()
    assert wrap("agent", "record", "--session", "s1", "a word", vault=built).out == "recorded note 1\n"
    monkeypatch.setenv("WRAPGEN_STORE", "")
    assert wrap("agent", "list", "entries", vault=built).out == "1  [note] a word\nentries: 1\n"
    with PostgresStore(team) as store:
        assert store.rows("SELECT content FROM context_entries", {}) == [("a word",)]
