r"""Eight doubles as one value inside Numba code: a vector type with ``+``, ``-``, ``*``, ``/``, |.| and sign.

Each operation acts lane by lane with the rounding of ordinary double arithmetic: nothing is contracted, reordered or
approximated.  A loop written with these vectors therefore computes in each lane, bit by bit, what the scalar loop computes.
"""

import operator
from collections.abc import Callable
from typing import Any

from llvmlite import ir  # type: ignore[import-untyped]
from numba.core import cgutils, types
from numba.extending import intrinsic as _intrinsic
from numba.extending import models, overload, register_model

LANES = 8
_DOUBLE = ir.DoubleType()
_VECTOR = ir.VectorType(_DOUBLE, LANES)


def intrinsic(build: Callable[..., Any]) -> Any:
    """A function of compiled code, given by the instructions it stands for."""
    return _intrinsic(build)


class _Vec8(types.Type):
    def __init__(self) -> None:
        super().__init__(name="Vec8")


vec8 = _Vec8()


@register_model(_Vec8)
class _Vec8Model(models.PrimitiveModel):
    def __init__(self, dmm: Any, fe_type: Any) -> None:
        super().__init__(dmm, fe_type, _VECTOR)  # type: ignore[no-untyped-call]


def _binary(name: str) -> Any:
    """One LLVM instruction between two vectors."""

    def build(_: Any, u: Any, v: Any) -> Any:
        def codegen(__: Any, builder: Any, ___: Any, args: Any) -> Any:
            return getattr(builder, name)(*args)

        return vec8(vec8, vec8), codegen

    return intrinsic(build)


_add, _sub, _mul, _div = (_binary(name) for name in ("fadd", "fsub", "fmul", "fdiv"))


def _pointer(builder: Any, flat: Any, index: Any) -> Any:
    return builder.bitcast(builder.gep(flat, [index]), _VECTOR.as_pointer())


@intrinsic
def load(typing: Any, array: Any, index: Any) -> Any:
    """The eight doubles ``array[index : index + 8]`` of a flat contiguous array (bounds are the caller's duty)."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, args[0]).data
        return builder.load(_pointer(builder, data, args[1]), align=8)

    return vec8(array, types.intp), codegen


@intrinsic
def store(typing: Any, array: Any, index: Any, value: Any) -> Any:
    """Write a vector to ``array[index : index + 8]``."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, args[0]).data
        builder.store(args[2], _pointer(builder, data, args[1]), align=8)
        return context.get_dummy_value()

    return types.void(array, types.intp, vec8), codegen


@intrinsic
def splat(typing: Any, value: Any) -> Any:
    """The same double in every lane."""

    def codegen(_: Any, builder: Any, __: Any, args: Any) -> Any:
        one = builder.insert_element(ir.Constant(_VECTOR, ir.Undefined), args[0], ir.Constant(ir.IntType(32), 0))
        mask = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
        return builder.shuffle_vector(one, ir.Constant(_VECTOR, ir.Undefined), mask)

    return vec8(types.float64), codegen


@intrinsic
def magnitude(typing: Any, value: Any) -> Any:
    """Absolute value in every lane."""

    def codegen(_: Any, builder: Any, __: Any, args: Any) -> Any:
        kind = ir.FunctionType(_VECTOR, [_VECTOR])
        fabs: Any = cgutils.get_or_insert_function
        return builder.call(fabs(builder.module, kind, f"llvm.fabs.v{LANES}f64"), args)

    return vec8(vec8), codegen


@intrinsic
def signed(typing: Any, chooser: Any, value: Any) -> Any:
    r"""``sign(chooser) * value`` in every lane, with ``sign(0) = 0``: the element 0 of the subdifferential :math:`[-1,1]`."""

    def codegen(_: Any, builder: Any, __: Any, args: Any) -> Any:
        zero = ir.Constant(_VECTOR, [0.0] * LANES)
        minus = builder.select(builder.fcmp_ordered("<", args[0], zero), builder.fneg(args[1]), zero)
        return builder.select(builder.fcmp_ordered(">", args[0], zero), args[1], minus)

    return vec8(vec8, vec8), codegen


def _lane_by_lane(operation: Callable[..., Any], instruction: Any) -> None:
    """Teach Numba ``vector op vector`` and ``vector op number``."""

    @overload(operation, inline="always", strict=False)
    def _(u: Any, v: Any) -> Any:
        if isinstance(u, _Vec8) and isinstance(v, _Vec8):
            return lambda u, v: instruction(u, v)
        if isinstance(u, _Vec8) and isinstance(v, types.Float):
            return lambda u, v: instruction(u, splat(v))
        return None


_lane_by_lane(operator.add, _add)
_lane_by_lane(operator.sub, _sub)
_lane_by_lane(operator.mul, _mul)
_lane_by_lane(operator.truediv, _div)
