import torch

from ..sample import Error, Sample, T

SAMPLES = [
    Sample(T(3, 4), None, 0.125),
    Sample(T(3, 4), None),
    Sample(T(2, 3, 4), T(1, 4, grad=False), 0.25),
    Sample(T(5, 33), T(33, grad=False), 0.5),
    Sample(T(4), None, 1.0),
    Sample(T(0, 4), None, 0.125),
    Sample(T(3, 0), None, 0.125),
]
ERRORS = [
    Error(ValueError, r"'label'.*at least 1 dimension", T(), None, 0.125),
    Error(ValueError, r"'prior_dist'.*expected 4 elements.*got 3", T(2, 4), T(1, 3), 0.125),
    Error(TypeError, r"'prior_dist'.*got int64", T(2, 4), torch.zeros(4, dtype=torch.int64), 0.125),
]


def reference(label, prior_dist, epsilon=0.0):
    prior = 1 / max(label.shape[-1], 1) if prior_dist is None else prior_dist.double().reshape(-1)
    return label.double() * (1 - epsilon) + epsilon * prior
