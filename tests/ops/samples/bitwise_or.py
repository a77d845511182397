from ..sample import BROADCAST_ERRORS, binary

SAMPLES = binary(-100, 100)
ERRORS = BROADCAST_ERRORS
