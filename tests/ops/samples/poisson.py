from ..sample import Sample, T

SAMPLES = [Sample(T(3, 4, low=0, high=0)), Sample(T(0, 3))]


def reference(x):
    """Of the mean 0 there are none."""
    return x * 0
