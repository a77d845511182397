"""Programs of Paddle 2 as programs: operators by the kernels that they are mapped to, and variables as values."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from torch import Tensor

from ... import ir
from ..._expect import expect_names, expect_path
from ..._paddle.faults import Faults, op_place
from ...legacy._adjusted import mixes
from ...legacy._check import check
from ...legacy._definition import faults as faults_of
from ...legacy._definition import unknown_attributes
from ...legacy._derived_gradients import DERIVED_OPERATORS
from ...legacy._operators import OPERATORS
from ...legacy._signature import signature
from ...legacy._step import _keeps_statistics
from ...legacy.description import EMPTY, OpDesc, ProgramDesc
from ...legacy.files import parameter_faults, read_model
from ...legacy.kernels.table import KERNELS, gives_no_scale
from ..errors import of_file
from ..guessed_types import is_guessed
from ..paddle.importer import written_parameters
from . import arithmetic, arrays, branches, loop_gradients, loops, quantize  # noqa: F401  # they register their rules
from .blocks import Key, Region, Unknown, Variables, shares, type_of
from .calls import XSHAPE, Call, Operand, arguments, call_of, dtype_of, is_shape_gradient
from .files import loaded
from .fused import fused
from .levels import FED, check_levels, note_levels
from .loops import Steps
from .rows import kind_of, note_rows
from .rules import RULES, fetched
from .whole import takes_fewer, whole


def from_legacy(
    program: ProgramDesc | str | os.PathLike[str],
    parameters: Mapping[str, Tensor] | None = None,
    *,
    fetch: Sequence[str] | None = None,
    source: str = "program",
) -> ir.Program:
    """The program that a program of Paddle 2 is, or the one in a `.pdmodel` file or its folder, with its parameters.

    Each operator becomes that of the kernel which it is mapped to, and an assignment to a variable another value of its name: a
    `while` carries what its block assigns, a `conditional_block` is an `if` whose other side keeps what was there before.

    Args:
        program: its description, or where it is.
        parameters: its persistable variables by name; those of the file, if it is one.
        fetch: names of variables of its first block that are its results; by default what it fetches.
        source: what errors call the program.

    Raises:
        ProgramError: operators of which the IR has none, or that do not fit their kernels; all of them are named.
        FileNotFoundError: there is no such model.
        ImportError: protobuf is not installed.
    """
    if fetch is not None:
        expect_names("from_legacy", "fetch", fetch)
    if not isinstance(program, ProgramDesc):
        source = str(expect_path("from_legacy", "program", program, "a ProgramDesc"))
        program, read = read_model(program)
        parameters = read if parameters is None else parameters
    translation = _Translation(program, parameters or {}, Faults(source))
    translation.run(fetch)
    translation.unknown.warn()
    return translation.program


class _Translation:
    """A program while it is made; see RULES for operators that are no calls of a kernel."""

    def __init__(self, desc: ProgramDesc, parameters: Mapping[str, Tensor], faults: Faults) -> None:
        self.desc, self.parameters, self.faults, self.unknown = desc, dict(parameters), faults, Faults(faults.source)
        self.program = ir.Program()
        self.variables = Variables(desc)
        self.shapes: dict[Key, ir.Value] = {}  # of what each XShape notes the shape
        self.leveled: dict[Key, str] = {}  # variables that have levels of detail, and what gives these
        self.rows: dict[Key, list[ir.Value]] = {}  # of each gradient that is rows of a table, which ones, in parts
        self.loops: dict[int, Steps] = {}  # by their blocks, those that have gradients
        self.outputs: list[tuple[int, str, ir.Value]] = []
        self.loaded = set[str]()  # parameters that the program reads from files itself

    def run(self, fetch: Sequence[str] | None) -> None:
        check(self.desc, self.faults)
        self.faults.check()
        read = loaded(self)
        self.loaded = set(read)
        self.parameters |= read
        parameter_faults(self.desc, self.parameters, self.faults.source).check()
        region = Region(self.variables, ir.Builder(self.program), 0, None)
        with self.naming(""):
            for name in self.desc.saved_names():
                self.parameter(name, region)
            for name in self.desc.feeds() or self.variables.fed():
                self.feed(name, region)
        self.faults.check()
        before = dict(region.values)
        self.variables.fetched = {region.key(name) for name in fetch or ()}
        self.block(region)
        self.faults.check()
        if fetch is not None:
            with self.naming(""):
                self.outputs = [(col, name, fetched(region, name)) for col, name in enumerate(fetch)]
            self.faults.check()
        self.finish(region, before)

    def finish(self, region: Region, before: Mapping[Key, ir.Value]) -> None:
        """Weights that were assigned are set, and results fetched."""
        for key, value in before.items():
            now, is_parameter = region.values[key], value.defining_op is not None and value.defining_op.name == "builtin.parameter"
            is_kept = bool(value.uses) or now.type == value.type  # one of another shape is no state
            if is_parameter and now != value and is_kept and not shares(now, value):
                region.builder.create("builtin.set_parameter", [now], {"parameter_name": key[1]}, [])
        for col, name, value in sorted(self.outputs, key=lambda one: one[0]):
            region.builder.create("pd_op.fetch", [value], {"name": name, "col": col})
        for name in written_parameters(self.program) & set(self.parameters):
            self.program.weights.set(name, self.parameters[name], is_mutable=True)
        self.program.refine_types()
        with of_file(self.faults.source):
            self.program.verify()

    @contextmanager
    def naming(self, place: str) -> Iterator[None]:
        """What fails within is a fault of that place."""
        try:
            yield
        except Unknown as error:
            if error.what:
                self.faults.add(place, error.what)
        except KeyError as error:
            self.faults.add(place, f"it has no slot or attribute {error}")
        except (ValueError, TypeError, IndexError, RuntimeError) as error:
            self.faults.add(place, str(error))

    def parameter(self, name: str, region: Region) -> None:
        var = next(block.vars[name] for block in self.desc.blocks if name in block.vars)
        if name in self.parameters:
            given = self.parameters[name] = _begin(self.parameters[name], var.dims)
            self.program.weights.set(name, given)
            # what passes of PaddlePaddle made is declared without a type, or with that of what was there before
            sizes = var.dims if var.dims is not None and -1 in var.dims else given.shape
            type = self.program.context.dense_tensor(str(given.dtype).removeprefix("torch."), list(sizes))
        else:
            type = self.declared(region, name)
        trains = {"stop_gradient": var.stop_gradient, "trainable": not var.stop_gradient, "is_parameter": var.is_parameter}
        made = region.builder.create("builtin.parameter", [], {"name": name, **trains}, [type])
        made.results[0].name = name
        region.set(name, made.results[0])

    def feed(self, name: str, region: Region) -> None:
        type = self.declared(region, name)
        # a variable is declared as what is assigned to it last
        shape = [-1] * len(type.shape) if self.variables.is_assigned(name) else type.shape
        found = {"name": name, "shape": shape, "dtype": type.dtype}
        made = region.builder.create("pd_op.data", [], found)
        made.results[0].name = name
        region.set(name, made.results[0])
        var = region.variable(name)
        if var is not None and var.lod_level > 0:
            self.leveled[region.key(name)] = FED

    def declared(self, region: Region, name: str) -> ir.Type:
        return type_of(self.program.context, name, region.variable(name))

    def block(self, region: Region) -> None:
        """The operators of a block; of those that depend on one that failed none is said to fail."""
        for index, op in enumerate(self.desc.blocks[region.block].ops):
            place, before = op_place(region.block, index, op.type), self.faults.count
            for where, what in faults_of(op):
                self.faults.add(f"{place}, {where}", what)
            for where, what in unknown_attributes(op):
                self.unknown.add(f"{place}, {where}", what)
            is_made = False
            with self.naming(place):
                if self.faults.count == before:
                    self.op(op, region)
                    is_made = True
            if not is_made:
                region.forget(name for names in op.outputs.values() for name in names)

    def op(self, op: OpDesc, region: Region) -> None:
        check_levels(self, op, region)
        try:
            self.in_operators(op, region)
        except Unknown as error:
            if not error.what:
                raise
            whole(self, op, region, error.what)
        note_levels(self, op, region)
        note_rows(self, op, region)

    def in_operators(self, op: OpDesc, region: Region) -> None:
        """An operator in those of the IR."""
        if mixes(op, lambda name: dtype_of(region.find(name))):
            raise Unknown("the IR has no operator for operands of these two data types")
        if fused(self, op, region):
            return
        if op.type in RULES:
            RULES[op.type](self, op, region)
            return
        if op.type in OPERATORS and op.type not in DERIVED_OPERATORS:
            raise Unknown(f"the IR has no operator '{op.type}'")
        self.plain(op, region)

    def plain(self, op: OpDesc, region: Region) -> None:
        """An operator by its kernel."""
        found = signature(op, lambda name: kind_of(op, name, region))
        if found is None:
            raise Unknown(f"there is no operator '{op.type}'")
        if is_shape_gradient(found):
            self.shape_gradient(op, region)
            return
        call = call_of(found, op)
        info = None if call is None else ir.op_info(f"pd_op.{call.operator.name}")
        if call is None or info is None or takes_fewer(call) or self.differs(found.kernel, op, region):
            raise Unknown(f"the IR has no operator for the kernel '{found.kernel}'")
        self.call(op, call, info, region)

    @staticmethod
    def differs(kernel: str, op: OpDesc, region: Region) -> bool:
        """Whether programs mean something else by a kernel than the operator does."""
        if kernel not in KERNELS or not KERNELS[kernel].differs or kernel in ("add_n", "einsum", "hsigmoid_loss"):
            return False
        if "X" not in op.inputs:
            return True
        type = region.find(op.inputs["X"][0]).type
        return not kernel.startswith("divide") or type is None or not ("float" in type.dtype or "complex" in type.dtype)

    def call(self, op: OpDesc, call: Call, info: ir.OpInfo, region: Region) -> None:
        operands, attributes = arguments(op, call, region)
        takes = {one.name for one in info.inputs}
        if untaken := [name for name, value in operands.items() if value is not None and name not in takes]:
            raise Unknown(f"the value of {untaken[0]} is a tensor's, and {info.name} has an attribute for it")
        slots = [op.outputs.get(slot, []) for slot in call.signature.outputs]
        if _keeps_statistics(op):
            kept = [op.inputs["Mean"], op.inputs["Variance"]]
            slots[1:3] = [[] if names == before else names for names, before in zip(slots[1:3], kept)]
        if gives_no_scale(op):
            slots[1] = []
        self.made(op, info, operands, attributes, slots, region)

    def made(
        self,
        op: OpDesc,
        info: ir.OpInfo,
        operands: Mapping[str, Operand],
        attributes: Mapping[str, Any],
        slots: Sequence[Sequence[str]],
        region: Region,
    ) -> None:
        """Makes the operation, and gives the variables of its slots their values."""
        builder = region.builder
        given = [operands.get(one.name) for one in info.inputs]
        values = [builder.create("builtin.combine", one).results[0] if isinstance(one, list) else one for one in given]
        known = {one.name for one in info.attributes}
        said = {name: value for name, value in attributes.items() if value is not None and name in known}
        is_told = not any(one.is_list for one in info.outputs) and "DataDependentShape" not in info.traits
        try:
            found = builder.create(info.name, values, said)
        except ValueError:  # only a run tells the shapes
            reads_guesses = any(isinstance(one, ir.Value) and is_guessed(one) for one in values)
            takes_values = any(one.is_mutable_attribute and value for one, value in zip(info.inputs, values))
            if is_told and not reads_guesses and not takes_values:
                raise
            found = builder.create(info.name, values, said, self.said(info, slots, region))
        self.assign(op, found, slots, region)
        if XSHAPE in op.outputs and isinstance(values[0], ir.Value):
            self.shapes |= {region.key(name): values[0] for name in op.outputs[XSHAPE]}

    def assign(self, op: OpDesc, made: ir.Operation, slots: Iterable[Sequence[str]], region: Region) -> None:
        for names, result in zip(slots, made.results):
            if not names or result.type is None:
                continue
            if result.type.kind != "vector":
                region.set(names[0], result)
                continue
            parts = region.builder.create("builtin.split", [result]).results
            for name, part in zip(names, parts):
                region.set(name, part)

    def said(self, info: ir.OpInfo, slots: Sequence[Sequence[str]], region: Region) -> list[ir.Type | None]:
        """What the program says of the results."""
        types: list[ir.Type | None] = [None] * len(info.outputs)
        for index, names in enumerate(slots):
            declared = [self.declared(region, name) for name in names if name != EMPTY]
            if 0 < len(declared) < len(names):  # one that nobody wants has a value in the list, too
                unwanted = self.program.context.dense_tensor(declared[0].dtype, [-1] * len(declared[0].shape))
                wanted = iter(declared)
                declared = [unwanted if name == EMPTY else next(wanted) for name in names]
            is_list = info.outputs[index].is_list
            types[index] = self.program.context.vector(declared) if is_list else declared[0] if declared else None
        return types

    def shape_gradient(self, op: OpDesc, region: Region) -> None:
        (gradient,), (out,) = op.inputs["Out@GRAD"], op.outputs["X@GRAD"]
        value, x = region.find(gradient), self.shapes.get(region.key(op.inputs[XSHAPE][0]))
        if x is None:
            raise Unknown("nothing of the program notes the shape in slot XShape")
        shape = region.builder.create("pd_op.shape64", [x]).results[0]
        region.set(out, region.builder.create("pd_op.reshape", [value, shape], {}).results[0])


def _begin(state: Tensor, dims: Sequence[int] | None) -> Tensor:
    """What a variable holds, in the sizes that the program gives it: the state of `auc` begins with one number more."""
    if dims is None or -1 in dims or math.prod(dims) >= state.numel():
        return state
    return state.flatten()[: math.prod(dims)].reshape(*dims)
