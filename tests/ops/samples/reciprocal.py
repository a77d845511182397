from ..sample import unary

SAMPLES = unary(0.4, 3)
