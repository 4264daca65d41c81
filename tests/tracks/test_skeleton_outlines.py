"""Code in, signatures out: the cases stand in `outlines/`, one file for each language."""

import re
from pathlib import Path

import pytest

from tests.support import each
from tests.tracks.outlining import bare, lines

_CASE = re.compile(r"^## ([^\n]+)\n\n~~~\w+\n(.*?)^~~~\n\n~~~\n(.*?)^~~~$", re.MULTILINE | re.DOTALL)
FOLDER = Path(__file__).with_name("outlines")
LANGUAGES = {"typescript": ("typescript", "tsx"), "routes": ("javascript", "typescript", "tsx")}


def cases():
    for path in sorted(FOLDER.glob("*.md")):
        text = path.read_text(encoding="utf-8")
        found = _CASE.findall(text)
        assert len(found) == text.count("\n## ")
        for language in LANGUAGES.get(path.stem, (path.stem,)):
            for name, code, expected in found:
                yield pytest.param(language, code, expected, id=f"{language}: {name}")


@pytest.mark.parametrize(("language", "code", "expected"), list(cases()))
def test_outline(language, code, expected):
    assert lines(language, code) == expected.splitlines()


@each(["python", "javascript", "typescript", "tsx", "rust", "java"])
def test_nothing_declares_nothing(language):
    assert lines(language, "") == []


def test_windows_line_ends():
    code = "def f(a,\r\n      b=1):\r\n    pass\r\nclass A:\r\n    x: int = 1\r\n"
    assert lines("python", code) == ["def f(a, b)", "class A", "    x: int"]


def test_a_byte_order_mark_is_no_part_of_a_name():
    assert lines("python", "\ufeffdef f(): pass") == ["def f()"]


def test_types_of_a_route_are_its_parameters():
    code = "app.get<{ Params: P }>('/x', (req) => 1);"
    assert lines("typescript", code) == ["app.get<{ Params: P }>('/x')"]
    assert bare("typescript", code) == ["app.get('/x')"]


BARE = {
    "python": (
        "@router.get('/x')\ndef f(a: int, b=1) -> int: ...\ndef g(): ...\nclass A(B):\n    x: int\n    def m(s): ...\n",
        ["@router.get('/x')", "def f(...) -> int", "def g()", "class A(B)", "    x: int", "    def m(...)"],
    ),
    "typescript": (
        "const f = x => x;\nfunction g<T>(a: T): T {}\nfunction h() {}\ninterface I { m(a: 1): void; p: string }\n",
        [
            "const f = (...) =>",
            "function g<T>(...): T",
            "function h()",
            "interface I",
            "    m(...): void",
            "    p: string",
        ],
    ),
    "javascript": (
        "app.get('/x', auth, one);\n",
        ["app.get('/x')"],
    ),
    "go": (
        "package a\nfunc (s *S) Get(id string) (*U, error) {}\ntype I interface { Get(id string) error; Close() }\n",
        ["func (s *S) Get(...) (*U, error)", "type I interface", "    Get(...) error", "    Close()"],
    ),
    "rust": ("fn f(a: i32) -> i32 { a }\nfn g() {}\n", ["fn f(...) -> i32", "fn g()"]),
    "java": (
        "class A { int f(int a) throws E { } A() {} }\nrecord P(int x) {}",
        ["class A", "    int f(...) throws E", "    A()", "record P(...)"],
    ),
}


@each(BARE)
def test_bare_signatures_leave_out_parameters_only(language):
    code, expected = BARE[language]
    assert bare(language, code) == expected
