from ..sample import Error, Sample, T

SAMPLES = [
    Sample(T(3, 4), -0.5, 1.7),
    Sample(T(2, 3, 70), min=-1, max=1),
    Sample(T(), 0.25, 0.25),
    Sample(T(5), -float("inf"), 300.5),
    Sample(T(0, 3), -1.0, 1.0),
]
ERRORS = [
    Error(ValueError, r"'max': expected at least 'min', which is 3.*, got 2", T(2), 3.0, 2.0),
    Error(ValueError, r"'max': expected at least 'min'", T(2), float("nan"), 2.0),
]
