from ..sample import Error, Sample, T

SAMPLES = [Sample(T(2, 3, 4, 4)), Sample(T(1, 2, 70, 70)), Sample(T(2, 1, 1, 1)), Sample(T(0, 2, 3, 3))]
ERRORS = [
    Error(ValueError, r"'X'.*last two of one size.*\[2, 3, 4, 5\]", T(2, 3, 4, 5)),
    Error(ValueError, r"'X'.*4 dimensions.*\[3, 3\]", T(3, 3)),
]


def reference(X):
    exponentials = X.exp().tril()
    return exponentials / exponentials.sum(-1, True)
