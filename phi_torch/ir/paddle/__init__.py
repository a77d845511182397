"""Paddle 3's programs: `.json` files with their `.pdiparams`.

json_text, leaves, json_reader, check  the text to a Document, with every fault and its place; json_writer  and back
document, names  what a file says, as values; params  the tensors beside it
"""

from .document import Document
from .json_reader import read_document
from .json_writer import write_document
from .params import read_parameters, write_parameters

__all__ = ["Document", "read_document", "read_parameters", "write_document", "write_parameters"]
