r"""What a file of claims is written with, in one import: ``from shbcore.claims.writing import *``.

The letters and lines of :mod:`shbcore.proof`, the builders of evidence, trial problems, and the shares by which controls differ.
"""

from collections.abc import Callable as Callable
from collections.abc import Iterator as Iterator
from dataclasses import replace as replace
from fractions import Fraction as Fraction
from functools import cache as cache
from functools import partial as partial
from typing import Any as Any

import sympy

from shbcore.claims.evidence import *
from shbcore.claims.registry import *
from shbcore.claims.trial import *
from shbcore.model import constants as constants
from shbcore.model.rational import Interval as Interval
from shbcore.model.rational import PiecewiseQuadratic as PiecewiseQuadratic
from shbcore.model.rational import RationalProblem as RationalProblem
from shbcore.proof import foundations
from shbcore.proof.domain import *
from shbcore.proof.foundations import Foundation as Foundation
from shbcore.proof.joins import *
from shbcore.proof.kernel import Line as Line
from shbcore.proof.kernel import Outcome as Outcome
from shbcore.proof.kernel import Term as Term
from shbcore.proof.kernel import check as check
from shbcore.proof.kernel import recondition as recondition
from shbcore.proof.language import *
from shbcore.proof.letters import *
from shbcore.proof.lines import *
from shbcore.proof.search import refit as refit
from shbcore.proof.statement import *

sp = sympy
on = foundations
F = Fraction
HALF, QUARTER = sp.Rational(1, 2), sp.Rational(1, 4)
NINE_TENTHS, ELEVEN_TENTHS = sp.Rational(9, 10), sp.Rational(11, 10)
