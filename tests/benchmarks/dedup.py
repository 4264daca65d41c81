"""How much faster the similarity index is than comparing every pair, and how it grows.

python tests/benchmarks/dedup.py [ITEMS] [LARGEST]      (20000 100000; cdist needs numpy)

Texts are made from a list of words, in the shape of work notes in three languages. Prints, in one run: the time to
index ITEMS texts and find all that are alike, the time of brute force with both scorers (score_cutoff 85, one worker,
float32), whether the pairs found are the same, the ratio; and the time per item at 10,000 texts and at LARGEST. Then
how long `wrap regen` takes for lists that only a shortcut keeps from being compared item by item, and for twice as
many items.
"""

import random
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

from wrapgen.pipeline.similar import SimilarityIndex
from wrapgen.text.folding import fold

ENGLISH = """
    fix bug add retry upload queue deploy staging migrate user table write docs review rotate keys flaky cache export
    parser billing webhook alert schema backup restore throttle session locale search report invoice
"""
KOREAN = """
    배포 스크립트 정리 로그인 오류 수정 테스트 보강 문서 작성 캐시 만료 검토 결제 알림 색인 백업 복구 일정 확인
"""
CHINESE = """
    修复 登录 错误 增加 重试 上传 队列 部署 迁移 用户 表 文档 审查 轮换 密钥 缓存 索引
"""
BRUTE_CHUNK = 500


def words(rng, number):
    made = set()
    while len(made) < number:
        made.add(
            "".join(
                rng.choice("bcdfghjklmnpqrstvwxyz") + rng.choice("aeiou") + rng.choice(["", "", *"lmnrst"])
                for _ in range(rng.randint(1, 3))
            )
        )
    return sorted(made)


def texts(number, seed=7):
    rng = random.Random(seed)
    english = ENGLISH.split() + words(rng, 1000)
    made = {}
    while len(made) < number:
        kind = rng.random()
        if kind < 0.75:
            text = " ".join(rng.choices(english, k=rng.randint(4, 11)))
        elif kind < 0.9:
            text = " ".join(rng.choices(KOREAN.split(), k=rng.randint(3, 8)))
        else:
            text = "".join(rng.choices(CHINESE.split(), k=rng.randint(4, 9)))
        made.setdefault(fold(f"{text} {rng.randint(1, 9999)}"))
    return list(made)


def by_index(folded):
    start = perf_counter()
    index = SimilarityIndex(folded)
    order = sorted(range(len(folded)), key=lambda position: len(folded[position].text))
    pairs = [(position, found) for position in order for found in index.query(folded[position]) if found < position]
    return perf_counter() - start, pairs


def by_brute_force(folded):
    import numpy as np
    from rapidfuzz import fuzz, process

    plain = [text.text for text in folded]
    start, pairs = perf_counter(), set()
    for at in range(0, len(plain), BRUTE_CHUNK):
        for scorer in (fuzz.ratio, fuzz.token_sort_ratio):
            scores = process.cdist(
                plain[at : at + BRUTE_CHUNK], plain, scorer=scorer, score_cutoff=85, workers=1, dtype=np.float32
            )
            rows, columns = np.nonzero(scores)
            pairs.update((at + int(a), int(b)) for a, b in zip(rows, columns, strict=True) if b < at + a)
    return perf_counter() - start, sorted(pairs)


UNLIKE = [text.text for text in texts(20_000)]
LISTS = {
    "other names": (1_000, lambda number: f"(web) Rename `field_{number}` to `column_{number}` in the schema"),
    "another number": (2_000, lambda number: f"(web) Write chapter {number} of the long book"),
    "unlike, untagged": (10_000, lambda number: UNLIKE[number]),
}


def regen(rows):
    """How long a rebuild takes of items that stand in two journals each, half of them done in the second."""
    half = len(rows) // 2
    with tempfile.TemporaryDirectory(prefix="wrapgen-lists-") as folder:
        root = Path(folder)
        (root / "wrapgen.toml").touch()
        (root / "journals").mkdir()
        listed = ["".join(f"- {row}\n" for row in part) for part in (rows, rows[:half], rows[half:])]
        (root / "journals/2026-04-22.md").write_text(f"## Next\n\n{listed[0]}")
        (root / "journals/2026-04-23.md").write_text(f"## Done\n\n{listed[1]}\n## Next\n\n{listed[2]}")
        command = [sys.executable, "-m", "wrapgen", "--vault", folder, "--today", "2026-04-24", "-q", "regen"]
        start = perf_counter()
        subprocess.run(command, check=True)
        return perf_counter() - start


def main():
    given = [int(number) for number in sys.argv[1:3]]
    items, largest = (given + [20_000, 100_000][len(given) :])[:2]
    everything = texts(largest)
    random.Random(3).shuffle(everything)
    folded = everything[:items]
    fast, found = by_index(folded)
    print(f"index        {items:7d} texts  {fast:8.2f} s  {fast / items * 1e6:6.1f} us/text  {len(found)} pairs alike")
    try:
        slow, expected = by_brute_force(folded)
    except ImportError:
        print("brute force: needs numpy")
    else:
        print(f"brute force  {items:7d} texts  {slow:8.2f} s  identical: {found == expected}  ratio {slow / fast:.1f}")
    sizes = sorted({10_000, largest})
    times = dict.fromkeys(sizes, float("inf"))
    for size in sizes * 3:  # by turns, so that a busy moment of the machine does not fall on one size alone
        times[size] = min(times[size], by_index(everything[:size])[0] / size)
    for size, per_item in times.items():
        print(f"growth       {size:7d} texts  {per_item * 1e6:6.1f} us/text  x{per_item / times[sizes[0]]:.2f}")
    for name, (size, text) in LISTS.items():
        once, twice = (regen([text(number) for number in range(items)]) for items in (size, 2 * size))
        print(f"{name:18s} {size:6d} items  {once:6.2f} s, twice as many {twice:6.2f} s  x{twice / once:.1f}")
    print(f"peak memory  {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main()
