"""Colour spaces as linear maps from and to RGB, in units of a byte."""

import numpy as np

from ..._types.enums import DALIImageType

Affine = tuple[np.ndarray, np.ndarray]  # matrix [out, in], offset [out]

_LUMA = np.array([0.299, 0.587, 0.114])
_IDENTITY = np.eye(3)
_ZERO = np.zeros(3)
# ITU-R BT.601 with head- and footroom: luma 16 to 235, chroma 16 to 240 about 128.
_CHROMA = (
    np.array([[65.481, 128.553, 24.966], [-37.797, -74.203, 112.0], [112.0, -93.786, -18.214]])
    / 255.0
)
_FOOT = np.array([16.0, 128.0, 128.0])


def _from_ycbcr() -> Affine:
    luma, chroma = 255.0 / 219.0, 255.0 / 224.0
    matrix = np.array(
        [
            [luma, 0.0, chroma * 1.402],
            [luma, -chroma * 1.772 * 0.114 / 0.587, -chroma * 1.402 * 0.299 / 0.587],
            [luma, chroma * 1.772, 0.0],
        ]
    )
    return matrix, -matrix @ _FOOT


TO_RGB: dict[DALIImageType, Affine] = {
    DALIImageType.RGB: (_IDENTITY, _ZERO),
    DALIImageType.BGR: (_IDENTITY[::-1], _ZERO),
    DALIImageType.GRAY: (np.ones((3, 1)), _ZERO),
    DALIImageType.YCbCr: _from_ycbcr(),
}
FROM_RGB: dict[DALIImageType, Affine] = {
    DALIImageType.RGB: (_IDENTITY, _ZERO),
    DALIImageType.BGR: (_IDENTITY[::-1], _ZERO),
    DALIImageType.GRAY: (_LUMA[None], np.zeros(1)),
    DALIImageType.YCbCr: (_CHROMA, _FOOT),
}


def conversion(source: DALIImageType, target: DALIImageType) -> Affine:
    """The map from one space to another."""
    first, add = TO_RGB[source]
    second, last = FROM_RGB[target]
    return second @ first, second @ add + last
