"""Functions of one operand: `dynjax.math.sqrt` and the like.

Integers become float32, floats keep their type. Nothing raises for values outside a function's
domain: the result is nan or infinite.

Source: DALI's mathematical functions; types and special values checked against it.
"""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from ..._schema import Output, operator
from ..._types.construct import as_data
from ..._types.spec import Spec
from .._lib.elementwise import elementwise, elementwise_kernel
from .._lib.promotion import float_of, refuse_bools

# Not an f-string in the function: its docstring is the users' help.
_DOC = """{summary}

    Args:
        input: Tensor, Batch, array, number or list.

    Returns:
        Same shape and layout as `input`; float32 for integers, else the input's type.

    Raises:
        OperatorError: the input is bool.

    Example:
        >>> dynjax.math.{name}({argument}).item()
        {result}
    """


def _real(name: str, function: Callable[..., Any], summary: str, argument: float, result: float):
    """A function on floats; `argument` and `result` are the example of its help."""
    kernel = elementwise_kernel(name, function, "result")

    @operator(f"math.{name}", hidden=True)
    def rule(a: Spec, /) -> Output:
        refuse_bools(f"math.{name}", a.dtype)
        return elementwise(f"math.{name}", kernel, (a,), float_of(a.dtype))

    def public(input: Any) -> Any:
        return rule(input)

    public.__name__ = public.__qualname__ = name
    public.__doc__ = _DOC.format(name=name, summary=summary, argument=argument, result=result)
    return public


def abs(input: Any) -> Any:
    """Absolute value. The lowest value of a signed integer type stays as it is.

    Args:
        input: Tensor, Batch, array, number or list.

    Returns:
        Same shape, layout and type as `input`.

    Raises:
        OperatorError: the input is bool.

    Example:
        >>> dynjax.math.abs(-3).item()
        3
    """
    return as_data(input).__abs__()


sqrt = _real("sqrt", jnp.sqrt, "Square root; nan for negative numbers.", 4.0, 2.0)
rsqrt = _real("rsqrt", jax.lax.rsqrt, "One divided by the square root.", 1.0, 1.0)
cbrt = _real("cbrt", jnp.cbrt, "Cube root.", 0.0, 0.0)
exp = _real("exp", jnp.exp, "Exponential.", 0.0, 1.0)
log = _real("log", jnp.log, "Natural logarithm; -inf for 0.", 1.0, 0.0)
log2 = _real("log2", jnp.log2, "Logarithm to base 2.", 1.0, 0.0)
log10 = _real("log10", jnp.log10, "Logarithm to base 10.", 1.0, 0.0)
fabs = _real("fabs", jnp.abs, "Absolute value as a floating-point number.", -3, 3.0)
floor = _real("floor", jnp.floor, "Largest whole number that is not above.", -1.5, -2.0)
ceil = _real("ceil", jnp.ceil, "Smallest whole number that is not below.", 1.5, 2.0)
sin = _real("sin", jnp.sin, "Sine of an angle in radians.", 0.0, 0.0)
cos = _real("cos", jnp.cos, "Cosine of an angle in radians.", 0.0, 1.0)
tan = _real("tan", jnp.tan, "Tangent of an angle in radians.", 0.0, 0.0)
asin = _real("asin", jnp.arcsin, "Inverse sine, in radians; nan outside [-1, 1].", 0.0, 0.0)
acos = _real("acos", jnp.arccos, "Inverse cosine, in radians; nan outside [-1, 1].", 1.0, 0.0)
atan = _real("atan", jnp.arctan, "Inverse tangent, in radians.", 0.0, 0.0)
sinh = _real("sinh", jnp.sinh, "Hyperbolic sine.", 0.0, 0.0)
cosh = _real("cosh", jnp.cosh, "Hyperbolic cosine.", 0.0, 1.0)
tanh = _real("tanh", jnp.tanh, "Hyperbolic tangent.", 0.0, 0.0)
asinh = _real("asinh", jnp.arcsinh, "Inverse hyperbolic sine.", 0.0, 0.0)
acosh = _real("acosh", jnp.arccosh, "Inverse hyperbolic cosine; nan below 1.", 1.0, 0.0)
atanh = _real("atanh", jnp.arctanh, "Inverse hyperbolic tangent; nan outside [-1, 1].", 0.0, 0.0)
