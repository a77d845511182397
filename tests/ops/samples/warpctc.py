import torch

from ..sample import Error, Given, Sample, T


def lengths(*values, dtype=torch.int64):
    return torch.tensor(values, dtype=dtype)


LABEL = Given(torch.tensor([[1, 2], [3, 3], [2, 0]], dtype=torch.int32))  # the last one does not count
SPARE = Given(torch.tensor([[1, 9, -1], [2, 3, 1]]))  # of which not all count
SAMPLES = [
    Sample(T(5, 3, 4), LABEL, lengths(5, 4, 3), lengths(2, 2, 1)),
    Sample(T(6, 2, 5), SPARE, lengths(4, 6), lengths(1, 3), 0),
    Sample(T(4, 3, 4), torch.tensor([[1, 2], [0, 1], [2, 0]]), None, lengths(2, 1, 0), 3),
    Sample(T(4, 2, 4), torch.tensor([[1, 2], [2, 1]]), None, None),
    Sample(T(2, 3, 4), LABEL, lengths(2, 2, 1, dtype=torch.int32), lengths(1, 2, 1)),  # too few steps for the second
    Sample(T(7, 2, 30), T(2, 0, dtype=torch.int64), lengths(7, 3), None),
    Sample(T(4, 0, 3), T(0, 2, dtype=torch.int64), None, None),
    Sample(T(4, 3, 4, grad=False), LABEL, lengths(4, 3, 4), lengths(2, 1, 1), 0, True),
]
ERRORS = [
    Error(ValueError, r"'logits'.*\[steps, batch, classes\].*\[3, 4\]", T(3, 4), LABEL, None, None),
    Error(ValueError, r"'blank'.*4 classes.*got 4", T(5, 3, 4), LABEL, None, None, 4),
    Error(ValueError, r"'label'.*\[2, labels\], got \[3, 2\]", T(5, 2, 4), LABEL, None, None),
    Error(TypeError, r"'label'.*got float32", T(5, 3, 4), T(3, 2, dtype=torch.float32), None, None),
    Error(TypeError, r"'logits_length'.*integers, got float32", T(5, 3, 4), LABEL, T(3, dtype=torch.float32), None),
    Error(ValueError, r"'labels_length'.*\[3\], got \[2\]", T(5, 3, 4), LABEL, None, lengths(1, 1)),
    Error(ValueError, r"'logits_length'.*from 0 to 5, got 6", T(5, 3, 4), LABEL, lengths(6, 1, 1), None),
    Error(ValueError, r"'label'.*classes from 0 to 2", T(5, 3, 3), LABEL, None, None),
    Error(ValueError, r"'label'.*but the blank, 0", T(5, 3, 4), LABEL, None, None),
]


def reference(logits, label, logits_length, labels_length, blank=0, norm_by_times=False):
    steps, batch, _ = logits.shape
    if batch == 0:
        return logits.sum((0, 2)).reshape(0, 1)
    times = torch.full((batch,), steps) if logits_length is None else logits_length.long()
    counts = torch.full((batch,), label.shape[1]) if labels_length is None else labels_length.long()
    labels = torch.where(torch.arange(label.shape[1]) < counts[:, None], label.long(), blank)
    found = torch.nn.functional.ctc_loss(logits.log_softmax(-1), labels, times, counts, blank, "none", zero_infinity=True)
    return found.unsqueeze(1)
