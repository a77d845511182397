from ..sample import unary

SAMPLES = unary(-0.8, 0.8)
