r"""``python -m shbcore figures`` recomputes the paper's figures 1, 2 and 3; ``panel`` runs one of one's own."""

import argparse
import contextlib
import os
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor
from pathlib import Path
from typing import Any

import pandas as pd
from tqdm import tqdm

from shbcore.model.arguments import OneLine
from shbcore.numerics import engine, panels, store, study
from shbcore.numerics.engine import Outcome, execute
from shbcore.numerics.sweep import SGD, Setting, Sweep, grid


def parser() -> argparse.ArgumentParser:
    """The arguments of ``figures`` and ``panel``."""
    top = OneLine("python -m shbcore")
    commands = top.add_subparsers(dest="command", required=True, parser_class=OneLine)
    common = OneLine(add_help=False)
    common.add_argument("--experiments", type=int, default=50, help="draws of data, start and samples (50)")
    common.add_argument("--seed", type=int, default=2020)
    common.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="processes (all cores)")
    common.add_argument("--dask", metavar="ADDRESS", help="scheduler of a Dask cluster instead of processes here")
    figures = commands.add_parser("figures", parents=[common], help="all panels of figures 1, 2 and 3")
    figures.add_argument(
        "--out", type=Path, default=Path("results"), help="finished experiments, tables, pictures (results)"
    )
    figures.add_argument("--study", action="store_true", help="also the constant stepsize, a fine grid, and the planes")
    panel = commands.add_parser("panel", parents=[common], help="one panel of one's own: SGD against SHB")
    panel.add_argument("--alpha0", default="0.01:1:4", help="stepsizes: a,b,c or low:high:number per decade (0.01:1:4)")
    panel.add_argument("--beta", default="1/sqrt(K)", help="a number, c/sqrt(K) or c/(alpha_0 sqrt(K)) (1/sqrt(K))")
    panel.add_argument("--kappa", type=float, default=10.0)
    panel.add_argument("--p-fail", type=float, default=0.3)
    panel.add_argument("--m", type=int, default=300)
    panel.add_argument("--n", type=int, default=100)
    panel.add_argument("--epochs", type=int, default=400, help="budget: K = epochs * m (400)")
    panel.add_argument("--epsilon", type=float, default=panels.EPSILON)
    panel.add_argument("--signal", default="sphere", help="law of x*: sphere or normal (sphere)")
    panel.add_argument("--step", default="decaying", help="decaying: alpha_0/sqrt(k+1), or constant: alpha_0/sqrt(K+1)")
    panel.add_argument("--start", default="beta_g0", help="z_0: g0 as printed, or beta_g0 as the proofs need (beta_g0)")
    panel.add_argument("--out", type=Path, help="keep finished experiments in this folder")
    panel.add_argument("--picture", type=Path, help="draw the panel into this file")
    return top


@contextlib.contextmanager
def pool(options: argparse.Namespace) -> Iterator[Executor | None]:
    """Processes here, or a Dask cluster."""
    if options.dask:
        try:
            import distributed  # an extra
        except ModuleNotFoundError:
            raise ValueError("dask = the extra is not installed: pip install 'shbcore[dask]'") from None
        connect: Any = distributed.Client
        with connect(options.dask) as client:
            yield client.get_executor()
    elif options.workers > 1:
        with engine.pool(options.workers) as executor:
            yield executor
    else:
        yield None


def computed(sweeps: Sequence[Sweep], options: argparse.Namespace) -> Outcome:
    """Execute with a progress bar, and name every file that was not believed."""
    if options.out is not None:
        store.writable(options.out)
    start = time.perf_counter()
    pace = 0.2 if sys.stderr.isatty() else 10.0
    bar = tqdm(total=sum(s.experiments for s in sweeps), unit="experiment", mininterval=pace, maxinterval=2 * pace)
    with bar, pool(options) as executor:
        outcome = execute(sweeps, options.out, executor, bar.update)
    for reason in outcome.refused[:3]:
        print(f"computed again: {reason}", file=sys.stderr)
    if len(outcome.refused) > 3:
        print(f"computed again: {len(outcome.refused) - 3} more files", file=sys.stderr)
    runs = sum(s.runs for s in sweeps)
    iterations = sum(int(t["epochs_run"].sum()) * s.setting.m for s, t in zip(sweeps, outcome.tables))
    print(
        f"{runs:,} runs, {iterations:,} iterations; {outcome.computed} experiments computed, {outcome.found} found; "
        f"{time.perf_counter() - start:.1f} s"
    )
    return outcome


def figures(options: argparse.Namespace) -> None:
    """All panels: tables and pictures."""
    from shbcore.pages.figures import save

    chosen = {"experiments": options.experiments, "seed": options.seed}
    sweeps = (*panels.figure_1(**chosen), panels.figures_2_3(**chosen))
    sweeps += panels.larger_study(**chosen) if options.study else ()
    outcome = computed(sweeps, options)
    for work, table in zip(sweeps, outcome.tables):
        path = options.out / f"{work.name}.parquet"
        store.write(path, table, {**store.table(work), **store.code()})
        print(f"table    {path}")
    for path in save(outcome.tables, options.out):
        print(f"picture  {path}")


def stepsizes(text: str) -> tuple[float, ...]:
    """``a,b,c`` or ``low:high:number per decade``."""
    try:
        if ":" in text:
            low, high, per_decade = text.split(":")
            return grid(float(low), float(high), int(per_decade))
        return tuple(float(part) for part in text.split(","))
    except (ValueError, OverflowError, ZeroDivisionError):
        raise ValueError(f"alpha0 = {text!r} must be a,b,c or low:high:number per decade, all positive") from None


def summary(work: Sweep, table: pd.DataFrame) -> str:
    """Median and 10th to 90th percentile of the epochs to the accuracy, a line a stepsize."""
    epsilon = work.epsilons[0]
    found = {m.name: study.percentiles(study.arrivals(table, m, epsilon)) for m in work.methods}
    shown = {name: [f"{q[1]:6.0f} [{q[0]:.0f}, {q[2]:.0f}]" for q in rows.T] for name, rows in found.items()}
    lines = [
        f"epochs to epsilon = {epsilon:g}, median [10th, 90th percentile], inf: never in {work.setting.epochs} epochs"
    ]
    lines += [f"{'alpha_0':>10} {'beta':>10} {'SGD':>20} {'SHB':>20}"]
    for i, alpha_0 in enumerate(sorted(work.alpha_0)):
        beta = work.methods[1].momentum.beta(alpha_0, work.setting.K)
        lines.append(f"{alpha_0:10.4g} {beta:10.4g} {shown['SGD'][i]:>20} {shown['SHB'][i]:>20}")
    return "\n".join(lines)


def drawable(path: Path) -> None:
    """A picture can be written there; asked before anything is computed."""
    from matplotlib.figure import Figure

    kinds = Figure().canvas.get_supported_filetypes()
    if path.suffix[1:] not in kinds:
        raise ValueError(f"picture = {str(path)!r} must end in one of {', '.join(sorted(kinds))} (kinds of pictures)")
    store.writable(path.parent)


def panel(options: argparse.Namespace) -> None:
    """One panel: a table, and a picture if asked for."""
    names = Setting.__dataclass_fields__
    setting = {name: value for name, value in vars(options).items() if name in names}
    chosen = {name: getattr(options, name) for name in ("epsilon", "experiments", "seed", "start")}
    work = panels.own_panel(stepsizes(options.alpha0), options.beta, **chosen, **setting)
    if options.picture:
        drawable(options.picture)
    table = computed([work], options).tables[0]
    print(summary(work, table))
    if options.picture:
        from shbcore.pages import style
        from shbcore.pages.figures import epochs

        style.use()
        fig, axes = style.figure()
        epochs(axes[0, 0], table, (SGD, work.methods[1]), options.epsilon, options.epochs)
        axes[0, 0].set_ylabel(rf"epochs to $\epsilon={options.epsilon:g}$")
        with store.whole(options.picture) as part:
            fig.savefig(part, format=options.picture.suffix[1:])


def main(arguments: Sequence[str] | None = None) -> int:
    """Run ``figures`` or ``panel``; nonsense is one line on standard error and exit code 2."""
    options = parser().parse_args(arguments)
    try:
        if not 1 <= options.workers <= engine.MOST_WORKERS:
            raise ValueError(f"workers = {options.workers} must be at least 1 and at most {engine.MOST_WORKERS}")
        {"figures": figures, "panel": panel}[options.command](options)
    except BrokenPipeError:  # whoever read the output has gone; nothing is left to say
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except (ValueError, ModuleNotFoundError, OSError, MemoryError, BrokenExecutor) as error:
        words = " ".join(str(error).split()) or type(error).__name__
        print(f"python -m shbcore {options.command}: {words}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("interrupted; finished experiments are kept, the same command goes on from there", file=sys.stderr)
        return 130
    return 0
