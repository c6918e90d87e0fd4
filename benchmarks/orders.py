"""Whether the search depends on the order of the facts: 200 random orders, each with superfluous facts, ten claims and controls.

``python benchmarks/orders.py`` prints one line a claim and exits 1 if a verdict differs; ``--orders 20`` is a short run.
"""

import argparse
import random
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from orders import CLAIMS, verdict


def main() -> int:
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--orders", type=int, default=200)
    options = p.parse_args()
    wrong = 0
    for name in CLAIMS:
        start = time.perf_counter()
        seen: Counter[str] = Counter()
        for i in range(options.orders):
            rng = random.Random(f"{name} {i}")
            seen[verdict(name, rng, extra=rng.randint(3, 9) if i % 20 else 0)] += 1
        controls = Counter(verdict(name, random.Random(i), control=True) for i in range(max(options.orders // 10, 1)))
        print(f"{name:20} {dict(seen)}  control {dict(controls)}  {time.perf_counter() - start:.0f} s", flush=True)
        wrong += set(seen) != {"found"} or set(controls) != {"infeasible"}
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
