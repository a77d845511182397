from ..sample import unary

SAMPLES = unary(0.3, 4)
