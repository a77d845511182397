from ..sample import unary

SAMPLES = unary(-0.7, 4)
