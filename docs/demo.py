"""The main job on real input: folders of pictures become batches, and a Flax model learns them.

    make demo

Writes a data set of handwritten digits (once, into build/), trains a small CNN on it, measures
input and training, tests on files that training never saw, and draws contact_sheet.png.
"""

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
EPOCHS = 8
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


def normalize(images: ndd.Batch, **window: object) -> ndd.Batch:
    """Pixels around 0, with the channel last as Flax wants it."""
    return ndd.crop_mirror_normalize(
        images, mean=[127.5], std=[127.5], output_layout="HWC", **window
    )


def training_batches(
    reader: ndd.readers.File, rng: np.random.Generator
) -> Iterator[tuple[jax.Array, jax.Array]]:
    """One epoch of shuffled, augmented batches."""
    for files, labels in reader.next_epoch(batch_size=BATCH):
        images = ndd.decoders.image(files, output_type=ndd.types.GRAY)
        images = ndd.resize(images, size=[SIZE + SHIFT, SIZE + SHIFT])
        images = normalize(
            images,
            crop=[SIZE, SIZE],
            crop_pos_x=ndd.batch(rng.random(BATCH, np.float32)),
            crop_pos_y=ndd.batch(rng.random(BATCH, np.float32)),
        )
        yield images.jax(), labels.jax()[:, 0]


def test_batches(reader: ndd.readers.File) -> Iterator[tuple[jax.Array, jax.Array]]:
    """Every held-out file once, without augmentation; so the last batch may be short."""
    for files, labels in reader.next_epoch(batch_size=BATCH, last_batch="partial"):
        images = ndd.decoders.image(files, output_type=ndd.types.GRAY)
        images = ndd.resize(images, size=[SIZE, SIZE])
        yield normalize(images).jax(), labels.jax()[:, 0]


def train(model: Model, reader: ndd.readers.File, epochs: int) -> None:
    optimizer = nnx.Optimizer(model, optax.adam(optax.cosine_decay_schedule(2e-3, epochs * 23)), wrt=nnx.Param)
    rng = np.random.default_rng(SEED)
    input_epoch = [b for b in training_batches(reader, rng)]
    print("training: compiling the step", flush=True)
    for epoch in range(epochs):
        start, samples = time.perf_counter(), 0
        for images, labels in training_batches(reader, rng):
            loss = train_step(model, optimizer, images, labels)
            samples += len(labels)
        loss = float(loss)
        print(epoch, loss, samples / (time.perf_counter() - start), accuracy(model), flush=True)


def accuracy(model: Model) -> float:
    reader = ndd.readers.File(file_root=DATA / "test")
    right = total = 0
    for images, labels in test_batches(reader):
        right += int((predict(model, images) == labels).sum())
        total += len(labels)
    return right / total


if __name__ == "__main__":
    write_digits(DATA)
    train(Model(nnx.Rngs(SEED)), ndd.readers.File(file_root=DATA / "train", random_shuffle=True), EPOCHS)
