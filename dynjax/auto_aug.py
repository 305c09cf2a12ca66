"""Augmentation policies, mixing, one draw for all parts of a sample: `dynjax.auto_aug`."""

from ._auto_aug.affine_together import affine_together, rotate_together
from ._auto_aug.aug_mix import aug_mix
from ._auto_aug.auto_augment import auto_augment
from ._auto_aug.flip_together import flip_together
from ._auto_aug.mixing import cutmix, mixup
from ._auto_aug.rand_augment import rand_augment
from ._auto_aug.resized_crop_together import resized_crop_together
from ._auto_aug.trivial_augment import trivial_augment_wide

__all__ = [
    "affine_together",
    "aug_mix",
    "auto_augment",
    "cutmix",
    "flip_together",
    "mixup",
    "rand_augment",
    "resized_crop_together",
    "rotate_together",
    "trivial_augment_wide",
]
