r"""Formal statements evaluated exactly on small problems: a second test, which uses nothing of the proofs.

A :class:`Trial` is a problem on the line with a few samples, its set, its parameters and its start.  :func:`compare` evaluates both
sides of a statement at a step for every history, by enumerating the samples: an expectation is a finite sum of fractions.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import chain, product
from typing import Any, Literal

import sympy as sp

from shbcore.claims.evidence import Comparison, show
from shbcore.claims.registry import Check, as_printed
from shbcore.model import checks
from shbcore.model.rational import REAL_LINE, Interval, PiecewiseQuadratic, RationalProblem
from shbcore.proof import foundations as on
from shbcore.proof.domain import Definition, Range, moved_entry
from shbcore.proof.facts import G2, L2, N, alpha, beta, f_star, rho, sigma2
from shbcore.proof.kernel import Outcome
from shbcore.proof.language import *
from shbcore.proof.letters import lam, nu
from shbcore.proof.plain import plain
from shbcore.proof.statement import Scope, Statement

History = tuple[int, ...]


def _exact(name: str, *values: Any) -> tuple[Any, ...]:
    """Exact numbers; an integer as a fraction, so that division stays exact."""
    for value in values:
        if isinstance(value, bool) or not isinstance(value, numbers.Rational):
            checks.fail(name, value, "be an exact number, such as Fraction(1, 2)", "both sides are compared exactly")
    return tuple(Fraction(int(value)) if isinstance(value, numbers.Integral) else value for value in values)


@dataclass(frozen=True, eq=False)
class Trial:
    r"""A problem with exact numbers: ``values`` gives parameters beside :math:`\alpha,\beta`; constants of the problem are its own.

    ``problem`` is made of piecewise quadratic samples, ``X`` is an interval, ``x0`` the first point.  ``start`` is ``printed`` for
    :math:`z_0=g_0`, the default, or ``repaired`` for :math:`z_0=\beta g_0`.  ``envelope`` is :math:`\lambda`, needed where a statement
    has the envelope; ``smooth`` says that :math:`\rho` is the constant of smoothness.  ``K`` is needed for statements about a run;
    ``points`` are the values of free vectors, by name; ``words`` tell the problem to a reader, with ``{k}`` for the step.  With
    ``stepsizes`` step j has its own, and after the last one they fall by ``ratio``; then ``alpha`` is not used.
    """

    problem: RationalProblem
    X: Interval
    x0: Any
    alpha: Any
    beta: Any
    start: Literal["printed", "repaired"] = "printed"
    envelope: Any = None
    smooth: bool = False
    K: int | None = None
    values: Mapping[Any, Any] = field(default_factory=dict)
    points: Mapping[str, Any] = field(default_factory=dict)
    words: str = ""
    stepsizes: tuple[Any, ...] = ()
    ratio: Any = Fraction(1)

    def step(self, j: int) -> Any:
        r""":math:`\alpha_j`; before the first step, where the method does not use it, :math:`\alpha_0`."""
        if not self.stepsizes:
            return self.alpha
        last = len(self.stepsizes) - 1
        return self.stepsizes[max(j, 0)] if j <= last else self.stepsizes[last] * self.ratio ** (j - last)

    def coming(self, j: int) -> Any:
        r"""The coming stepsizes, weighted: :math:`\sum_{i\ge j}(1-\beta)^{i-j}\alpha_i`."""
        if j >= len(self.stepsizes) - 1:
            return self.step(j) / (1 - (1 - self.beta) * self.ratio)
        return self.step(j) + (1 - self.beta) * self.coming(j + 1)

    def __post_init__(self) -> None:
        checks.one_of("start", self.start, ("printed", "repaired"), checks.START)
        checks.instance(RationalProblem, "problem", self.problem, "exact numbers")
        checks.instance(Interval, "X", self.X, "a set on the line")
        for f in self.problem.samples:
            _exact("problem", *f.breaks, *(q for piece in f.pieces for q in piece), *(f.at_kinks or ()))
        _exact("weights", *self.problem.weights)
        _exact("X", *(end for end in (self.X.lo, self.X.hi) if end is not None))
        own = {name: _exact(name, getattr(self, name))[0] for name in ("x0", "alpha", "beta", "ratio")}
        if self.envelope is not None:
            (own["envelope"],) = _exact("envelope", self.envelope)
        checks.freeze(self, **own, stepsizes=_exact("stepsizes", *self.stepsizes))
        for name in ("values", "points"):
            given = getattr(self, name)
            checks.instance(Mapping, name, given, "numbers by their letters")
            checks.freeze(self, **{name: {key: _exact(f"{name}[{key}]", one)[0] for key, one in given.items()}})
        for key in self.values:
            checks.instance(sp.Symbol, "values", key, "a parameter is a letter of SymPy, such as rho or sp.Symbol('w')")
        checks.alpha(self.alpha)
        checks.beta(self.beta)
        for one in self.stepsizes:
            checks.positive("stepsizes", one, "the stepsizes of alg:iters:def")
        checks.positive("ratio", self.ratio, "stepsizes after the last one are multiplied by it")
        checks.instance(bool, "smooth", self.smooth, "whether rho is the smoothness of f")
        if self.K is not None:
            checks.freeze(self, K=checks.count("K", self.K, "the number of iterations is K + 1", least=0))
        if self.X.project(self.x0) != self.x0:
            checks.fail("x0", self.x0, "lie in X", "x_0 in X")

    @cached_property
    def numbers(self) -> dict[Any, Any]:
        """The values of the parameters; a constant that is infinite on X is left out."""
        own: dict[Any, Any] = {beta: self.beta}
        own |= {} if self.stepsizes else {alpha: self.alpha, nu: self.beta / self.alpha}
        own[rho] = self.problem.smoothness if self.smooth else self.problem.rho
        own |= {lam: self.envelope} if self.envelope is not None else {}
        for symbol, of in ((L2, self.problem.L2), (sigma2, self.problem.sigma2), (G2, self.problem.G2)):
            try:
                own[symbol] = of(self.X)
            except ValueError:
                continue
        return {**own, **self.values}

    def states(self, history: History) -> list[tuple[Any, Any]]:
        """The iterates and directions :math:`(x_j,z_j)` along a history of samples, one more iterate than samples."""
        known = next(n for n in range(len(history), -1, -1) if history[:n] in self._paths)
        for j in range(known, len(history)):
            *past, (x, _) = self._paths[history[:j]]
            g = self.problem.subgradients(x)[history[j]]
            d = ((past[-1][0] if past else x) - x) / self.step(j - 1)
            z = g if j == 0 and self.start == "printed" else self.beta * g + (1 - self.beta) * d
            after = self.X.project(x - self.step(j) * z)
            self._paths[history[: j + 1]] = [*past, (x, z), (after, None)]
        return self._paths[history]

    @cached_property
    def _paths(self) -> dict[History, list[tuple[Any, Any]]]:
        """The paths seen so far: a longer one begins with a shorter one."""
        return {(): [(self.x0, None)]}


class Evaluation:
    """A statement at a step of a trial: numbers for its trees."""

    def __init__(self, trial: Trial, statement: Statement, k: int, horizon: int) -> None:
        self.trial, self.k = trial, k
        self.histories = list(product(range(trial.problem.m), repeat=horizon))
        self.paths = {one: trial.states(one) for one in self.histories}
        self.values = {**trial.numbers, **self._sequences(statement)}
        pending = list(statement.domain.definitions)
        while pending:
            ready = [one for one in pending if one.formula.free_symbols <= self.values.keys()]
            if not ready:
                break
            for one in ready:
                self.values.setdefault(one.symbol, self.number(one.formula))
                pending.remove(one)

    def _sequences(self, statement: Statement) -> dict[Any, Any]:
        r"""The values of :math:`\alpha_k,S_k` and their neighbours, and of the same at the first step."""
        of = {"alpha": self.trial.step, "S": self.trial.coming} if self.trial.stepsizes else {}
        found: dict[Any, Any] = {}
        for stem, value in of.items():
            for j in range(-3, 4):
                found[sequence(stem, j)] = value(max(self.k + j, 0) if stem == "S" else self.k + j)
                found[sequence(stem, j, True)] = value(max(j, 0))
        return found

    def number(self, value: Any) -> Any:
        missing = value.free_symbols - self.values.keys()
        if missing:
            names = ", ".join(sorted(map(str, missing)))
            given = [str(symbol) for symbol in self.trial.values]
            checks.fail(
                "values", given, f"name {names} too: the trial has no value for {names}", "the statement has it"
            )
        found = sp.Rational(value.xreplace({s: sp.Rational(str(self.values[s])) for s in value.free_symbols}))
        return Fraction(int(found.p), int(found.q))

    def weight(self, history: History) -> Any:
        total = Fraction(1)
        for s in history:
            total = total * self.trial.problem.weights[s]
        return total

    def at(self, tree: Node, history: History) -> Any:
        """The value of a tree along one history."""
        t, path = self.trial, self.paths[history]
        if isinstance(tree, Sum):
            return sum((self.at(part, history) for part in tree.parts), Fraction(0))
        if isinstance(tree, Scaled):
            return self.number(tree.times) * self.at(tree.of, history)
        if isinstance(tree, Number):
            return self.number(tree.value)
        if isinstance(tree, Named):
            if tree.because and tree.index is not None:
                return path[self._index(tree.index, tree.first)][1]
            return self.at(tree.of, history)
        if isinstance(tree, Iterate):
            return path[max(self._index(tree.index, tree.first), 0)][0]
        if isinstance(tree, Direction):
            return path[self._index(tree.index, tree.first)][1]
        if isinstance(tree, Sample):
            if not isinstance(tree.at, Iterate):
                raise ValueError(f"a sample at {tree.at} is not drawn along a run")
            j = self._index(tree.at.index, tree.at.first)
            return t.problem.subgradients(path[j][0])[history[j]]
        if isinstance(tree, Slope):
            return t.problem.mean_subgradient(self.at(tree.at, history))
        if isinstance(tree, Projected):
            return t.X.project(self.at(tree.of, history))
        if isinstance(tree, Proximal):
            return t.problem.mean.prox(self.at(tree.of, history), t.X, envelope=self.number(tree.envelope))
        if isinstance(tree, Inner):
            return self.at(tree.left, history) * self.at(tree.right, history)
        if isinstance(tree, Value):
            return self._value(tree, history)
        if isinstance(tree, Mean):
            return self.mean(tree.of, history, tree.given)
        if isinstance(tree, Free):
            return t.points[tree.name]
        if isinstance(tree, Quantity) and tree == f_star:
            return t.problem.f_star(t.X)
        raise ValueError(f"{type(tree).__name__} cannot be evaluated at one step")

    def _index(self, index: int, first: bool) -> int:
        return index if first else self.k + index

    def _value(self, tree: Value, history: History) -> Any:
        t, x = self.trial, self.at(tree.at, history)
        if tree.function.role == "objective":
            return t.problem.value(x)
        if tree.function.role == "envelope":
            return t.problem.moreau(t.X, envelope=self.number(tree.function.envelope)).value(x)
        if tree.function.role == "conjugate":
            p = t.X.project(x)
            return x * p - p * p / 2
        return t.problem.value(x) + self.number(rho) * x * x / 2

    def mean(self, tree: Node, history: History, given: int) -> Any:
        """The expectation of a tree given what a history shows up to a field."""
        known = len(history) if given == PATHWISE else 0 if given == TOTAL else self.k + given + 1
        same = [one for one in self.histories if one[:known] == history[:known]]
        mass = sum((self.weight(one) for one in same), Fraction(0))
        return sum((self.weight(one) * self.at(tree, one) for one in same), Fraction(0)) / mass


RUNS = (Scope.RUN, Scope.RUN_PRINTED, Scope.RUN_ANY, Scope.SHORT_RUN)
"""Scopes of statements about a whole run."""


def compare(statement: Statement, trial: Trial, k: int = 0, *, outside: bool = False) -> Iterator[Comparison]:
    """Both sides of a statement at step k, once for each history that its field can tell apart; for a run, at the trial's ``K``.
    Each comparison has the numbers ``left`` and ``right``, and ``holds``.

    A trial of which the statement does not speak (a parameter out of its range, an assumption that the problem breaks, a step or a start
    out of its scope) is refused, for whatever comes out there says nothing about the statement.  With ``outside=True`` it is evaluated
    all the same, to see why an assumption is needed.
    """
    checks.instance(Statement, "statement", statement, "a formal statement")
    checks.instance(Trial, "trial", trial, "a problem in exact numbers")
    k = checks.count("k", k, "iterations are counted from 0", least=0)
    checks.instance(bool, "outside", outside, "whether a trial may break what is assumed")
    relation = statement.relation
    for name in sorted({one.name for side in (relation.left, relation.right) for one in _free(side)}):
        if name not in trial.points:
            checks.fail("points", dict(trial.points), f"give a value to the free vector {name}", "the statement has it")
    if statement.scope in RUNS and trial.K is None:
        checks.fail("K", None, "be given with the trial", "a statement about a whole run needs the number of steps")
    if not outside and (reason := beyond(statement, trial, k)):
        name, value, must, why = reason
        words = f"{must}; outside=True evaluates the statement there all the same"
        checks.fail(name, value, words, f"{why}; elsewhere the statement says nothing")
    found = _compared(statement, trial, k)
    return chain([next(found)], found)  # a parameter without a value is told at the call


def _free(tree: Node) -> Iterator[Free]:
    """The free vectors of a tree."""
    if isinstance(tree, Free):
        yield tree
    for child in tree.children:
        yield from _free(child)


Reason = tuple[str, Any, str, str]
"""Argument, value, what it must be, and why."""


def beyond(statement: Statement, trial: Trial, k: int = 0) -> Reason | None:
    """Why a statement does not speak of step k of a trial; none if it does."""
    return _out_of_scope(statement.scope, trial, k) or _unmet(statement, trial) or _out_of_domain(statement, trial, k)


def _out_of_scope(scope: Scope, trial: Trial, k: int) -> Reason | None:
    why = f"the statement is made {plain(scope.value)}" if scope.value else "the scope of the statement"
    if scope is Scope.SURELY:
        return "statement", scope, "be about a step or a run of finitely many", why
    if scope in (Scope.FIRST, Scope.FIRST_ANY, Scope.FIRST_REPAIRED) and k > 0:
        return "k", k, "be 0", why
    if scope is Scope.LATE and k == 0:
        return "k", k, "be at least 1", why
    printed = scope in (Scope.FIRST, Scope.PRINTED, Scope.RUN_PRINTED)
    repaired = scope in (Scope.FIRST_REPAIRED, Scope.RUN, Scope.SHORT_RUN) or (scope is Scope.STEP and k == 0)
    same = trial.beta == 1  # then z_0 = g_0 = beta g_0
    if not same and ((printed and trial.start != "printed") or (repaired and trial.start != "repaired")):
        return "start", trial.start, f"be {'printed' if printed else 'repaired'} at k = {k}", why
    return None


def _unmet(statement: Statement, trial: Trial) -> Reason | None:
    """An assumption that the problem breaks."""
    problem, X, assumes = trial.problem, trial.X, set(statement.assumes)
    smooth = next((one for one in (on.SMOOTH_EVERYWHERE, on.SMOOTH) if one in assumes), None)
    if smooth and not problem.smooth:
        return "problem", problem, "be smooth", f"the statement assumes that {_words(smooth)}"
    sure = max(RationalProblem((one,)).known_L2(X).value for one in problem.samples) if on.SURE in assumes else None
    for symbol, assumption, least in (
        (rho, on.WEAKLY_CONVEX, problem.known_rho().value),
        (rho, smooth, problem.known_smoothness().value),
        (L2, on.A2, problem.known_L2(X).value),
        (L2, on.SURE, sure),
        (sigma2, on.A3, problem.known_sigma2(X).value),
        (G2, on.BOUNDED_GRADIENT, problem.known_G2(X).value),
    ):
        if assumption is None or assumption not in assumes:
            continue
        why = f"the statement assumes that {_words(assumption)}"
        if least == math.inf:
            return "X", X, f"make {symbol} finite", why
        if (value := trial.numbers[symbol]) < least:
            if symbol == rho and symbol not in trial.values:
                return "smooth", trial.smooth, f"be True: rho must be at least {least}", why
            return f"values[{symbol}]", value, f"be at least {least}, that of the problem", why
    if on.WHOLE_SPACE in assumes and X != REAL_LINE:
        return "X", X, "be the real line", f"the statement assumes that {_words(on.WHOLE_SPACE)}"
    for side in (statement.relation.left, statement.relation.right):
        for one in _free(side):
            if one.inside and not X.contains(trial.points[one.name]):
                return f"points[{one.name}]", trial.points[one.name], f"lie in X = {X}", "it is a point of X"
    for made in statement.assumes:
        if made not in _TRIED:
            return "assumes", _words(made), "be an assumption that is seen on a trial", "the statement makes it"
    return _not_own(trial)


_TRIED = (
    *(on.WEAKLY_CONVEX, on.SMOOTH, on.SMOOTH_EVERYWHERE, on.A1, on.A2, on.A3, on.SURE, on.BOUNDED_GRADIENT),
    *(on.BOUNDED_BELOW, on.WHOLE_SPACE),
)
"""The assumptions that are seen to be true of a trial; a function without an infimum has no envelope either."""


def _words(assumption: on.Foundation) -> str:
    return plain(assumption.name)


def _not_own(trial: Trial) -> Reason | None:
    """A value under which a parameter of the trial would have two."""
    fixed = {beta: trial.beta} | ({} if trial.stepsizes else {alpha: trial.alpha, nu: trial.beta / trial.alpha})
    fixed |= {lam: trial.envelope} if trial.envelope is not None else {}
    for symbol, value in fixed.items():
        if symbol in trial.values and trial.values[symbol] != value:
            return (
                f"values[{symbol}]",
                trial.values[symbol],
                f"be {value}, as the trial has it",
                "one letter, one value",
            )
    return None


def _out_of_domain(statement: Statement, trial: Trial, k: int) -> Reason | None:
    """A parameter out of its range, or one that is not what it is defined to be."""
    if statement.scope in RUNS:
        seen, k = Evaluation(_rooted(trial) if N in _symbols(statement) else trial, statement, 0, 1), 0
    else:
        seen = Evaluation(trial, statement, k, 0)
    known = {symbol: sp.Rational(str(value)) for symbol, value in seen.values.items()}
    entries = list(statement.domain.entries)
    entries += [at for entry in entries for j in range(3) if (at := moved_entry(entry, j, first=True)) is not None]
    definitions = [one for one in entries if isinstance(one, Definition)]
    for _ in definitions:  # a parameter may be known through what is defined by it, as alpha_0 through nu = 1/alpha_0
        for one in definitions:
            unknown = one.uses - known.keys()
            if one.symbol in known and len(unknown) == 1:
                (symbol,) = unknown
                found = [
                    root
                    for root in sp.solve(one.formula.xreplace(known) - known[one.symbol], symbol)
                    if root.is_Rational
                ]
                if len(found) == 1:
                    known[symbol] = found[0]
    for entry in entries:
        if entry.symbol not in known or entry.uses - known.keys():
            continue
        value, words = known[entry.symbol], f"{entry.symbol} in the domain of the statement"
        if isinstance(entry, Definition):
            if sp.simplify(entry.formula.xreplace(known) - value) != 0:
                return str(entry.symbol), value, f"be {entry.formula} = {entry.formula.xreplace(known)}", words
        elif not _within(entry, value, known):
            return str(entry.symbol), value, f"satisfy {_range(entry)}", words
    return None


def _symbols(statement: Statement) -> set[Any]:
    return {symbol for entry in statement.domain.entries for symbol in (entry.symbol, *entry.uses)}


def _within(entry: Range, value: Any, known: Mapping[Any, Any]) -> bool:
    if entry.inverse and value <= 0:
        return False
    value = 1 / value if entry.inverse else value
    low, high = (None if end is None else end.xreplace(known) for end in (entry.lower, entry.upper))
    above = value > low if entry.strict or high is not None else value >= low
    return bool(above and (high is None or value <= high))


def _range(entry: Range) -> str:
    name = f"1/{entry.symbol}" if entry.inverse else str(entry.symbol)
    sign = ">" if entry.strict or entry.upper is not None else ">="
    return f"{name} {sign} {entry.lower}" + ("" if entry.upper is None else f" and {name} <= {entry.upper}")


def _compared(statement: Statement, trial: Trial, k: int) -> Iterator[Comparison]:
    """:func:`compare` with arguments that have been checked."""
    relation = statement.relation
    sign: Literal["<=", "="] = "<=" if relation.sense == "<=" else "="
    if statement.scope in RUNS:
        if trial.K is None:
            raise ValueError("K: a statement about a whole run needs the number of steps")
        rooted = _rooted(trial)
        left, right = (_over_the_run(side, statement, rooted) for side in (relation.left, relation.right))
        yield Comparison(left, right, sign)
        return
    horizon = k + 1 + max((_reach(side) for side in (relation.left, relation.right)), default=0)
    seen = Evaluation(trial, statement, k, max(horizon, 1))
    length = horizon if statement.given == PATHWISE else 0 if statement.given == TOTAL else k + statement.given + 1
    told: set[History] = set()
    for history in seen.histories:
        if history[:length] not in told:
            told.add(history[:length])
            left, right = (seen.mean(side, history, statement.given) for side in (relation.left, relation.right))
            yield Comparison(left, right, sign)


def _reach(tree: Node) -> int:
    """How many samples after that of step k a tree depends on."""
    own = 0
    if isinstance(tree, Iterate):
        own = tree.index - 1
    elif isinstance(tree, Direction) or (isinstance(tree, Named) and tree.because):
        own = tree.index or 0
    elif isinstance(tree, Sample):
        own = tree.at.index if isinstance(tree.at, Iterate) else 0
    return max([own, *(_reach(child) for child in tree.children)])


def _over_the_run(tree: Node, statement: Statement, trial: Trial) -> Any:
    """A statement about K: sums over all steps, letters of the last one."""
    K = trial.K
    assert K is not None
    if isinstance(tree, Sum):
        return sum((_over_the_run(part, statement, trial) for part in tree.parts), Fraction(0))
    if isinstance(tree, (Series, RandomIndex)):
        shift = isinstance(tree, RandomIndex) and tree.shifted
        first, last = (0, K - shift) if isinstance(tree, RandomIndex) else (tree.first, K - (tree.last == "K-1"))
        steps = [_expected(tree.of, statement, trial, j) for j in range(first, last + 1)]
        steps += [_expected(tree.of, statement, trial, 0)] if shift else []
        return sum(steps, Fraction(0)) / (K + 1 if isinstance(tree, RandomIndex) else 1)
    if isinstance(tree, Scaled):
        inner = _over_the_run(tree.of, statement, trial)
        return Evaluation(trial, statement, 0, 1).number(tree.times) * inner
    if isinstance(tree, Mean):
        return _over_the_run(tree.of, statement, trial)
    return _expected(tree, statement, trial, K if statement.scope is Scope.SHORT_RUN else K + 1)


def _rooted(trial: Trial) -> Trial:
    root = sp.sqrt(trial.K + 1 if trial.K is not None else 1)
    if not root.is_Integer:
        raise ValueError(f"K = {trial.K}: the root of K + 1 must be an integer for exact numbers")
    return replace(trial, values={N: Fraction(int(root)), **trial.values})


def _expected(tree: Node, statement: Statement, trial: Trial, k: int) -> Any:
    seen = Evaluation(trial, statement, k, max(k + 1 + _reach(tree), 1))
    return seen.mean(tree, seen.histories[0], TOTAL)


def broken_at(
    printed: Statement,
    trial: Trial,
    what: str,
    repaired: Any = None,
    *,
    k: int = 0,
    says: str = "the printed line says",
    **other: Any,
) -> Check:
    """The check that a printed statement is false at step k of a trial; its control is the repaired line there, which survives.

    * ``what``: what the check shows, in words.
    * ``repaired``: the line or statement for the control; without it the control asks the printed statement again.
    * ``other``: what changes in the trial for the control, such as ``start="repaired"``.  The repaired line must speak of this trial.  The
      printed one need not, for what it assumes may be read in another way, such as the start or the factor of a definition.
    * ``says``: how the outcome begins, where the paper does not print the line itself.
    """
    right: Statement = printed if repaired is None else getattr(repaired, "statement", repaired)

    def failures(statement: Statement, at: Trial, outside: bool = False) -> list[Comparison]:
        return [one for one in compare(statement, at, k, outside=outside) if not one.holds]

    def run() -> Outcome:
        bad, instance = failures(printed, trial, outside=True), trial.words.replace("{k}", str(k))
        return Outcome(bool(bad), f"{instance}: {says} {bad[0]}, which is false" if bad else "it holds there")

    def control() -> Outcome:
        bad = failures(right, replace(trial, **other))
        return Outcome(bool(bad), f"the repaired line says {bad[0]}" if bad else "the repaired line holds there")

    far = "a verdict, not a constant"
    return Check("counterexample", what, run, control, "the repaired line at the same instance", far=far)


MODULUS = RationalProblem((PiecewiseQuadratic.build([0], [0, 0], [2], slope=-1),))
AT_ONE = Trial(
    *(MODULUS, REAL_LINE, Fraction(1), Fraction(1, 4), Fraction(1, 2)),
    envelope=Fraction(1),
    words="f(x) = |x|, x_0 = 1, alpha = 1/4, beta = 1/2 (nu = 2), lambda = 1, k = 0, z_0 = g_0 as printed",
)
_RARE = {Fraction(4): Fraction(1, 32), Fraction(-4): Fraction(1, 32), Fraction(0): Fraction(15, 16)}
RARE = Trial(
    RationalProblem(tuple(PiecewiseQuadratic.build((), [0], slope=g) for g in _RARE), tuple(_RARE.values())),
    *(REAL_LINE, Fraction(0), Fraction(1, 4), Fraction(3, 4)),
    values={rho: Fraction(1)},
    words="f = 0 on R, f'(x,S) = 4, -4, 0 with probability 1/32, 1/32, 15/16 (L = sigma = 1), "
    "rho = 1, alpha = 1/4, beta = 3/4 (nu = 3), x_0 = 0; k = {k}, after g_0 = g_1 = 4",
)


def first_step_breaks(like: Any, trial: Trial = AT_ONE, printed: Statement | None = None, **other: Any) -> Check:
    """The check that a line is false at k = 0 with the printed start; its control is the repaired start, with which it holds.

    * ``like``: the line as repaired, with its proof.
    * ``trial``: the default ``AT_ONE`` is f(x) = abs(x) on the whole line, with x_0 = 1, alpha = 1/4, beta = 1/2, lambda = 1.
    * ``printed``: the statement as printed; without it this is that of ``like``, for every step with the printed start.
    * ``other``: further arguments of :func:`broken_at`.
    """
    what = "with the printed start the line fails at k = 0"
    return broken_at(printed or as_printed(like), trial, what, like, start="repaired", **other)


__all__ = ["AT_ONE", "MODULUS", "RARE", "REAL_LINE", "Trial", "broken_at", "compare", "first_step_breaks", "show"]
