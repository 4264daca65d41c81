from wrapgen.tracks.record import FileState, Step
from wrapgen.tracks.skeleton import interfaces


def turn(number, text="", *files):
    return Step(number=number, role="assistant", text=text, files=files)


def lines(*steps):
    return {one.name: one.lines for one in interfaces(steps)}


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
