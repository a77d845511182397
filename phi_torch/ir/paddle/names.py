"""The names that a file uses for dialects, types and attributes, and ours for them."""

from __future__ import annotations

import torch

DIALECTS = {"0": "builtin", "1": "pd_op", "2": "cf", "3": "custom_op", "4": "dist"}
DIALECT_IDS = {name: id for id, name in DIALECTS.items()}

SCALAR_TYPES: dict[str, str] = {  # name of a type in the file -> dtype
    **{"0.t_undefined": "undefined", "0.t_bool": "bool", "0.t_ui8": "uint8", "0.t_i8": "int8", "0.t_i16": "int16"},
    **{"0.t_i32": "int32", "0.t_i64": "int64", "0.t_f16": "float16", "0.t_bf16": "bfloat16", "0.t_f32": "float32"},
    **{"0.t_f64": "float64", "0.t_c64": "complex64", "0.t_c128": "complex128"},
    **{"0.t_f8e4m3fn": "float8_e4m3fn", "0.t_f8e5m2": "float8_e5m2"},
}
SCALAR_TYPE_NAMES = {dtype: name for name, dtype in SCALAR_TYPES.items()}
TENSOR_TYPES = {"0.t_dtensor": "dense_tensor", "1.t_selected_rows": "selected_rows", "1.t_dense_tensor_array": "dense_tensor_array"}
TENSOR_TYPE_NAMES = {kind: name for name, kind in TENSOR_TYPES.items()}
VECTOR, NULL = "0.t_vec", "NULL"

ATTRIBUTES: dict[str, str] = {  # name of an attribute in the file -> Attr.kind
    **{f"0.a_{kind}": kind for kind in ("bool", "i32", "i64", "f32", "f64", "c64", "c128", "str", "index", "array", "type")},
    **{"0.a_tensorname": "tensor", "1.a_intarray": "intarray", "1.a_dtype": "dtype", "1.a_place": "place"},
    **{"1.a_scalar": "scalar", "1.a_layout": "layout"},
}
ATTRIBUTE_NAMES = {kind: name for name, kind in ATTRIBUTES.items()}

KEYWORDS = {"lambda": "lambda_"}  # name of an attribute in the file, a keyword of Python -> our name
KEYWORD_NAMES = {name: keyword for keyword, name in KEYWORDS.items()}

BATCH_NORMS = tuple(f"{sync}batch_norm{end}" for sync in ("", "sync_") for end in ("", "_", "_grad"))
OTHER_NORMS = ("layer_norm", "layer_norm_grad", "instance_norm", "instance_norm_grad")
# what PaddlePaddle declares of another kind than our operators do: (operator, attribute) -> Attr.kind
DECLARED_THERE = {
    **{(f"pd_op.{op}", "epsilon"): "f32" for op in (*OTHER_NORMS, *BATCH_NORMS)},
    **{(f"pd_op.{op}", "momentum"): "f32" for op in BATCH_NORMS},
    **{(f"pd_op.{op}", "bias"): "f32" for op in ("scale", "scale_")},
}

UNDEFINED_DTYPE, UNDEFINED_LAYOUT = "Undefined(ALL_DTYPE)", "Undefined(AnyLayout)"
# attributes also name dtypes that are no types of values
DTYPES = {*SCALAR_TYPES.values(), "uint16", "uint32", "uint64", "pstring"} - {"undefined"}
LAYOUTS = ("NHWC", "NCHW", "NDHWC", "NCDHW", "ONEDNN", "SPARSE_COO", "SPARSE_CSR", "PSTRING_UNION", "STRIDED")
VOID = {
    "NaN": float("nan"),
    "NAN": float("nan"),
    "INF": float("inf"),
    "-INF": float("-inf"),
}  # PaddlePaddle reads NAN, and writes NaN
PLACES = {0: "undefined", 1: "cpu", 2: "gpu"}  # phi::AllocationType


def place_text(place: tuple[int, int, str]) -> str | None:
    """`gpu:1` for what a file says of a place; None for one of another kind of device."""
    kind, device, name = place
    text = PLACES.get(kind)
    if text is None or name or (device and text != "gpu"):
        return None
    return f"gpu:{device}" if text == "gpu" else text


def place_of(text: str) -> tuple[int, int, str]:
    """What a file says of the place `gpu:1`."""
    kind, _, device = text.partition(":")
    return next(number for number, name in PLACES.items() if name == kind), int(device or 0), ""


def type_text(tensor: torch.Tensor) -> str:
    """`f32[2,3]`, as a program's text has it."""
    dtype = str(tensor.dtype).removeprefix("torch.")
    return f"{SCALAR_TYPE_NAMES.get(dtype, dtype).removeprefix('0.t_')}[{','.join(map(str, tensor.shape))}]"


def torch_dtype(dtype: str) -> torch.dtype | None:
    """None for a dtype that torch does not have."""
    found = getattr(torch, dtype, None)
    return found if isinstance(found, torch.dtype) else None
