r"""Every place of the paper that claims something, in the paper's order.

A name without ``/`` that is not in ``OWN`` is a ``\label`` of the paper (96 of them).  What the paper leaves without a label is
named after the label it stands under (``eq:Vfunc/...``); where there is none, after its section (``introduction/...``).
"""

from typing import NamedTuple


class Place(NamedTuple):
    """One place of the paper: its name, and the section it stands in."""

    name: str
    section: str

    @property
    def printed(self) -> bool:
        r"""Whether the paper itself carries this name as a ``\label``."""
        return "/" not in self.name and self.name not in OWN


OWN = frozenset({"lem:weak:convexity", "assumption:A3"})
"""Names without a slash that this project gave: Lemma 1 and Assumption (A3) carry no label in the paper."""

_SECTIONS: dict[str, str] = {
    "1 Introduction": """
        introduction/abstract
        eqn:objective
        eqn:objective/weak-convexity
        eqn:objective/class
        eq:composite
        eq:composite/applications
        eq:SHB:unconstrained
        eq:SHB:unconstrained:z
        eq:SHB:unconstrained/heavy-ball
        introduction/sample-complexity
        introduction/related-work
        introduction/contribution-non-smooth
        introduction/contribution-first
        introduction/contribution-smooth
        introduction/small-beta
        introduction/unimprovable
    """,
    "2 Background": """
        background/projection
        background/sigma-fields
        background/subdifferential
        background/subdifferential-cases
        background/stationary
        lem:weak:convexity
        lem:weak:convexity/1
        lem:weak:convexity/2
        eq:moreau:env
        eq:prox
        lem:moreau:env
        lem:moreau:env/1
        lem:moreau:env/2
        eq:stationary:measure/failure
        eq:stationary:measure
        eq:stationary:measure/near
    """,
    "3 Algorithm and convergence analysis": """
        assumption:A
        assumption:A/A1
        assumption:A/A2
        alg:iters:def/start
        alg:iters:def
        alg:iters:def:a
        alg:iters:def:b
        alg:iters:def/reduces
        alg:iters:def/iPiano
        alg:iters:def/p-and-d
        eq:stoc:analysis
        eq:stoc:analysis/complexity
        eq:stoc:analysis/decaying
        lem:xdiff:non-smooth
        eq:lem:xdiff:non-smooth
        lem:xdiff:non-smooth/d-small
        lem:xdiff:non-smooth/candidate
        lem:xdiff:non-smooth/x_bar
        lem:xdiff:non-smooth/x_hat
        lem:xdiff:non-smooth/gradient
        lem:Vfunc:non-smooth
        eq:Vfunc
        eq:lem:Vfunc:non-smooth
        lem:Vfunc:non-smooth/gamma
        thrm:non-smooth:complexity
        eq:thrm:1
        thrm:non-smooth:complexity/gamma
        thrm:non-smooth:complexity/gamma_1
        thrm:non-smooth:complexity/ten
        thrm:non-smooth:complexity/proof-sum
        thrm:non-smooth:complexity/proof-gamma_1
        thrm:non-smooth:complexity/proof-lower
        thrm:non-smooth:complexity/proof-V_0
        thrm:non-smooth:complexity/proof-bound
        thrm:non-smooth:complexity/proof-constants
        thrm:non-smooth:complexity/proof-ten
        thrm:non-smooth:complexity/remark-i
        thrm:non-smooth:complexity/remark-i-literature
        thrm:non-smooth:complexity/remark-ii
        thrm:non-smooth:complexity/remark-ii-default
        thrm:non-smooth:complexity/remark-ii-smaller
        thrm:non-smooth:complexity/remark-iii
        thrm:non-smooth:complexity/remark-iii-rate
        thrm:non-smooth:complexity/summary
    """,
    "4 Extension to smooth non-convex functions": """
        assumption:A3/smooth
        assumption:A3/weakly-convex
        assumption:A3
        assumption:A3/quadratic
        assumption:A3/novelty
        lem:Wfunc:smooth/phi
        lem:Wfunc:smooth/phi-sign
        lem:Wfunc:smooth/phi-literature
        lem:Wfunc:smooth
        lem:Wfunc:smooth/stepsize
        lem:Wfunc:smooth/W
        eq:lem:smooth:W
        lem:Wfunc:smooth/sketch-1
        lem:Wfunc:smooth/sketch-2
        lem:Wfunc:smooth/sketch-3
        lem:Wfunc:smooth/remark
        thrm:smooth:complexity
        thrm:smooth:complexity/bound
        thrm:smooth:complexity/ten
        thrm:smooth:complexity/remark-i
        thrm:smooth:complexity/remark-ii
        thrm:smooth:complexity/remark-iii
        thrm:smooth:unconstrained:complexity
        thrm:smooth:unconstrained:complexity/lambda
        thrm:smooth:unconstrained:complexity/bound
        thrm:smooth:unconstrained:complexity/c
        thrm:smooth:unconstrained:complexity/second
        thrm:smooth:unconstrained:complexity/open
    """,
    "5 Numerical evaluations": """
        fig:1/problem
        fig:1/composite
        fig:1/data
        fig:1/outliers
        fig:1/x_0
        fig:1/subdifferential
        fig:1/stepsize
        fig:1/theory
        fig:1/budget
        fig:1/epsilon
        fig:1
        fig:1/sensitivity
        fig:1:d
        fig:1/half-square
        fig:1/robust
        fig:1/lowpass
        fig:2
        fig:epochs2eps
        fig:epochs2eps:corrupted
        fig:2/range
        fig:3
        fig:epochs2eps:popular:mmt
        fig:epochs2eps:corrupted:popular:mmt
        fig:3/range
    """,
    "6 Conclusion": """
        conclusion/summary
    """,
    "A Proof of Lemma 3": """
        appendix:proof:lem:xdiff:non-smooth
        appendix:proof:lem:xdiff:non-smooth/compact
        appendix:proof:lem:xdiff:non-smooth/p
        eq:proof:lem:1:norm
        eq:proof:lem:1:norm:decomp
        eq:proof:lem:1:norm:2
        proof:lem:1:inp:g:xdiff
        eq:x:opt:cond
        eq:x:opt:cond:x_next:new
        eq:proof:lem:1:norm:bounded
        eq:znorm/base
        eq:znorm
        eq:xdiff:norm:L
        eq:proof:lem:1:norm:final
    """,
    "B Proof of Lemma 4": """
        appendix:proof:lem:Vfunc:non-smooth
        appendix:proof:lem:Vfunc:non-smooth/x_hat
        appendix:proof:lem:Vfunc:non-smooth/gradient
        eq:proof:thrm:1:evn:1
        eq:proof:thrm:1:norm:decomp:a
        eq:proof:thrm:1:evn:1:1
        eq:proof:thrm:1:norm:decomp:b
        eq:proof:thrm:1:evn:2
        eq:proof:thrm:1:inp:1
        eq:strong:cvx
        eq:proof:thrm:1:inp:1:bounded
        eq:proof:thrm:1:inp:2
        eq:proof:thrm:1:evn:3/before
        eq:proof:thrm:1:evn:3
        eq:proof:thrm:1:evn:3/telescoping
        eq:proof:thrm:1:evn:3/gamma
    """,
    "C Proof of Lemma 5": """
        appendix:proof:Wfunc:smooth
        lem:xdiff:smooth
        lem:xdiff:smooth/display
        alg:iters:def:a:rewrite
        alg:iters:def:a:rewrite/conjugate
        alg:iters:def:a:rewrite/smoothness
        eq:varphi:diff
        eq:norm:identity
        proof:lema:1:inp:1:a
        proof:lema:1:inp:1:b
        proof:lema:1:inp:2
        eq:varphi:diff:2
        proof:lema:1:inp:3:c
        eq:x:opt:cond:x_next
        proof:lema:1:inp:3:a
        proof:lema:1:inp:3:b
        eq:varphi:diff:3
        proof:lema:1:inp:g:xdiff
        eq:varphi:diff:4
        lem:z:diff
        lem:z:diff/display
        proof:smooth:z:diff:1
        proof:smooth:z:diff:Delta
        proof:smooth:z:diff:T
        proof:smooth:cond:expect:a
        proof:smooth:cond:expect:b
        proof:smooth:cond:expect:b:1
        proof:smooth:p:normdiff/x_virtual
        proof:smooth:p:normdiff/p_virtual
        proof:smooth:p:normdiff/cauchy
        proof:smooth:p:normdiff
        proof:smooth:cond:expect:b:3
        proof:smooth:cond:expect:b:final
        proof:smooth:z:diff:2
        proof:smooth:d:diff:decom
        proof:smooth:d:diff:decom:1/optimality
        proof:smooth:d:diff:decom:1
        proof:smooth:g:inp/split
        proof:smooth:g:inp/noise
        proof:smooth:g:inp
        proof:smooth:g:inp:2a
        proof:smooth:g:inp:2b
        proof:smooth:d:diff:decom:2
        proof:smooth:d:diff:decom:final
        proof:smooth:z:diff:3
        proof:smooth:z:diff:3/conclusion
    """,
    "D Proof of Theorem 2": """
        appendix:proof:thrm:smooth:complexity
        appendix:proof:thrm:smooth:complexity/base
        appendix:proof:thrm:smooth:complexity/step
        appendix:proof:thrm:smooth:complexity/nonexpansive
        appendix:proof:thrm:smooth:complexity/conclusion
    """,
    "E Proof of Theorem 3": """
        appendix:proof:thrm:smooth:unconstrained:complexity
        eq:proof:thrm:3:evn:1
        eq:proof:thrm:3:evn:1/x_hat
        eq:proof:thrm:3:evn:1/square
        eq:proof:thrm:3:evn:1/young
        eq:proof:thrm:3:evn:1/chain
        eq:proof:thrm:3:evn:1/delta
        eq:proof:thrm:3:evn:2
        eq:proof:thrm:3:evn:2/envelope
        eq:proof:thrm:3:evn:2/weight
        eq:proof:thrm:3:evn:3
        eq:proof:thrm:3:evn:4
        eq:proof:thrm:3:evn:4/sum
        eq:proof:thrm:3:evn:4/V_minus_1
        eq:proof:thrm:3:evn:5
        eq:proof:thrm:3:evn:5/nu
        eq:proof:thrm:3:evn:5/second
    """,
}

PLACES: tuple[Place, ...] = tuple(
    Place(name, section) for section, names in _SECTIONS.items() for name in names.split()
)
"""All places, in the paper's order."""

PAPER_LABELS: tuple[str, ...] = tuple(place.name for place in PLACES if place.printed)
r"""The 96 ``\label`` names of the paper, in its order."""

SECTION: dict[str, str] = {place.name: place.section for place in PLACES}
"""The section of each place."""

ORDER: dict[str, int] = {place.name: index for index, place in enumerate(PLACES)}
"""The rank of each place in the paper."""
