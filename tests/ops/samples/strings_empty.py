from phi_torch import StringTensor

from ..sample import DEVICE, Error, Sample

SAMPLES = [Sample([2, 3]), Sample([]), Sample([0]), Sample([1], place=DEVICE)]
ERRORS = [Error(ValueError, r"shape.*at least 0, got -1", [2, -1])]


def reference(shape, place=None):
    strings = ""
    for size in reversed(shape):
        strings = [strings] * size  # type: ignore[assignment]
    return StringTensor(strings)
