import torch

from ..sample import Error, Sample, T

SAMPLES = [
    Sample(T(3, 4), 1),
    Sample(T(3, 4), 0, True),
    Sample(T(2, 3, 4), -2, False, True),
    Sample(T(2, 5), 1, True, True),
    Sample(T(3, 300, low=0.65, high=0.75), 1),
    Sample(T(3, 4, low=0, high=0), 1),
    Sample(T(), 0),
    Sample(T(), -1, True),
    Sample(T(0, 3), 0),
]
ERRORS = [Error(IndexError, r"'axis'.*\[-2, 2\).*got 2", T(2, 3), 2)]
TOLERANCE = {torch.float16: (4e-3, 4e-3), torch.bfloat16: (3e-2, 3e-2)}


def reference(x, dim, exclusive=False, reverse=False):
    lines = x.reshape(1) if x.dim() == 0 else x.movedim(dim, 0)
    product, found = torch.ones_like(lines.sum(0, dtype=x.dtype)), []
    for element in reversed(lines.unbind(0)) if reverse else lines.unbind(0):
        found.append(product)
        product = product * element
        found[-1] = found[-1] if exclusive else product
    if not found:
        return x.clone()
    out = torch.stack(found[::-1] if reverse else found)
    return out.reshape(()) if x.dim() == 0 else out.movedim(0, dim)
