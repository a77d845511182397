from ..sample import Sample, unary

SAMPLES = [*unary(-9, 9), *(Sample(*sample.args, approximate=True) for sample in unary(-9, 9))]
