"""Paddle 3's programs: `.json` files with their `.pdiparams`.

leaves, json_reader, check  the text to a Document, with every fault and its place; json_writer  and back
document, names  what a file says, as values; params  the tensors beside it
lowered, onednn, older  operators that are several here; filters  whose channels are last in files
importer, convert  a Document to a Program
exporter  and back; gradients  what PaddlePaddle says of gradients, by a rule
"""

from .document import Document
from .exporter import to_document
from .importer import to_program
from .json_reader import read_document
from .json_writer import write_document
from .params import read_parameters, write_parameters

__all__ = ["Document", "read_document", "read_parameters", "to_document", "to_program", "write_document", "write_parameters"]
