r"""Linear programmes in exact rational numbers, solved the same way every time.

.. math:: \min\ c\cdot x\quad\text{subject to}\quad Ax=b,\quad x_j\ge0\ \text{unless free}.

Two-phase simplex with Bland's rule on a dense tableau: small, never cycles, never rounds.  Infeasible and unbounded are told apart, and
each comes with numbers that show it: :math:`y` with :math:`y\cdot b<0\le y\cdot A_j` (Farkas), or a ray along which the cost falls.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from gmpy2 import mpq

Row = list[Any]


@dataclass(frozen=True)
class Solved:
    """``values`` of a vertex (``optimal``), of a ray (``unbounded``), or of Farkas' multipliers of the rows (``infeasible``)."""

    status: Literal["optimal", "infeasible", "unbounded"]
    values: tuple[Any, ...]

    @property
    def support(self) -> tuple[int, ...]:
        return tuple(j for j, value in enumerate(self.values) if value)


class _Tableau:
    """``[A | b | I]`` under row operations; ``basis[r]`` is the variable of row r, or ``None`` where an artificial one stands."""

    def __init__(self, rows: Sequence[Sequence[Any]], right: Sequence[Any], free: Sequence[bool]) -> None:
        m = len(rows)
        self.n, self.free = len(free), list(free)
        unit = [[mpq(r == i) for i in range(m)] for r in range(m)]
        self.rows: list[Row] = [[*map(mpq, row), mpq(b), *e] for row, b, e in zip(rows, right, unit, strict=True)]
        self.basis: list[int | None] = [None] * m
        self.idle: set[int] = set()
        for j in (j for j in range(self.n) if free[j]):
            r = next((r for r in range(m) if self.basis[r] is None and self.rows[r][j]), None)
            if r is None:
                self.idle.add(j)  # depends on the free columns before it: left at 0
            else:
                self.pivot(r, j)
        for r, row in enumerate(self.rows):
            if self.basis[r] is None and row[self.n] < 0:
                self.rows[r] = [-value for value in row]

    def copy(self) -> "_Tableau":
        other = object.__new__(_Tableau)
        other.n, other.free, other.idle = self.n, self.free, self.idle
        other.rows, other.basis = [list(row) for row in self.rows], list(self.basis)
        return other

    def pivot(self, r: int, j: int) -> None:
        by = self.rows[r][j]
        self.rows[r] = top = [value / by for value in self.rows[r]]
        for i, row in enumerate(self.rows):
            if i != r and (times := row[j]):
                self.rows[i] = [u - times * v if v else u for u, v in zip(row, top)]
        self.basis[r] = j

    def leaving(self, j: int) -> list[int]:
        """The rows that block the variable j first."""
        found: list[int] = []
        best = None
        for r, row in enumerate(self.rows):
            at = self.basis[r]
            if row[j] > 0 and not (at is not None and self.free[at]):
                ratio = row[self.n] / row[j]
                if best is None or ratio < best:
                    best, found = ratio, [r]
                elif ratio == best:
                    found.append(r)
        return found

    def bland(self, rows: list[int]) -> int:
        def order(r: int) -> int:
            at = self.basis[r]
            return self.n + r if at is None else at

        return min(rows, key=order)

    def feasible(self) -> bool:
        """Phase one: drive the artificial variables out."""
        while True:
            short = [row for row, at in zip(self.rows, self.basis, strict=True) if at is None]
            if not any(row[self.n] for row in short):
                break
            gain = (j for j in range(self.n) if not self.free[j] and sum(row[j] for row in short) > 0)
            j = next(gain, None)
            if j is None:
                return False
            self.pivot(self.bland(self.leaving(j)), j)
        for r in range(len(self.rows)):
            if self.basis[r] is None:
                j = next((j for j in range(self.n) if not self.free[j] and self.rows[r][j]), None)
                if j is not None:
                    self.pivot(r, j)
        kept = [r for r, at in enumerate(self.basis) if at is not None]
        self.rows, self.basis = [self.rows[r] for r in kept], [self.basis[r] for r in kept]
        return True

    def reduced(self, cost: Sequence[Any]) -> Row:
        paid = [cost[at] if at is not None else 0 for at in self.basis]
        return [cost[j] - sum(c * row[j] for c, row in zip(paid, self.rows, strict=True) if c) for j in range(self.n)]

    def minimise(self, cost: Sequence[Any], barred: set[int]) -> tuple[Any, ...] | None:
        """Phase two; ``barred`` columns stay out, and those that would cost are barred afterwards.  A ray, if there is one."""
        while True:
            slack = self.reduced(cost)
            loose = next((j for j in sorted(self.idle) if slack[j]), None)
            j = next((j for j in range(self.n) if j not in barred and not self.free[j] and slack[j] < 0), None)
            if loose is not None:
                return self.ray(loose, -1 if slack[loose] > 0 else 1)
            if j is None:
                barred |= {j for j in range(self.n) if slack[j] > 0}
                return None
            if not (rows := self.leaving(j)):
                return self.ray(j, 1)
            self.pivot(self.bland(rows), j)

    def ray(self, j: int, sign: int) -> tuple[Any, ...]:
        values = [mpq(0)] * self.n
        values[j] = mpq(sign)
        for at, row in zip(self.basis, self.rows, strict=True):
            if at is not None:
                values[at] = -sign * row[j]
        return tuple(values)

    @property
    def values(self) -> tuple[Any, ...]:
        values = [mpq(0)] * self.n
        for at, row in zip(self.basis, self.rows, strict=True):
            if at is not None:
                values[at] = row[self.n]
        return tuple(values)


def _solve(tableau: _Tableau, right: int, costs: Sequence[Sequence[Any]]) -> tuple[Solved, set[int]]:
    if not tableau.feasible():
        short = [row for row, at in zip(tableau.rows, tableau.basis, strict=True) if at is None]
        width = len(tableau.rows)
        return Solved("infeasible", tuple(-sum(row[right + 1 + i] for row in short) for i in range(width))), set()
    barred: set[int] = set()
    for cost in costs:
        if (ray := tableau.minimise([mpq(c) for c in cost], barred)) is not None:
            return Solved("unbounded", ray), barred
    return Solved("optimal", tableau.values), barred


def solve(
    rows: Sequence[Sequence[Any]], right: Sequence[Any], free: Sequence[bool], costs: Sequence[Sequence[Any]] = ()
) -> Solved:
    """A vertex that minimises the first cost, among these the second, and so on; or why there is none."""
    return _solve(_Tableau(rows, right, free), len(free), costs)[0]


def vertices(
    rows: Sequence[Sequence[Any]],
    right: Sequence[Any],
    free: Sequence[bool],
    costs: Sequence[Sequence[Any]] = (),
    limit: int = 2000,
) -> Iterator[Solved]:
    """The vertices that are optimal for all but the last cost, each support once, those near the optimum of the last one first."""
    tableau = _Tableau(rows, right, free)
    best, barred = _solve(tableau, len(free), costs[:-1])
    if best.status == "optimal" and costs:
        face = set(barred)
        if tableau.minimise([mpq(c) for c in costs[-1]], set(face)) is not None:
            return
        barred = face
    elif best.status != "optimal":
        return
    start = frozenset(at for at in tableau.basis if at is not None)
    seen, queue, shown = {start}, [tableau], set()
    while queue:
        here = queue.pop(0)
        found = Solved("optimal", here.values)
        if found.support not in shown:
            shown.add(found.support)
            yield found
        inside = {at for at in here.basis if at is not None}
        for j in range(here.n):
            if j in inside or j in barred or here.free[j]:
                continue
            for r in here.leaving(j):
                after = frozenset(inside - {here.basis[r]} | {j})
                if after not in seen and len(seen) < limit:
                    seen.add(after)
                    further = here.copy()
                    further.pivot(r, j)
                    queue.append(further)
