"""Augmentation policies, mixing, and draws shared by what belongs to an image."""
