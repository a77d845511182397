from ..sample import Error, T
from . import gather

SAMPLES = [s for s in gather.SAMPLES if s.args[1].shape]
ERRORS = [
    *gather.ERRORS,
    Error(ValueError, r"'index'.*without dimensions", T(3, 4), gather.index()),
]
TOLERANCE = gather.TOLERANCE
reference = gather.reference
