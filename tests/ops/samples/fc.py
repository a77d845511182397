import torch

from ..sample import Error, Sample, T

SAMPLES = [
    Sample(T(3, 4), T(4, 5), T(5)),
    Sample(T(3, 4), T(4, 5), T(5), activation_type="relu"),
    Sample(T(2, 3, 2, 2), T(4, 5), T(1, 5), 2, "relu"),
    Sample(T(2, 3, 2), T(6, 5), None),
    Sample(T(3, 4, grad=False), T(8, 9, grad=False), T(5, grad=False), padding_weights=True),
    Sample(T(0, 4), T(4, 5), T(5)),
    Sample(T(3, 4), T(4, 0), T(0)),
    Sample(T(2, 3, 0), T(0, 5), T(5), 2),
]
ERRORS = [
    Error(ValueError, r"'activation_type'.*'' or 'relu', got 'gelu'", T(3, 4), T(4, 5), None, activation_type="gelu"),
    Error(ValueError, r"row of 'input'.*4 elements, expected 6", T(3, 4), T(6, 5), None),
    Error(ValueError, r"'in_num_col_dims'.*\[1, 2\).*got 2", T(3, 4), T(4, 5), None, 2),
    Error(ValueError, r"'bias'.*expected 5 elements.*\[4\]", T(3, 4), T(4, 5), T(4)),
    Error(ValueError, r"'w'.*2 dimensions, got the shape \[4\]", T(3, 4), T(4), None),
]
TOLERANCE = {torch.float16: (4e-3, 1e-2), torch.bfloat16: (3e-2, 8e-2)}


def reference(input, w, bias=None, in_num_col_dims=1, activation_type="", padding_weights=False):
    w = w[:-4, :-4] if padding_weights else w
    out = input.flatten(in_num_col_dims) @ w
    out = out if bias is None else out + bias.flatten()
    return torch.relu(out) if activation_type == "relu" else out
