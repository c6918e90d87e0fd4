"""What a refused call says."""

from collections.abc import Callable

import pytest


def message(call: Callable[[], object]) -> str:
    with pytest.raises(ValueError) as refusal:
        call()
    return str(refusal.value)
