"""The largest picture that a decoder makes."""

import os

# As in Pillow: above it a header is taken for a decompression bomb.
_DEFAULT_PIXELS = 178_956_970
_ENVIRONMENT = "DYNJAX_MAX_IMAGE_PIXELS"
_chosen: int | None = None


def set_max_image_pixels(pixels: int | None) -> None:
    """Sets how many pixels (height times width) a picture may have to be decoded.

    The check is made on the header, before memory is taken.

    Args:
        pixels: the limit; None restores the default: the environment variable
            `DYNJAX_MAX_IMAGE_PIXELS`, else 178,956,970.

    Raises:
        ValueError: not a positive whole number.
    """
    global _chosen
    if pixels is not None and (not isinstance(pixels, int) or pixels < 1):
        raise ValueError(f"set_max_image_pixels: expected a positive int, got {pixels!r}.")
    _chosen = pixels


def get_max_image_pixels() -> int:
    """How many pixels a picture may have to be decoded."""
    if _chosen is not None:
        return _chosen
    return int(os.environ.get(_ENVIRONMENT, _DEFAULT_PIXELS))
