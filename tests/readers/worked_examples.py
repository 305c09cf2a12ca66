"""The worked examples of the specification (readers, section 2): 10 samples, no shuffling."""

from dynjax._readers.sharding import Sharding


def shards(count=1, first=0, **kw):
    return Sharding(10, count, first, **kw)


def batches(text):
    """`"012 345 | 678"`: epochs of batches."""
    return [[[int(c) for c in batch] for batch in epoch.split()] for epoch in text.split("|")]


PAD, STICK = {"pad": True}, {"stick": True}
ALL = "0123456789"

# (sharding, batch size, or None for single samples, epochs)
EXAMPLES = [
    (shards(), 4, "0123 4567 8901 | 2345 6789 0123 | 4567 8901 2345"),
    (shards(), 3, "012 345 678 901 | 234 567 890 123 | 456 789 012 345"),
    (shards(), 20, f"{ALL}{ALL} | {ALL}{ALL}"),
    (shards(), None, f"{ALL} | {ALL} | {ALL}"),
    (shards(**PAD), 4, "0123 4567 8999 | 0123 4567 8999 | 0123 4567 8999"),
    (shards(**PAD), 3, "012 345 678 999 | 012 345 678 999"),
    (shards(3, 0), 4, "0123 | 4567 | 8901"),
    (shards(3, 1), 4, "3456 | 7890 | 1234"),
    (shards(3, 2), 4, "6789 | 0123 | 4567"),
    (shards(3, 0), 3, "012 | 345 | 678 901"),
    (shards(3, 0), None, "012 | 345 | 6789"),
    (shards(3, 0, **PAD), 4, "0122 | 3455 | 6789"),
    (shards(3, 1, **PAD), 4, "3455 | 6789 | 0122"),
    (shards(3, 2, **PAD), 4, "6789 | 0122 | 3455"),
    (shards(3, 0, **PAD), 3, "012 222 | 345 555 | 678 999"),
    (shards(3, 0, **PAD), None, "0122 | 3455 | 6789"),
    (shards(3, 0, **STICK), 4, "0120 | 1201 | 2012"),
    (shards(3, 1, **STICK), 4, "3453 | 4534 | 5345"),
    (shards(3, 0, **STICK, **PAD), 4, "0122 | 0122 | 0122"),
    (shards(3, 2, **STICK, **PAD), 4, "6789 | 6789 | 6789"),
    (shards(3, 0, **STICK), 3, "012 | 012 | 012"),
    (shards(3, 0, **STICK), None, "012 | 012 | 012"),
    (shards(4, 3, **PAD), 4, "7899 | 0111 | 2344"),
    (shards(4, 1, **STICK, **PAD), 4, "2344 | 2344 | 2344"),
    # Recorded from DALI 2.4.0, further on and with batches that span passes.
    (shards(3, 0), 2, "01 23 | 45 67 | 89 01 | 23 45 | 67 89"),
    (shards(3, 1), 8, "34567890 | 12345678 | 90123456 | 78901234 | 56789012"),
    (shards(3, 0), 3, "012 | 345 | 678 901 | 234 | 567 | 890 123 | 456"),
    (shards(3, 1, **STICK), 2, "34 53 | 45 34 | 53 45 | 34 53 | 45 34"),
]


def expected(batch_size, text):
    """Epochs of batches; with single samples each is a batch of one."""
    if batch_size is None:
        return [[[int(c)] for c in epoch.strip()] for epoch in text.split("|")]
    return batches(text)
