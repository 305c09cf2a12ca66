"""Some of the polygons of an image: `dynjax.segmentation.select_masks`."""

import numpy as np

from ..._schema import Output, operator
from ..._types.data import Data
from ..._types.errors import OperatorError, at_call
from .._lib.host_samples import batching
from .._lib.ready import host_samples, ready

_WHAT = "segmentation.select_masks"


@operator(_WHAT, reads_data=True, devices=("cpu",), outputs=2)
def select_masks(
    mask_ids: Data, polygons: Data, vertices: Data, /, *, reindex_masks: bool = False
) -> tuple[Output, Output]:
    """Keeps the polygons of chosen masks, and their vertices.

    Args:
        mask_ids: numbers of the masks to keep, int32 `[k]`, each once.
        polygons: int32 `[p, 3]`: mask, first vertex, one past the last vertex.
        vertices: `[v, ndim]`, any type.
        reindex_masks: number the masks anew by their place in `mask_ids`. Default: keep numbers.

    Returns:
        The polygons, int32 `[q, 3]`, in the order of `mask_ids`, with ranges into the kept
        vertices; and those vertices, in the type of `vertices`.

    Raises:
        OperatorError: other types or shapes, a mask that is not there or is chosen twice, a range
            beyond the vertices.

    Source: DALI `segmentation.SelectMasks`.

    Example:
        >>> polygons = np.array([[0, 0, 2], [1, 2, 3]], np.int32)
        >>> vertices = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]], np.float32)
        >>> kept, points = dynjax.segmentation.select_masks(
        ...     np.array([1], np.int32), polygons, vertices
        ... )
        >>> np.asarray(kept), np.asarray(points)
        (array([[1, 0, 1]], dtype=int32), array([[1., 1.]], dtype=float32))
    """
    specs = [mask_ids.spec, polygons.spec, vertices.spec]
    names = ("mask_ids", "polygons", "vertices")
    for name, spec, rank in zip(names, specs, (1, 2, 2), strict=True):
        if spec.ndim != rank or (name != "vertices" and spec.dtype != np.int32):
            kind = "any type" if name == "vertices" else "int32"
            raise at_call(
                OperatorError(
                    f"{_WHAT}: {name} has {spec.ndim} axes of {spec.dtype.name}; expected {rank} "
                    f"of {kind}."
                )
            )
    count, batched = batching(specs)
    ids, tables, points = (host_samples(_WHAT, d, count) for d in (mask_ids, polygons, vertices))
    kept = [
        _selected(i, *sample, reindex_masks)
        for i, sample in enumerate(zip(ids, tables, points, strict=True))
    ]
    return (
        ready([k[0] for k in kept], 2, np.dtype(np.int32), batched, polygons.layout, inner=(3,)),
        ready([k[1] for k in kept], 2, specs[2].dtype, batched, vertices.layout),
    )


def _selected(
    i: int, ids: np.ndarray, polygons: np.ndarray, vertices: np.ndarray, reindex: bool
) -> tuple[np.ndarray, np.ndarray]:
    _check(i, ids, polygons, vertices)
    # By mask in the order of `ids`, then in the order of the table.
    rows = [np.flatnonzero(polygons[:, 0] == mask) for mask in ids]
    table = polygons[np.concatenate([np.zeros(0, np.int64), *rows])].copy()
    taken = [np.arange(first, end) for _, first, end in table]
    ends = np.cumsum([len(t) for t in taken], dtype=np.int32)
    table[:, 2] = ends
    table[:, 1] = np.append(np.int32(0), ends)[:-1]
    if reindex:
        table[:, 0] = np.repeat(np.arange(len(ids), dtype=np.int32), [len(r) for r in rows])
    return table, vertices[np.concatenate([np.zeros(0, np.int64), *taken])]


def _check(i: int, ids: np.ndarray, polygons: np.ndarray, vertices: np.ndarray) -> None:
    def refuse(what: str) -> None:
        raise at_call(OperatorError(f"{_WHAT}: sample {i}: {what}"))

    if polygons.shape[1] != 3:
        refuse(f"polygons have {polygons.shape[1]} columns; expected 3: mask, first, end.")
    if len(np.unique(ids)) != len(ids):
        refuse(f"mask_ids={ids.tolist()} names a mask twice.")
    absent = np.setdiff1d(ids, polygons[:, 0])
    if len(absent):
        refuse(f"mask {absent[0]} is not among the polygons.")
    first, end = polygons[:, 1], polygons[:, 2]
    wrong = np.flatnonzero((first < 0) | (end < first) | (end > len(vertices)))
    if len(wrong):
        k = wrong[0]
        refuse(
            f"polygon {k} has the vertices [{first[k]}, {end[k]}); expected a range within the "
            f"{len(vertices)} there are."
        )
