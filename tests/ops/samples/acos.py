from ..sample import unary

SAMPLES = unary(-0.9, 0.9)
