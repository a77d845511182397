from .max import ERRORS, SAMPLES, reference

__all__ = ["ERRORS", "SAMPLES", "reference"]
