from ..sample import Error, Sample, T

SAMPLES = [Sample(T(3, 4), [2, 6]), Sample(T(2, 3), [-1]), Sample(T(), [1, 1]), Sample(T(0, 3), [3, 0])]
ERRORS = [
    Error(ValueError, "'dims'.*for the 6 elements", T(2, 3), [4]),
    Error(ValueError, "'dims'.*one -1 at most", T(2, 3), [-1, -1]),
]


def reference(input, dims=()):
    return input.contiguous().view(dims)
