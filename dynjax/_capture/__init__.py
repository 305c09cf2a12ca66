"""Captured loops: the calls of a loop's body, recognised by content and computed ahead."""
