"""Discrete cosine transforms of types 1 to 4."""

from typing import Any


def dct_matrix(xp: Any, kind: int, count: int, length: Any, size: int, normalize: bool) -> Any:
    """Rows of the transform, `[count, size]`; columns from `length` on are arbitrary.

    Type 1 has half weights at both ends, type 3 at the first element; `normalize` makes the rows
    orthonormal.

    Args:
        xp: NumPy, or `jnp` if `length` is known only inside a compiled program.
        kind: 1 to 4.
        count: number of rows.
        length: of the signal.
        size: number of columns; at least `length`.
        normalize: not for type 1.
    """
    k = xp.arange(count)[:, None]
    n = xp.arange(size)[None, :]
    if kind == 1:
        ends = xp.where((n == 0) | (n == length - 1), 0.5, 1.0)
        return ends * _cosine(xp, n * k, xp.maximum(length - 1, 1))
    if kind == 2:
        matrix = _cosine(xp, (2 * n + 1) * k, 2 * length)
        return matrix * _scale(xp, k, length, normalize)
    if kind == 3:
        matrix = _cosine(xp, n * (2 * k + 1), 2 * length)
        if normalize:
            return matrix * _scale(xp, n, length, True)
        return matrix * xp.where(n == 0, 0.5, 1.0)
    matrix = _cosine(xp, (2 * n + 1) * (2 * k + 1), 4 * length)
    return matrix * xp.sqrt(2 / xp.maximum(length, 1)) if normalize else matrix


def _cosine(xp: Any, numerator: Any, denominator: Any) -> Any:
    """`cos(pi numerator / denominator)`, the phase reduced in whole numbers."""
    denominator = xp.maximum(denominator, 1)
    return xp.cos(xp.pi * (numerator % (2 * denominator)) / denominator)


def _scale(xp: Any, index: Any, length: Any, normalize: bool) -> Any:
    if not normalize:
        return 1.0
    return xp.sqrt(xp.where(index == 0, 1, 2) / xp.maximum(length, 1))
