"""The batch of images that a policy is applied to."""

from typing import Any

import numpy as np

from .._types.batch import Batch
from .._types.construct import as_batch, as_tensor
from .._types.errors import OperatorError, at_call
from .._types.storage import Dense
from .._types.tensor import Tensor

_LAYOUTS = ("HWC", "FHWC")


def as_images(name: str, images: Any) -> tuple[Batch, bool]:
    """The images as a batch, and whether one was given that is none.

    Raises:
        OperatorError: not uint8, or of another layout.
    """
    data = images if isinstance(images, Batch) else as_tensor(images)
    spec = data.spec
    layout = spec.layout or {3: "HWC", 4: "FHWC"}.get(spec.ndim)
    if layout not in _LAYOUTS or spec.ndim != len(layout):
        raise at_call(
            OperatorError(
                f"{name}: the images have layout {spec.layout!r} and {spec.ndim} axes; expected "
                "HWC or FHWC. Set it with dynjax.as_batch(data, layout=...)."
            )
        )
    if spec.dtype != np.uint8:
        raise at_call(OperatorError(f"{name}: the images are {spec.dtype.name}; expected uint8."))
    if isinstance(data, Batch):
        return (data if spec.layout else as_batch(data, layout=layout)), True
    return batch_of_one(data, layout), False


def batch_of_one(sample: Tensor, layout: str | None = None) -> Batch:
    """A batch that holds a tensor."""
    storage = sample.storage
    if not isinstance(storage, Dense):
        return as_batch([sample], layout=layout or sample.layout)
    array = storage.array[None]
    spec = sample.spec.replace(batched=True, layout=layout or sample.spec.layout)
    return Batch._make(spec, Dense(array), source=sample.source)


def sides(images: Batch) -> tuple[Any, Any]:
    """Height and width: a number for all samples, or one for each."""
    shape, layout = images.spec.shape, images.spec.layout
    assert layout is not None
    return shape[layout.index("H")], shape[layout.index("W")]


def is_traced(images: Batch) -> bool:
    """Whether the images are those of a function being traced."""
    return images.pending is None and images.storage.is_traced()


def values_of(data: Batch) -> Any:
    """The values of small samples of one shape: on the host, or a tracer inside `jit`."""
    return data.jax() if is_traced(data) else np.asarray(data)
