"""The pass fuse_elementwise: what it takes together, what it leaves alone, and that values stay what they are, bit by bit."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
import torch

from phi_torch import ir
from phi_torch._op_table import OPS

from .test_passes import names, program_of, run

FUSED = "pd_kernel.fused_elementwise"
SYMBOLS = 'symbols { s0 "x.0" >= 1 }\n'
X = '  %x = pd_op.data {name = "x", shape = [-1,64], dtype = float32} : f32[s0,64]\n'
Y = '  %y = pd_op.data {name = "y", shape = [-1,64], dtype = float32} : f32[s0,64]\n'
ROWS = 50_000  # as many as run in tiles
TYPE = ": f32[s0,64]\n"
FETCH = '  pd_op.fetch(%out) {name = "out", col = 0} : f32[s0,64]\n'


def fused_of(body: str, first: str = X + Y, symbols: str = SYMBOLS) -> ir.Program:
    program = program_of(first + body + FETCH, symbols)
    program.refine_types()
    run(program, "fuse_elementwise")
    return program


def same(ours: torch.Tensor, theirs: torch.Tensor) -> None:
    torch.testing.assert_close(ours, theirs, rtol=0, atol=0, equal_nan=True)


def kernels_in_tiles(run: ir.Executable, *inputs: torch.Tensor) -> int:
    fused = [op for op in run.lowered(*inputs).walk() if op.name == FUSED]
    return sum(len(op.regions[0].blocks[0].operations) - 1 for op in fused)


# ---- what the pass does ----


def test_chains_and_trees_become_one_operation():
    body = (
        f"  %0 = pd_op.add(%x, %y) {TYPE}  %1 = pd_op.relu(%0) {TYPE}  %2 = pd_op.tanh(%y) {TYPE}"
        f'  %out = pd_op.multiply(%1, %2) {TYPE[:-1]}  loc("/here/")\n'
    )
    program = fused_of(body)
    assert str(program).split("program {\n")[1] == (
        X + Y + "  %out = pd_kernel.fused_elementwise {\n"
        "    %0 = pd_op.add(%x, %y) : f32[s0,64]\n"
        "    %1 = pd_op.relu(%0) : f32[s0,64]\n"
        "    %2 = pd_op.tanh(%y) : f32[s0,64]\n"
        '    %3 = pd_op.multiply(%1, %2) : f32[s0,64]  loc("/here/")\n'
        "    cf.yield(%3)\n"
        '  } : f32[s0,64]  loc("/here/")\n' + FETCH + "}\n"
    )
    assert str(ir.parse(str(program))) == str(program)
    assert run(program, "fuse_elementwise") == {}
    program.refine_types()
    program.verify()
    assert str(program.clone()) == str(program)


def test_statistics():
    program = program_of(X + f"  %0 = pd_op.relu(%x) {TYPE}  %out = pd_op.exp(%0) {TYPE}" + FETCH, SYMBOLS)
    assert run(program, "fuse_elementwise") == {"fused operations": 1, "operations in them": 2}


def test_a_constant_operand_of_an_attribute():
    full = "  %two = pd_op.full {shape = [1], value = 2.0, dtype = float32, place = cpu} : f32[1]\n"
    program = fused_of(full + f"  %0 = pd_op.relu(%x) {TYPE}  %out = pd_op.scale(%0, %two) {TYPE}")
    assert FUSED in names(program)
    x = torch.randn(ROWS, 64)
    compiled = ir.compile(program, passes=[])
    assert kernels_in_tiles(compiled, x, x) == 2
    same(compiled(x, x)[0], torch.relu(x) * 2)


def refused(body: str, **more: str) -> None:
    assert FUSED not in names(fused_of(body, **more))


def test_one_operation_stays_alone():
    refused(f"  %out = pd_op.relu(%x) {TYPE}")


def test_what_others_use_too_is_not_taken():
    refused(f"  %0 = pd_op.relu(%x) {TYPE}  %out = pd_op.exp(%0) {TYPE}" + FETCH.replace("%out", "%0").replace('"out"', '"more"'))
    # twice by operations that are taken
    twice = fused_of(f"  %0 = pd_op.relu(%x) {TYPE}  %out = pd_op.multiply(%0, %0) {TYPE}")
    assert FUSED in names(twice)


def test_what_an_operation_between_them_writes_is_not_read_later():
    tensor = X.replace(": f32", ": !f32")
    body = (
        "  %0 = pd_op.relu(%x) : f32[s0,64]\n  %1 = pd_op.exp_(%x) : !f32[s0,64]\n"
        "  %2 = pd_op.exp(%0) : f32[s0,64]\n  %out = pd_op.add(%2, %1) : f32[s0,64]\n"
    )
    program = fused_of(body, tensor)
    (operation,) = (op for op in program.walk() if op.name == FUSED) if FUSED in names(program) else (None,)
    inside = [op.name for op in operation.regions[0].blocks[0].operations] if operation is not None else []
    assert "pd_op.relu" not in inside
    x = torch.randn(ROWS, 64)
    torch.testing.assert_close(ir.compile(program, passes=[])(x)[0], torch.exp(torch.relu(x)) + torch.exp(x))


def test_shapes_that_nothing_proves_are_not_relied_on():
    other = Y.replace("s0", "s1")
    symbols = 'symbols { s0 "x.0" >= 1, s1 "y.0" >= 1 }\n'
    body = f"  %0 = pd_op.add(%x, %y) {TYPE}  %1 = pd_op.relu(%0) {TYPE}  %out = pd_op.exp(%1) {TYPE}"
    refused(body, first=X + other, symbols=symbols)


def test_an_operand_with_two_dimensions_apart_is_not_taken():
    first = X.replace("[-1,64]", "[-1,8,64]").replace("[s0,64]", "[s0,8,64]") + Y.replace("[-1,64]", "[-1,1,64]").replace(
        "[s0,64]", "[s0,1,64]"
    )
    type = ": f32[s0,8,64]\n"
    program = program_of(
        first + f"  %0 = pd_op.add(%x, %y) {type}  %out = pd_op.relu(%0) {type}" + FETCH.replace("[s0,64]", "[s0,8,64]"), SYMBOLS
    )
    assert run(program, "fuse_elementwise") == {}


def test_nothing_crosses_the_border_of_a_region():
    condition = "  %c = pd_op.full {shape = [1], value = 1.0, dtype = bool, place = cpu} : bool[1]\n"
    body = condition + (
        f"  %0 = pd_op.relu(%x) {TYPE}  %out = pd_op.if(%c) {{\n    %1 = pd_op.exp(%0) {TYPE}    cf.yield(%1)\n"
        f"  }} else {{\n    %2 = pd_op.tanh(%y) {TYPE}    %3 = pd_op.exp(%2) {TYPE}    cf.yield(%3)\n  }} {TYPE}"
    )
    program = fused_of(body)
    (operation,) = (op for op in program.walk() if op.name == FUSED)
    assert [op.name for op in operation.regions[0].blocks[0].operations] == ["pd_op.tanh", "pd_op.exp", "cf.yield"]


def test_random_numbers_are_drawn_where_they_were():
    body = f"  %0 = pd_op.bernoulli(%x) {TYPE}  %out = pd_op.exp(%0) {TYPE}"
    refused(body)


# ---- what is made of it ----


@pytest.fixture
def relu_exp() -> ir.Program:
    return fused_of(f"  %0 = pd_op.add(%x, %y) {TYPE}  %out = pd_op.relu(%0) {TYPE}")


def test_paddle_gets_what_it_consists_of(relu_exp: ir.Program, tmp_path):
    relu_exp.save(tmp_path / "m.json")
    loaded = ir.load(tmp_path)
    assert [name for name in names(loaded) if name in ("add", "relu", FUSED)] == ["add", "relu"]


def test_a_module_computes_what_it_consists_of(relu_exp: ir.Program):
    x, y = torch.randn(2, 3, 64).requires_grad_()
    module = ir.to_module(relu_exp)
    same(module(x, y), torch.relu(x + y))
    module(x, y).sum().backward()


def test_it_has_no_gradient():
    weight = '  %w = builtin.parameter {name = "w"} : f32[64]\n'
    body = f"  %0 = pd_op.add(%x, %w) {TYPE}  %out = pd_op.relu(%0) {TYPE}"
    total = "  %loss = pd_op.mean_all(%out) : f32[]\n" + FETCH.replace("%out", "%loss").replace("[s0,64]", "[]")
    program = program_of(X + weight + body + total, SYMBOLS)
    program.weights.set("w", torch.ones(64))
    assert run(program, "fuse_elementwise")
    (loss,) = (op.operands[0] for op in program.walk() if op.name == "pd_op.fetch")
    with pytest.raises(NotImplementedError, match="append_backward: pd_kernel.fused_elementwise has no gradient"):
        ir.append_backward(program, loss)


def test_what_runs_is_told(relu_exp: ir.Program):
    x = torch.randn(ROWS, 64)
    compiled = ir.compile(relu_exp, passes=[])
    assert FUSED in compiled.explain(x, x) and "pd_op.add" in compiled.explain(x, x)
    lowered = compiled.lowered(x, x)
    lowered.verify()
    assert 'memory = ["tile"]' in str(lowered)
    assert str(ir.parse(str(lowered))) == str(lowered)
    assert "add relu" in str(compiled.profile(x, x))


def test_what_others_add_to_it_runs(relu_exp: ir.Program):
    add = next(op for op in relu_exp.walk() if op.name == "pd_op.add")
    builder = ir.Builder(relu_exp).before(add)
    product = builder.create("pd_op.softmax", [add.operands[0]], {"axis": -1})
    add.set_operand(0, product.results[0])
    relu_exp.verify()
    x = torch.randn(ROWS, 64)
    compiled = ir.compile(relu_exp, passes=[])
    assert kernels_in_tiles(compiled, x, x) == 0
    torch.testing.assert_close(compiled(x, x)[0], torch.relu(torch.softmax(x, -1) + x))


# ---- values ----

UNARY = ["relu", "tanh", "sigmoid", "exp", "abs", "gelu", "silu", "square", "floor", "hardswish", "softplus", "logical_not"]
ATTRIBUTES = {"leaky_relu": {"negative_slope": 0.3}, "clip": {"min": -0.5, "max": 0.75}, "scale": {"scale": -1.5, "bias": 0.25}}
BINARY = ["add", "subtract", "multiply", "maximum", "minimum", "fmax"]
SMALL = [(70, 129), (3, 5, 33, 31), (2, 40, 8, 8), (9000,), (1, 3, 4096), (7, 3, 1000), (3, 0, 4)]
# of more bytes than separate kernels are good for; of no round sizes, and some vectors longer than a tile
LARGE = [(51_700, 129), (3, 5, 667, 673), (6_600_001,), (2, 3, 1_100_003), (13, 510, 1001), (200, 330, 10, 10)]
FORMS = ["same", "scalar", "last", "channel", "suffix", "intermediate"]
DTYPES = ["float32", "float64", "bfloat16", "float16"]


class Chain:
    """A program of random elementwise operators, on tensors of one shape and on those that are broadcast to it."""

    def __init__(self, seed: int, dtype: str, shapes: Sequence[tuple[int, ...]], dynamic: bool = False) -> None:
        self.random = random.Random(seed)
        torch.manual_seed(seed)
        self.dtype, self.shape, self.batch = dtype, self.random.choice(shapes), dynamic
        self.builder = ir.Builder()
        self.inputs: list[torch.Tensor] = []
        value = self.data(self.shape)
        for _ in range(self.random.randint(2, 9)):
            value = self.step(value)
        self.builder.create("pd_op.fetch", [value], {"name": "out", "col": 0})
        self.program = self.builder.program

    def data(self, shape: tuple[int, ...]) -> ir.Value:
        self.inputs.append(torch.randn(shape).to(getattr(torch, self.dtype)))
        declared = [-1, *shape[1:]] if self.batch and len(shape) == len(self.shape) and shape[0] != 1 else list(shape)
        attributes = {"name": f"x{len(self.inputs)}", "shape": declared, "dtype": self.dtype, "col": len(self.inputs)}
        return self.builder.create("pd_op.data", [], attributes, undeclared=True).results[0]

    def operand(self, value: ir.Value) -> ir.Value:
        rank, form = len(self.shape), self.random.choice(FORMS)
        if form == "same":
            return self.data(self.shape)
        if form == "scalar":
            return self.data(self.random.choice([(), (1,), (1,) * rank]))
        if form == "last":
            return self.data(self.shape[-1:])
        if form == "channel" and rank > 2:
            return self.data(self.random.choice([(self.shape[1], *([1] * (rank - 2))), (1, self.shape[1], *([1] * (rank - 2)))]))
        if form == "suffix" and rank > 1:
            return self.data(self.shape[1:])
        return self.make(self.random.choice(["relu", "tanh"]), value)

    def make(self, op: str, *operands: ir.Value, **attributes: object) -> ir.Value:
        return self.builder.create(f"pd_op.{op}", operands, attributes).results[0]

    def step(self, value: ir.Value) -> ir.Value:
        kind = self.random.choice(["unary", "binary", "binary", "attributes", "cast"])
        if kind == "binary":
            operands = [value, self.operand(value)]
            self.random.shuffle(operands)
            return self.make(self.random.choice(BINARY), *operands)
        if kind == "attributes":
            op = self.random.choice(list(ATTRIBUTES))
            return self.make(op, value, *([None] * (len(ir.op_info(f"pd_op.{op}").inputs) - 1)), **ATTRIBUTES[op])
        if kind == "cast":  # there and back
            return self.make("cast", self.make("cast", value, dtype="float64"), dtype=self.dtype)
        op = self.random.choice(UNARY)
        made = self.make(op, value)
        return self.make("cast", made, dtype=self.dtype) if op == "logical_not" else made


def check(chain: Chain, least: int) -> None:
    fused, apart = (ir.compile(chain.program, passes=passes) for passes in (["fuse_elementwise"], []))
    assert kernels_in_tiles(fused, *chain.inputs) >= least
    for _ in range(2):
        expected = apart(*chain.inputs)[0]
        same(fused(*chain.inputs)[0], expected)
        same(fused.run_poisoned(*chain.inputs)[0], expected)
        for tensor in chain.inputs:
            tensor.mul_(-0.75)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("seed", range(8))
def test_values_in_tiles_are_those_of_separate_kernels(seed: int, dtype: str):
    check(Chain(seed, dtype, [LARGE[seed % len(LARGE)]]), 2 if dtype in ("float32", "float64") else 0)


OF_COMPLEX = ("real", "imag")  # which have views and composites for kernels
TILED = sorted(name for name in OPS if name not in OF_COMPLEX and ir.op_info(f"pd_op.{name}").has_tiles)
SAID = {"bool": True, "dtype": "float64", "i32": 1}  # by kind, where an attribute has no default


@pytest.mark.parametrize("op", TILED)
def test_each_operator_in_parts_of_tiles(op: str):
    """Its loop runs without its kernel there; the last part is shorter."""
    builder, inputs = ir.Builder(), []
    dtype = torch.int32 if op.startswith("bitwise_") else torch.float32

    def data(name: str) -> ir.Value:
        of = torch.bool if name in ("condition", "mask") else dtype
        inputs.append((torch.rand(30_001) * 8).to(of) if of != torch.float32 else torch.rand(30_001) * 0.8 + 0.1)
        said = {"name": name, "shape": [30_001], "dtype": str(of).removeprefix("torch.")}
        return builder.create("pd_op.data", [], said).results[0]

    info = ir.op_info(f"pd_op.{op}")
    mutable = {one.name for one in info.attributes}
    operands = [None if one.name in mutable else data(one.name) for one in info.inputs]
    said = {one.name: SAID.get(one.kind, 0.5) for one in info.attributes if not (one.has_default or one.optional)}
    made = builder.create(f"pd_op.{op}", operands, said).results[0]
    last = builder.create("pd_op.logical_or" if made.type.dtype == "bool" else "pd_op.add", [made, made]).results[0]
    builder.create("pd_op.fetch", [last], {"name": "y", "col": 0})
    fused, apart = (ir.compile(builder.program, passes=passes) for passes in (["fuse_elementwise"], []))
    assert kernels_in_tiles(fused, *inputs) == (0 if last.type.dtype == "bool" else 2)
    ours, theirs = fused(*inputs)[0], apart(*inputs)[0]
    if op == "gelu_grad":  # which rounds otherwise in the elements that fill no vector, here those of each part
        torch.testing.assert_close(ours, theirs, rtol=1e-6, atol=0)
    else:
        same(ours, theirs)


@pytest.mark.parametrize("dtype", DTYPES[:2])
@pytest.mark.parametrize("size", [30_001, 8_000_011])  # of which the second is written past the caches
def test_what_a_chain_has_in_registers(size: int, dtype: str):
    """In registers are the first operand, the second, or both; the other is a tensor, one value, or another chain's."""
    builder = ir.Builder()
    inputs = [torch.randn(n).to(getattr(torch, dtype)) for n in (size, size, 1)]

    def make(op: str, *operands: ir.Value, **said: object) -> ir.Value:
        return builder.create(f"pd_op.{op}", operands, said).results[0]

    x, y, one = (make("data", name=f"x{i}", shape=list(x.shape), dtype=dtype) for i, x in enumerate(inputs))
    value = make("subtract", make("abs", x), y)
    value = make("subtract", y, value)
    value = make("subtract", make("subtract", value, one), make("relu", make("subtract", y, x)))
    value = make("subtract", make("square", x), make("subtract", one, value))
    value = make("multiply", value, value)
    builder.create("pd_op.fetch", [value], {"name": "y", "col": 0})
    fused, apart = (ir.compile(builder.program, passes=passes) for passes in (["fuse_elementwise"], []))
    assert kernels_in_tiles(fused, *inputs) == 11
    same(fused(*inputs)[0], apart(*inputs)[0])


@pytest.mark.parametrize("seed", range(40))
def test_few_elements(seed: int):
    check(Chain(seed, DTYPES[seed % 4], SMALL), 0)


@pytest.mark.parametrize("seed", range(10))
def test_one_executable_serves_all_sizes(seed: int):
    """Few elements run apart; others in tiles, of which the last may be shorter."""
    chain = Chain(seed, "float32", SMALL[:-1], dynamic=True)
    fused, apart = (ir.compile(chain.program, passes=passes) for passes in (["fuse_elementwise"], []))
    rank = len(chain.shape)
    for batch in (1, 2, 3500):
        inputs = [torch.randn(batch, *x.shape[1:]) if x.dim() == rank and x.shape[0] != 1 else x for x in chain.inputs]
        same(fused(*inputs)[0], apart(*inputs)[0])


def test_threads_share_the_tiles(set_threads):
    x = torch.randn(3300, 1000)
    body = f"  %0 = pd_op.add(%x, %y) {TYPE}  %1 = pd_op.tanh(%0) {TYPE}  %out = pd_op.multiply(%1, %x) {TYPE}"
    program = program_of((X + Y + body + FETCH).replace("64]", "1000]"), SYMBOLS)
    y = torch.randn(1000).expand(3300, 1000).contiguous()
    expected = torch.tanh(x + y) * x
    for threads in (1, 2, 4):
        set_threads(threads)
        fused = ir.compile(program, passes=["fuse_elementwise"])
        assert kernels_in_tiles(fused, x, y) == 3
        torch.testing.assert_close(fused(x, y)[0], expected)
        same(fused(x, y)[0], ir.compile(program, passes=[])(x, y)[0])


def test_the_result_may_lie_where_an_operand_did():
    """In a run without memory of its own for what only the fused operation reads."""
    body = (
        f"  %a = pd_op.matmul(%x, %w) {TYPE}  %0 = pd_op.relu(%a) {TYPE}  %1 = pd_op.add(%0, %a) {TYPE}"
        f"  %out = pd_op.matmul(%1, %w) {TYPE}"
    )
    weight = '  %w = builtin.parameter {name = "w"} : f32[64,64]\n'
    program = program_of(X + weight + body + FETCH, SYMBOLS)
    program.weights.set("w", torch.randn(64, 64))
    x = torch.randn(ROWS, 64)
    fused, apart = (ir.compile(program, passes=passes) for passes in (["fuse_elementwise"], []))
    assert kernels_in_tiles(fused, x) == 2
    same(fused(x)[0], apart(x)[0])
    assert fused.memory(x)[0] == ROWS * 64 * 4  # the first product's, which the sum takes
