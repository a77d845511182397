from ..sample import Error, Sample, T

SAMPLES = [
    Sample(T(3, 5), [1], [1], [4]),
    Sample(T(3, 5), [0, 1], [-2, 1], [100, -1], [1, -1]),
    Sample(T(3, 5, 2), [0, -2], [1, 0], [2, 3], [], [0]),
    Sample(T(3, 2), [1, 0], [1, 2], [2, 3], [1, 1], [1, -2]),
    Sample(T(3, 5), [1], [-100], [2], [1, -1, 1]),
    Sample(T(3, 5), [1], [4], [2]),
    Sample(T(3, 5), [0], [7], [9]),
    Sample(T(3, 1), [0], [0], [2], [], [1]),
    Sample(T(0, 3), [0, 1], [0, 1], [3, 2]),
    Sample(T(), [], [], []),
]
ERRORS = [
    Error(IndexError, r"'axes'.*\[-2, 2\), got 2", T(2, 3), [2], [0], [1]),
    Error(IndexError, r"'axes'.*no dimension", T(), [0], [0], [1]),
    Error(ValueError, r"'axes'.*axis 1 again", T(2, 3), [1, -1], [0, 0], [1, 1]),
    Error(ValueError, r"as many 'starts' and 'ends' as 'axes', 1.*got 2", T(2, 3), [1], [0, 1], [2, 2]),
    Error(ValueError, r"'decrease_axis'.*axis 1.*\[2, 2\] is 2", T(2, 3), [1], [0], [2], [], [1]),
]


def reference(input, axes, starts, ends, infer_flags=(), decrease_axis=()):
    part = [slice(None)] * input.dim()
    for axis, start, end in zip(axes, starts, ends):
        part[axis] = slice(start, end)
    out = input[tuple(part)]
    return out.squeeze(tuple(decrease_axis)) if decrease_axis else out
