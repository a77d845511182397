import torch

from ..sample import Error, Sample, T

SAMPLES = [Sample(T(3)), Sample(T(2, 3), 1), Sample(T(2, 3), -2, 0, 2), Sample(T(2, 3), 0, -1, 0), Sample(T(0))]
ERRORS = [Error(ValueError, "'dim2'.*another axis", T(2, 2), 0, 1, -2), Error(IndexError, "'dim1'.*got 3", T(2, 2), 0, 3, 1)]


def reference(input, offset=0, dim1=-2, dim2=-1):
    size = input.shape[-1] + abs(offset)
    out = input.new_zeros([*input.shape[:-1], size, size])
    rows = torch.arange(input.shape[-1]) + max(-offset, 0)
    for i, row in enumerate(rows.tolist()):
        out = out.clone()
        out[..., row, row + offset] = input[..., i]
    return out.movedim((-2, -1), (dim1, dim2))
