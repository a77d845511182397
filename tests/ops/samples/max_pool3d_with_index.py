from ..sample import Error, Sample, T
from .max_pool2d_with_index import reference

__all__ = ["reference"]

SAMPLES = [
    Sample(T(2, 2, 3, 4, 4), [2, 2, 2], [2, 2, 2]),
    Sample(T(1, 2, 3, 4, 3), [3, 2, 2], [2, 1, 2], [1, 1, 0]),
    Sample(T(1, 2, 3, 4, 4), [2, 3, 2], [2, 2, 2], [0, 1, 1], ceil_mode=True),
    Sample(T(1, 2, 4, 3, 4), [3, 2, 2], adaptive=True),
    Sample(T(2, 2, 2, 3, 2), [1, 1, 1], global_pooling=True),
    Sample(T(0, 2, 4, 4, 4), [2, 2, 2], [2, 2, 2]),
]
ERRORS = [
    Error(ValueError, r"'x'.*5 dimensions.*\[3, 4, 4, 4\]", T(3, 4, 4, 4), [2, 2, 2]),
    Error(ValueError, r"'kernel_size'.*3 values.*got 2", T(1, 3, 4, 4, 4), [2, 2]),
    Error(ValueError, r"'paddings'.*3 values.*got 2", T(1, 3, 4, 4, 4), [2, 2, 2], paddings=[1, 1]),
]
