from ..sample import of_strings
from .strings_lower import ERRORS, SAMPLES

__all__ = ["ERRORS", "SAMPLES", "reference"]


def simple(letter):
    """Unicode's mapping of one letter to one; Python's makes two of a sharp s."""
    return letter.upper() if len(letter.upper()) == 1 else letter


def reference(x, use_utf8_encoding=False):
    return of_strings(lambda text: "".join(simple(c) if use_utf8_encoding or c.isascii() else c for c in text), x)
