"""How large the page for eyes gets, and how fast a browser draws it.

python -m tests.benchmarks.page [FILES ...] [--items N]      (1000 10000; 10 items a file)

Makes a vault of each size (as tests/benchmarks/scale.py does) and its page, and opens that five times in a headless
Chromium. Prints medians: until something is seen, until all is ready, and what one letter in the filter takes.
"""

import argparse
import statistics
import tempfile
from datetime import timedelta
from pathlib import Path

from tests.benchmarks.scale import LAST, make_vault
from tests.page.browser import CHROMIUM, running, shown
from tests.page.kit import PAGE, past_days
from tests.support import wrap

ROUNDS = 5
MOST_BYTES, MOST_SECONDS = 1_000_000, 1
PAINTED = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
READY = "performance.getEntriesByType('navigation')[0].loadEventEnd"
FILTERED = """() => {
  const start = performance.now(), text = document.getElementById("text");
  text.value = "login";
  text.dispatchEvent(new Event("input"));
  document.body.getBoundingClientRect();
  return performance.now() - start;
}"""


def measure(browser, file):
    """Medians in seconds, by what was waited for."""
    times = {"seen": [], "ready": [], "filtered": []}
    for _ in range(ROUNDS):
        with shown(browser, file) as (page, _):
            page.wait_for_function(f"() => {READY} > 0 && performance.getEntriesByType('paint').length > 1")
            times["seen"].append(page.evaluate(PAINTED))
            times["ready"].append(page.evaluate(READY))
            times["filtered"].append(page.evaluate(FILTERED))
    return {name: statistics.median(values) / 1000 for name, values in times.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=int, default=[1_000, 10_000])
    parser.add_argument("--items", type=int, default=10)
    options = parser.parse_args()
    if CHROMIUM is None:
        parser.error("no Chromium here")
    with running() as browser:
        for files in options.files:
            with tempfile.TemporaryDirectory(prefix="wrapgen-page-") as folder:
                root = Path(folder) / "vault"
                make_vault(root, files, options.items)
                past_days(root, LAST - timedelta(days=1), 400)
                result = wrap("page", vault=root, today=str(LAST))
                if result.code:
                    parser.error(result.err)
                seconds = measure(browser, root / PAGE)
                size = (root / PAGE).stat().st_size
            print(f"\n{files} files, {options.items} items a file: {result.out.splitlines()[-1]}")
            print(f"bytes    {size:9d}  at most {MOST_BYTES}")
            for name, took in seconds.items():
                print(f"{name:8s} {took:9.3f}  at most {MOST_SECONDS} second")


if __name__ == "__main__":
    main()
