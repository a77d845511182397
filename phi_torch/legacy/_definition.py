"""What an operator of programs is: its slots, and its attributes with their types, defaults and ranges."""

from __future__ import annotations

import ast
import functools
import re
import struct
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from .. import _C
from .._paddle.faults import near
from .description import ATTRIBUTE_VALUES, EMPTY, Attribute, OpDesc


class SlotDef(NamedTuple):
    name: str
    is_list: bool  # holds any number of variables
    optional: bool
    intermediate: bool  # an output that only a gradient reads
    extra: bool


class AttributeDef(NamedTuple):
    name: str
    type: str
    default: Attribute | None
    extra: bool  # says how to run, not what to compute
    from_tensor: bool  # may name a variable that holds the value
    check: str | None  # the values that are allowed: `[0, 1]`, `(0, inf)`, `{NCHW, NHWC}`


class Definition(NamedTuple):
    """Slots and attributes by name. A gradient operator may have none of its own; its attributes are those of `forward`."""

    type: str
    forward: str | None
    inputs: dict[str, SlotDef]
    outputs: dict[str, SlotDef]
    attrs: dict[str, AttributeDef]

    @property
    def defaults(self) -> dict[str, Attribute]:
        return {name: one.default for name, one in self.attrs.items() if one.default is not None}


# attributes that any operator may have: those of the framework, and those that passes leave
FRAMEWORK = ("op_role", "op_role_var", "op_namescope", "op_callstack", "op_device", "with_quant_attr", "grad_merge_cond_name")
FLAGS = ("@ALL_KERNELS_MUST_COMPUTE_RUNTIME_SHAPE@", "@ENABLE_CACHE_RUNTIME_CONTEXT@")
ENGINES = ("use_cudnn", "use_mkldnn", "use_onednn", "use_xpu", "use_quantizer", "use_calc_stream")
PASSES = (
    "mkldnn_data_type",
    "onednn_data_type",
    "is_test",
    "support_int8",
    "enable_int8",
    "skip_quant",
    "quantization_type",
    "out_threshold",
)
ANYWHERE = frozenset((*FRAMEWORK, *FLAGS, *ENGINES, *PASSES))
OF_SLOTS = re.compile(r"(.+?)_?\d*_(?:threshold|scale)")  # "X0_threshold", of quantization
# an attribute that older programs hold under other names, of which one is not empty
FORMER = {
    "values": tuple(f"{type}_values" for type in ("fp32", "fp64", "int32", "int64", "int8", "bool")),
    "layer_offset": ("layer_offset_lod",),
}
OF_ONE_VERSION = {  # attributes that one version has and another has not
    "concat": ("num", "sections"),  # of the split whose gradient it is
    "cudnn_lstm": ("input_size",),
    "rms_norm": ("begin_norm_axis", "quant_max_bound", "quant_min_bound", "quant_round_type", "quant_scale"),
    "weight_dequantize": ("out_dtype",),
}

DECLARED: dict[str, Definition] = {}  # of operators that Python functions run
ATTRIBUTES = ((bool, "BOOLEAN"), (int, "INT"), (float, "FLOAT"), (str, "STRING"))


def declaration(
    type: str, inputs: Sequence[str], outputs: Sequence[str], attrs: Mapping[str, Any], checks: Mapping[str, str]
) -> Definition:
    """The definition that `legacy.operator` spells."""
    unknown = [name for name in checks if name not in attrs]
    if unknown:
        raise ValueError(f"operator '{type}': a check of '{unknown[0]}', which is no attribute{near(unknown[0], attrs)}")
    takes, gives = ({one.strip("[]?"): _slot(one) for one in side} for side in (inputs, outputs))
    defaults = {name: Attribute(_attribute_type(type, name, value), value) for name, value in attrs.items()}
    given = {name: AttributeDef(name, one.type, one, False, False, checks.get(name)) for name, one in defaults.items()}
    return Definition(type, None, takes, gives, given)


def _slot(text: str) -> SlotDef:
    return SlotDef(text.strip("[]?"), "[]" in text, "?" in text, False, False)


def _attribute_type(type: str, name: str, value: Any) -> str:
    one = value[0] if isinstance(value, (list, tuple)) and value else value
    found = next((kind for python, kind in ATTRIBUTES if isinstance(one, python)), None)
    if found is None:
        raise ValueError(f"operator '{type}', attribute {name}: expected a bool, number, string or a list of them, got {value!r}")
    return found + "S" * isinstance(value, (list, tuple))


def definition(type: str) -> Definition | None:
    """The definition of an operator; None if it is unknown."""
    return DECLARED.get(type) or _built_in(type)


@functools.cache
def _built_in(type: str) -> Definition | None:
    info = _C.op_info(type) if is_text(type) else None
    if info is None:
        return None
    inputs, outputs = ({row[0]: SlotDef(*row) for row in info[side]} for side in ("inputs", "outputs"))
    attrs = {row[0]: AttributeDef(row[0], row[1], _default(row[1], row[2]), *row[3:]) for row in info["attrs"]}
    forward = definition(info["forward"]) if info["forward"] else None
    if forward is not None:
        attrs = {**forward.attrs, **attrs}
    return Definition(type, info["forward"], inputs, outputs, attrs)


def is_text(value: Any) -> bool:
    """Whether a string of a file was UTF-8, so that C++ can be asked about it; True for what is no string."""
    return not isinstance(value, str) or not any("\ud800" <= character <= "\udfff" for character in value)


def _default(type: str, literal: str | None) -> Attribute | None:
    """A literal of C++ as the value that it stands for: `{1, 1}`, `true`, `"NCHW"`, `0.5`."""
    if literal is None:
        return None
    if literal in ("true", "false"):
        return Attribute(type, literal == "true")
    text = literal.replace("{", "[").replace("}", "]") if literal.startswith("{") else literal
    text = text.replace("true", "True").replace("false", "False") if literal.startswith("{") else text
    value = float(literal) if literal.lstrip("-") in ("inf", "nan") else ast.literal_eval(text)
    if type.startswith("FLOAT"):
        value = [float(one) for one in value] if isinstance(value, list) else float(value)
    return Attribute(type, value)


def faults(op: OpDesc) -> Iterator[tuple[str, str]]:
    """(where, what) for what of an operator's slots and attributes is not as its definition says."""
    defined = definition(op.type)
    if defined is None:
        return
    forward = definition(defined.forward) if defined.forward else None
    # Paddle names gradients of intermediate results too, which no kernel gives
    unmade = [f"{slot.name}@GRAD" for slot in forward.outputs.values() if slot.intermediate] if forward is not None else []
    outputs = {slot: names for slot, names in op.outputs.items() if slot not in unmade}
    for side, slots, known in (("input", op.inputs, defined.inputs), ("output", outputs, defined.outputs)):
        if known:
            yield from _slot_faults(side, slots, known)
    for name, attribute in op.attrs.items():
        if name in defined.attrs:
            what = attribute_fault(defined.attrs[name], attribute)
            if what:
                yield f"attribute {name}", what


def unknown_attributes(op: OpDesc) -> Iterator[tuple[str, str]]:
    """(where, what) for the attributes that the operator has in no version of Paddle, and that neither the framework nor a
    pass adds.
    """
    defined = definition(op.type)
    if defined is None or not defined.attrs:  # a declaration of slots alone says nothing of attributes
        return
    known = {*ANYWHERE, *defined.attrs, *OF_ONE_VERSION.get(op.type, ())}
    for name in [name for name in op.attrs if name not in known]:
        former = any(name in names for new, names in FORMER.items() if new in defined.attrs)
        of_slot = OF_SLOTS.fullmatch(name)
        if not former and not (of_slot and (of_slot[1] in op.inputs or of_slot[1] in op.outputs)):
            yield f"attribute {name}", f"the operator has none{near(name, defined.attrs)}"


def _slot_faults(side: str, slots: Mapping[str, list[str]], known: Mapping[str, SlotDef]) -> Iterator[tuple[str, str]]:
    for slot, names in slots.items():
        given = [name for name in names if name != EMPTY]
        if slot not in known:
            if given:
                yield f"slot {slot}", f"the operator has no such {side}{near(slot, known) or '; it has ' + ', '.join(known)}"
        elif len(given) > 1 and not known[slot].is_list:
            yield f"slot {slot}", f"expected one variable, got {len(given)}"
    if side == "input":
        for slot, one in known.items():
            required = not (one.optional or one.extra or one.is_list)
            if required and not [name for name in slots.get(slot, []) if name != EMPTY]:
                yield f"slot {slot}", f"expected a variable, got none{near(slot, slots)}"


def attribute_fault(defined: AttributeDef, attribute: Attribute) -> str | None:
    """What is wrong with an attribute's type or value; None if nothing is."""
    if attribute.type in ("VAR", "VARS") or defined.type in ("BLOCK", "BLOCKS", "SCALARS"):
        return None
    kinds = ATTRIBUTE_VALUES[defined.type]
    many = defined.type.endswith("S") or (defined.default is not None and isinstance(defined.default.value, list))
    values = attribute.value if isinstance(attribute.value, list) else [attribute.value]
    if (isinstance(attribute.value, list) and not many) or not all(isinstance(value, kinds) for value in values):
        return f"expected {defined.type}, got {attribute.type} {attribute.value!r}"
    if defined.check is not None and not all(_allowed(defined.check, value) for value in values):
        return f"expected a value in {defined.check}, got {attribute.value!r}"
    return None


def _float32(value: float) -> float:
    return struct.unpack("f", struct.pack("f", value))[0]


def _allowed(check: str, value: Any) -> bool:
    members = [member.strip() for member in check[1:-1].split(",")]
    if check.startswith("{"):
        return str(value) in members
    low, high = (_float32(float(member)) for member in members)  # as programs hold the value
    above = value >= low if check.startswith("[") else value > low
    return above and (value <= high if check.endswith("]") else value < high)
