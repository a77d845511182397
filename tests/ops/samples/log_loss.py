from ..sample import Error, Sample, T

SAMPLES = [Sample(T(3, 4, low=0.1, high=0.9), T(3, 4, low=0, high=1), 1e-4), Sample(T(0, 1), T(0, 1), 0.1)]
ERRORS = [Error(ValueError, "one shape", T(2), T(3), 0.1)]


def reference(input, label, epsilon):
    return -(label * (input + epsilon).log() + (1 - label) * (1 + epsilon - input).log())
