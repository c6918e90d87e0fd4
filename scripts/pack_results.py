"""Pack the tables of `python -m shbcore figures --study` into book/data, where the chapters read them.

    python scripts/pack_results.py [results]

Only what identifies a run and when it arrived is kept, with the provenance of the full table and a checksum.
"""

import json
import sys
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq

from shbcore.numerics import store
from shbcore.numerics.engine import compact

DATA = Path(__file__).resolve().parent.parent / "book" / "data"


def load(path: Path) -> tuple[pd.DataFrame, store.Provenance]:
    label = json.loads(pq.read_schema(path).metadata[store.KEY])
    return store.read(path), json.loads(label["provenance"])


def main(results: Path) -> None:
    for name in ("figures_2_3", "constant_step", "fine_grid", *(f"plane_kappa_{k}" for k in (1, 3, 10, 30))):
        table, origin = load(results / f"{name}.parquet")
        store.write(DATA / f"{name}.parquet", compact(table), origin)
        print(f"{name}: {len(table)} runs, {(DATA / f'{name}.parquet').stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "results"))
