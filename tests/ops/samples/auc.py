import torch

from ..sample import Error, Given, Sample, T


def scores(*shape):
    return T(*shape, low=0.0, high=1.0, grad=False)


def counts(*shape):
    return T(*shape, low=0, high=5, dtype=torch.int64)


def slid(steps, length, number):
    """Counts of `steps` calls, their sum, and how many calls there were."""
    rows = torch.arange(steps * length).reshape(steps, length) % 4
    return torch.cat([rows.reshape(-1), rows.sum(0), torch.tensor([number])])


def labels(*numbers):
    return torch.tensor(numbers).reshape(-1, 1)


SAMPLES = [
    Sample(scores(6, 2), labels(0, 1, 1, 0, 1, 0), counts(1, 11), counts(1, 11), None, num_thresholds=10, slide_steps=0),
    Sample(scores(5, 2), labels(0, 1, 1, 0, 2), slid(1, 11, 3), slid(1, 11, 3), None, "ROC", 10, 1),
    Sample(scores(4, 1), labels(0, 1, -1, 1), slid(3, 6, 4), slid(3, 6, 4), None, "ROC", 5, 3),
    Sample(scores(4, 2), labels(0, 1, 0, 1), slid(3, 6, 4), slid(3, 6, 4), Given(torch.zeros(4, 1), grad=False), "ROC", 5, 3),
    Sample(scores(3, 2), labels(1, 0, 1), counts(4), counts(4), Given(torch.ones(1), grad=False), num_thresholds=3, slide_steps=0),
    Sample(
        Given(torch.tensor([[1.0], [0.0]]), grad=False),
        labels(1, 0),
        torch.zeros(4, dtype=torch.int64),
        torch.zeros(4, dtype=torch.int64),
        None,
        "ROC",
        3,
        0,
    ),
    Sample(scores(0, 2), torch.zeros(0, 1, dtype=torch.int64), counts(4), torch.zeros(4, dtype=torch.int64), None, "ROC", 3, 0),
]
_STATE = counts(4)
ERRORS = [
    Error(ValueError, r"'x'.*\[rows, 1\] or \[rows, 2\], got \[2, 3\]", T(2, 3), labels(0, 1), _STATE, _STATE, None, "ROC", 3, 0),
    Error(ValueError, r"'label'.*each of the 2 rows, got \[3, 1\]", T(2, 2), labels(0, 1, 1), _STATE, _STATE, None, "ROC", 3, 0),
    Error(TypeError, r"'label'.*int64, got int32", T(2, 2), labels(0, 1).int(), _STATE, _STATE, None, "ROC", 3, 0),
    Error(ValueError, r"'stat_pos'.*expected 9 numbers.*got \[4\]", T(2, 2), labels(0, 1), _STATE, _STATE, None, "ROC", 3, 1),
    Error(TypeError, r"'stat_neg'.*int64, got float32", T(2, 2), labels(0, 1), _STATE, T(4), None, "ROC", 3, 0),
    Error(ValueError, r"'curve'.*'ROC', got 'PR'", T(2, 2), labels(0, 1), _STATE, _STATE, None, "PR", 3, 0),
    Error(ValueError, r"'num_thresholds'.*in .1, 2.30.", T(2, 2), labels(0, 1), _STATE, _STATE, None, "ROC", 0, 0),
    Error(ValueError, r"'slide_steps'.*in .0, 2.30.", T(2, 2), labels(0, 1), _STATE, _STATE, None, "ROC", 3, -1),
    Error(ValueError, r"'x'.*scores in \[0, 1\]", torch.tensor([[0.5], [1.5]]), labels(0, 1), _STATE, _STATE, None, "ROC", 3, 0),
]


def reference(x, label, stat_pos, stat_neg, ins_tag_weight, curve="ROC", num_thresholds=8191, slide_steps=1):
    """Loops over the rows, and over the thresholds."""
    length, states = num_thresholds + 1, [stat_pos.reshape(-1).clone(), stat_neg.reshape(-1).clone()]
    counts = [torch.zeros(length, dtype=torch.int64) for _ in states]
    for score, of in zip(x[:, -1].tolist(), label.reshape(-1).tolist()):
        which = 0 if of > 0 else 1 if of == 0 else None
        if which is not None and (ins_tag_weight is None or ins_tag_weight.reshape(-1)[0] != 0):
            counts[which][int(torch.tensor(score, dtype=x.dtype) * num_thresholds)] += 1
    whole = slice(slide_steps * length, (slide_steps + 1) * length)
    first = int(states[0][-1]) % max(slide_steps, 1) * length
    for state, found in zip(states, counts):
        if slide_steps == 0:
            state += found
            continue
        state[whole] += found - state[first : first + length]
        state[first : first + length] = found
        state[-1] += 1
    positive = negative = area = 0.0
    for up, right in zip(*(state[whole].flip(0).tolist() for state in states)):
        area += right * (positive + positive + up) / 2
        positive, negative = positive + up, negative + right
    area = area / positive / negative if positive > 0 and negative > 0 else area
    shape = [1, -1] if slide_steps == 0 else [-1]
    return torch.tensor(area, dtype=torch.float64), *(state.reshape(shape) for state in states)
