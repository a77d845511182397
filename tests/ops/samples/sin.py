from ..sample import unary

SAMPLES = unary(-4, 4)
