"""A Document to a Program."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from torch import Tensor

from ... import ir
from ..._paddle.faults import Faults
from ..errors import of_file
from .convert import convert
from .data_types import has_other_dtype, of_operands, settle
from .document import PARAMETER, Attr, Block, Document, Op, Opaque, ScalarType, Type, VectorType, is_state
from .filters import channels_first
from .gradient_forms import from_file
from .gradients import KEPT, STOP, Stops
from .json_writer import attribute as as_json
from .leaves import Wrong
from .lowered import LOWERED, Call, is_known
from .names import place_text
from .onednn import ONEDNN, fused, plain

ONLY_OF_FILES = ("opaque", "null", "index", "place", "tensor", "type")  # attributes of these kinds, unless they are converted above
SET_PARAMETER = "builtin.set_parameter"
YIELD = "cf.yield"
PYLAYER = "pd_op.pylayer"
SHADOW_OUTPUT = "builtin.shadow_output"
MOVE = "pd_op.memcpy"  # `x.cpu()`, `x.cuda()`: a copy, on the device that the program runs on
FILL = "pd_op.full_"  # `full`, in place of its operand
ASSIGN_OUT = "pd_op.assign_out_"
ASSIGNMENTS = (ASSIGN_OUT, "pd_op.assign_value_")  # in place of their last operand
# one in place of an operand that gets another data type, as programs go on with the result, and one as Paddle 2 had it
RENAMED = {"pd_op.cast_": "pd_op.cast", "pd_op.legacy_reshape": "pd_op.reshape", "pd_op.share_data": "pd_op.assign"}
# what such programs are run by runs these, with operands and results in the order of the slots there
OLDER = frozenset(
    f"pd_op.{name}"
    for name in (
        *("add_position_encoding", "affine_channel", "anchor_generator", "average_accumulates_", "batch_fc", "bipartite_match"),
        *("chunk_eval", "collect_fpn_proposals", "correlation", "crf_decoding", "ctc_align", "cvm", "fused_elemwise_activation"),
        *("fused_elemwise_add_activation", "fused_embedding_eltwise_layernorm", "fused_fc_elementwise_layernorm"),
        *("fusion_squared_mat_sub", "gru_unit", "hash", "im2sequence", "lars_momentum_", "lrn", "multihead_matmul"),
        *("partial_concat", "partial_sum", "row_conv", "self_dp_attention", "shuffle_batch", "skip_layernorm", "soft_relu"),
        *("tdm_child", "tdm_sampler", "uniform_random_batch_size_like"),
    )
)
LOCATION = "struct_name"  # the layer of a model that an operator belongs to


def to_program(document: Document, tensors: Mapping[str, Tensor], source: str = "program") -> ir.Program:
    """The program that a document describes, with `tensors` for its parameters.

    Attributes are converted to the kinds that operators declare, those that are missing get their default, and results that
    are missing are absent. Sizes that the document does not tell follow from the operands, or are symbols. Operators, types and
    attributes that nobody declares are kept as they are.

    Raises:
        ProgramError: attributes are of another kind, or missing and without a default; all of them are named.
        VerifyError: the program is not well-formed.
    """
    importer = _Importer(tensors, Faults(source))
    importer.block(document.block, ir.Builder(importer.program), "")
    importer.faults.check()
    importer.set_weights()
    importer.program.refine_types()
    with of_file(source):
        importer.program.verify()
    return importer.program


def _written(op: ir.Operation) -> str:
    """The parameter that an operation is, or sets."""
    return str(op.attributes["name" if op.name == PARAMETER else "parameter_name"])


def written_parameters(program: ir.Program) -> set[str]:
    """Those that operations write in each run: what an optimizer updates, batch norms in training."""
    written = {_written(op) for op in program.walk() if op.name == SET_PARAMETER}
    for op in program.walk():
        is_tested = op.attributes.get("is_test", False) and not op.attributes.get("trainable_statistics", False)
        if op.name.endswith("_") and op.info.is_registered and not is_tested:
            operands = op.operands
            makers = [value.defining_op for operand, _ in op.info.shared if (value := operands[operand]) is not None]
            written |= {_written(maker) for maker in makers if maker is not None and maker.name == PARAMETER}
    return written


def state(op: Op) -> Op:
    """The parameter that holds what an optimizer keeps: PaddlePaddle finds either by its name."""
    stops = op.result_attributes.get(STOP, Attr("array<bool>", (True,)))
    flags = {"is_parameter": Attr("bool", False), "parameter_name": op.attributes["name"]}
    said = {"trainable": Attr("bool", False), STOP: Attr("bool", stops.value == (True,))}
    return replace(op, name=PARAMETER, attributes=flags, result_attributes=said)


def _may_hold(value: ir.Value | None, type: ir.Type | None) -> bool:
    """Whether a tensor's memory may become one of `type`, as far as types tell."""
    if value is None or value.type is None or type is None or value.type.kind != type.kind != "vector":
        return True
    pairs = zip(value.type.dims, type.dims)
    fits = all(a == b or not (isinstance(a, int) and isinstance(b, int)) for a, b in pairs)
    return value.type.dtype == type.dtype and len(value.type.dims) == len(type.dims) and fits


@dataclass(frozen=True, slots=True)
class _Declared:
    """What a registered operator declares; each property of an OpInfo makes its rows anew."""

    attributes: list[Any]
    outputs: list[Any]
    shared: list[tuple[int, int]]


class _Importer:
    def __init__(self, tensors: Mapping[str, Tensor], faults: Faults) -> None:
        self.tensors, self.faults = tensors, faults
        self.program = ir.Program()
        self.context = self.program.context
        self.values: dict[int, ir.Value] = {}
        self.stops = Stops()
        self.types: dict[Type, ir.Type | None] = {}
        self.retyped: set[int] = set()  # values that have another data type than the file says
        self.parameters: dict[str, ir.Value] = {}
        self.declarations: dict[str, _Declared | None] = {}
        self.made: dict[int, tuple[Attr, ir.Attribute]] = {}  # by the identity of an Attr, which files share

    def block(self, block: Block, builder: ir.Builder, where: str) -> None:
        if block.keywords:
            self.faults.add(where, f"its block takes {list(block.keywords)} by name, which only runs in PaddlePaddle")
        fetches = any(op.name == "pd_op.fetch" for op in block.ops)
        for index, op in enumerate(block.ops):
            if op.name != SHADOW_OUTPUT or not fetches:  # which are outputs where there are no others
                self.op(op, builder, f"{where}ops[{index}]")

    def op(self, op: Op, builder: ir.Builder, where: str) -> None:
        if is_state(op):
            op = state(op)
        if op.name == PARAMETER:
            self.parameter(op, builder, where)
            return
        if op.name in RENAMED:
            op = replace(op, name=RENAMED[op.name])
        if op.name == MOVE:
            op = replace(op, name="pd_op.assign", attributes={})
        if op.name == FILL:
            self.fill(op, builder, where)
            return
        if op.name.startswith(ONEDNN):
            if self.fused(op, builder):
                return
            op = plain(op, self.declared_attributes)
        if op.name in LOWERED and self.lowered(op, builder):
            return
        if op.name in OLDER and self.older(op, builder):
            return
        if op.name == PYLAYER and self.inlined(op, builder, where):
            return
        if said := {name: op.attributes[name] for name in (KEPT, STOP) if name in op.attributes}:
            others = {name: value for name, value in op.attributes.items() if name not in said}
            op = replace(op, attributes=others, result_attributes=said | op.result_attributes)
        name, operands = from_file(op.name, [self.values.get(id) for id in op.operands])
        declared = self.declared(name)
        types = self.result_types(op, declared)
        self.unwritten(declared, operands, types)
        attributes, location = self.attributes(op, declared, where)
        operands = channels_first(name, operands, attributes.get("data_format"), builder)
        attributes |= self.stops.odd(op, len(types))
        replaced = name in ASSIGNMENTS and bool(operands) and not _may_hold(operands[-1], types[0])
        if replaced:  # PaddlePaddle gives the variable another tensor, which is what it is from here on
            name, operands = self.assignment(name, operands, types[0], builder)
        follows = declared is not None and not op.regions and not self.retyped.isdisjoint(op.operands)
        if follows:
            types = of_operands(types, builder, name, operands, self.encoded(attributes))
        made = builder.create(name, operands, self.encoded(attributes), types, len(op.regions), location, undeclared=True)
        for value, result in zip(made.results, op.results):
            self.values[result.id] = value
        if replaced:
            self.values[op.operands[-1]] = made.results[0]
        if op.name == "pd_op.data" and "name" in op.attributes:
            made.results[0].name = str(op.attributes["name"].value)
        before = dict(self.values) if op.regions else {}
        for number, region in enumerate(op.regions):
            for index, block in enumerate(region.blocks):
                inner = made.regions[number].add_block([self.type(argument.type) for argument in block.arguments])
                self.values |= {argument.id: value for argument, value in zip(block.arguments, inner.arguments)}
                self.block(block, builder.at_end(inner), f"{where}.regions[{number}].blocks[{index}].")
                if op.name == "pd_op.if" and not op.results and (not block.ops or block.ops[-1].name != YIELD):
                    builder.at_end(inner).create(YIELD)  # which PaddlePaddle leaves out where there is nothing to give
                self.values |= before  # what the block gave a variable is not known outside
        if settle(made) or follows:
            self.compare(op)

    def compare(self, op: Op) -> None:
        """Notes which results have another data type than the file says: it holds for what is computed from them, too."""
        found = ((one.id, self.type(one.type), self.values.get(one.id)) for one in op.results)
        self.retyped |= {id for id, said, value in found if has_other_dtype(said, value)}

    def inlined(self, op: Op, builder: ir.Builder, where: str) -> bool:
        """The operators of a function with a gradient of its own, which only the process has that saved it."""
        blocks = [block for region in op.regions for block in region.blocks]
        end = blocks[0].ops[-1] if len(blocks) == 1 and blocks[0].ops else None
        if end is None or end.name != YIELD or blocks[0].arguments or len(end.operands) != len(op.results):
            return False
        self.block(replace(blocks[0], ops=blocks[0].ops[:-1]), builder, f"{where}.regions[0].blocks[0].")
        self.values |= {result.id: self.values[id] for result, id in zip(op.results, end.operands) if id in self.values}
        self.stops.define(op, self.stops.rule(op))
        return True

    def older(self, op: Op, builder: ir.Builder) -> bool:
        """Makes a call of what runs this operator in programs of Paddle 2, if it is as PaddlePaddle writes it."""
        from .older import older

        location = op.attributes[LOCATION].value if LOCATION in op.attributes else ""
        operands, types = [self.values.get(id) for id in op.operands], [self.type(one.type) for one in op.results]
        made = older(op, operands, types, builder, str(location))
        if made is not None:
            self.values |= {result.id: value for result, value in zip(op.results, made) if value is not None}
        return made is not None

    def lowered(self, op: Op, builder: ir.Builder) -> bool:
        """Makes the operators that this one stands for, if they are known."""
        operands = [self.values.get(id) for id in op.operands if id]  # without those that are absent
        attributes = {name: attr.value[1] if attr.kind == "scalar" else attr.value for name, attr in op.attributes.items()}
        if not is_known(op.name, operands, attributes):
            return False
        types = [self.type(one.type) for one in op.results]
        make, _ = LOWERED[op.name]
        given = [one for one in operands if one is not None]
        made = make(Call(op.name, given, attributes, types, builder, str(attributes.get(LOCATION, ""))))
        if made is None:
            return False
        self.values |= {result.id: value for result, value in zip(op.results, made)}
        self.compare(op)
        return True

    def fused(self, op: Op, builder: ir.Builder) -> bool:
        """Makes the operators that one of oneDNN's was fused of, if they are known."""
        attributes = {name: attr.value[1] if attr.kind == "scalar" else attr.value for name, attr in op.attributes.items()}
        operands: list[Any] = [self.values.get(id) for id in op.operands]
        types = [self.type(one.type) for one in op.results]
        made = fused(Call(op.name, operands, attributes, types, builder, str(attributes.get(LOCATION, ""))))
        if made is None:
            return False
        self.values |= {result.id: value for result, value in zip(op.results, made) if value is not None}
        self.compare(op)
        return True

    def fill(self, op: Op, builder: ir.Builder, where: str) -> None:
        """Fills what is written with a tensor of its own, so that there is one operator that fills."""
        target = self.values.get(op.operands[0]) if op.operands else None
        self.op(replace(op, name="pd_op.full", operands=()), builder, where)
        filled = self.values[op.results[0].id]
        if target is not None and _may_hold(target, filled.type):
            (self.values[op.results[0].id],) = builder.create(ASSIGN_OUT, [filled, target], {}, [filled.type]).results

    def assignment(
        self, name: str, operands: list[ir.Value | None], type: ir.Type | None, builder: ir.Builder
    ) -> tuple[str, list[ir.Value | None]]:
        if name == ASSIGN_OUT:
            return "pd_op.assign", operands[:1]
        if type is None or not all(isinstance(dim, int) for dim in type.dims):
            return name, operands
        full = {"shape": list(type.dims), "value": 0.0, "dtype": type.dtype}
        return name, list(builder.create("pd_op.full", [], full).results)

    def parameter(self, op: Op, builder: ir.Builder, where: str) -> None:
        name = op.attributes["parameter_name"].value
        if name in self.parameters:
            self.values[op.results[0].id] = self.parameters[name]
            return
        attributes = {key: value for key, value in op.attributes.items() if key not in ("parameter_name", LOCATION)}
        attributes |= {"name": Attr("str", name)} | op.result_attributes
        location = op.attributes.get(LOCATION, Attr("str", "")).value
        types = [self.type(one.type) for one in op.results]
        made = builder.create(PARAMETER, [], self.encoded(attributes), types, 0, location, undeclared=True)
        made.results[0].name = name
        self.values[op.results[0].id] = self.parameters[name] = made.results[0]
        self.stops.define(op, {})

    def set_weights(self) -> None:
        written = written_parameters(self.program)
        for name in self.parameters:
            if name in self.tensors:  # others are states that are not saved
                self.program.weights.set(name, self.tensors[name], is_mutable=name in written)

    def declared(self, name: str) -> _Declared | None:
        if name not in self.declarations:
            info = ir.op_info(name)
            if info is None or not info.is_registered:
                self.declarations[name] = None
            else:
                self.declarations[name] = _Declared(info.attributes, info.outputs, info.shared)
        return self.declarations[name]

    def declared_attributes(self, name: str) -> list[str] | None:
        declared = self.declared(name)
        return None if declared is None else [one.name for one in declared.attributes]

    def result_types(self, op: Op, declared: _Declared | None) -> list[ir.Type | None]:
        types = [self.type(result.type) for result in op.results]
        count = len(declared.outputs) if declared is not None else 0
        return types + [None] * (count - len(types))  # results that came with a later version

    @staticmethod
    def unwritten(declared: _Declared | None, operands: list[ir.Value | None], types: list[ir.Type | None]) -> None:
        """PaddlePaddle says of an optional result that an operator leaves as it is, as `rmsprop_` its mean, that it has no
        dimensions: it is the operand."""
        if declared is None:
            return
        for operand, result in declared.shared:
            value, said = operands[operand] if operand < len(operands) else None, types[result]
            if declared.outputs[result].optional and said is not None and said.kind == "dense_tensor" and not said.dims:
                types[result] = value.type if value is not None and value.type is not None else said

    def type(self, type: Type) -> ir.Type | None:
        if type not in self.types:
            self.types[type] = self._type(type)
        return self.types[type]

    def _type(self, type: Type) -> ir.Type | None:
        if type is None:
            return None
        if isinstance(type, ScalarType):
            return self.context.scalar(type.dtype)
        if isinstance(type, VectorType):
            return self.context.vector([self.type(element) for element in type.elements])
        if isinstance(type, Opaque):
            return self.context.opaque_type(type.name, type.data or "")
        return self.context.tensor_like(type.kind, type.dtype, type.dims, type.layout)

    def attributes(self, op: Op, declared: _Declared | None, where: str) -> tuple[dict[str, Attr], str]:
        """The attributes of an operator by their kinds, and its location."""
        found = dict(op.attributes)
        location = found.pop(LOCATION).value if LOCATION in found and found[LOCATION].kind == "str" else ""
        if declared is None:
            return found, location
        for info in declared.attributes:
            if info.name not in found:
                if not info.has_default and not info.is_mutable:
                    self.faults.add(where, f"{op.name} has no attribute '{info.name}', which has no default")
                continue
            try:
                found[info.name] = attr = convert(found[info.name], info.kind)
                if info.kind == "scalar" and info.has_default and attr.value[1] == info.default:
                    del found[info.name]  # the same number, if of another dtype
            except Wrong as error:
                index = list(op.attributes).index(info.name)
                self.faults.add(f"{where}.A[{index}]", f"attribute '{info.name}' of {op.name}: {error.what}")
        return found, location

    def encoded(self, attributes: Mapping[str, Attr]) -> dict[str, Any]:
        return {name: self.attribute(attr) for name, attr in attributes.items()}

    def attribute(self, attr: Attr) -> ir.Attribute:
        if id(attr) not in self.made:
            self.made[id(attr)] = attr, self._attribute(attr)
        return self.made[id(attr)][1]

    def _attribute(self, attr: Attr) -> ir.Attribute:
        kind, value = attr
        make = self.context.attribute
        if kind == "array":
            return make("array", [self.attribute(one) for one in value])
        if kind.startswith("array<"):
            return make("array", [self._attribute(Attr(kind[6:-1], one)) for one in value])
        if kind == "scalar":
            return make("scalar", value[1], value[0])
        if kind == "place" and (text := place_text(value)) is not None:
            return make("place", text)
        if kind == "type" and value is not None:
            return make("type", self.type(value))
        if kind == "intarray":
            return make("intarray", list(value))
        if kind in ONLY_OF_FILES:
            written = as_json(attr)
            return make("opaque", (written["#"], json.dumps(written["D"], separators=(",", ":")) if "D" in written else ""))
        return make(kind, value)
