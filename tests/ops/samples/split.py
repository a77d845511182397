import torch

from ..sample import Error, Sample, T

SAMPLES = [
    Sample(T(6, 3), [1, 2, 3], 0),
    Sample(T(2, 5, 2), [2, -1], 1),
    Sample(T(2, 5), [5], -1),
    Sample(T(300, 6), [1, 5], 1),
    Sample(T(4), [0, 4], 0),
]
ERRORS = [
    Error(ValueError, r"'sections'.*add up to 5.*got 4", T(5), [2, 2], 0),
    Error(ValueError, r"'sections'.*at most one -1", T(5), [-1, -1], 0),
    Error(ValueError, r"'sections'.*got -3 at 1", T(5), [2, -3], 0),
    Error(IndexError, r"'axis'.*got 1", T(5), [5], 1),
]


def reference(x, sections, axis):
    sections = list(sections)
    if -1 in sections:
        sections[sections.index(-1)] = x.shape[axis] - sum(sections) - 1
    return list(torch.split(x, sections, axis))
