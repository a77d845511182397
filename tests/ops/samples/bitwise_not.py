from ..sample import unary

SAMPLES = unary(-100, 100)
