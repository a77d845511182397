"""What the files of samples/ are written with."""

from phi_torch.testing import Error, Sample, T

__all__ = ["Error", "Sample", "T"]
