import torch

from ..sample import Error, Sample, T

SAMPLES = [Sample(T(2, 12), T(6), 6, 3, False, True), Sample(T(1, 7), T(5), 5, 2, True, False)]
ERRORS = [
    Error(ValueError, r"'window'.*of the shape \[4\]", T(2, 8), T(3), 4, 2, False, True),
    Error(ValueError, "'n_fft'.*got 9", T(2, 8), T(9), 9, 2, False, True),
    Error(ValueError, r"'x'.*\[batch, length\]", T(8), T(4), 4, 2, False, True),
]


def reference(x, window, n_fft, hop_length, normalized, onesided):
    return torch.stft(x, n_fft, hop_length, None, window, False, normalized=normalized, onesided=onesided, return_complex=True)
