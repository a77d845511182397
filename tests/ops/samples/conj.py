from ..sample import unary

SAMPLES = unary()
