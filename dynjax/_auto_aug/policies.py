"""AutoAugment's policies: for each, 25 sequences of `name probability bin`.

Source: Cubuk et al., "AutoAugment" (2019), and the policy "v0" that its authors published for
ImageNet; the same figures as DALI's `auto_aug`.
"""

IMAGE_NET = """
equalize 0.8 0, shear_y 0.8 4
color 0.4 9, equalize 0.6 0
color 0.4 1, rotate 0.6 8
solarize 0.8 3, equalize 0.4 0
solarize 0.4 2, solarize 0.6 2
color 0.2 0, equalize 0.8 0
equalize 0.4 0, solarize_add 0.8 3
shear_x 0.2 9, rotate 0.6 8
color 0.6 1, equalize 1.0 0
invert 0.4 0, rotate 0.6 0
equalize 1.0 0, shear_y 0.6 3
color 0.4 7, equalize 0.6 0
posterize 0.4 6, auto_contrast 0.4 0
solarize 0.6 8, color 0.6 9
solarize 0.2 4, rotate 0.8 9
rotate 1.0 7, translate_y 0.8 9
solarize 0.8 4
shear_y 0.8 0, color 0.6 4
color 1.0 0, rotate 0.6 2
equalize 0.8 0
equalize 1.0 0, auto_contrast 0.6 0
shear_y 0.4 7, solarize_add 0.6 7
posterize 0.8 2, solarize 0.6 10
solarize 0.6 8, equalize 0.6 0
color 0.8 6, rotate 0.4 5
"""

REDUCED_IMAGE_NET = """
posterize 0.4 8, rotate 0.6 9
solarize 0.6 5, auto_contrast 0.6 0
equalize 0.8 0, equalize 0.6 0
posterize 0.6 7, posterize 0.6 6
equalize 0.4 0, solarize 0.2 4
equalize 0.4 0, rotate 0.8 8
solarize 0.6 3, equalize 0.6 0
posterize 0.8 5, equalize 1.0 0
rotate 0.2 3, solarize 0.6 8
equalize 0.6 0, posterize 0.4 6
rotate 0.8 8, color 0.4 0
rotate 0.4 9, equalize 0.6 0
equalize 0.8 0
invert 0.6 0, equalize 1.0 0
color 0.6 4, contrast 1.0 8
rotate 0.8 8, color 1.0 2
color 0.8 8, solarize 0.8 7
sharpness 0.4 7, invert 0.6 0
shear_x 0.6 5, equalize 1.0 0
color 0.4 0, equalize 0.6 0
equalize 0.4 0, solarize 0.2 4
solarize 0.6 5, auto_contrast 0.6 0
invert 0.6 0, equalize 1.0 0
color 0.6 4, contrast 1.0 8
equalize 0.8 0, equalize 0.6 0
"""

SVHN = """
shear_x 0.9 4, invert 0.2 0
shear_y 0.9 8, invert 0.7 0
equalize 0.6 0, solarize 0.6 6
invert 0.9 0, equalize 0.6 0
equalize 0.6 0, rotate 0.9 3
shear_x 0.9 4, auto_contrast 0.8 0
shear_y 0.9 8, invert 0.4 0
shear_y 0.9 5, solarize 0.2 6
invert 0.9 0, auto_contrast 0.8 0
equalize 0.6 0, rotate 0.9 3
shear_x 0.9 4, solarize 0.3 3
shear_y 0.8 8, invert 0.7 0
equalize 0.9 0, translate_y 0.6 6
invert 0.9 0, equalize 0.6 0
contrast 0.3 3, rotate 0.8 4
invert 0.8 0
shear_y 0.7 6, solarize 0.4 8
invert 0.6 0, rotate 0.8 4
shear_y 0.3 7, translate_x 0.9 3
shear_x 0.1 6, invert 0.6 0
solarize 0.7 2, translate_y 0.6 7
shear_y 0.8 4, invert 0.8 0
shear_x 0.7 9, translate_y 0.8 3
shear_y 0.8 5, auto_contrast 0.7 0
shear_x 0.7 2, invert 0.1 0
"""

REDUCED_CIFAR10 = """
invert 0.1 0, contrast 0.2 6
rotate 0.7 2, translate_x 0.3 9
sharpness 0.8 1, sharpness 0.9 3
shear_y 0.5 8, translate_y 0.7 9
auto_contrast 0.5 0, equalize 0.9 0
shear_y 0.2 7, posterize 0.3 7
color 0.4 3, brightness 0.6 7
sharpness 0.3 9, brightness 0.7 9
equalize 0.6 0, equalize 0.5 0
contrast 0.6 7, sharpness 0.6 5
color 0.7 7, translate_x 0.5 8
equalize 0.3 0, auto_contrast 0.4 0
translate_y 0.4 3, sharpness 0.2 6
brightness 0.9 6, color 0.2 8
solarize 0.5 2
equalize 0.2 0, auto_contrast 0.6 0
equalize 0.2 0, equalize 0.6 0
color 0.9 9, equalize 0.6 0
auto_contrast 0.8 0, solarize 0.2 8
brightness 0.1 3, color 0.7 0
solarize 0.4 5, auto_contrast 0.9 0
translate_y 0.9 9, translate_y 0.7 9
auto_contrast 0.9 0, solarize 0.8 3
equalize 0.8 0, invert 0.1 0
translate_y 0.7 9, auto_contrast 0.9 0
"""
POLICIES = {
    "image_net": IMAGE_NET,
    "reduced_image_net": REDUCED_IMAGE_NET,
    "svhn": SVHN,
    "reduced_cifar10": REDUCED_CIFAR10,
}
BINS = 11

Step = tuple[str, float, int]


def steps_of(text: str) -> list[list[Step]]:
    """The sequences of a policy: name, probability and magnitude bin of each step."""
    lines = [[step.split() for step in line.split(",")] for line in text.strip().splitlines()]
    return [[(name, float(p), int(bin_)) for name, p, bin_ in line] for line in lines]
