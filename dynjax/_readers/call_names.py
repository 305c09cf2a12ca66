"""What Python says about a wrong call of a constructor, with the name that users know."""

import functools
from collections.abc import Callable
from typing import Any


def named_by_class(cls: type, init: Callable[..., None]) -> Callable[..., None]:
    """`init` of a reader, whose TypeErrors about its arguments begin with `readers.<Class>:`."""
    python_name = f"{init.__qualname__}()"

    @functools.wraps(init)
    def named(self: Any, *args: Any, **kwargs: Any) -> None:
        try:
            init(self, *args, **kwargs)
        except TypeError as error:
            message = str(error)
            if not message.startswith(python_name):
                raise
            text = message.removeprefix(python_name)
            raise TypeError(f"readers.{cls.__name__}:{text}.") from None

    return named
