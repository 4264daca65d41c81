from dataclasses import replace

from wrapgen.tracks.record import FileState, turn_record
from wrapgen.tracks.skeleton import final
from wrapgen.tracks.skeleton.final import interfaces


def turn(number, text="", *files):
    """A turn, and the files that it changed."""
    return turn_record("s", number, "assistant", text, line=number), [replace(one, turn=number) for one in files]


def listed(steps):
    return interfaces([one for one, _ in steps], [state for _, states in steps for state in states])


def lines(*steps):
    return {one.name: one.lines for one in listed(steps)}


PYTHON = """\
LIMIT = 3
def calc(a: int, b: int = {n}) -> int:
    total = a + b
    return total
class Cart{n}:
    items: list[str] = []
    def add(self, item: str, times=5) -> None:
        self.items.extend([item] * times)
"""
TYPESCRIPT = """\
export interface Order{n} {{
  id: string;
  total?: number;
}}
export async function place(order: Order{n}, retries = {n}): Promise<void> {{
  const body = JSON.stringify(order);
  await send(body, retries);
}}
export const cancel = (id: string): boolean => {{ return gone.delete(id); }};
"""
GO = """\
package store

type Store{n} struct {{
	path string
}}

func (s *Store{n}) Get(ctx context.Context, key string) (string, error) {{
	return s.load(key, {n})
}}
"""


def test_three_files_rewritten_show_exactly_the_final_signatures():
    steps = [
        turn(
            n,
            f"Version {n}",
            FileState("src/cart.py", PYTHON.format(n=n)),
            FileState("web/order.ts", TYPESCRIPT.format(n=n)),
            FileState("store/store.go", GO.format(n=n)),
        )
        for n in range(1, 8)
    ]
    assert lines(*steps) == {
        "src/cart.py": (
            "def calc(a: int, b: int) -> int",
            "class Cart7",
            "    items: list[str]",
            "    def add(self, item: str, times) -> None",
        ),
        "web/order.ts": (
            "export interface Order7",
            "    id: string",
            "    total?: number",
            "export async function place(order: Order7, retries): Promise<void>",
            "export const cancel = (id: string): boolean =>",
        ),
        "store/store.go": (
            "type Store7 struct",
            "    path string",
            "func (s *Store7) Get(ctx context.Context, key string) (string, error)",
        ),
    }


def test_code_blocks_that_name_their_file():
    steps = [
        turn(1, "**`src/a.py`**\n```python\ndef old(): ...\n```\n"),
        turn(2, "```ts title=web/a.ts\nexport const f = (x: number) => x;\n```\n"),
        turn(3, "```python\n# src/a.py\ndef new(a, b=1): ...\n```\n"),
    ]
    assert lines(*steps) == {"web/a.ts": ("export const f = (x: number) =>",), "src/a.py": ("def new(a, b)",)}


def test_files_stand_in_the_order_of_their_final_versions():
    one, two = FileState("a.py", "def a(): ..."), FileState("b.py", "def b(): ...")
    assert list(lines(turn(1, "", one, two), turn(2, "", one))) == ["b.py", "a.py"]


def test_a_file_that_is_gone_is_left_out():
    made, gone = FileState("a.py", "def a(): ..."), FileState("a.py", gone=True)
    block = turn(1, "`a.py`:\n```\ndef a(): ...\n```")
    assert lines(turn(1, "", made), turn(2, "", gone)) == {}
    assert lines(block, turn(2, "", made), turn(3, "", gone)) == {}
    assert lines(turn(1, "", gone), turn(2, "", made)) == {"a.py": ("def a()",)}
    assert lines(turn(0, "", gone), block) == {"a.py": ("def a()",)}


def test_the_same_path_written_differently_is_one_file():
    steps = [
        turn(n, "", FileState(path, f"def f{n}(): ...")) for n, path in enumerate(["./src/a.py", "src//x/../a.py"], 1)
    ]
    assert lines(*steps) == {"src//x/../a.py": ("def f2()",)}
    steps = [turn(n, "", FileState(path, f"def f{n}(): ...")) for n, path in enumerate([r"C:\p\a.py", "c:/p/a.py"], 1)]
    assert lines(*steps) == {"c:/p/a.py": ("def f2()",)}


def test_relative_and_absolute_paths_are_different_files():
    steps = [turn(1, "", FileState("/p/a.py", "def a(): ..."), FileState("a.py", "def b(): ..."))]
    assert lines(*steps) == {"/p/a.py": ("def a()",), "a.py": ("def b()",)}


def test_a_block_of_a_file_that_a_tool_wrote_is_an_excerpt_of_it():
    whole = FileState("/home/me/p/src/a.py", "def a(): ...\ndef b(): ...\n")
    excerpt = turn(2, "In `src/a.py`:\n```python\ndef a(x): ...\n```\nand `c.py`:\n```python\ndef c(): ...\n```\n")
    assert lines(turn(1, "", whole), excerpt) == {"/home/me/p/src/a.py": ("def a()", "def b()"), "c.py": ("def c()",)}
    other = turn(2, "In `rc/a.py`:\n```python\ndef a(x): ...\n```\n")
    assert "rc/a.py" in lines(turn(1, "", whole), other)


def test_a_patch_of_a_file_is_no_version_of_it():
    steps = [
        turn(1, "`a.py`:\n```python\ndef a(): ...\n```\n"),
        turn(2, "`a.py`:\n```diff\n-def a(): ...\n+def b(): ...\n```\n"),
    ]
    assert lines(*steps) == {"a.py": ("def a()",)}


def test_nameless_blocks():
    steps = [
        turn(
            3,
            "```python\ndef a(): ...\n```\n```go\nfunc b() {}\n```\n```\ndef c(): ...\n```\n```bash\nls\n```\n",
        ),
        turn(4, "```python\nprint(1)\n```\n```python\nprint(1\n```\n"),
    ]
    assert [(one.name, one.language, one.lines, one.readable) for one in listed(steps)] == [
        ("code block in turn 3", "python", ("def a()",), True),
        ("code block 2 in turn 3", "go", ("func b()",), True),
        ("code block 2 in turn 4", "python", (), False),
    ]


def test_a_nameless_block_shows_only_what_is_declared_nowhere_later():
    steps = [
        turn(1, "```ts\nfunction a() {}\nfunction b(x) {}\nfunction c() {}\n```\n"),
        turn(2, "```js\nfunction b(y) {}\n```\n", FileState("c.ts", "export function c(z) {}\n")),
        turn(3, "```ts\nexport function c(z) {}\n```\n"),
    ]
    assert lines(*steps) == {
        "code block in turn 1": ("function a()",),
        "code block in turn 2": ("function b(y)",),
        "c.ts": ("export function c(z)",),
    }


def test_what_cannot_be_read_is_listed_by_name():
    steps = [
        turn(1, "", FileState("README.md", "# Hi"), FileState("a.py", "def a(: ..."), FileState("Makefile", "all:")),
        turn(2, "`run.sh`:\n```bash\nls\n```\n"),
    ]
    assert [(one.name, one.language, one.lines, one.bare, one.readable) for one in listed(steps)] == [
        ("README.md", "", (), (), False),
        ("a.py", "python", (), (), False),
        ("Makefile", "", (), (), False),
        ("run.sh", "", (), (), False),
    ]


def test_a_file_without_declarations_is_listed_with_none():
    (one,) = listed([turn(1, "", FileState("a.py", "print(1)\n"))])
    assert (one.lines, one.readable) == ((), True)


def test_the_final_version_counts_even_when_it_has_an_error():
    steps = [turn(1, "", FileState("a.py", "def a(): ...")), turn(2, "", FileState("a.py", "def a("))]
    assert lines(*steps) == {"a.py": ()}


def test_only_final_versions_are_parsed(monkeypatch):
    parsed = []
    whole = final.outline

    def counted(text, language, patience):
        parsed.append(text)
        return whole(text, language, patience)

    monkeypatch.setattr(final, "outline", counted)
    steps = [turn(n, "", FileState("a.py", f"def f{n}(): ...")) for n in range(40)]
    assert lines(*steps) == {"a.py": ("def f39()",)}
    assert parsed == ["def f39(): ..."]


def test_both_forms_have_a_line_for_each_line():
    (one,) = listed([turn(1, "", FileState("a.py", "class A:\n    x: int\n    def f(self, a=1): ...\n"))])
    assert one.lines == ("class A", "    x: int", "    def f(self, a)")
    assert one.bare == ("class A", "    x: int", "    def f(...)")
