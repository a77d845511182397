import torch

from ..sample import Error, Given, Sample, T


def numbers(*rows, dtype=torch.int32):
    return Given(torch.tensor(rows, dtype=dtype))


LAYOUTS = ("contiguous", "gaps", "transposed", "unaligned")  # other lengths are those of other sequences
LABEL = numbers([1, 2], [3, 9])  # of which the last one does not count
STEPS, LABELS = numbers(4, 3), numbers(2, 1)
SAMPLES = [
    Sample(T(2, 4, 3, 5), LABEL, STEPS, LABELS),
    Sample(T(2, 3, 3, 4), numbers([0, 2], [1, 1], dtype=torch.int64), numbers(3, 2, dtype=torch.int64), numbers(2, 2), 3),
    Sample(T(1, 1, 3, 3), numbers([1, 2]), numbers(1), numbers(2), 0),
    Sample(T(2, 4, 1, 3), T(2, 0, dtype=torch.int32), numbers(4, 2), numbers(0, 0), 1),
    Sample(T(0, 2, 2, 3), T(0, 1, dtype=torch.int32), T(0, dtype=torch.int32), T(0, dtype=torch.int32)),
    Sample(T(2, 4, 3, 5, grad=False), LABEL, STEPS, LABELS, 0, 0.5),
]
ERRORS = [
    Error(ValueError, r"'input'.*\[batch, steps, labels \+ 1, classes\].*\[2, 4, 3\]", T(2, 4, 3), LABEL, STEPS, LABELS),
    Error(ValueError, r"'blank'.*5 classes.*got 5", T(2, 4, 3, 5), LABEL, STEPS, LABELS, 5),
    Error(ValueError, r"'label'.*\[2, 2\], got \[2, 1\]", T(2, 4, 3, 5), numbers([1], [2]), STEPS, LABELS),
    Error(ValueError, r"'input_lengths'.*\[2\], got \[1\]", T(2, 4, 3, 5), LABEL, numbers(4), LABELS),
    Error(ValueError, r"'input_lengths'.*from 1 to 4, got 0", T(2, 4, 3, 5), LABEL, numbers(4, 0), LABELS),
    Error(ValueError, r"'label_lengths'.*from 0 to 2, got 3", T(2, 4, 3, 5), LABEL, STEPS, numbers(3, 1)),
    Error(IndexError, r"'label'.*the 3 classes", T(2, 4, 3, 3), LABEL, STEPS, numbers(2, 2)),
    Error(TypeError, r"'label_lengths'.*int32 or int64", T(2, 4, 3, 5), LABEL, STEPS, T(2, dtype=torch.float32, grad=False)),
]


def reference(input, label, input_lengths, label_lengths, blank=0, fastemit_lambda=0.0):
    found = []
    for cells, labels, steps, count in zip(input, label.tolist(), input_lengths.tolist(), label_lengths.tolist()):
        ways = {(0, 0): cells.new_zeros(())}
        for t in range(steps):
            for u in range(count + 1):
                into = [ways[t - 1, u] + cells[t - 1, u, blank]] if t else []
                into += [ways[t, u - 1] + cells[t, u - 1, labels[u - 1]]] if u else []
                if into:
                    ways[t, u] = torch.stack(into).logsumexp(0)
        found.append(-ways[steps - 1, count] - cells[steps - 1, count, blank])
    return torch.stack(found) if found else input.sum((1, 2, 3))
