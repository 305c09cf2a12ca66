"""Old names of operators."""

import functools
import warnings
from collections.abc import Callable
from typing import Any

from ..._schema import Operator


def renamed(old: str, operator: Operator) -> Callable[..., Any]:
    """The operator under an old name, which warns with each call.

    Example:
        >>> import warnings
        >>> from dynjax._ops.experimental.renamed import renamed
        >>> copy = renamed("experimental.copy", dynjax.copy)
        >>> with warnings.catch_warnings(record=True, action="always") as caught:
        ...     _ = copy(3)
        >>> str(caught[0].message)
        'dynjax.experimental.copy is now dynjax.copy.'
    """

    @functools.wraps(operator)
    def call(*inputs: Any, **arguments: Any) -> Any:
        warnings.warn(
            f"dynjax.{old} is now dynjax.{operator.name}.", DeprecationWarning, stacklevel=2
        )
        return operator(*inputs, **arguments)

    return call
