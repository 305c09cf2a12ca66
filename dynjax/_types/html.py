"""The rich display of Tensor and Batch in notebooks: thumbnails of pictures, else the text."""

import base64
import html
import io
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from .data import Data

MAX_SAMPLES = 8
_SIDE = 96  # pixels of a thumbnail
_LAYOUTS = ("HWC", "CHW", "HW")


def rich(data: "Data") -> str:
    """HTML with at most `MAX_SAMPLES` thumbnails; values on a device stay there and unseen."""
    spec = data.spec
    if data.storage.is_traced():
        return f"<pre>{html.escape(repr(data))}</pre>"
    if not data.storage.on_host:
        return f"<pre>{html.escape(_summary(data))}</pre>"
    shown = range(min(spec.count, MAX_SAMPLES))
    pictures = [_png(data.storage.sample(i), spec.layout) for i in shown if _is_image(data, i)]
    if not pictures:
        return f"<pre>{html.escape(repr(data))}</pre>"
    tags = [f'<img src="data:image/png;base64,{_text(p)}">' for p in pictures]
    return f"<div><pre>{html.escape(_summary(data))}</pre>{' '.join(tags)}</div>"


def _summary(data: "Data") -> str:
    spec = data.spec
    size = f"{spec.count} samples, " if spec.batched else f"shape={spec.sample_shape(0)}, "
    layout = f'layout="{data.layout}", ' if data.layout else ""
    where = f'device="{data.device}"'
    return f"{type(data).__name__}({size}dtype={data.dtype.name}, {layout}{where})"


def _is_image(data: "Data", i: int) -> bool:
    spec = data.spec
    if spec.layout not in _LAYOUTS or spec.dtype.kind not in "uifb":
        return False
    shape = spec.sample_shape(i)
    channels = shape[spec.layout.index("C")] if "C" in spec.layout else 1
    return channels in (1, 3, 4) and 0 not in shape


def _png(sample: np.ndarray, layout: str | None) -> bytes:
    """A small picture; other numbers than bytes are stretched to the range of bytes."""
    from PIL import Image

    pixels = sample if layout != "CHW" else np.moveaxis(sample, 0, -1)
    step = max(1, max(pixels.shape[:2]) // (2 * _SIDE))  # large pictures are thinned out first
    pixels = pixels[::step, ::step]
    if pixels.dtype != np.uint8:
        values = pixels.astype(np.float64)
        finite = values[np.isfinite(values)]
        low, high = (finite.min(), finite.max()) if finite.size else (0.0, 0.0)
        values = np.clip(np.nan_to_num(values, nan=low), low, high)
        pixels = ((values / 2 - low / 2) * (255 / (high / 2 - low / 2 or 1))).astype(np.uint8)
    if pixels.ndim == 3 and pixels.shape[2] == 1:
        pixels = pixels[..., 0]
    picture = Image.fromarray(np.ascontiguousarray(pixels))
    picture.thumbnail((_SIDE, _SIDE))
    out = io.BytesIO()
    picture.save(out, "PNG")
    return out.getvalue()


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode()
