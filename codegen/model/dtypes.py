"""The data types that kernels are registered for: how an entry writes them, and how C++ does."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

CPP: dict[str, str] = {
    "bool": "bool",
    "uint8": "uint8_t",
    "int8": "int8_t",
    "int16": "int16_t",
    "int32": "int32_t",
    "int64": "int64_t",
    "float32": "float",
    "float64": "double",
    "float16": "phi::dtype::float16",
    "bfloat16": "phi::dtype::bfloat16",
    "float8_e4m3fn": "phi::dtype::float8_e4m3fn",
    "float8_e5m2": "phi::dtype::float8_e5m2",
    "complex64": "phi::dtype::complex<float>",
    "complex128": "phi::dtype::complex<double>",
}
GROUPS: dict[str, tuple[str, ...]] = {
    "integer": ("uint8", "int8", "int16", "int32", "int64"),
    "floating": ("float32", "float64", "float16", "bfloat16"),
    "float8": ("float8_e4m3fn", "float8_e5m2"),
    "complex": ("complex64", "complex128"),
}
NAMES = (*GROUPS, *CPP)
ANY = "any"  # an argument's dtype that the kernel's says nothing about


def cpp_types(names: Sequence[str]) -> list[str]:
    """The C++ types of dtypes and groups of them, each once."""
    return list(dict.fromkeys(CPP[dtype] for name in names for dtype in GROUPS.get(name, (name,))))


_SPELLINGS = {
    **{cpp.removeprefix("phi::").removeprefix("dtype::"): name for name, cpp in CPP.items()},
    **{"int": "int32", "long": "int64", "signed char": "int8", "unsigned char": "uint8", "short": "int16"},
}
_ALL = ("PHI_ALL_DTYPES", "ALL_DTYPE")


def dtypes_of(cpp: Iterable[str]) -> list[str]:
    """The dtypes of C++ types as a registration writes them, each once; a type that is none stays as it is."""
    found: dict[str, None] = {}
    for written in cpp:
        type = re.sub(r"\s+|\b(?:::)?(?:phi|std|dtype)::", "", written).removeprefix("::")
        found.update(dict.fromkeys(CPP if type in _ALL else (_SPELLINGS.get(type, type),)))
    return list(found)
