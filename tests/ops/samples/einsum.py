import numpy
import torch

from ..sample import Error, Sample, T

LAYOUTS = ("contiguous", "gaps", "transposed", "unaligned", "channels_last")  # dimensions of one letter keep their size
SAMPLES = [
    Sample([T(2, 3), T(3, 4)], "ij,jk->ik"),
    Sample([T(2, 3, 4), T(2, 4, 2)], "bij, bjk -> bki"),
    Sample([T(3, 3)], "ii->i"),
    Sample([T(3, 3)], "ii"),
    Sample([T(2, 3), T(3, 4)], "ba,ac"),
    Sample([T(2, 3)], "ba"),
    Sample([T(2, 1, 3, 4), T(5, 4, 2)], "...ij,...jk->...ik"),
    Sample([T(2, 3, 4), T(3)], "ab...,b->...a"),
    Sample([T(3), T(4)], "i,j->ji"),
    Sample([T(2, 3), T(3, 4), T(4, 2)], "ij,jk,kl->il"),
    Sample([T(2, 3), T(1, 4)], "ij,ik->jk"),
    Sample([T(), T(2)], ",i->i"),
    Sample([T(0, 3), T(3, 4)], "ij,jk->ik"),
]
ERRORS = [
    Error(ValueError, r"'x'.*expected 2 tensors.*got 1", [T(2, 3)], "ij,jk->ik"),
    Error(ValueError, r"'x'.*one size of each dimension 'j'.*3 and 4", [T(2, 3), T(4, 2)], "ij,jk->ik"),
    Error(ValueError, r"'x'.*each of 'ijk' in tensor 0.*\[2, 3\]", [T(2, 3)], "ijk->k"),
    Error(ValueError, r"'equation'.*each letter of the result once.*'ij->ik'", [T(2, 3)], "ij->ik"),
    Error(ValueError, r"'equation'.*letters.*'i1->i'", [T(2, 3)], "i1->i"),
    Error(ValueError, r"'equation'.*at most one '\.\.\.'.*'\.i->i'", [T(2, 3)], ".i->i"),
]


def reference(x, equation):
    return torch.from_numpy(numpy.asarray(numpy.einsum(equation, *(t.detach().numpy() for t in x))))
