import torch

from phi_torch import StringTensor

from ..sample import DEVICE, Error, Sample, of_strings

SAMPLES = [
    Sample(StringTensor([["a", "bc", ""], ["Äö", "d", "e"]])),
    Sample(StringTensor("one")),
    Sample(StringTensor([]), DEVICE),
]
ERRORS = [Error(NotImplementedError, r"no kernel .*\(Strided\).*phi_torch\.StringTensor", torch.ones(2))]


def reference(x, place=None):
    return of_strings(lambda _: "", x)
