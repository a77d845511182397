import torch

from ..sample import Error, Sample, T

LABEL = torch.tensor([1, 0, 3])
MANY = torch.arange(60).reshape(3, 4, 5) % 7
SAMPLES = [
    Sample(T(3, 4), LABEL, None),
    Sample(T(3, 4), LABEL.int(), T(4, grad=False), reduction="sum"),
    Sample(T(3, 4), LABEL, T(4, low=0.5, grad=False), 3, "mean"),
    Sample(T(3, 4), LABEL, T(4, grad=False), 0, "none"),
    Sample(T(3, 4), torch.full((3,), -100), None),
    Sample(T(3, 7, 4, 5), MANY, T(7, low=0.5, grad=False), 2, "mean"),
    Sample(T(3, 7, 4, 5), MANY, None, 2, "none"),
    Sample(T(0, 4), LABEL[:0], None, reduction="sum"),
]
ERRORS = [
    Error(IndexError, r"'label'.*\[0, 4\), got 4", T(2, 4), torch.tensor([1, 4]), None),
    Error(IndexError, r"'label'.*\[0, 4\), got -1", T(2, 4), torch.tensor([1, -1]), None),
    Error(ValueError, r"'input'.*got the shape \[4\]", T(4), torch.tensor(1), None),
    Error(ValueError, r"'label'.*expected the shape \[2\].*got \[3\]", T(2, 4), LABEL, None),
    Error(ValueError, r"'weight'.*\[4\], got \[3\]", T(3, 4), LABEL, T(3)),
    Error(ValueError, r"'reduction'.*'none', 'mean', or 'sum', got 'batchmean'", T(3, 4), LABEL, None, reduction="batchmean"),
    Error(TypeError, r"'label'.*int32 or int64", T(3, 4), T(3), None),
    Error(TypeError, r"'weight'.*got int64", T(3, 4), LABEL, LABEL.new_zeros(4)),
]


def reference(input, label, weight, ignore_index=-100, reduction="mean"):
    weights = torch.ones(input.shape[1], dtype=torch.float64) if weight is None else weight.double()
    losses = torch.nn.functional.nll_loss(input.double(), label.long(), weights, ignore_index=ignore_index, reduction="none")
    counts = label != ignore_index
    total = torch.where(counts, weights[torch.where(counts, label, 0).long()], 0).sum()
    if reduction == "none":
        return losses, torch.zeros((), dtype=torch.float64)
    mean = losses.sum() / total if total != 0 else losses.sum() * 0
    return mean if reduction == "mean" else losses.sum(), total
