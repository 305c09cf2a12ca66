"""Calls of operators of which few other recordings exist: one list for the original and dynjax.

As `cases.py`: takes the module and its enumerations, and needs nothing but NumPy.
"""

import number_cases
import picture_cases


def operator_calls(ndd, types):
    """Name -> call, of all families."""
    families = {
        "colour": picture_cases.colour_cases,
        "filter": picture_cases.filter_cases,
        "geometry": picture_cases.geometry_cases,
        "mosaic": picture_cases.mosaic_cases,
        "number": number_cases.number_cases,
        "sound": number_cases.sound_cases,
    }
    return {
        f"{family}/{name}": call
        for family, cases in families.items()
        for name, call in cases(ndd, types).items()
    }


def samples_of(name, result):
    """Name -> sample, of all outputs of a call and all samples of a batch."""
    found = {}
    for k, output in enumerate(result if isinstance(result, tuple | list) else (result,)):
        samples = output if type(output).__name__ == "Batch" else (output,)
        found |= {f"{name}/{k}/{i}": sample for i, sample in enumerate(samples)}
    return found
