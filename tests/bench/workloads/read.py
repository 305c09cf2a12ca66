"""A reader alone: what it costs to have the bytes of every sample in memory."""

import importlib


def prepare(ndd, files, source):
    if source == "tfrecord":
        # The original keeps the features' types beside its module, not in it.
        ours = hasattr(ndd, "tfrecord")
        types = ndd.tfrecord if ours else importlib.import_module("nvidia.dali.tfrecord")
        path, index = files["tfrecord"]
        reader = ndd.readers.TFRecord(
            path=[path],
            index_path=[index],
            features={
                "image": types.FixedLenFeature((), types.string, ""),
                "label": types.FixedLenFeature([1], types.int64, -1),
            },
        )
    elif source == "tar":
        reader = ndd.readers.Webdataset(paths=files["tar"], ext=["jpg", "cls"])
    else:
        reader = ndd.readers.File(files=files[source])

    def run():
        samples = 0
        for outputs in reader.next_epoch(batch_size=64):
            columns = outputs.values() if isinstance(outputs, dict) else outputs
            # Both, as a program that uses both would.
            samples += [column.evaluate() for column in columns][-1].batch_size
        return {"units": samples}

    return run
