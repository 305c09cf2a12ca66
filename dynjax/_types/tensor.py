"""`Tensor`: one sample."""

import math
from collections.abc import Iterator
from typing import Any

import jax
import numpy as np

from . import expressions
from .data import Data
from .errors import ArgumentError
from .printing import describe, describe_traced
from .torch_bridge import to_torch


@jax.tree_util.register_pytree_node_class
class Tensor(Data):
    """One sample: an array with a layout.

    Made by `tensor`, `as_tensor`, by operators and by `Batch.select`; not called by users. A pytree
    whose leaf is the array (and its extents, where the size is data).

    Example:
        >>> t = dynjax.tensor(np.zeros((2, 3), np.uint8), layout="HW")
        >>> t.shape, t.layout
        ((2, 3), 'HW')
    """

    __slots__ = ()

    @property
    def shape(self) -> tuple[int, ...]:
        """Extents; waits for them where they depend on data."""
        return self.spec.sample_shape(0)

    @property
    def size(self) -> int:
        """Number of elements."""
        return math.prod(self.shape)

    @property
    def itemsize(self) -> int:
        """Bytes of one element."""
        return self.spec.dtype.itemsize

    @property
    def nbytes(self) -> int:
        """Bytes of all elements."""
        return self.size * self.itemsize

    def item(self) -> Any:
        """The only element as a Python scalar. Raises ValueError if there are more."""
        self._refuse_traced("item()")
        if self.size != 1:
            raise ArgumentError(f"Tensor.item: the tensor has {self.size} elements; expected 1.")
        return self.storage.sample(0).item()

    def __getitem__(self, key: Any) -> "Tensor":
        return expressions.indexed(self, key)

    def __iter__(self) -> Iterator["Tensor"]:
        if self.ndim == 0:
            raise TypeError("Tensor: a scalar has no axis to iterate over.")
        for i in range(self.shape[0]):
            yield self[i]

    def __bool__(self) -> bool:
        if self.storage.is_traced():
            return bool(self.storage.array.reshape(()))  # JAX's error tells what to do
        if self.size != 1:
            raise ArgumentError(
                f"Tensor: the truth of {self.size} elements is ambiguous; expected 1 element."
            )
        return bool(self.item())

    def torch(self, copy: bool | None = False) -> Any:
        """A torch tensor; without `copy` it shares the memory."""
        self._refuse_traced("torch()")
        array = self._dense_host() if self.storage.on_host else self.jax()
        return to_torch(array, copy=bool(copy))

    def jax(self, pad: bool = False) -> jax.Array:
        """A JAX array in JAX's current 32- or 64-bit mode.

        Args:
            pad: inside `jit`, give a sample whose size is not known there in its slot, zeros
                beyond it. Without effect elsewhere.
        """
        if pad and self.storage.is_traced():
            return self._slots(0)
        return self._jax(self._dense_host)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        self._refuse_traced("conversion to NumPy")
        if not self.storage.on_host:
            raise TypeError(f"Tensor: the data are on {self.device}; call .cpu() first.")
        array = self._dense_host()
        if not self._external:
            array = array.view()
            array.flags.writeable = False
        if dtype is not None and array.dtype != dtype:
            return array.astype(dtype)
        return array.copy() if copy else array

    def __dlpack__(self, *, stream=None, **options):
        self._refuse_traced("DLPack")
        array = self._jax(self._dense_host)
        self.storage.recyclable = False
        return array.__dlpack__(stream=stream, **options)  # pyright: ignore

    def __dlpack_device__(self):
        return self._jax(self._dense_host).__dlpack_device__()  # pyright: ignore

    def __repr__(self) -> str:
        if self.storage.is_traced():
            return describe_traced(self)
        return describe(self, [self.storage.sample(0)])

    __str__ = __repr__

    def tree_flatten(self):
        return self._leaves()

    @classmethod
    def tree_unflatten(cls, aux, leaves):
        return cls._from_leaves(aux, leaves)


Data._kinds[False] = Tensor
