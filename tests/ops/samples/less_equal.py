from ..sample import BROADCAST_ERRORS, MIXED, binary

SAMPLES = [*binary(), MIXED[0]]
ERRORS = BROADCAST_ERRORS


def reference(x, y):
    """Complex numbers in the order of their real parts, then of the imaginary ones."""
    if not x.is_complex():
        return x <= y
    return (x.real < y.real) | ((x.real == y.real) & (x.imag <= y.imag))
