import torch

from ..sample import Error, Sample, T

SAMPLES = [
    Sample(T(2, 5), T(2, 3), T(3, 5)),
    Sample(T(5), T(2, 3), T(3, 5), 0.5, 2.0),
    Sample(T(2, 1), T(2, 3), T(3, 5), 2.0),
    Sample(T(1, 5), T(2, 3), T(3, 5), 1.0, 0.0),
    Sample(T(), T(2, 3), T(3, 5)),
    Sample(T(2, 5), T(2, 3), T(3, 5), 0.0, 0.5),
    Sample(T(40), T(65, 130), T(130, 40)),
    Sample(T(2, 5), T(2, 0), T(0, 5)),
    Sample(T(5), T(0, 3), T(3, 5)),
]
ERRORS = [
    Error(ValueError, r"'x' and 'y'.*multiplied, got \[2, 3\] and \[4, 5\]", T(5), T(2, 3), T(4, 5)),
    Error(ValueError, r"'x' and 'y'.*matrices", T(5), T(2, 3), T(3)),
    Error(ValueError, r"'input'.*broadcasts to \[2, 5\].*got \[3, 5\]", T(3, 5), T(2, 3), T(3, 5)),
    Error(
        TypeError, r"'input' and 'x' must have the same data type", T(5, dtype=torch.float64), T(2, 3, dtype=torch.float32), T(3, 5)
    ),
]
TOLERANCE = {torch.float16: (4e-3, 1e-2), torch.bfloat16: (3e-2, 8e-2), torch.float32: (1e-5, 1e-4)}


def reference(input, x, y, beta=1.0, alpha=1.0):
    product = alpha * (x @ y)
    return product if beta == 0 else beta * input + product
