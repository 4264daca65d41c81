"""A PostgreSQL server of Debian's package, started for tests in a folder of its own."""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from contextlib import ExitStack, contextmanager
from functools import cached_property
from pathlib import Path

import pytest

PROGRAMS = next(iter(sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), reverse=True)), None)
MISSING = "needs PostgreSQL's server (Debian: apt-get install postgresql)"

_PATIENCE = 120.0  # seconds, on a busy machine
_SETTINGS = {
    "unix_socket_directories": "", "listen_addresses": "127.0.0.1", "fsync": "off", "max_connections": "120",
    "shared_buffers": "64MB", "log_min_messages": "fatal", "autovacuum_naptime": "1h",
    "full_page_writes": "off", "wal_level": "minimal", "max_wal_senders": "0",
}  # fmt: skip


class Server:
    """A server. It refuses to run for root, so then it runs for its own user, or for nobody.

    Attributes:
        port: on the loopback.
    """

    def __init__(self, **settings):
        """Make a cluster and start it.

        Args:
            settings: of postgresql.conf, further ones or others.
        """
        self.settings = {**_SETTINGS, **settings}
        self.folder = Path(tempfile.mkdtemp(prefix="wrapgen-pg-", dir="/tmp"))  # every user can reach it there
        self.user = _user()
        if self.user:
            shutil.chown(self.folder, *self.user)
        (password := self.folder / "password").write_text(self.password)
        password.chmod(0o644)
        self._run("initdb", "-D", self._data, "-U", "tester", "-A", "scram-sha-256", "--pwfile", password, "-N",
                  "-E", "UTF8", "--locale", "C.UTF-8")  # fmt: skip
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.start()

    @cached_property
    def password(self):
        return secrets.token_hex(8)

    @property
    def _data(self):
        return self.folder / "data"

    def start(self):
        """Start it, and wait until it lets somebody in."""
        import psycopg

        options = [word for name, value in self.settings.items() for word in ("-c", f"{name}={value}")]
        # Not by pg_ctl: whoever started it can wait for its end.
        self.process = subprocess.Popen(
            [PROGRAMS.with_name("postgres"), "-D", self._data, "-p", str(self.port), *options],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **self._options,
        )  # fmt: skip
        deadline = time.monotonic() + _PATIENCE
        while True:
            try:
                psycopg.connect(self.address("postgres"), connect_timeout=10).close()
            except psycopg.OperationalError:
                assert self.process.poll() is None, "the server did not start"
                assert time.monotonic() < deadline, "the server lets nobody in"
                time.sleep(0.02)
            else:
                return

    def stop(self, how=signal.SIGQUIT):
        """Stop it: SIGQUIT in the middle of everything, SIGINT after letting go of everybody."""
        if self.process.poll() is None:
            self.process.send_signal(how)
        self.process.wait(_PATIENCE)

    def remove(self):
        """Stop it for good."""
        self.stop()
        shutil.rmtree(self.folder)

    def address(self, database):
        """The address of a database, with the password."""
        return f"postgresql://tester:{self.password}@127.0.0.1:{self.port}/{database}"

    def new_database(self, encoding="UTF8"):
        """The address of a new database."""
        import psycopg

        name = f"t{secrets.token_hex(6)}"
        with psycopg.connect(self.address("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name} TEMPLATE template0 ENCODING '{encoding}' LOCALE 'C'")
        return self.address(name)

    @property
    def _options(self):
        return {"cwd": self.folder, "env": {**os.environ, "LC_ALL": "C"}} | (
            {"user": self.user[0], "group": self.user[1], "extra_groups": []} if self.user else {}
        )

    def _run(self, program, *words):
        done = subprocess.run(
            [PROGRAMS.with_name(program), *map(str, words)], capture_output=True, check=False, **self._options
        )
        assert done.returncode == 0, done.stderr.decode()


def _user():
    """The user and group that the server runs for; None for those of this process."""
    if os.geteuid() != 0:
        return None
    import pwd

    for name in ("postgres", "nobody"):
        try:
            found = pwd.getpwnam(name)
        except KeyError:
            continue
        return found.pw_uid, found.pw_gid
    return 65534, 65534


@contextmanager
def silent(*, full=False):
    """The address of something that takes connections and says nothing.

    Args:
        full: as many wait already as there is room for, so that the packets of others are dropped.
    """
    with ExitStack() as held:
        listener = held.enter_context(socket.create_server(("127.0.0.1", 0), backlog=0 if full else 64))
        place = listener.getsockname()
        for _ in range(2 if full else 0):
            waits = held.enter_context(socket.socket())
            waits.setblocking(False)
            waits.connect_ex(place)
        yield f"postgresql://ann:s3cret-word@127.0.0.1:{place[1]}/x"


@pytest.fixture(scope="session")
def server():
    """A server; who asks for it runs in the xdist group `postgres`, so that one worker alone starts it."""
    if PROGRAMS is None:
        pytest.skip(MISSING)
    pytest.importorskip("psycopg", reason="needs psycopg (pip install 'wrapgen[postgres]')")
    made = Server()
    yield made
    made.remove()


@pytest.fixture(scope="session")
def tables(server):
    """The address of a database that has the tables of the store."""
    from wrapgen.agents.databases import PostgresStore

    address = server.new_database()
    PostgresStore(address).close()
    return address


# Not by TRUNCATE, which makes a new file of each table and index. A key of another table's need not be looked for.
_EMPTIED = """
DO $$
DECLARE one record;
BEGIN
  SET LOCAL session_replication_role = replica;
  FOR one IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'schema_version' LOOP
    EXECUTE format('DELETE FROM %I', one.tablename);
  END LOOP;
  PERFORM setval(format('%I', sequencename)::regclass, start_value, false) FROM pg_sequences
    WHERE schemaname = 'public' AND last_value IS NOT NULL;
END $$"""


@pytest.fixture
def team(tables):
    """The address of a team's store, empty."""
    import psycopg

    with psycopg.connect(tables, autocommit=True) as connection:
        connection.execute(_EMPTIED)
    return tables
