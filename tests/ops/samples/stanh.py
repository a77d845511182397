from ..sample import Sample, T, unary

SAMPLES = [*unary(-4, 4), Sample(T(3, 23), 1.5, -2.0)]


def reference(x, scale_a=0.67, scale_b=1.7159):
    return scale_b * (scale_a * x).tanh()
