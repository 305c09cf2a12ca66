"""The main job on real input: folders of pictures become batches, and a Flax model learns them.

    make demo

Writes a data set of handwritten digits (once, into build/), trains a small CNN on it, measures
input and training, tests on files that training never saw, and draws contact_sheet.png.
"""

import sys
import time
from collections.abc import Iterator
from pathlib import Path

import jax
import numpy as np
import optax
from demo_contact_sheet import draw_contact_sheet
from demo_digits import write_digits
from flax import nnx

import dynjax as ndd

DATA = Path(__file__).parent.parent / "build" / "demo" / "digits"
CONTACT_SHEET = Path("contact_sheet.png")
EPOCHS = 12
LEARNING_RATE = 4e-3
EXPECTED = 0.97  # accuracy
BATCH = 64
SIZE = 32  # the model's input, pixels
SHIFT = 4  # augmentation: digits are enlarged by this, and a random window is cut out
SEED = 0


class Model(nnx.Module):
    """Two convolutions and two dense layers; logits of ten classes."""

    def __init__(self, rngs: nnx.Rngs):
        self.conv1 = nnx.Conv(1, 16, (3, 3), strides=2, rngs=rngs)
        self.conv2 = nnx.Conv(16, 32, (3, 3), strides=2, rngs=rngs)
        self.dense1 = nnx.Linear(32 * (SIZE // 4) ** 2, 128, rngs=rngs)
        self.dense2 = nnx.Linear(128, 10, rngs=rngs)

    def __call__(self, images: jax.Array) -> jax.Array:
        x = nnx.relu(self.conv1(images))
        x = nnx.relu(self.conv2(x))
        return self.dense2(nnx.relu(self.dense1(x.reshape(len(x), -1))))


@nnx.jit
def train_step(
    model: Model, optimizer: nnx.Optimizer, images: jax.Array, labels: jax.Array
) -> jax.Array:
    def loss_of(model: Model) -> jax.Array:
        losses = optax.softmax_cross_entropy_with_integer_labels(model(images), labels)
        return losses.mean()

    loss, gradients = nnx.value_and_grad(loss_of)(model)
    optimizer.update(model, gradients)
    return loss


@nnx.jit
def predict(model: Model, images: jax.Array) -> jax.Array:
    return model(images).argmax(axis=-1)


def batches(
    reader: ndd.readers.File, rng: np.random.Generator | None
) -> Iterator[tuple[jax.Array, jax.Array]]:
    """One epoch: images around 0, float32 `[N, SIZE, SIZE, 1]`, and labels `[N]`.

    With `rng` augmented and in full batches; without it every file exactly once, so that the last
    batch may be short.
    """
    epoch = reader.next_epoch(batch_size=BATCH, last_batch="wrap" if rng else "partial")
    for files, labels in epoch:
        images = ndd.decoders.image(files, output_type=ndd.types.GRAY)
        window = {}
        if rng:
            images = ndd.resize(images, size=[SIZE + SHIFT, SIZE + SHIFT])
            window = {
                "crop": [SIZE, SIZE],
                "crop_pos_x": ndd.batch(rng.random(BATCH, np.float32)),
                "crop_pos_y": ndd.batch(rng.random(BATCH, np.float32)),
            }
        else:
            images = ndd.resize(images, size=[SIZE, SIZE])
        images = ndd.crop_mirror_normalize(
            images,
            mean=[127.5],
            std=[127.5],
            output_layout="HWC",  # what Flax's convolutions take
            **window,
        )
        yield images.jax(), labels.jax()[:, 0]


def measure_input(reader: ndd.readers.File) -> None:
    """Prints how fast batches are made when nobody uses them."""
    for _ in range(2):  # the first epoch compiles
        start, samples = time.perf_counter(), 0
        for images, labels in batches(reader, np.random.default_rng(SEED)):
            images.block_until_ready()
            samples += len(labels)
        seconds = time.perf_counter() - start
    print(
        f"input alone: {samples / seconds:,.0f} samples/s (read, decode, resize, crop, normalise)"
    )


def train(model: Model, reader: ndd.readers.File, epochs: int) -> None:
    steps = epochs * len(reader.next_epoch(batch_size=BATCH))
    rate = optax.cosine_decay_schedule(LEARNING_RATE, steps)
    optimizer = nnx.Optimizer(model, optax.adam(rate), wrt=nnx.Param)
    rng = np.random.default_rng(SEED)
    for epoch in range(1, epochs + 1):
        start, samples, losses = time.perf_counter(), 0, []
        for images, labels in batches(reader, rng):
            losses.append(train_step(model, optimizer, images, labels))
            samples += len(labels)
        loss = np.mean(jax.device_get(losses))
        speed = samples / (time.perf_counter() - start)
        note = " (with compiling)" if epoch == 1 else ""
        print(
            f"epoch {epoch:2}/{epochs}: loss {loss:.3f}, {speed:,.0f} samples/s, input and "
            f"training{note}",
            flush=True,
        )


def accuracy(model: Model, folder: Path) -> float:
    """The share of the files in a folder that the model names right."""
    right = total = 0
    for images, labels in batches(ndd.readers.File(file_root=folder), rng=None):
        right += int((predict(model, images) == labels).sum())
        total += len(labels)
    return right / total


def main() -> None:
    write_digits(DATA)
    held_out = sorted((DATA / "test").glob("*/*"))
    one_of_each = [min((DATA / "test" / str(digit)).iterdir()) for digit in range(10)]
    draw_contact_sheet(CONTACT_SHEET, one_of_each, SEED)
    print(f"pictures: see {CONTACT_SHEET.absolute()}", flush=True)

    # One reader for all epochs; `initial_fill=None` mixes all files anew in each.
    reader = ndd.readers.File(
        file_root=DATA / "train", random_shuffle=True, seed=SEED, initial_fill=None
    )
    measure_input(reader)
    # XLA takes seconds to compile JAX's default generator for a CPU, this one a tenth of that.
    model = Model(nnx.Rngs(jax.random.key(SEED, impl="rbg")))
    print("training: the first epoch compiles the step, which takes some seconds", flush=True)
    train(model, reader, EPOCHS)
    share = accuracy(model, DATA / "test")
    print(f"held-out accuracy: {share:.1%} of {len(held_out)} files that training never saw")
    if share < EXPECTED:
        sys.exit(f"demo: expected at least {EXPECTED:.0%}")


if __name__ == "__main__":
    main()
