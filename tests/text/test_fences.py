import pytest

from wrapgen.text.blocks import fence_behind


@pytest.mark.parametrize(
    ("line", "before", "behind"),
    [
        ("words", "", ""),
        ("words", "```", "```"),
        ("```python", "", "```"),
        ("   ~~~~ sh", "", "~~~~"),
        ("    ```", "", ""),  # four blanks make code of it
        ("``", "", ""),
        ("```", "```", ""),
        ("````  ", "```", ""),
        ("``", "```", "```"),
        ("~~~", "```", "```"),
        ("```python", "```", "```"),  # a fence that closes says nothing more
    ],
)
def test_the_fence_that_is_open_behind_a_line(line, before, behind):
    assert fence_behind(line, before) == behind
