import torch

from ..sample import Error, Given, Sample, T

NAN = float("nan")
WITH_NAN = Given(torch.tensor([[1.0, NAN, 2.0, NAN], [3.0, 1.0, 0.0, 5.0], [NAN, NAN, NAN, NAN]]), grad=False)
SAMPLES = [
    Sample(T(3, 5, low=-90, high=90)),
    Sample(T(3, 4, low=-90, high=90), [1]),
    Sample(T(4, 3, low=-90, high=90), [0], False, "min"),
    Sample(T(2, 3, 4, low=-90, high=90), [0, -1], False),
    Sample(T(2, 3, 4, low=-90, high=90), [2, 0], True, "min"),
    Sample(T(5, 70, low=-90000, high=90000), [1], False),
    Sample(WITH_NAN, [1]),
    Sample(WITH_NAN, [0], False, "min"),
    Sample(T()),
    Sample(T(), [0], False, "min"),
    Sample(T(0, 3), [1]),
]
ERRORS = [
    Error(ValueError, r"'mode'.*'avg' or 'min', got 'max'", T(2, 3), [1], True, "max"),
    Error(IndexError, r"'axis'.*\[-2, 2\).*got 2", T(2, 3), [2]),
    Error(ValueError, r"'axis'.*each dimension once", T(2, 3), [1, -1]),
    Error(ValueError, r"'x'.*at least one element", T(2, 0), [1]),
]


def middle(x, axis, keepdim, mode, skips_nan):
    """Line by line; where several elements are equal, any of them may be named."""
    axes = sorted(a % max(x.dim(), 1) for a in axis) or list(range(x.dim()))
    kept = [i for i in range(x.dim()) if i not in axes]
    lines = x.permute([*kept, *(a for a in axes if a < x.dim())]).flatten(len(kept)) if x.dim() else x.reshape(1)
    found = []
    for line in lines.reshape(-1, lines.shape[-1]):
        numbers = line[~line.isnan()] if x.is_floating_point() else line
        if len(numbers) == 0 or (len(numbers) < len(line) and not skips_nan):
            found.append(line[line.isnan()][0])
            continue
        ordered = numbers.sort().values
        low, high = ordered[(len(ordered) - 1) // 2], ordered[len(ordered) // 2]
        mean = (low + high) / 2 if x.is_floating_point() else torch.div(low + high, 2, rounding_mode="trunc")
        found.append(low if mode == "min" else mean)
    out = torch.stack(found) if found else lines.new_empty(0)
    sizes = [1 if i in axes else n for i, n in enumerate(x.shape)] if keepdim else [x.shape[i] for i in kept]
    return out.reshape(sizes), None


def reference(x, axis=(), keepdim=True, mode="avg"):
    return middle(x, axis, keepdim, mode, False)
