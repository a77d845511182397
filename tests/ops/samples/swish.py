from ..sample import unary

SAMPLES = unary(-20, 20)
