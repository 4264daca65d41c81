import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.support import examples
from tests.tracks.outlining import bare, lines
from wrapgen.tracks.record import FileState, turn_record
from wrapgen.tracks.skeleton.final import code_blocks, interfaces

SUFFIXES = ("py", "js", "ts", "tsx", "go", "rs", "java")
MANY = settings(max_examples=examples(40), deadline=None, suppress_health_check=[HealthCheck.too_slow])
# Pieces of seven languages, so that declarations meet each other in all ways.
PIECES = (
    "def f(a=1):", "class A:", "class A {", "}", "{", "\n", "    ", "function f(a = 1) {", "export ",
    "const x = ", "(a) => ", "type A = ", "interface I { ", "a: string; ", "func f() {", "type S struct {",
    "fn f() {", "impl A for B {", "@x.get('/a')", "app.get('/a', b);", "public ", "private ", "enum E { ", "A, ",
    "// c\n", "# c\n", "'", '"', "`", "(", ")", "<", ">", "=", ";", "\x00", "\r\n", "\ud800", "한",
    "urlpatterns = [", "path('a')", "self.x = 1", "return", "async ", "x: int = 3\n", "package a\n",
)  # fmt: skip
codes = st.one_of(st.text(max_size=200), st.lists(st.sampled_from(PIECES), max_size=30).map("".join))


@MANY
@given(codes, st.sampled_from(SUFFIXES))
def test_any_text_is_read_or_listed_by_name(code, suffix):
    (one,) = interfaces([turn_record("s", 1, "assistant", "")], [FileState(f"a.{suffix}", code, turn=1)])
    assert len(one.lines) == len(one.bare)
    for line in one.lines + one.bare:
        assert line.strip()
        assert line.isprintable()
        line.encode()


@MANY
@given(
    st.lists(
        st.sampled_from(["```", "~~~", "````", "py", " a.py", "\n", "x", ">", "   ", "`", "`a.py`:", "\r"]), max_size=40
    ).map("".join)
)
@example("```\n```\n```")
def test_any_message_has_blocks_of_its_own_words(text):
    for block in code_blocks(text):
        assert block.name in text
        assert all(line.strip() in text for line in block.text.splitlines())


names = st.from_regex(r"f[a-z]{3,8}", fullmatch=True)
# Words that stand nowhere else.
secrets = st.integers(10**6, 10**9).map(lambda number: f"S{number}S")


@st.composite
def functions(draw):
    """Names of functions, each with its parameters and their default values."""
    found = draw(st.lists(names, min_size=1, max_size=6, unique=True))
    params = st.lists(
        st.tuples(st.from_regex(r"p[a-z]{2,6}", fullmatch=True), secrets), max_size=4, unique_by=lambda p: p[0]
    )
    return {name: draw(params) for name in found}


def python(name, params):
    given = ", ".join(f"{param}: str = '{default}'" for param, default in params)
    shown = ", ".join(f"{param}: str" for param, _ in params)
    return f"def {name}({given}) -> int:\n    return {name!r}\n", f"def {name}({shown}) -> int"


def typescript(name, params):
    given = ", ".join(f"{param}: string = '{default}'" for param, default in params)
    shown = ", ".join(f"{param}: string" for param, _ in params)
    return (
        f"export function {name}({given}): number {{ return '{name}' }}\n",
        f"export function {name}({shown}): number",
    )


def javascript(name, params):
    given = ", ".join(f"{{ {param} = '{default}' }}" for param, default in params)
    shown = ", ".join(f"{{ {param} }}" for param, _ in params)
    return f"const {name} = async ({given}) => '{name}';\n", f"const {name} = async ({shown}) =>"


def go(name, params):
    shown = ", ".join(f"{param} string" for param, _ in params)
    body = "".join(f'\tif {param} == "" {{ {param} = "{default}" }}\n' for param, default in params)
    return f"func {name}({shown}) int {{\n{body}\treturn 1\n}}\n", f"func {name}({shown}) int"


@pytest.mark.slow
@pytest.mark.parametrize("write", [python, typescript, javascript, go])
def test_every_signature_appears_once_and_no_default(write):
    @MANY
    @given(functions())
    def check(declared):
        written = [write(name, params) for name, params in declared.items()]
        code = ("package a\n" if write is go else "") + "".join(code for code, _ in written)
        found = lines(write.__name__, code)
        assert found == [signature for _, signature in written]
        for default in (default for params in declared.values() for _, default in params):
            assert default not in "\n".join(found + bare(write.__name__, code))

    check()
