from ..sample import Sample, T, unary

SAMPLES = [*unary(-4, 4), Sample(T(3, 23), 2), Sample(T(2, 3, low=-300, high=300), decimals=-1)]
