"""Run the study behind the chapters on experiments, and pack its tables into book/data, where the chapters read them.

    python scripts/study.py [--experiments 50] [--workers 2] [--out results] [--into book/data]

Finished experiments are kept, and a stopped run goes on.  Packed is what identifies a run and when it arrived, with a checksum and the
provenance: parameters, versions, and a hash of the code that computed it.  A chapter refuses a table of other code or parameters.
"""

import argparse
import json
import os
import sys
from pathlib import Path

import pyarrow.parquet as pq
from turns import plainly

from shbcore.numerics import panels, store
from shbcore.numerics.engine import compact
from shbcore.pages import cli_figures

ROOT = Path(__file__).resolve().parent.parent


def pack(results: Path, into: Path, experiments: int) -> None:
    """The small tables; one that this code did not make is refused."""
    for work in (panels.figures_2_3(experiments=experiments), *panels.larger_study(experiments=experiments)):
        source = results / f"{work.name}.parquet"
        table = store.read(source, store.table(work))
        origin = json.loads(json.loads(pq.read_schema(source).metadata[store.KEY])["provenance"])
        store.write(into / source.name, compact(table), origin)
        print(f"packed   {into / source.name}: {len(table)} runs, {(into / source.name).stat().st_size / 1000:.0f} kB")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--experiments", type=int, default=50)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--out", type=Path, default=ROOT / "results")
    parser.add_argument("--into", type=Path, default=ROOT / "book" / "data")
    options = parser.parse_args()
    run = ["figures", "--study", f"--experiments={options.experiments}", f"--workers={options.workers}"]
    status = cli_figures.main([*run, f"--out={options.out}"])
    if status == 0:
        pack(options.out, options.into, options.experiments)
    return status


if __name__ == "__main__":
    sys.exit(plainly("study", main))
