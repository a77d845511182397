import torch

from ..sample import Error, Sample, T

SAMPLES = [
    Sample(T(3, 4), T(4, 5), T(5), False, False, "none"),
    Sample(T(2, 3, 4), T(5, 4), T(5), False, True, "relu"),
    Sample(T(4, 2, 3), T(4, 5), T(1, 5), True, False, "gelu"),
    Sample(T(4, 3), T(5, 4), T(5), True, True, "gelu"),
    Sample(T(0, 4), T(4, 5), T(5), False, False, "relu"),
    Sample(T(3, 0), T(0, 5), T(5), False, False, "none"),
]
ERRORS = [
    Error(ValueError, r"'activation'.*'gelu', got 'tanh'", T(3, 4), T(4, 5), T(5), False, False, "tanh"),
    Error(ValueError, r"have 4 elements, expected 5", T(3, 4), T(4, 5), T(5), False, True, "none"),
    Error(ValueError, r"'bias'.*5 elements.*\[4\]", T(3, 4), T(4, 5), T(4), False, False, "none"),
    Error(ValueError, r"at least 2 dimensions", T(4), T(4, 5), T(5), False, False, "none"),
]
TOLERANCE = {torch.float16: (4e-3, 1e-2), torch.bfloat16: (3e-2, 8e-2)}


def reference(x, y, bias, trans_x, trans_y, activation):
    rows = x.flatten(1).t() if trans_x else x
    before = rows @ (y.t() if trans_y else y) + bias.flatten()
    before = before.reshape(*x.shape[1:], -1) if trans_x and x.numel() else before
    if activation == "gelu":
        return torch.nn.functional.gelu(before, approximate="tanh")
    return torch.relu(before) if activation == "relu" else before
