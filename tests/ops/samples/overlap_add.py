import torch

from ..sample import Error, Sample, T

SAMPLES = [Sample(T(3, 4), 2), Sample(T(2, 3, 4), 1, -1), Sample(T(4, 3, 2), 2, 0), Sample(T(0, 3, 2), 1)]
ERRORS = [
    Error(ValueError, "'axis'.*0 or -1, got 1", T(3, 3), 2, 1),
    Error(ValueError, "'hop_length'.*got 0", T(3, 2), 0),
    Error(ValueError, "'x'.*at least 2 dimensions", T(3), 1),
]


def reference(x, hop_length, axis=-1):
    frames = x.movedim((0, 1), (-1, -2)) if axis == 0 else x
    count = frames.shape[-1]
    pads = [(i * hop_length, (count - 1 - i) * hop_length) for i in range(count)]
    out = torch.stack([torch.nn.functional.pad(frames[..., i], pad) for i, pad in enumerate(pads)]).sum(0)
    return out.movedim(-1, 0) if axis == 0 else out
