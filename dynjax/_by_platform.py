"""A computation in two forms: natively on the CPU, in JAX elsewhere.

`jax.lax.platform_dependent` traces both, and tracing the JAX form of a kernel takes longer than
compiling the native one. Here a form is traced when a program is lowered for its platform.
"""

import functools
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.core import ShapedArray
from jax.extend.core import Primitive
from jax.interpreters import batching, mlir

Form = Callable[..., Any]


def by_platform(
    name: str, native: Form, everywhere: Form, results: Sequence[Any], operands: Any
) -> list[Any]:
    """The results of whichever form is for the platform.

    Args:
        name: what is computed, for those who read the program.
        native, everywhere: the forms, each of which takes the operands and gives the results, both
            in the same structure. The native one has its types from `native_type`.
        results: shape and dtype of each result.
        operands: a sequence of pytrees of arrays.
    """
    leaves, structure = jax.tree.flatten(tuple(operands))
    if any(map(_varies, leaves)):
        # The results vary too, which the primitive does not say.
        made = jax.lax.platform_dependent(*operands, cpu=native, default=everywhere)
        return jax.tree.leaves(made)
    wide = jax.dtypes.canonicalize_dtype(np.float64) == np.float64
    return _by_platform_p.bind(
        *leaves,
        name=name,
        native=_flat(native, structure, wide),
        everywhere=_flat(everywhere, structure, wide),
        results=tuple(ShapedArray(r.shape, r.dtype) for r in results),
    )


def native_type(shape: tuple[int, ...], dtype: np.dtype, operands: Sequence[Any]) -> Any:
    """The type of a native form's result; inside `shard_map` it says over which axes it varies."""
    plain = jax.ShapeDtypeStruct(shape, dtype)
    if not any(map(_varies, operands)):
        return plain

    def dependent(*values: Any) -> Any:
        numbers = [jnp.sum(v).astype(dtype) for v in values]
        return functools.reduce(jnp.add, numbers, jnp.zeros(shape, dtype))

    return jax.eval_shape(dependent, *operands)


def _varies(value: Any) -> bool:
    """Whether a value differs between the devices of a `shard_map`."""
    kind = jax.typeof(value)
    manual = getattr(kind, "manual_axis_type", None)  # older releases: `vma`
    return bool(getattr(kind, "vma", None) if manual is None else manual.varying)


# Cached, as what follows: programs are told apart by the identity of their forms.
@functools.lru_cache(maxsize=256)
def _flat(form: Form, structure: Any, wide: bool) -> Form:
    def run(*leaves: Any) -> Sequence[Any]:
        # The mode of the call, which need not be that in which the program is lowered.
        with jax.enable_x64(wide):
            return jax.tree.leaves(form(*jax.tree.unflatten(structure, leaves)))

    return run


@functools.lru_cache(maxsize=256)
def _over(form: Form, axes: tuple[int | None, ...]) -> Form:
    return jax.vmap(form, in_axes=axes)


@functools.lru_cache(maxsize=256)
def _program(parameters: tuple[tuple[str, Any], ...]) -> Any:
    return jax.jit(lambda *operands: _by_platform_p.bind(*operands, **dict(parameters)))


def _run(*operands: Any, **parameters: Any) -> list[Any]:
    with jax.disable_jit(False):
        return _program(tuple(sorted(parameters.items())))(*operands)


def _results(*operands: Any, results: Any, **_: Any) -> Any:
    del operands
    return results


def _mapped(operands: Any, axes: Any, *, native: Form, everywhere: Form, results: Any, name: str):
    count = next(o.shape[a] for o, a in zip(operands, axes, strict=True) if a is not None)
    avals = tuple(ShapedArray((count, *r.shape), r.dtype) for r in results)
    out = _by_platform_p.bind(
        *operands,
        name=name,
        native=_over(native, tuple(axes)),
        everywhere=_over(everywhere, tuple(axes)),
        results=avals,
    )
    return out, [0] * len(out)


def _lowering(form: str) -> Callable[..., Any]:
    def rule(context: Any, *operands: Any, **parameters: Any) -> Any:
        return mlir.lower_fun(parameters[form], multiple_results=True)(context, *operands)

    return rule


_by_platform_p = Primitive("dynjax_by_platform")
_by_platform_p.multiple_results = True
_by_platform_p.def_impl(_run)
_by_platform_p.def_abstract_eval(_results)
batching.primitive_batchers[_by_platform_p] = _mapped
mlir.register_lowering(_by_platform_p, _lowering("everywhere"))
mlir.register_lowering(_by_platform_p, _lowering("native"), platform="cpu")
