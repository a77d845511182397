"""What the files of samples/ are written with.

samples/<op>.py has `SAMPLES` and `reference`, and where they are needed:
    ERRORS          calls that must fail
    DTYPES          instead of all dtypes that a CPU kernel is registered for
    TOLERANCE       dtype -> (rtol, atol)
    LAYOUTS         names out of phi_torch.testing.values.LAYOUTS, if some make no sense ("expanded" singular matrices)
    DATA_DEPENDENT  True if the shape of an output depends on values
"""

from phi_torch.testing import Error, Sample, T

__all__ = ["Error", "Sample", "T"]
