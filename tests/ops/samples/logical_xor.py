from ..sample import BROADCAST_ERRORS, MIXED, binary

SAMPLES = [*binary(), *MIXED]
ERRORS = BROADCAST_ERRORS
