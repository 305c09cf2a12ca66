"""One file a workload, the same source for both sides.

Each has `prepare(ndd, files, **options)`: it gets the module under test and paths by data set
(`data.Source`), does what is not to be measured, and returns `run`. A call of `run` is one round:
it does the work, waits for the results (`evaluate`), and returns its figures; `units` is the
number of images or calls, by which the worker's times are divided.

Arguments of operators are written at the call, as literals: the original reads the caller's source
and passes what it finds there once, while the same value from a variable costs it a tensor of one
value a sample (some 300 us a call).
"""
