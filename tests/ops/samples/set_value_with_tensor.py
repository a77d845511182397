import torch

from ..sample import Error, Sample, T

SAMPLES = [
    Sample(T(3, 2), T(2), [0], [100], [2], [0], [], []),
    Sample(T(3, 4), T(2, 4), [0], [100], [2], [0], [], []),
    Sample(T(3, 4), T(4), [1], [2], [1], [0], [0], []),
    Sample(T(3, 4), T(1, 4), [1], [2], [1], [0], [0], [0]),
    Sample(T(3, 4), T(3, 1, 4), [2], [-4], [-1], [0], [], [1]),
    Sample(T(3, 4), T(3, 1, 4, 1), [0], [3], [1], [0], [], [1, 3]),
    Sample(T(3, 5, 2), T(1, 1, 2, 2), [0, 3], [2, -100], [1, -2], [0, 1], [], []),
    Sample(T(3, 4), T(), [0, 1], [3, 3], [1, 1], [0, 1], [], []),
    Sample(T(3, 4), T(1, 1), [0], [0], [1], [0], [], []),
    Sample(T(0, 3), T(3), [0], [5], [1], [0], [], []),
    Sample(T(70, 80), T(70, 40), [1], [80], [2], [1], [], []),
]
ERRORS = [
    Error(IndexError, r"'axes'.*\[-2, 2\), got 2", T(2, 3), T(), [0], [1], [1], [2], [], []),
    Error(ValueError, r"'steps' as 'axes', 1.*got 2", T(2, 3), T(), [0, 1], [2, 2], [1, 1], [1], [], []),
    Error(ValueError, r"'decrease_axes'.*axis 0 of \[2, 3\]", T(2, 3), T(), [0], [2], [1], [0], [0], []),
    Error(IndexError, r"'none_axes'.*\[0, 2\], got 3", T(2, 3), T(), [0], [2], [1], [0], [], [3]),
    Error(ValueError, r"'values'.*the part, \[2, 3\], got \[2\]", T(2, 3), T(2), [0], [2], [1], [0], [], []),
    Error(TypeError, r"'values'.*float32, got float64", T(3, dtype=torch.float32), T(dtype=torch.float64), [], [], [], [], [], []),
]


def reference(x, values, starts, ends, steps, axes, decrease_axes, none_axes):
    """The part is taken with one list of places for each axis, of one place where it is dropped."""
    places = [list(range(n)) for n in x.shape]
    for axis, start, end, step in zip(axes, starts, ends, steps):
        places[axis] = places[axis][start:end:step]
    seen = []
    for axis in range(x.dim() + 1):
        seen += [1] * sum(one == axis or one > axis == x.dim() for one in none_axes) + (
            [len(places[axis])] if axis < x.dim() and axis not in decrease_axes else []
        )
    values = values.reshape(values.shape[max(values.dim() - len(seen), 0) :]).expand(seen)
    out = x.clone()
    if values.numel():
        out[torch.meshgrid(*map(torch.tensor, places), indexing="ij")] = values.reshape([len(p) for p in places])
    return out
