"""What is called of the numerics: the method, its monitors, envelopes, exact expectations, slacks, sweeps, the command line."""

from fractions import Fraction
from itertools import islice, pairwise
from typing import Any

import numpy as np
from fuzz import fixed, pick, rational, register, silent, spread, uniform, vector, whole
from fuzz_model import ABS, EXACT, INTERVALS, PROBLEMS, RNG, SETS, A, B, F, exact, near

from shbcore.model.own import from_functions
from shbcore.model.parameters import ConstantStep, DecayingStep, Parameters
from shbcore.model.rational import Interval, RationalProblem
from shbcore.numerics import (
    ball,
    envelope,
    expectation,
    monitors,
    panels,
    phase_kernel,
    rate,
    slack,
    study,
    survey,
    sweep,
)
from shbcore.numerics.pytorch import from_torch, to_torch
from shbcore.numerics.solver import Past, State, advance, outset, respond, sgd, shb
from shbcore.pages import cli_figures

SMOOTH = PROBLEMS[3]
Q = Parameters(Fraction(1, 4), Fraction(1, 2))
PAIRS = (Q, Parameters(Fraction(1, 10), Fraction(1)), Parameters(Fraction(1, 2), Fraction(1, 3)))
X = Interval(-2, 3)
STARTS = pick("beta_g0", "g0")
STEPS = pick(ConstantStep(0.1), DecayingStep(0.5))
ENVELOPE = rational(1, 4, 16)


def recursion(given: dict[str, Any], states: list[State]) -> bool:
    """The method once more, in a plain loop over its definition, with the same samples."""
    x = before = np.array(given["x0"], dtype=float)
    z = None
    for k, state in enumerate(states):
        g = given["problem"].subgradients(x)[state.sample]
        beta, alpha = given["beta"], given["step"](max(k - 1, 0))
        z = g if k == 0 and given["start"] == "g0" else beta * g + (1 - beta) * (before - x) / alpha
        if not (near(state.x, x) and near(state.z, z) and state.k == k):
            return False
        before, x = x, given["X"].project(x - given["step"](k) * z)
    return True


def attained(given: dict[str, Any], found: envelope.Prox) -> bool:
    """The point is in X, the value is that of Phi there, and no other point is below value - gap."""
    p, C, lam = given["problem"], given["X"], float(given["envelope"])
    y = np.asarray(given["y"], dtype=float)

    def phi(z: Any) -> float:
        return float(p.value(z) + (z - y) @ (z - y) / (2 * lam))

    scale = 1 + abs(found.value) + y @ y / lam
    rng = np.random.default_rng(0)
    others = C.project(np.vstack([y + rng.normal(0, s, (20, 2)) for s in (0.01, 1.0, 5.0)]))
    if isinstance(p, type(PROBLEMS[5])):
        others = p.domain.project(others)
    fair = [phi(z) for z in others]
    return (
        C.contains(found.point)
        and abs(phi(found.point) - found.value) <= 1e-8 * scale
        and min(fair) >= found.value - found.gap - 1e-8 * scale
    )


def exactly(given: dict[str, Any], found: envelope.Prox) -> bool:
    """The envelope on the line by comparing all candidates, in exact arithmetic."""
    p, C, lam, y = given["problem"], given["X"], exact(given["envelope"]), exact(given["y"])
    f = p.mean
    points = [q for q in (C.lo, C.hi, *f.breaks) if q is not None and C.contains(q)]
    points += [C.project((y - lam * b) / (1 + lam * a)) for a, b, _ in f.pieces]
    best = min(f.value(q) + (q - y) ** 2 / (2 * lam) for q in points)
    return abs(exact(found.value) - best) <= exact(found.gap) + Fraction(1, 10**12) * (abs(best) + 1)


def certain(given: dict[str, Any], found: slack.Slack) -> bool:
    """An inequality that is proved never fails, and a verdict is one of three words."""
    proved = given.get("form") in ("conditional", "sharp", "repaired ten") or given.get("proved", False)
    return found.verdict in ("holds", "fails", "undecided") and not (proved and found.verdict == "fails")


def whole_tree(given: dict[str, Any], levels: list[list[expectation.Atom]]) -> bool:
    """Every level has mass one, and the next mean follows from the definition of the method."""
    p, q, C = given["problem"], given["parameters"], given["X"]
    if any(sum(atom.probability for atom in level) != 1 for level in levels):
        return False
    for now, after in pairwise(levels):
        mean = sum(
            atom.probability
            * w
            * C.project(
                atom.past.x
                - q.alpha
                * (
                    g
                    if atom.past.k == 0 and given["start"] == "g0"
                    else q.beta * g + (1 - q.beta) * (atom.past.x_prev - atom.past.x) / q.alpha
                )
            )
            for atom in now
            for w, g in zip(p.weights, p.subgradients(atom.past.x))
        )
        if mean != sum(atom.probability * atom.past.x for atom in after):
            return False
    return True


register(
    "shb",
    lambda **kw: list(islice(shb(**kw), 5)),
    recursion,
    4.0,
    problem=pick(*PROBLEMS[:5]),
    X=pick(*SETS),
    step=STEPS,
    beta=uniform(0.05, 1),
    x0=pick([0.5, 1.0], (0.5, 1.0)),
    rng=RNG,
    start=STARTS,
)
register(
    "shb on the line",
    lambda **kw: list(islice(shb(**kw), 5)),
    problem=pick(EXACT),
    X=pick(*INTERVALS),
    step=pick(ConstantStep(Fraction(1, 4))),
    beta=rational(1, 4),
    x0=pick(1, Fraction(1)),
    rng=RNG,
    start=STARTS,
)
register(
    "shb at the call",
    lambda **kw: type(shb(**kw)),
    problem=pick(EXACT),
    X=pick(*INTERVALS),
    step=STEPS,
    beta=uniform(0.05, 1),
    x0=pick(1),
    rng=RNG,
    start=STARTS,
)
register(
    "sgd",
    lambda **kw: list(islice(sgd(**kw), 3)),
    problem=pick(*PROBLEMS[:5]),
    X=pick(*SETS),
    step=STEPS,
    x0=pick([0.5, 1.0]),
    rng=RNG,
)
register("outset", outset, X=pick(*SETS), x0=pick([0.5, 1.0]))
register(
    "respond",
    respond,
    past=pick(Past(1, Fraction(0), Fraction(1))),
    g=rational(-4, 4),
    sample=pick(0),
    alpha=rational(1, 4),
    beta=rational(1, 4),
    start=STARTS,
)
register(
    "advance",
    advance,
    X=pick(*INTERVALS),
    state=pick(State(0, Fraction(1), Fraction(1), Fraction(2), Fraction(2), 0)),
    alpha=rational(1, 4),
)

register(
    "moreau",
    envelope.moreau,
    attained,
    4.0,
    problem=pick(*PROBLEMS),
    X=pick(SETS[2]),
    y=vector(2),
    envelope=spread(0.005, 0.1),
    tol=spread(1e-12, 1e-6),
)
register(
    "moreau, other sets",
    envelope.moreau,
    attained,
    3.0,
    problem=pick(*PROBLEMS[:5]),
    X=pick(*SETS),
    y=vector(2),
    envelope=spread(0.005, 0.1),
    tol=spread(1e-12, 1e-6),
)
register(
    "moreau on the line",
    envelope.moreau,
    exactly,
    3.0,
    problem=pick(EXACT, RationalProblem((ABS,)), RationalProblem((F,))),
    X=pick(*INTERVALS),
    y=lambda r: pick(rational(-9, 9), uniform(-3, 3))(r)(r),
    envelope=lambda r: pick(ENVELOPE, spread(1e-6, 0.3))(r)(r),
)
register(
    "moreau, convex, any lambda",
    envelope.moreau,
    exactly,
    3.0,
    problem=pick(RationalProblem((ABS,)), RationalProblem((ABS,)).to(float)),
    X=pick(*INTERVALS),
    y=uniform(-3, 3),
    envelope=spread(1e-12, 1e18),
)
register(
    "moreau_many",
    envelope.moreau_many,
    problem=pick(*PROBLEMS[:5]),
    X=pick(*SETS),
    Y=lambda r: r.standard_normal((2, 2)),
    envelope=spread(0.005, 0.1),
)
register(
    "Smoothed",
    lambda problem, X, y, envelope: monitors.Smoothed(problem, X, envelope=envelope)(y),
    exactly,
    problem=pick(EXACT),
    X=pick(*INTERVALS),
    y=rational(-9, 9),
    envelope=ENVELOPE,
)

AT = pick(Past(1, Fraction(0), Fraction(1)), State(1, Fraction(0), Fraction(1), Fraction(1, 2), Fraction(1), 0))
for name in ("d", "p", "x_bar"):
    register(f"monitors.{name}", getattr(monitors, name), at=AT, parameters=pick(*PAIRS))
register(
    "phi",
    monitors.phi,
    lambda _, found: found >= 0 or isinstance(found, float),
    at=pick(State(1, Fraction(0), Fraction(1), Fraction(1, 2), Fraction(1), 0)),
    X=pick(INTERVALS[0], INTERVALS[1]),
    parameters=pick(*PAIRS),
)
register(
    "inner",
    monitors.inner,
    lambda given, found: near(found, np.dot(np.asarray(given["u"], dtype=float), np.asarray(given["v"], dtype=float))),
    u=vector(2),
    v=vector(2),
)
register("V", monitors.V, at=AT, problem=pick(EXACT), parameters=pick(*PAIRS), F=rational(0, 4), envelope=ENVELOPE)
register(
    "W",
    monitors.W,
    at=pick(State(1, Fraction(0), Fraction(1), Fraction(1, 2), Fraction(1), 0)),
    problem=pick(EXACT),
    X=pick(INTERVALS[0]),
    parameters=pick(*PAIRS),
)
register(
    "gradient_mapping",
    monitors.gradient_mapping,
    problem=pick(EXACT),
    X=pick(*INTERVALS),
    x=rational(-8, 8),
    weak_convexity=rational(1, 8),
)
register(
    "subdifferential_distance", monitors.subdifferential_distance, problem=pick(EXACT), X=pick(X), x=rational(-8, 12)
)
register(
    "draws",
    expectation.draws,
    problem=pick(EXACT),
    past=pick(Past(0, Fraction(1), Fraction(1))),
    parameters=pick(*PAIRS),
    start=STARTS,
)
register(
    "tree",
    expectation.tree,
    whole_tree,
    2.0,
    problem=pick(EXACT),
    X=pick(*INTERVALS),
    parameters=pick(*PAIRS),
    x0=pick(Fraction(1)),
    depth=whole(0, 4),
    start=STARTS,
    merge=pick(True, False),
)


def setting(kind: str) -> Any:
    made = {
        "nonsmooth": lambda start="beta_g0", envelope=Fraction(1, 16): slack.nonsmooth(
            EXACT, X, Q, envelope=envelope, start=start
        ),
        "floats": lambda start="beta_g0", envelope=0.01: slack.nonsmooth(
            PROBLEMS[0], SETS[1], Parameters(0.1, 0.5), envelope=envelope, start=start
        ),
    }
    return made[kind]


EXACT_SETTING, FLOAT_SETTING = setting("nonsmooth")(), setting("floats")()
PAST = lambda r: Past(1, Fraction(int(r.integers(-8, 13)), 4), Fraction(int(r.integers(-8, 13)), 4))  # noqa: E731
HERE = lambda r: Past(1, *SETS[1].project(r.standard_normal((2, 2))))  # noqa: E731
register(
    "nonsmooth",
    slack.nonsmooth,
    problem=pick(EXACT),
    X=pick(X),
    parameters=pick(*PAIRS),
    envelope=ENVELOPE,
    start=STARTS,
)
register(
    "smooth", slack.smooth, problem=pick(SMOOTH), X=pick(*SETS), parameters=pick(Parameters(0.01, 0.5)), start=STARTS
)
register("lemma_3", slack.lemma_3, certain, 2.0, s=pick(EXACT_SETTING), past=PAST, form=pick("printed", "conditional"))
register(
    "lemma_4",
    slack.lemma_4,
    certain,
    2.0,
    s=pick(EXACT_SETTING),
    past=PAST,
    form=pick("printed", "repaired", "conditional"),
)
register(
    "lemma_3 in floats", slack.lemma_3, certain, s=pick(FLOAT_SETTING), past=HERE, form=pick("printed", "conditional")
)
register(
    "lemma_4 in floats",
    slack.lemma_4,
    certain,
    s=pick(FLOAT_SETTING),
    past=HERE,
    form=pick("printed", "repaired", "conditional"),
)
register(
    "lemma_3 with a start",
    lambda start, past, form: slack.lemma_3(setting("nonsmooth")(start), past, form),
    start=STARTS,
    past=PAST,
    form=pick("printed", "conditional"),
)
register("first_step", slack.first_step, s=pick(EXACT_SETTING), x0=rational(-8, 12))
LINES = RationalProblem((F.build((), [2], slope=1), F.build((), [2], slope=-1)))
SMOOTH_SETTING = slack.smooth(LINES, X, Parameters(Fraction(1, 8), Fraction(1, 2)))
STATE = lambda r: SMOOTH_SETTING.draws(PAST(r))[int(r.integers(2))][1]  # noqa: E731
register("lemma_W", slack.lemma_W, s=pick(SMOOTH_SETTING), state=STATE, form=pick("printed", "sharp"))
register("lemma_z_diff", slack.lemma_z_diff, s=pick(SMOOTH_SETTING), state=STATE, form=pick("printed", "sharp"))
register(
    "lemma_xdiff_smooth",
    lambda s, state, proved: slack.lemma_xdiff_smooth(s, state),
    certain,
    s=pick(SMOOTH_SETTING),
    state=STATE,
    proved=fixed(True),
)
register(
    "given_past",
    lambda s, past, form, proved: slack.given_past(s, past, lambda a, b: slack.lemma_W(a, b, form)),
    certain,
    s=pick(SMOOTH_SETTING),
    past=PAST,
    form=pick("printed", "sharp"),
    proved=fixed(True),
)
register(
    "over_tree",
    slack.over_tree,
    s=pick(EXACT_SETTING),
    x0=rational(-8, 12),
    depth=whole(0, 2),
    inequality=pick(slack.lemma_3, slack.lemma_4),
)
register(
    "theorem_1",
    slack.theorem_1,
    lambda given, found: given["form"] == "printed" or given["start"] == "g0" or found.verdict != "fails",
    problem=pick(EXACT),
    X=pick(X),
    x0=rational(-8, 12),
    alpha_0=rational(1, 8),
    K=pick(0, 3),
    envelope=ENVELOPE,
    form=pick("printed", "repaired"),
    start=STARTS,
)
register(
    "theorem_2",
    slack.theorem_2,
    problem=pick(LINES),
    X=pick(X),
    x0=rational(-8, 12),
    alpha_0=rational(1, 8),
    K=pick(0, 3),
    envelope=ENVELOPE,
)
register(
    "theorem_3",
    slack.theorem_3,
    lambda given, found: given["start"] == "g0" or given["form"] == "second printed" or found.verdict != "fails",
    problem=pick(LINES),
    x0=rational(-8, 8),
    alpha_0=rational(1, 2, 16),
    K=pick(0, 3),
    envelope=pick(Fraction(1, 4)),
    form=pick("first", "sharp", "second printed"),
    start=STARTS,
)
register(
    "run_slacks",
    survey.run_slacks,
    problem=pick(EXACT),
    X=pick(X),
    x0=rational(-8, 12),
    parameters=pick(*PAIRS),
    steps=whole(1, 3),
    rng=RNG,
    envelope=ENVELOPE,
)
register(
    "tree_slacks",
    survey.tree_slacks,
    problem=pick(EXACT),
    X=pick(X),
    x0=rational(-8, 12),
    parameters=pick(*PAIRS),
    depth=whole(0, 2),
    envelope=ENVELOPE,
)
register(
    "measure",
    rate.measure,
    problem=pick(EXACT),
    X=pick(X),
    x0=rational(-8, 12),
    parameters=pick(*PAIRS),
    K=whole(0, 9),
    envelope=ENVELOPE,
    runs=whole(2, 5),
    rng=RNG,
    start=STARTS,
)
register(
    "bound",
    rate.bound,
    problem=pick(EXACT),
    X=pick(X),
    x0=rational(-8, 12),
    parameters=pick(*PAIRS),
    K=whole(0, 9),
    weak_convexity=rational(8, 12),
    envelope=pick(Fraction(1, 16)),
    start=STARTS,
)
register("second_moment", ball.second_moment, A=pick(A), x=vector(2))
register("quadratic", study.quadratic, alpha_0=spread(0.1, 10), beta=uniform(0.1, 1), steps=whole(1, 20))


# sweeps
def work(rng: np.random.Generator, epochs: int = 2) -> phase_kernel.Work:
    return phase_kernel.Work(
        A, B, rng.standard_normal(2), rng.integers(0, 3, 3 * epochs), np.sqrt(np.arange(1.0, 3 * epochs + 1))
    )


def bitwise(given: dict[str, Any], found: Any) -> bool:
    lanes = zip(*(np.asarray(given[name], dtype=float) for name in ("alpha_0", "beta", "first")))
    for row, (a, b, c) in zip(found[0], lanes):
        plain, seen = phase_kernel.reference(given["work"], a, b, c), ~np.isnan(row)
        if not np.array_equal(row[seen], plain[seen]):
            return False
    return True


register(
    "kernel",
    phase_kernel.run,
    bitwise,
    2.0,
    work=work,
    alpha_0=lambda r: r.uniform(0.01, 0.5, 3),
    beta=lambda r: r.uniform(0.1, 1, 3),
    first=lambda r: r.uniform(0.1, 1, 3),
)
register("Momentum", sweep.Momentum, c=uniform(0.01, 1), rule=pick("constant", "root", "alpha root"))
register(
    "Momentum.parse",
    sweep.Momentum.parse,
    text=pick("0.1", "1/sqrt(K)", "2/(alpha_0 sqrt(K))", ".", "1.2.3", "1e", "--1"),
)
register(
    "Momentum.beta",
    lambda alpha_0, K: sweep.Momentum(1.0, "alpha root").beta(alpha_0, K),
    lambda given, found: 0 < found <= 1,
    alpha_0=spread(0.01, 10),
    K=whole(1, 10**5),
)
register("Method", sweep.Method, momentum=pick(sweep.Momentum(0.1)), start=STARTS)
register(
    "Setting",
    sweep.Setting,
    m=whole(1, 9),
    n=whole(1, 9),
    kappa=spread(1, 50),
    p_fail=uniform(0, 1),
    signal=pick("sphere", "normal"),
    epochs=whole(1, 9),
    step=pick("decaying", "constant"),
)
register(
    "Sweep",
    sweep.Sweep,
    name=pick("a"),
    setting=pick(sweep.Setting(m=4, n=2, epochs=2)),
    methods=pick((sweep.SGD,)),
    alpha_0=pick((0.1,)),
    epsilons=pick((0.1,)),
    experiments=whole(1, 3),
    seed=whole(0, 9),
    keep=pick(True, False),
)
register("grid", sweep.grid, low=spread(0.01, 0.1), high=spread(1, 10), per_decade=whole(1, 9))
register(
    "unit",
    sweep.unit,
    sweep=pick(sweep.Sweep("a", sweep.Setting(m=4, n=2, epochs=2), (sweep.SGD,), (0.1,))),
    experiment=whole(0, 9),
)
register(
    "own_panel",
    panels.own_panel,
    alpha_0=pick((0.1, 0.2)),
    beta=pick(0.5, "1/sqrt(K)"),
    epsilon=spread(0.01, 1),
    experiments=whole(1, 3),
    seed=whole(0, 9),
    start=STARTS,
)


def command(**words: Any) -> int:
    """The command line: 0, or 2 with one line that is handed on as the error it is."""
    small = {"m": "6", "n": "2", "epochs": "2", "experiments": "1", "workers": "1", "alpha0": "0.1"}
    chosen = small | {name.replace("_", "-"): str(word) for name, word in words.items()}
    with silent() as (_, error):
        try:
            code = cli_figures.main(
                ["panel", *(part for name, word in chosen.items() for part in (f"--{name}={word}",))]
            )
        except SystemExit as end:
            code = int(end.code or 0)
    lines = [
        text
        for text in error.getvalue().splitlines()
        if "experiment/s" not in text and "?experiment" not in text and text.strip()
    ]
    if code == 2 and len(lines) == 1:
        raise ValueError(f"argument = {lines[0]} must be other (command line)")
    if code != 0:
        raise RuntimeError(f"exit code {code}: {error.getvalue()}")
    return code


WORDS = (
    "",
    "0",
    "-1",
    "nan",
    "inf",
    "1e400",
    "many",
    "1e17",
    "2.5",
    "--help-me",
    "99999999999999999999",
    "a,b",
    "1:2",
    "::",
    "0.1,0.1",
    "é",
)
register(
    "panel",
    command,
    None,
    3.0,
    pick(*WORDS),
    beta=pick("0.1", "1/sqrt(K)"),
    alpha0=pick("0.1", "0.1,0.2", "0.1:1:2"),
    kappa=pick("1", "10"),
    p_fail=pick("0", "0.3"),
    m=pick("4"),
    n=pick("2"),
    epochs=pick("2"),
    epsilon=pick("0.1"),
    signal=pick("sphere", "normal"),
    step=pick("decaying", "constant"),
    start=STARTS,
    seed=pick("1"),
    workers=pick("1"),
    experiments=pick("1"),
)

# problems of one's own, and PyTorch
register(
    "from_functions",
    from_functions,
    value=pick(lambda x, i: float(x @ x)),
    subgradient=pick(lambda x, i: 2 * x),
    n=whole(1, 3),
    m=whole(1, 4),
    weights=pick(None),
    rho=uniform(0, 1),
)
register(
    "from_torch",
    from_torch,
    lr=spread(1e-3, 1),
    momentum=pick(0.0, 0.9),
    dampening=pick(0.0, 0.9),
    nesterov=pick(False),
)
register(
    "to_torch",
    to_torch,
    lambda given, found: near(from_torch(*found)[:2], (float(given["alpha"]), float(given["beta"]))),
    alpha=spread(1e-3, 1),
    beta=uniform(0.1, 0.9),
    start=STARTS,
)
