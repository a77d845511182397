import torch

from ..sample import Error, Sample, T
from .send_u_recv import combined

DATA_DEPENDENT = True
LAYOUTS = ("contiguous", "gaps", "transposed", "unaligned")  # equal numbers are of another greatest segment


class Segments(T):
    """Numbers of segments, one after the other."""

    def __init__(self, *shape, dtype=torch.int64, low=0, high=2, grad=False):
        super().__init__(*shape, dtype=dtype, low=low, high=high, grad=grad)

    def resized(self, shape):
        return type(self)(*shape, dtype=self.dtype, high=self.high)

    def make(self, dtype, device, generator):
        return super().make(dtype, "cpu", generator).sort().values.to(device)


SAMPLES = [
    *(Sample(T(6, 4), Segments(6), pooltype) for pooltype in ("SUM", "MEAN", "MAX", "MIN")),
    Sample(T(4, 2, 3), Segments(4, dtype=torch.int32, high=5), "MEAN"),
    Sample(T(3), Segments(3, low=1, high=1), "MAX"),
    Sample(T(5, 3), torch.tensor([2, 0, 0, 4, 2], dtype=torch.int32), "MIN"),
    Sample(T(0, 3), Segments(0), "SUM"),
]
ERRORS = [
    Error(ValueError, r"'segment_ids'.*each of the 3 rows of 'x', got the shape \[2\]", T(3, 4), Segments(2)),
    Error(ValueError, r"'pooltype'.*got ADD", T(2, 4), Segments(2), "ADD"),
    Error(IndexError, r"'segment_ids'.*at least 0, got -1", T(2, 4), Segments(2, low=-1, high=-1)),
    Error(TypeError, r"'segment_ids'.*int32 or int64, got float32", T(2, 4), T(2, dtype=torch.float32)),
]


def reference(x, segment_ids, pooltype="SUM"):
    return combined(x, segment_ids, pooltype, int(segment_ids.max()) + 1 if len(segment_ids) else 0)
