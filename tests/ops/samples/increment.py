from ..sample import Error, Sample, T

SAMPLES = [Sample(T(1)), Sample(T(), 2.75), Sample(T(1, 1), value=-3.0)]
ERRORS = [Error(ValueError, r"'x': expected one element, got the shape \[2, 3\]", T(2, 3), 1.0)]
