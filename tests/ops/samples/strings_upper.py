import torch

from phi_torch import StringTensor

from ..sample import Error, Sample, of_strings

TEXTS = StringTensor([["Hello, World", "", "[A-Z] {a-z} @`"], ["Grüße ÄÖ", "Κόσμος ΣΑΣ", "Ⱥⱥ İı ǅ ẞß 𐐀𐐨 日本"]])
SAMPLES = [
    Sample(TEXTS),
    Sample(TEXTS, True),
    Sample(TEXTS[1], use_utf8_encoding=True),
    Sample(StringTensor("one")),
    Sample(StringTensor([]), True),
]
NO_UTF8 = StringTensor.from_buffers(torch.tensor([0, 1, 3]), torch.tensor([65, 66, 0xC3], dtype=torch.uint8))
ERRORS = [
    Error(NotImplementedError, r"no kernel .*\(Strided\).*phi_torch\.StringTensor", torch.ones(2)),
    Error(ValueError, r"argument 'x': string 1 is no UTF-8 at its byte 1", NO_UTF8, True),
]


def simple(letter):
    """Unicode's mapping of one letter to one; Python's makes two of a sharp s."""
    return letter.upper() if len(letter.upper()) == 1 else letter


def reference(x, use_utf8_encoding=False):
    return of_strings(lambda text: "".join(simple(c) if use_utf8_encoding or c.isascii() else c for c in text), x)
