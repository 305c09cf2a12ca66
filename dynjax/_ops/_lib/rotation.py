"""Rotation of images and volumes: the map, and the canvas that holds the whole result."""

import math
from collections.abc import Sequence

import numpy as np

from ..._types.columns import (
    Column,
    absolute,
    as_double,
    as_integer,
    as_single,
    ceil,
    where,
)
from .affine import Matrix, about_axis, applied

_DEGREE = float(np.float32(math.pi / 180))


def turned(angle_deg: Column, axis: Sequence[Column] | None) -> Matrix:
    """The linear map from the result to the image, x first.

    Args:
        angle_deg: counter-clockwise as displayed; about `axis` for volumes.
        axis: x, y, z; None for images.
    """
    angle = _angle_rad(angle_deg)
    cos, sin = applied("cos", angle), applied("sin", angle)
    if axis is None:
        return [[cos, 0.0 - sin], [sin, cos]]
    # The other way round: from the result to the image.
    rows = about_axis(cos, 0.0 - sin, [as_double(a) for a in axis])
    return [[as_single(entry) for entry in row] for row in rows]


def _angle_rad(angle_deg: Column) -> Column:
    """The angle in radians, a product in single precision.

    At odd multiples of 45 degrees its rounding decides which side of the image the parity of a
    canvas follows, in the original too. So does that of a volume's matrix.
    """
    # The product of two such numbers is exact in double precision.
    return as_single(as_single(angle_deg) * _DEGREE)


def centred(linear: Matrix, extents: Sequence[Column], sizes: Sequence[Column]) -> Matrix:
    """The map that takes the centre of the result to that of the image.

    Args:
        linear: `[d, d]`, x first.
        extents, sizes: of the image and of the result, in the order of the axes (width last).
    """
    source = [as_double(n) / 2 for n in reversed(extents)]
    target = source if sizes is extents else [as_double(n) / 2 for n in reversed(sizes)]
    matrix = []
    for row, centre in zip(linear, source, strict=True):
        offset = centre
        for factor, x in zip(row, target, strict=True):
            offset = offset - factor * x
        matrix.append([*row, offset])
    return matrix


def canvas(linear: Matrix, extents: Sequence[Column]) -> list[Column]:
    """Extents of the smallest canvas about the rotated image, in the order of the axes.

    So that whole pixels stay whole, an extent is odd where the axis that contributes most to its
    direction is.
    """
    return [_with_parity(whole, main) for whole, main in _covered(linear, extents)]


def shared_canvas(linear: Matrix, extents: Sequence[Column], has: Column) -> list[Column]:
    """The canvas of all frames of a sample: an extent is odd where that of most frames is.

    Args:
        linear, extents: of frames, `[N, F]`, as above.
        has: `[N, F]`, which frames there are.
    """
    sizes: list[Column] = []
    for whole, main in _covered(linear, extents):
        odd = 2 * where(has, main % 2, 0).sum(axis=1) > where(has, 1, 0).sum(axis=1)
        sizes.append(_with_parity(where(has, whole, 0).max(axis=1), where(odd, 1, 0)))
    return sizes


def _with_parity(whole: Column, other: Column) -> Column:
    """The least extent from `whole` on that is odd where `other` is."""
    return whole + where((whole - other) % 2 != 0, 1, 0)


def _covered(linear: Matrix, extents: Sequence[Column]) -> list[tuple[Column, Column]]:
    """How many pixels the rotated image covers along each axis, and its extent that counts most.

    A hundredth of a pixel does not count.
    """
    source = list(reversed(extents))
    result: list[tuple[Column, Column]] = []
    for k in range(len(linear)):
        shares = [absolute(row[k]) for row in linear]
        length: Column = -0.01
        main, most = source[k], shares[k]
        for share, n in zip(shares, source, strict=True):
            length = length + share * as_double(n)
            main, most = where(share > most, n, main), where(share > most, share, most)
        result.append((as_integer(ceil(length)), main))
    return result[::-1]


def canvas_bound(slots: Sequence[int]) -> int:
    """No extent of a canvas exceeds the diagonal, but for what parity adds."""
    return math.ceil(math.sqrt(sum(n * n for n in slots))) + 1
