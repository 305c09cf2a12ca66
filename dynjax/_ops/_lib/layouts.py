"""Layouts of images, sequences and volumes."""

SPATIAL = "DHW"

IMAGES = (
    *("HWC", "FHWC", "CHW", "FCHW", "CFHW"),
    *("DHWC", "FDHWC", "CDHW", "FCDHW", "CFDHW"),
)


def spatial_axes(layout: str) -> tuple[int, ...]:
    """Positions of depth, height and width in a layout, in its order."""
    return tuple(a for a, letter in enumerate(layout) if letter in SPATIAL)


def axis_of(layout: str, letter: str) -> int:
    """Position of a letter, or -1."""
    return layout.find(letter)
