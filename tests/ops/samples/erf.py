from ..sample import unary

SAMPLES = unary(-3, 3)
