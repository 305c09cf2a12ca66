"""Conversion to PyTorch, which is optional."""

import jax
import numpy as np


def to_torch(array: np.ndarray | jax.Array, copy: bool):
    """A torch tensor; without `copy` it shares the array's memory, as torch has no read-only one.

    Args:
        array: a host array, or a JAX array on another device, which torch then uses there.

    Raises:
        ImportError: torch is not installed.
    """
    try:
        import torch  # pyright: ignore[reportMissingImports]
    except ImportError as error:
        raise ImportError(
            'torch(): PyTorch is not installed. Install it with: pip install "dynjax[torch]"'
        ) from error
    if isinstance(array, jax.Array):
        shared = torch.from_dlpack(array)
        return shared.clone() if copy else shared
    if array.dtype.name == "bfloat16":
        return torch.from_numpy(array.view(np.uint16).copy()).view(torch.bfloat16)
    if copy or not array.flags.c_contiguous:
        return torch.from_numpy(array.copy())
    if not array.flags.writeable:
        # The documented borrow: torch would warn of a read-only array, JAX's memory is one.
        address = array.__array_interface__["data"][0]
        array = _writeable(array, address)
    return torch.from_numpy(array)


class _Borrowed:
    """Presents the memory of a read-only array as writeable, and keeps it alive."""

    def __init__(self, owner: np.ndarray, address: int):
        self._owner = owner
        self.__array_interface__ = {
            "data": (address, False),
            "shape": owner.shape,
            "typestr": owner.dtype.str,
            "version": 3,
        }


def _writeable(array: np.ndarray, address: int) -> np.ndarray:
    return np.asarray(_Borrowed(array, address))
