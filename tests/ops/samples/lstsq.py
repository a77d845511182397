import torch

from ..sample import Error, Given, Regular, Sample, T

LAYOUTS = ("contiguous", "gaps", "transposed", "unaligned")
TOLERANCE = {torch.float32: (1e-3, 1e-3)}
OF_RANK_1 = Given(torch.tensor([[[1.0, 2.0], [2.0, 4.0], [3.0, 6.0]]]), grad=False)
SAMPLES = [
    Sample(T(5, 3), T(5, 2)),
    Sample(Regular(3, 3), T(3, 2)),
    Sample(T(3, 5), T(3, 2)),
    Sample(T(2, 4, 3), T(2, 4, 1)),
    Sample(T(5, 3), T(5, 2), 1e-4, "gelsd"),
    Sample(T(2, 3, 4), T(2, 3, 2), 1e-4, "gelss"),
    Sample(T(5, 3), T(5, 2), 1e-4, "gelsy"),
    Sample(OF_RANK_1, T(1, 3, 2), 1e-4, "gelsy"),
    Sample(T(4, 3), T(4, 2), -1.0, "gelsd"),
]
ERRORS = [
    Error(ValueError, r"'driver'.*'gelss', got 'qr'", T(3, 2), T(3, 1), 0.0, "qr"),
    Error(ValueError, r"'y'.*3 rows.*\[3, 2\], got \[4, 1\]", T(3, 2), T(4, 1)),
    Error(ValueError, r"'x'.*at least 2 dimensions", T(3), T(3, 1)),
    Error(ValueError, r"'y'.*at least 2 dimensions", T(3, 2), T(3)),
]


def reference(x, y, rcond=0.0, driver="gels"):
    found = torch.linalg.lstsq(x, y, rcond=rcond, driver=driver)
    residuals = x.new_empty(0)
    if x.shape[-2] > x.shape[-1] and driver != "gelsy":
        residuals = ((y - x @ found.solution) ** 2).sum(-2)
    return found.solution, residuals, found.rank.to(torch.int32), found.singular_values
