import torch

from ..sample import Error, Sample, T

LAST = {"data_format": "NDHWC"}
SAMPLES = [
    *(
        Sample(x, paddings, mode, **more)
        for mode in ("constant", "reflect", "replicate", "circular")
        for x, more in ((T(2, 3, 2, 3, 5), {}), (T(2, 2, 3, 5, 3), LAST))
        for paddings in ([1, 2, 2, 0, 1, 1], [0, 1, 0, 0, 0, 0])
    ),
    Sample(T(1, 2, 1, 4, 20), [3, 3, 2, 2, 0, 0], "reflect"),
    Sample(T(1, 2, 1, 4, 3), [-1, 2, 0, -2, 0, 0], "constant", 2.0),
    Sample(T(1, 1, 3, 4, 4), [-1, 2, 1, -2, 0, 0], "replicate"),
    Sample(T(1, 1, 1, 2, 3), [7, 8, 0, 0, 0, 0], "circular"),
    Sample(T(0, 2, 1, 4, 3), [1, 1, 1, 1, 1, 1]),
    Sample(T(1, 2, 0, 4, 3), [1, 1, 1, 1, 1, 1], pad_value=1.0),
    Sample(T(2, 4, 1, 40, 50), [3, 3, 3, 3, 0, 0], "reflect"),
]
ERRORS = [
    Error(ValueError, r"'x'.*5 dimensions, got the shape \[2, 3\]", T(2, 3), [0, 0, 0, 0, 0, 0]),
    Error(ValueError, r"'paddings'.*expected 6.*got 4", T(1, 1, 2, 3, 4), [0, 0, 0, 0]),
    Error(ValueError, r"'paddings'.*less than 4 for 'reflect'.*got 4", T(1, 1, 2, 3, 4), [4, 0, 0, 0, 0, 0], "reflect"),
    Error(ValueError, r"'paddings': nothing is left", T(1, 1, 2, 3, 4), [-4, -1, 0, 0, 0, 0]),
    Error(ValueError, r"'mode'.*got same", T(1, 1, 2, 3, 4), [0, 0, 0, 0, 0, 0], "same"),
    Error(ValueError, r"'data_format'.*got NCHW", T(1, 1, 2, 3, 4), [0] * 6, data_format="NCHW"),
    Error(ValueError, r"'x'.*elements for 'circular'", T(1, 1, 2, 0, 4), [0, 0, 1, 0, 0, 0], "circular"),
]
TOLERANCE = {torch.bfloat16: (2e-2, 2e-1), torch.float16: (2e-3, 2e-2)}


def _place(i, size, mode):
    if 0 <= i < size or mode == "constant":
        return i if 0 <= i < size else -1
    if mode == "circular":
        return i % size
    return min(max(i, 0), size - 1) if mode == "replicate" else abs(i) if i < size else 2 * (size - 1) - i


def reference(x, paddings, mode="constant", pad_value=0.0, data_format="NCDHW"):
    last = data_format == "NCDHW"
    for axis, before, after in zip((4, 3, 2) if last else (3, 2, 1), paddings[::2], paddings[1::2]):
        places = [_place(i, x.shape[axis], mode) for i in range(-before, x.shape[axis] + after)]
        shape = list(x.shape)
        shape[axis] = 1
        wide = torch.cat([x, x.new_full(shape, pad_value)], axis)  # -1 is the constant
        x = wide.index_select(axis, torch.tensor(places, dtype=torch.int64) % wide.shape[axis])
    return x
