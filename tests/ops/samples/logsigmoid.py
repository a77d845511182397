from ..sample import unary

SAMPLES = unary(-9, 9)
