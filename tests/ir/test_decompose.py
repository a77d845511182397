"""The pass decompose: operators as those of their composites, with the same values."""

from __future__ import annotations

import pytest
import torch

from phi_torch import ir, registry
from phi_torch.ir.operator_call import described
from phi_torch.legacy import Attribute

from .paddle_models import FOLDERS
from .test_executor import check

S0 = 'symbols { s0 "x.0" >= 1 }\n'


def program_of(body: str, symbols: str = "") -> ir.Program:
    program = ir.parse(f"phi.program 1\n{symbols}program {{\n{body}}}\n")
    program.verify()
    return program


def names(program: ir.Program) -> list[str]:
    kept = ("builtin.", "pd_op.data", "pd_op.fetch")
    return [op.name.removeprefix("pd_op.") for op in program.walk() if not op.name.startswith(kept)]


def decompose(program: ir.Program, *ops: str) -> int:
    (run,) = ir.PassManager([ir.Decompose(ops)], verify=True).run(program).runs
    assert str(ir.parse(str(program))) == str(program)
    return run.counts.get("operators decomposed", 0)


def same(program: ir.Program, decomposed: ir.Program, *inputs: torch.Tensor) -> None:
    expected = ir.compile(program, passes=[])(*inputs)
    for run in (ir.compile(decomposed, passes=[]), ir.compile(decomposed)):
        for ours, theirs in zip(run(*inputs), expected):
            torch.testing.assert_close(ours, theirs)


X = '  %x = pd_op.data {name = "x", shape = [-1,6], dtype = float32} : f32[s0,6]\n'
Y = '  pd_op.fetch(%y) {name = "y", col = 0} : f32[s0,6]\n'


@pytest.mark.parametrize(
    ("op", "text", "expected"),
    [
        ("square", "pd_op.square(%x)", ["multiply"]),
        ("relu6", "pd_op.relu6(%x)", ["clip"]),
        ("mish", "pd_op.mish(%x) {lambda_ = 20.0}", ["softplus", "tanh", "multiply"]),
        ("leaky_relu", "pd_op.leaky_relu(%x) {negative_slope = 0.1}", None),
    ],
)
def test_an_operator_of_any_number_of_rows(op, text, expected):
    program = program_of(X + f'  %y = {text} : f32[s0,6]  loc("/Act/")\n' + Y, S0)
    decomposed = program.clone()
    assert decompose(decomposed, op) == 1
    found = names(decomposed)
    assert op not in found and (expected is None or found == expected)
    made = [one for one in decomposed.walk() if one.name.startswith("pd_op.") and one.name not in ("pd_op.data", "pd_op.fetch")]
    assert all(one.location == "/Act/" for one in made)
    (fetched,) = (one for one in decomposed.walk() if one.name == "pd_op.fetch")
    assert fetched.operands[0].name == "y" and str(fetched.operands[0].type) == "f32[s0,6]"
    for rows in (1, 5):
        same(program, decomposed, torch.randn(rows, 6) * 8)


SPLIT = """  %l = pd_op.split_with_num(%x, %axis) {num = 2} : vec<f32[s0,3],f32[s0,3]>
  %0, %1 = builtin.split(%l) : f32[s0,3], f32[s0,3]
  %a = builtin.combine(%1, %0) : vec<f32[s0,3],f32[s0,3]>
  %y = pd_op.concat(%a, none) {axis = 1} : f32[s0,6]
"""


def test_constants_are_the_numbers_that_they_hold():
    axis = "  %axis = pd_op.full {shape = [1], value = -1.0, dtype = int32, place = cpu} : i32[1]\n"
    program = program_of(X + axis + SPLIT + Y, S0)
    decomposed = program.clone()
    assert decompose(decomposed, "split_with_num") == 1
    same(program, decomposed, torch.randn(3, 6))


def test_numbers_that_a_run_tells():
    axis = '  %axis = pd_op.data {name = "axis", shape = [1], dtype = int32} : i32[1]\n'
    program = program_of(X + axis + SPLIT + Y, S0)
    assert decompose(program, "split_with_num") == 0


@pytest.mark.parametrize(
    ("op", "text"),
    [
        ("relu", "  %y = pd_op.relu(%x) : f32[s0,6]\n"),  # its composite calls it
        ("square", "  %y = pd_op.square_(%x) : f32[s0,6]\n"),  # writes
        ("elu", "  %y = pd_op.elu(%x) : f32[s0,6]\n"),  # would be torch.call
        ("poisson", "  %y = pd_op.poisson(%x) : f32[s0,6]\n"),  # draws numbers
    ],
)
def test_what_stays(op, text):
    program = program_of(X + text + Y, S0)
    before = str(program)
    assert decompose(program, op) == 0 and decompose(program) == 0
    assert str(program) == before


@pytest.mark.parametrize(
    ("op", "body", "inputs", "expected"),
    [
        (
            "sequence_mask",
            """  %x = pd_op.data {name = "x", shape = [2], dtype = int64} : i64[2]
  %y = pd_op.sequence_mask(%x, none) {max_len = 3, out_dtype = int64} : i64[2,3]
  pd_op.fetch(%y) {name = "y", col = 0} : i64[2,3]
""",
            [torch.tensor([1, 3])],
            torch.tensor([[1, 0, 0], [1, 1, 1]]),
        ),
        (
            "unique",
            """  %x = pd_op.data {name = "x", shape = [5], dtype = int64} : i64[5]
  %0, %1, %2, %3 = pd_op.unique(%x) {return_index = false, return_inverse = true, return_counts = true, axis = [], dtype = int64}
      : i64[?], i64[?], i64[5], i64[?]
  %y = pd_op.add(%0, %3) : i64[?]
  pd_op.fetch(%y) {name = "y", col = 0} : i64[?]
""",
            [torch.tensor([7, 2, 7, 7, 2])],
            torch.tensor([4, 10]),
        ),
        (
            "repeat_interleave_with_tensor_index",
            """  %x = pd_op.data {name = "x", shape = [3], dtype = float32} : f32[3]
  %r = pd_op.data {name = "r", shape = [3], dtype = int64} : i64[3]
  %y = pd_op.repeat_interleave_with_tensor_index(%x, %r) {axis = 0} : f32[?]
  pd_op.fetch(%y) {name = "y", col = 0} : f32[?]
""",
            [torch.tensor([1.0, 2.0, 3.0]), torch.tensor([2, 0, 1])],
            torch.tensor([1.0, 1.0, 3.0]),
        ),
    ],
    ids=["sequence_mask", "unique", "repeat_interleave"],
)
def test_operators_without_a_kernel_are_compiled(op, body, inputs, expected):
    program = program_of(body)
    decomposed = program.clone()
    if registry.info(op).composite_only:
        assert [one.name for one in ir.compile(program, passes=[]).passes] == ["decompose"]
        assert decompose(decomposed) == 1
    else:
        assert decompose(decomposed) == 0
    for passes in ("default", 0, [], ["cse"]):
        assert torch.equal(ir.compile(program, passes=passes)(*inputs)[0], expected)


def test_no_guess_decides():
    """Whether two sizes that the program does not know are equal, or one of them is 1."""
    body = """  %x = pd_op.data {name = "x", shape = [-1,6], dtype = float32} : f32[s0,6]
  %z = pd_op.data {name = "z", shape = [-1,6], dtype = float32} : f32[s1,6]
  %y = pd_op.greater_than(%x, %z) : bool[s0,6]
  pd_op.fetch(%y) {name = "y", col = 0} : bool[s0,6]
"""
    symbols = 'symbols { s0 "x.0" >= 1, s1 "z.0" >= 1 }\n'
    program = program_of(body, symbols)
    decomposed = program.clone()
    assert decompose(decomposed, "greater_than") == 0
    refined = program.clone()
    (compared,) = (op for op in refined.walk() if op.name == "pd_op.greater_than")
    compared.attributes["unproven_types"] = True
    assert decompose(refined, "greater_than") == 0
    x = torch.randn(4, 6)
    for z in (torch.randn(4, 6), torch.randn(1, 6)):
        expected = (x > z).tolist()
        assert ir.compile(decomposed)(x, z)[0].tolist() == expected
        assert ir.compile(program)(x, z)[0].tolist() == expected


def test_in_branches():
    body = """  %c = pd_op.data {name = "c", shape = [1], dtype = bool} : bool[1]
  %y = pd_op.if(%c) {
    %0 = pd_op.square(%x) : f32[s0,6]
    cf.yield(%0)
  } else {
    cf.yield(%x)
  } : f32[s0,6]
"""
    program = program_of(X + body + Y, S0)
    decomposed = program.clone()
    assert decompose(decomposed, "square") == 1
    for condition in (True, False):
        same(program, decomposed, torch.randn(2, 6), torch.tensor([condition]))


def test_what_only_data_tells_is_a_kernel():
    program = program_of(
        """
  %x = pd_op.data {name = "x", shape = [-1], dtype = int64} : i64[s0]
  %n = pd_op.full {shape = [1], value = 4.0, dtype = int64} : i64[1]
  %c = pd_op.bincount(%x, none, %n) : i64[?]
  %v, %i, _ = pd_op.unique_consecutive(%x) {return_inverse = true, axis = [], dtype = int64} : i64[?], i64[?], i64[?]
  pd_op.fetch(%c) {name = "c", col = 0} : i64[?]
  pd_op.fetch(%v) {name = "v", col = 1} : i64[?]
  pd_op.fetch(%i) {name = "i", col = 2} : i64[?]
""".lstrip("\n"),
        S0,
    )
    run = ir.compile(program)
    for x in (torch.tensor([1, 1, 0]), torch.tensor([5]), torch.tensor([2, 3, 3, 7, 7])):
        counts, values, inverse = run(x)
        assert torch.equal(counts, torch.bincount(x, minlength=4))
        expected, of = torch.unique_consecutive(x, return_inverse=True)
        assert torch.equal(values, expected) and torch.equal(inverse, of)


@pytest.mark.parametrize("is_constant", [True, False])
def test_a_number_of_a_tensor_is_an_argument(is_constant):
    """As `paddle.to_tensor(5)` in a model, or an input."""
    number = """  %0 = pd_op.full {shape = [1], value = 0.0, dtype = int64} : i64[1]
  %1 = pd_op.assign_value_(%0) {shape = [1], dtype = int64, values = [5.0]} : i64[1]
  %n = pd_op.cast(%1) {dtype = int32} : i32[1]
"""
    if not is_constant:
        number = '  %n = pd_op.data {name = "n", shape = [1], dtype = int32} : i32[1]\n'
    program = program_of(
        """
  %x = pd_op.data {name = "x", shape = [-1], dtype = int64} : i64[s0]
NUMBER  %c = pd_op.bincount(%x, none, %n) : i64[?]
  pd_op.fetch(%c) {name = "c", col = 0} : i64[?]
""".lstrip("\n").replace("NUMBER", number),
        S0,
    )
    run = ir.compile(program)
    for x in (torch.tensor([1, 1, 0]), torch.tensor([7])):
        for least in (5,) if is_constant else (5, 9):
            given = () if is_constant else (torch.tensor([least], dtype=torch.int32),)
            assert torch.equal(run(x, *given)[0], torch.bincount(x, minlength=least))


def test_names_that_are_wrong():
    with pytest.raises(ValueError, match=r"argument 'ops': phi_torch has no op 'sofmax'; did you mean softmax"):
        ir.Decompose(["sofmax"])
    with pytest.raises(ValueError, match=r"argument 'ops': the operator 'uniform' has no composite"):
        ir.Decompose(["uniform"])
    assert ir.Decompose("square").name == "decompose"


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_programs_give_what_paddle_gives(folder):
    program = ir.load(folder)
    ir.PassManager(["functionalize"]).run(program)
    ir.PassManager([ir.Decompose("all")], verify=True).run(program)
    assert str(ir.parse(str(program))) == str(program)
    try:
        run = ir.compile(program)
    except NotImplementedError:
        return
    check(run, folder, 2e-5)


GRADIENT = """  %g = pd_op.full_like(%x, none) {{value = 2.0}} : f32[s0,6]
  %y = pd_op.{op}(%x, %g) : f32[{rows},6]
"""


@pytest.mark.parametrize("rows", ["s0", "s1"])  # a file does not tell that a gradient has as many rows as its operand
@pytest.mark.parametrize(("op", "function"), [("digamma", torch.digamma), ("i1", torch.special.i1), ("angle", torch.angle)])
def test_gradients_that_are_no_operators(op, function, rows):
    symbols = S0 if rows == "s0" else 'symbols { s0 "x.0" >= 1, s1 "y.0" >= 1 }\n'
    extra = ", %x" if op == "i1" else ""
    body = X + GRADIENT.format(op=f"{op}_grad", rows=rows).replace("(%x, %g)", f"(%x{extra}, %g)") + Y.replace("s0", rows)
    program = program_of(body, symbols)
    x = torch.rand(3, 6, requires_grad=True)
    (expected,) = torch.autograd.grad(function(x), x, torch.full_like(x, 2.0))
    torch.testing.assert_close(ir.compile(program)(x.detach())[0], expected)
    torch.testing.assert_close(ir.to_module(program)(x.detach()), expected)
    assert f"pd_op.{op}_grad" in str(program)  # which stays what PaddlePaddle reads


def test_a_gradient_of_rows_of_which_nobody_knows_that_they_are_as_many():
    label = '  %t = pd_op.data {name = "t", shape = [-1,1], dtype = float32} : f32[s1,1]\n'
    body = (
        label
        + """  %x = pd_op.data {name = "x", shape = [-1,1], dtype = float32} : f32[s0,1]
  %g = pd_op.full_like(%x, none) {value = 1.0} : f32[s0,1]
  %y = pd_op.log_loss_grad(%x, %t, %g) {epsilon = 1e-4 : f32} : f32[s0,1]
  pd_op.fetch(%y) {name = "y", col = 0} : f32[s0,1]
"""
    )
    program = program_of(body, 'symbols { s0 "x.0" >= 1, s1 "t.0" >= 1 }\n')
    manager = ir.PassManager("default")
    manager.run(program)
    assert "phi_programs.gradient" in str(program)
    x, t = torch.rand(3, 1, requires_grad=True), torch.rand(3, 1)
    loss = -t * torch.log(x + 1e-4) - (1 - t) * torch.log(1 - x + 1e-4)
    (expected,) = torch.autograd.grad(loss.sum(), x)
    torch.testing.assert_close(ir.compile(ir.parse(str(program)))(t, x.detach())[0], expected)


@pytest.mark.parametrize("name", ["gradient", "operator"])
@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("junk", "'call': expected what the conversion of a program writes"),
        ("[]", "'call': expected what the conversion of a program writes"),
        ('{"slots": {"X": "one"}, "type": "relu", "kernel": "relu_grad", "attrs": {}, "results": {}}', "'call': expected what"),
        ('{"slots": {"X": 2}, "type": "relu", "kernel": "relu_grad", "attrs": {}, "results": {}}', "'operands': expected 2"),
    ],
)
def test_a_call_that_no_conversion_wrote(name: str, call: str, message: str):
    with pytest.raises(ValueError, match=message):
        getattr(torch.ops.phi_programs, name)([torch.ones(2)], call)


def test_gradients_of_calls():
    """Of every order, also of a tensor that is given twice."""
    text = described("elementwise_mul", {"X": None, "Y": None}, {"axis": Attribute("INT", -1)}, {"Out": 1})
    x, y = (torch.rand(2, 3, dtype=torch.float64, requires_grad=True) for _ in range(2))

    def product(x, y):
        return torch.ops.phi_programs.operator([x, y], text)[0]

    assert torch.autograd.gradcheck(product, (x, y)) and torch.autograd.gradgradcheck(product, (x, y))
    torch.testing.assert_close(torch.autograd.grad(product(x, x).sum(), x)[0], 2 * x.detach())
    text = described("arg_max", {"X": None}, {"axis": Attribute("LONG", 1)}, {"Out": 1})
    assert not torch.ops.phi_programs.operator([x], text)[0].requires_grad
    (found,) = torch.ops.phi_programs.operator([x], described("share_data", {"X": None}, {}, {"Out": 1}))
    assert torch.autograd.grad(found.sum(), x, allow_unused=True) == (None,)


def test_unsqueeze_grad_with_its_axis_as_an_operand():
    program = program_of("""  %x = pd_op.data {name = "x", shape = [3], dtype = float32} : f32[3]
  %g = pd_op.data {name = "g", shape = [3,1], dtype = float32} : f32[3,1]
  %a = pd_op.full_int_array {value = [1]} : i64[1]
  %y = pd_op.unsqueeze_grad(%x, %g, %a) : f32[3]
  pd_op.fetch(%y) {name = "y", col = 0} : f32[3]
""")
    (found,) = ir.compile(program)(torch.zeros(3), torch.arange(3.0)[:, None])
    torch.testing.assert_close(found, torch.arange(3.0))
