"""Operators of `dynjax.experimental`."""
