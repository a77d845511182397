import torch

from ..sample import Error, Sample, T


def probabilities(*shape):
    return T(*shape, low=0.05, high=0.95)


SAMPLES = [
    Sample(probabilities(3, 4), T(3, 4, low=0, high=1, grad=False)),
    Sample(probabilities(), T(low=0, high=1, grad=False)),
    Sample(probabilities(5, 70), T(5, 70, low=0, high=1, grad=False)),
    Sample(T(0, 3), T(0, 3, grad=False)),
]
ERRORS = [
    Error(ValueError, r"'label'.*\[3, 4\] of 'input', got \[4\]", T(3, 4), T(4)),
    Error(TypeError, r"'label'.*got int64", T(3), torch.zeros(3, dtype=torch.int64)),
]


def reference(input, label):
    return torch.nn.functional.binary_cross_entropy(input.double(), label.double(), reduction="none")
