from ..sample import BROADCAST_ERRORS, binary

SAMPLES = binary()
ERRORS = BROADCAST_ERRORS
