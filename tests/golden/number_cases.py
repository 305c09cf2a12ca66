"""Calls of operators on numbers and signals, for `operator_cases.py`."""

import numpy as np


def number_cases(ndd, types):
    """Name -> call, of operators on numbers: reductions, transforms, boxes, labels."""
    rng = np.random.RandomState(1)
    data = rng.uniform(-3, 5, (4, 5, 3)).astype(np.float32)
    boxes = np.float32([[0.1, 0.2, 0.5, 0.7], [0.3, 0.0, 0.9, 0.4], [0.0, 0.0, 1.0, 1.0]])
    points = rng.uniform(-2, 2, (5, 2)).astype(np.float32)
    maps = np.random.RandomState(3).uniform(-2, 2, (4, 2, 3)).astype(np.float32)
    shifts = maps[:, :, 2].copy()

    def call(function, *inputs, **arguments):
        return lambda: function(*(ndd.tensor(x) for x in inputs), **arguments)

    reductions, transforms = ndd.reductions, ndd.transforms
    first = np.float32([[1, 2, 3], [4, 5, 6]])
    cases = {
        "normalize": call(ndd.normalize, data),
        "normalize-axes": call(ndd.normalize, data, axes=[0, 1], scale=2.0, shift=1.0, ddof=1),
        "normalize-epsilon": call(ndd.normalize, data, axes=[0], epsilon=0.1),
        "normalize-uint8": call(ndd.normalize, data, scale=40.0, shift=128.0, dtype=types.UINT8),
        "normalize-batch": lambda: ndd.normalize(
            ndd.batch([data, data[:2] * 2]), batch=True, axes=[0, 1]
        ),
        "one_hot": call(ndd.one_hot, np.int32([2, 0, 5]), num_classes=4, on_value=3, off_value=-1),
        "one_hot-axis": call(ndd.one_hot, np.int32([[2, 0], [1, 3]]), num_classes=4, axis=0),
        "lookup": call(
            ndd.lookup_table,
            np.uint8([[1, 9], [200, 7]]),
            keys=[1, 7, 200],
            values=[0.5, 2.5, -9.5],
            default_value=4.0,
            dtype=types.INT16,
        ),
        "bb_flip": call(ndd.bb_flip, boxes, vertical=1, horizontal=0),
        "bb_flip-ltrb": call(ndd.bb_flip, boxes, ltrb=True, vertical=1),
        "bbox_paste": call(ndd.bbox_paste, boxes, ratio=2.5, paste_x=0.2, paste_y=0.9),
        "bbox_paste-ltrb": call(ndd.bbox_paste, boxes, ratio=1.5, ltrb=True),
        "bbox_rotate": call(
            ndd.bbox_rotate, boxes, angle=30.0, input_shape=[100, 200], bbox_layout="xyXY"
        ),
        "bbox_rotate-keep": call(
            ndd.bbox_rotate,
            boxes,
            angle=-50.0,
            input_shape=[100, 200],
            bbox_layout="xyXY",
            keep_size=True,
            shape_layout="HW",
            mode="fixed",
        ),
        "coord_flip": call(ndd.coord_flip, points, flip_x=1, flip_y=1, center_x=0.3),
        "coord_transform": call(
            ndd.coord_transform, points, M=np.float32([[1, 2], [0.5, -1]]), T=[3.0, 4]
        ),
        "coord_transform-MT": call(
            ndd.coord_transform, points, MT=np.float32([[1, 2, 3], [0, -1, 0.5]])
        ),
        "coord_transform-scalar": call(ndd.coord_transform, points, M=1.7),
        "coord_transform-frames": lambda: ndd.coord_transform(
            ndd.tensor(data[:, :, :2].copy(), layout="FNC"), MT=ndd.per_frame(ndd.tensor(maps))
        ),
        "coord_transform-spread": lambda: ndd.coord_transform(
            ndd.tensor(points, layout="NC"), MT=ndd.per_frame(ndd.tensor(maps))
        ),
        "translation": lambda: transforms.translation(offset=[1.5, -2.0, 4.0]),
        "scale": lambda: transforms.scale(scale=[2.0, 0.5], center=[3.0, 1.0]),
        "scale-ndim": lambda: transforms.scale(scale=[2.0], ndim=3),
        "rotation": lambda: transforms.rotation(angle=40.0, center=[1.0, 2.0]),
        "rotation-axis": lambda: transforms.rotation(angle=40.0, axis=[1.0, 2.0, -1.0]),
        "shear": lambda: transforms.shear(shear=[0.3, -0.2], center=[1.0, 2.0]),
        "shear-angles": lambda: transforms.shear(angles=[20.0, -10.0]),
        "transform-crop": lambda: transforms.crop(
            from_start=[0.0, 1], from_end=[2.0, 5], to_start=[3.0, 1], to_end=[1.0, 9]
        ),
        "transform-crop-absolute": lambda: transforms.crop(
            from_start=[0.0, 5],
            from_end=[2.0, 1],
            to_start=[3.0, 1],
            to_end=[1.0, 9],
            absolute=True,
        ),
        "combine": call(transforms.combine, first, first[:, ::-1].copy(), -first),
        "combine-reversed": call(
            transforms.combine, first, first[:, ::-1].copy(), reverse_order=True
        ),
        "chained": call(transforms.shear, first, shear=[0.3, -0.2]),
        "chained-reversed": call(transforms.rotation, first, angle=10.0, reverse_order=True),
        "rotation-frames": lambda: transforms.rotation(
            ndd.tensor(first), angle=ndd.per_frame(ndd.tensor(maps[:, 0, 0] * 40)), center=[1.0, 2]
        ),
        "translation-frames": lambda: transforms.translation(
            ndd.batch([maps, maps[:2]], layout="F**"),
            offset=ndd.per_frame(ndd.batch([shifts[:1], shifts[1:3]])),
            reverse_order=True,
        ),
        "shear-frames": lambda: transforms.shear(
            angles=ndd.per_frame(ndd.tensor(maps.reshape(4, 3, 2) * 20))
        ),
        "transform-crop-frames": lambda: transforms.crop(
            from_start=ndd.tensor(maps[0, :, 1].copy()),
            to_end=ndd.per_frame(ndd.tensor(maps[1:, :, 0].copy())),
        ),
        "combine-frames": lambda: transforms.combine(
            ndd.tensor(first), ndd.tensor(maps, layout="F**"), ndd.tensor(-first)
        ),
        "cat": call(ndd.cat, data, data[:2].copy(), axis=0),
        "stack": call(ndd.stack, data, data + 1, axis=3),
        "cast": call(ndd.cast, np.float32([-1.5, 2.5, 300, 1e10, -0.5]), dtype=types.UINT8),
        "cast-int64": call(ndd.cast, np.float32([-1.5, 2.5, 1e10]), dtype=types.INT64),
        "extract": call(ndd.element_extract, data, element_map=[2]),
        "audio-resample": call(ndd.audio_resample, data[..., 0].ravel().copy(), scale=1.7),
        "audio-resample-length": call(
            ndd.audio_resample, data[..., 0].ravel().copy(), out_length=13
        ),
    }
    for name in ("sum", "mean", "min", "max", "mean_square", "rms"):
        function = getattr(reductions, name)
        cases[f"{name}-axes"] = call(function, data, axes=[0, 2])
        cases[f"{name}-kept"] = call(function, data, axes=[-1], keep_dims=True)
        cases[f"{name}-uint8"] = call(function, (data * 20 + 90).astype(np.uint8))
        cases[f"{name}-int16"] = call(function, (data * 999).astype(np.int16), axes=[1])
    cases["std_dev-mean"] = call(reductions.std_dev, data, np.float32(1.0), ddof=1)
    cases["variance-axes-mean"] = call(
        reductions.variance, data, data.mean((0, 1)).astype(np.float32), axes=[0, 1]
    )
    return cases


def sound_cases(ndd, types):
    """Name -> call, of operators on signals."""
    rng = np.random.RandomState(2)
    t = np.arange(300)
    wave = (np.sin(t / 5) + 0.3 * rng.randn(300) * (t > 150)).astype(np.float32)
    wave[:60] = 0

    def call(function, *inputs, **arguments):
        return lambda: function(*(ndd.tensor(x) for x in inputs), **arguments)

    spectrum = np.abs(rng.randn(33, 6)).astype(np.float32)
    cases = {
        "spectrogram": call(ndd.spectrogram, wave, nfft=64, window_length=48, window_step=20),
        "spectrogram-power": call(
            ndd.spectrogram, wave, nfft=64, window_length=64, window_step=32, power=1
        ),
        "spectrogram-uncentred": call(
            ndd.spectrogram, wave, nfft=64, window_length=64, window_step=32, center_windows=False
        ),
        "spectrogram-zeros": call(
            ndd.spectrogram, wave, nfft=64, window_length=64, window_step=32, reflect_padding=False
        ),
        "spectrogram-layout": call(
            ndd.spectrogram, wave, nfft=64, window_length=64, window_step=32, layout="tf"
        ),
        "spectrogram-window": call(
            ndd.spectrogram,
            wave,
            nfft=32,
            window_length=16,
            window_step=40,
            window_fn=np.linspace(0, 1, 16).tolist(),
        ),
        "power_spectrum": call(ndd.power_spectrum, wave[:64].copy()),
        "power_spectrum-axis": call(ndd.power_spectrum, spectrum, axis=0, nfft=40, power=1),
        "mel": call(ndd.mel_filter_bank, spectrum, nfilter=10, sample_rate=16000.0),
        "mel-htk": call(
            ndd.mel_filter_bank,
            spectrum,
            nfilter=7,
            mel_formula="htk",
            freq_low=100.0,
            freq_high=6000.0,
            normalize=False,
            sample_rate=16000.0,
        ),
        "mfcc": call(ndd.mfcc, spectrum, n_mfcc=8, dct_type=2, normalize=True),
        "mfcc-lifter": call(ndd.mfcc, spectrum, n_mfcc=9, dct_type=3, lifter=12.0),
        "mfcc-1": call(ndd.mfcc, spectrum, n_mfcc=9, dct_type=1, axis=1),
        "decibels": call(
            ndd.to_decibels, spectrum, multiplier=20.0, reference=0.7, cutoff_db=-30.0
        ),
        "decibels-max": call(ndd.to_decibels, spectrum),
        "preemphasis": call(ndd.preemphasis_filter, wave, preemph_coeff=0.8, border="reflect"),
        "preemphasis-zero": call(ndd.preemphasis_filter, wave, border="zero"),
        "nonsilent": call(ndd.nonsilent_region, wave, cutoff_db=-20.0, window_length=16),
        "nonsilent-reset": call(
            ndd.nonsilent_region,
            wave,
            cutoff_db=-10.0,
            window_length=32,
            reset_interval=64,
            reference_power=0.5,
        ),
    }
    for quality in (0.0, 50.0, 100.0):
        cases[f"resample-{quality:.0f}"] = call(
            ndd.audio_resample, wave, in_rate=16000.0, out_rate=11025.0, quality=quality
        )
    cases["resample-int16"] = call(
        ndd.audio_resample, (wave * 8000).astype(np.int16), in_rate=2.0, out_rate=3.0
    )
    return cases
