from ..sample import unary

SAMPLES = unary(-1.2, 1.2)
