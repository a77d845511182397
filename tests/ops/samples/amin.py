from .min import ERRORS, SAMPLES, reference

__all__ = ["ERRORS", "SAMPLES", "reference"]
