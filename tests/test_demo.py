"""The demo's parts, on real data: `make demo` runs the whole of it."""

import hashlib
import importlib
import sys

import jax
import numpy as np
import pytest
from flax import nnx
from PIL import Image
from support.shared import ROOT

import dynjax as ndd


@pytest.fixture(scope="module")
def demo():
    sys.path.insert(0, str(ROOT / "docs"))
    try:
        yield importlib.import_module("demo")
    finally:
        sys.path.remove(str(ROOT / "docs"))


@pytest.fixture(scope="module")
def digits(demo, tmp_path_factory):
    folder = tmp_path_factory.mktemp("demo") / "digits"
    demo.write_digits(folder)
    return folder


def test_held_out_files_are_not_trained_on(digits):
    def contents(split: str) -> list[str]:
        files = [p for p in (digits / split).rglob("*") if p.is_file()]
        return [hashlib.sha256(np.asarray(Image.open(p)).tobytes()).hexdigest() for p in files]

    train, held_out = contents("train"), contents("test")
    assert len(train) == 1437
    assert len(held_out) == 360
    assert not set(train) & set(held_out)


def test_writing_again_changes_nothing(demo, digits):
    before = {p: p.stat().st_mtime_ns for p in digits.rglob("*")}
    demo.write_digits(digits)
    assert {p: p.stat().st_mtime_ns for p in digits.rglob("*")} == before


def test_one_epoch_learns(demo, digits):
    reader = ndd.readers.File(file_root=digits / "train", random_shuffle=True)
    model = demo.Model(nnx.Rngs(jax.random.key(0, impl="rbg")))
    demo.train(model, reader, epochs=1)
    assert demo.accuracy(model, digits / "test") > 0.6  # chance is 0.1


def test_contact_sheet_shows_what_was_decoded(demo, digits, tmp_path):
    files = sorted((digits / "test").rglob("*.png"))[::20]
    demo.draw_contact_sheet(tmp_path / "sheet.png", files, seed=0)
    sheet = np.asarray(Image.open(tmp_path / "sheet.png"))
    assert sheet.shape[1] == 1320
    # Photographs have thousands of colours; a sheet of blanks or noise of one channel has not.
    assert len(np.unique(sheet.reshape(-1, 3), axis=0)) > 20_000


def test_augmentation_differs_between_batches_and_not_between_runs(demo, digits):
    def first_two(seed: int) -> list[jax.Array]:
        reader = ndd.readers.File(file_root=digits / "train", random_shuffle=True)
        batches = demo.batches(reader, np.random.default_rng(seed))
        return [next(batches)[0] for _ in range(2)]

    a, b = first_two(0)
    again, _ = first_two(0)
    other, _ = first_two(1)
    np.testing.assert_array_equal(a, again)
    assert not np.array_equal(a, b)
    assert not np.array_equal(a, other)
