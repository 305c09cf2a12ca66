"""Motion between frames: `dynjax.optical_flow`, which is not built."""

from .._schema import Output, operator
from .._types.enums import DALIImageType
from .._types.spec import Spec


@operator("optical_flow", layouts=("FHWC",), host_only=True)
def optical_flow(
    frames: Spec,
    hints: Spec | None = None,
    /,
    *,
    enable_external_hints: bool = False,
    enable_temporal_hints: bool = False,
    hint_grid: int = 4,
    image_type: DALIImageType = DALIImageType.RGB,
    output_format: int | None = None,
    output_grid: int = 4,
    preset: float = 0.0,
) -> Output:
    """Not built: the original computes this on a unit of NVIDIA's GPUs that has no other interface.

    The name and its arguments are here so that a program says what it lacks when it calls it. On
    the host, `cv2.DISOpticalFlow` of the package `opencv-python-headless` computes the flow between
    two grey frames.

    Args:
        frames: uint8 sequences, `FHWC`.
        hints: flow to start from.
        enable_external_hints: use `hints`.
        enable_temporal_hints: start from the flow of the frames before.
        hint_grid: pixels per vector of the hints.
        image_type: colour space of the frames.
        output_format: the older name of `output_grid`.
        output_grid: pixels per vector of the result.
        preset: speed against quality, 0 to 1.

    Raises:
        NotImplementedError: always.

    Source: DALI `OpticalFlow`.

    Example:
        >>> try:
        ...     dynjax.optical_flow(np.zeros((2, 8, 8, 3), np.uint8))
        ... except NotImplementedError as error:
        ...     print(error)
        optical_flow: not built in dynjax; on the host, cv2.DISOpticalFlow computes flow.
    """
    del frames, hints, enable_external_hints, enable_temporal_hints, hint_grid, image_type
    del output_format, output_grid, preset
    raise NotImplementedError(
        "optical_flow: not built in dynjax; on the host, cv2.DISOpticalFlow computes flow."
    )
