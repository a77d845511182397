from ..sample import BROADCAST_ERRORS, Sample, T, binary

SAMPLES = [
    *(Sample(T(*x.shape, low=-100, high=100), T(*y.shape, low=0, high=9)) for x, y in (sample.args for sample in binary())),
    Sample(T(5, 40, low=-100, high=100), T(40, low=-3, high=70), is_arithmetic=False),
]
ERRORS = BROADCAST_ERRORS
