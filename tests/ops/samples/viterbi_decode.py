import itertools

import torch

from ..sample import Error, Sample, T

DATA_DEPENDENT = True
UNROLLED = True


def lengths(*values, dtype=torch.int64):
    return torch.tensor(values, dtype=dtype)


SAMPLES = [
    Sample(T(3, 4, 4, grad=False), T(4, 4, grad=False), lengths(4, 2, 1)),
    Sample(T(2, 5, 3, grad=False), T(3, 3, grad=False), lengths(3, 4, dtype=torch.int32), False),
    Sample(T(1, 1, 2, grad=False), T(2, 2, grad=False), lengths(1)),
]
LAYOUTS = ("contiguous", "gaps", "transposed", "unaligned")  # one length for all is another greatest one
ERRORS = [
    Error(ValueError, r"'potentials'.*\[batch, steps, tags\].*got the shape \[3, 4\]", T(3, 4), T(4, 4), lengths(1)),
    Error(ValueError, r"'transition_params'.*\[4, 4\], got \[4, 3\]", T(1, 2, 4), T(4, 3), lengths(1)),
    Error(ValueError, r"'lengths'.*\[1\], got \[2\]", T(1, 2, 4), T(4, 4), lengths(1, 1)),
    Error(ValueError, r"'lengths'.*at most the 2 steps.*got 3", T(1, 2, 4), T(4, 4), lengths(3)),
    Error(TypeError, r"'lengths'.*int32 or int64, got float32", T(1, 2, 4), T(4, 4), T(1, dtype=torch.float32)),
]


def reference(potentials, transition_params, lengths, include_bos_eos_tag=True):
    """The best of all paths."""
    scores, paths = [], []
    for emission, length in zip(potentials, lengths.tolist()):

        def score(path, emission=emission):
            total = sum(emission[i, tag] for i, tag in enumerate(path))
            total = total + sum(transition_params[a, b] for a, b in itertools.pairwise(path))
            ends = transition_params[-1, path[0]] + transition_params[-2, path[-1]]
            return total + ends if include_bos_eos_tag else total

        best = max(itertools.product(range(potentials.shape[2]), repeat=length), key=score)
        scores.append(score(best))
        paths.append([*best, *[0] * (int(lengths.max()) - length)])
    return torch.stack(scores), torch.tensor(paths)
