"""Which element types an operator accepts and makes."""

from collections.abc import Sequence

import numpy as np

from ..._types.errors import OperatorError


def check_input_type(what: str, given: np.dtype, accepted: Sequence[str]) -> None:
    """Raises OperatorError unless the input's type is among those accepted."""
    if given.name not in accepted:
        raise OperatorError(
            f"{what}: the input is {given.name}; expected one of {', '.join(accepted)}. Convert it "
            "with dynjax.cast."
        )


def check_output_type(what: str, wanted: np.dtype, made: Sequence[str]) -> None:
    """Raises OperatorError unless the result's type is among those that can be made."""
    if wanted.name not in made:
        raise OperatorError(f"{what}: dtype={wanted.name}; expected one of {', '.join(made)}.")


def check_same_or_float(what: str, given: np.dtype, wanted: np.dtype) -> None:
    """Raises OperatorError unless the result's type is the input's or float32."""
    if wanted not in (given, np.dtype(np.float32)):
        raise OperatorError(
            f"{what}: dtype={wanted.name}; expected the input's {given.name} or float32."
        )
