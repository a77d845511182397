"""Training programs with blocks that run on a condition: their gradients are blocks too."""

from __future__ import annotations

import pytest
import torch

from phi_torch import ir
from phi_torch.legacy import Attribute, BlockDesc, Executor, OpDesc, ProgramDesc, VarDesc
from phi_torch.legacy._read import read_program
from phi_torch.legacy._write import write_program


def tensors(*names: str) -> dict[str, VarDesc]:
    return {name: VarDesc(name, dtype=torch.float32, dims=(2,)) for name in names}


def compiled(desc: ProgramDesc, fed: list[str], fetch: list[str]) -> ir.Executable:
    for name in fed:
        desc.blocks[0].vars[name].need_check_feed = True
    return ir.compile(ir.from_legacy(desc, fetch=fetch))


def conditional(type: str, block: int, inputs: dict[str, list[str]], outputs: dict[str, list[str]]) -> OpDesc:
    attrs = {"sub_block": Attribute("BLOCK", block), "is_scalar_condition": Attribute("BOOLEAN", True)}
    return OpDesc(type, {"Cond": ["on"], "Input": ["x"], **inputs}, outputs, attrs)


def program() -> ProgramDesc:
    """y = relu(x) squared, if it is on; the block of its gradient reads what the block of y made."""
    axis = {"axis": Attribute("INT", -1)}
    outer = BlockDesc(vars={**tensors("x", "y", "y@GRAD", "x@GRAD", "given"), "on": VarDesc("on", dtype=torch.bool, dims=(1,))})
    outer.vars["scope"] = VarDesc("scope", "step_scopes")
    outer.ops = [
        conditional("conditional_block", 1, {}, {"Out": ["y"], "Scope": ["scope"]}),
        OpDesc("assign", {"X": ["given"]}, {"Out": ["y@GRAD"]}),
        conditional("conditional_block_grad", 2, {"Out": ["y"], "Out@GRAD": ["y@GRAD"]}, {"Input@GRAD": ["x@GRAD"]}),
    ]
    forward = BlockDesc(1, 0, tensors("r"))
    forward.ops = [
        OpDesc("relu", {"X": ["x"]}, {"Out": ["r"]}),
        OpDesc("elementwise_mul", {"X": ["r"], "Y": ["r"]}, {"Out": ["y"]}, axis),
    ]
    grad = BlockDesc(2, 0, tensors("r@GRAD", "twice", "x@GRAD"), forward_block_idx=1)
    grad.ops = [
        OpDesc("elementwise_mul", {"X": ["y@GRAD"], "Y": ["r"]}, {"Out": ["twice"]}, axis),
        OpDesc("elementwise_add", {"X": ["twice"], "Y": ["twice"]}, {"Out": ["r@GRAD"]}, axis),
        OpDesc("relu_grad", {"Out": ["r"], "Out@GRAD": ["r@GRAD"]}, {"X@GRAD": ["x@GRAD"]}),
    ]
    return ProgramDesc([outer, forward, grad])


@pytest.mark.parametrize("on", [True, False])
def test_a_block_of_a_program_without_gradients(on: bool):
    """As a pass of PaddlePaddle's predictor names it."""
    desc = program()
    desc.blocks[0].ops = [desc.blocks[0].ops[0]]
    desc.blocks[0].ops[0].type = "conditional_block_infer"
    feed = {"x": torch.tensor([-1.0, 3.0]), "y": torch.tensor([7.0, 7.0]), "on": torch.tensor([on])}
    assert Executor(desc, {}).run(feed, ["y"])[0].tolist() == ([0, 9] if on else [7, 7])


@pytest.mark.parametrize("on", [True, False])
def test_the_gradient_of_a_block_that_may_not_run(on: bool):
    executor = Executor(read_program(write_program(program())), {})
    feed = {"x": torch.tensor([-1.0, 3.0]), "given": torch.tensor([5.0, 10.0]), "on": torch.tensor([on])}
    desc = program()
    for name in feed:
        desc.blocks[0].vars[name].need_check_feed = True
    run = ir.compile(ir.from_legacy(desc, fetch=["x@GRAD"]))
    for given in (executor.run(feed, ["x@GRAD"]), executor.run(feed, ["x@GRAD"]), run(*(feed[name] for name, _ in run.inputs))):
        (found,) = given
        assert found.tolist() == ([0, 60] if on else [0, 0])


@pytest.mark.parametrize("some", [False, True])
def test_a_block_that_runs_on_what_is_not_empty(some: bool):
    """What PaddlePaddle does without `is_scalar_condition`: it does not read the condition."""
    desc = program()
    for op in desc.blocks[0].ops[::2]:
        del op.attrs["is_scalar_condition"]
    variables = desc.blocks[0].vars
    variables |= {**tensors("all"), "on": VarDesc("on", dtype=torch.bool, dims=(2,))}
    variables |= {"chosen": VarDesc("chosen", dtype=torch.bool, dims=(2,))}
    variables["x"].dims = variables["x@GRAD"].dims = (-1,)
    masked = OpDesc("masked_select", {"X": ["all"], "Mask": ["chosen"]}, {"Y": ["x"]})
    desc.blocks[0].ops[:0] = [masked, OpDesc("assign", {"X": ["given"]}, {"Out": ["y"]})]
    feed = {"all": torch.tensor([-1.0, 3.0]), "given": torch.tensor([5.0, 10.0])}
    feed |= {"on": torch.tensor([False, True]), "chosen": torch.tensor([some, some])}
    run = compiled(desc, [*feed], ["y", "x@GRAD"])
    for found in (Executor(desc, {}).run(feed, ["y", "x@GRAD"]), run(*(feed[name] for name, _ in run.inputs))):
        assert [one.tolist() for one in found] == ([[0, 9], [0, 60]] if some else [[5, 10], []])


def chosen() -> ProgramDesc:
    """y = x squared and flattened if it is on, else x; a gradient goes to the branch that ran, past what notes a shape."""
    axis = {"axis": Attribute("INT", -1)}
    names = ("x", "given", "yes", "no", "y", "y@GRAD", "yes@GRAD", "no@GRAD", "x@GRAD", "a", "b")
    outer = BlockDesc(vars={**tensors(*names), "on": VarDesc("on", dtype=torch.bool, dims=(1,))})
    outer.vars |= {"off": VarDesc("off", dtype=torch.bool, dims=(1,)), "mask": VarDesc("mask", dtype=torch.int32, dims=(1,))}
    outer.vars["scope"] = VarDesc("scope", "step_scopes")
    for name in ("x", "given", "on"):
        outer.vars[name].need_check_feed = True

    def off(op: OpDesc) -> OpDesc:
        op.inputs["Cond"] = ["off"]
        return op

    types = {"in_dtype": Attribute("INT", 0), "out_dtype": Attribute("INT", 2)}
    outer.ops = [
        conditional("conditional_block", 1, {}, {"Out": ["yes"], "Scope": ["scope"]}),
        OpDesc("logical_not", {"X": ["on"]}, {"Out": ["off"]}),
        off(conditional("conditional_block", 2, {}, {"Out": ["no"], "Scope": ["scope"]})),
        OpDesc("cast", {"X": ["on"]}, {"Out": ["mask"]}, types),
        OpDesc("select_input", {"X": ["no", "yes"], "Mask": ["mask"]}, {"Out": ["y"]}),
        OpDesc("elementwise_mul", {"X": ["y"], "Y": ["given"]}, {"Out": ["y@GRAD"]}, axis),
        OpDesc("select_output", {"X": ["y@GRAD"], "Mask": ["mask"]}, {"Out": ["no@GRAD", "yes@GRAD"]}),
        off(conditional("conditional_block_grad", 4, {"Out@GRAD": ["no@GRAD"]}, {"Input@GRAD": ["a"]})),
        conditional("conditional_block_grad", 3, {"Out@GRAD": ["yes@GRAD"]}, {"Input@GRAD": ["b"]}),
        OpDesc("elementwise_add", {"X": ["a"], "Y": ["b"]}, {"Out": ["x@GRAD"]}, axis),
    ]
    sizes = {"column": (2, 1), "twice": (2, 1), "c": (2, 1), "d": (2, 1), "shape": (0, 2), "other": (0, 2, 1)}
    known = {name: VarDesc(name, dtype=torch.float32, dims=dims) for name, dims in sizes.items()}
    square, plain = BlockDesc(1, 0, {name: known[name] for name in ("column", "twice", "shape", "other")}), BlockDesc(2, 0)
    square.ops = [
        OpDesc("reshape2", {"X": ["x"]}, {"Out": ["column"], "XShape": ["shape"]}, {"shape": Attribute("INTS", [2, 1])}),
        OpDesc("elementwise_mul", {"X": ["column"], "Y": ["column"]}, {"Out": ["twice"]}, axis),
        OpDesc("reshape2", {"X": ["twice"]}, {"Out": ["yes"], "XShape": ["other"]}, {"shape": Attribute("INTS", [2])}),
    ]
    plain.ops = [OpDesc("assign", {"X": ["x"]}, {"Out": ["no"]})]
    of_square = BlockDesc(3, 0, {**tensors("x@GRAD"), "c": known["c"], "d": known["d"]}, forward_block_idx=1)
    of_square.ops = [
        OpDesc("reshape2_grad", {"XShape": ["other"], "Out@GRAD": ["yes@GRAD"]}, {"X@GRAD": ["c"]}),
        OpDesc("elementwise_mul_grad", {"X": ["column"], "Y": ["column"], "Out@GRAD": ["c"]}, {"X@GRAD": ["d"]}, axis),
        OpDesc("reshape2_grad", {"XShape": ["shape"], "Out@GRAD": ["d"]}, {"X@GRAD": ["x@GRAD"]}),
    ]
    of_plain = BlockDesc(4, 0, tensors("x@GRAD"), forward_block_idx=2)
    of_plain.ops = [OpDesc("assign", {"X": ["no@GRAD"]}, {"Out": ["x@GRAD"]})]
    return ProgramDesc([outer, square, plain, of_square, of_plain])


def test_gradients_that_nobody_declares_are_left_out():
    """As programs have them whose optimizer is within a branch."""
    desc = program()
    del desc.blocks[0].vars["x@GRAD"]
    desc = read_program(write_program(desc))
    feed = {"x": torch.tensor([-1.0, 3.0]), "given": torch.ones(2), "on": torch.tensor([True])}
    run = compiled(desc, list(feed), ["y"])
    for (found,) in (Executor(desc, {}).run(feed, ["y"]), run(*(feed[name] for name, _ in run.inputs))):
        assert found.tolist() == [0, 9]


@pytest.mark.parametrize("on", [True, False])
def test_the_gradient_of_the_block_that_ran(on: bool):
    desc = read_program(write_program(chosen()))
    feed = {"x": torch.tensor([2.0, 3.0]), "given": torch.tensor([1.0, 10.0]), "on": torch.tensor([on])}
    run = ir.compile(ir.from_legacy(desc, fetch=["y", "x@GRAD"]))
    for found in (Executor(desc, {}).run(feed, ["y", "x@GRAD"]), run(*(feed[name] for name, _ in run.inputs))):
        assert [one.tolist() for one in found] == ([[4, 9], [8, 270]] if on else [[2, 3], [2, 30]])


def test_a_gradient_of_what_a_block_has_in_an_array():
    """Nothing keeps the arrays of a block: the error names it, and none is taken for it that has no tensors."""
    desc, index = program(), VarDesc("at", dtype=torch.int64, dims=(1,))
    desc.blocks[0].vars["at"] = index
    desc.blocks[1].vars["kept"] = VarDesc("kept", "tensor_array", torch.float32, (2,))
    desc.blocks[1].ops.append(OpDesc("write_to_array", {"X": ["r"], "I": ["at"]}, {"Out": ["kept"]}))
    desc.blocks[2].vars["length"] = VarDesc("length", dtype=torch.int64, dims=(1,))
    desc.blocks[2].ops.insert(0, OpDesc("lod_array_length", {"X": ["kept"]}, {"Out": ["length"]}))
    with pytest.raises(ir.ProgramError, match="the array 'kept' of the block whose gradients these are"):
        compiled(desc, ["x", "on", "given", "at"], ["x@GRAD"])


def loop() -> ProgramDesc:
    """s += h, and h is squared, twice; only s is read afterwards, so nothing gives the gradient that h begins with."""
    axis, names = {"axis": Attribute("INT", -1)}, ("h", "s")
    outer = BlockDesc(vars=tensors(*names, *(f"{name}@GRAD" for name in names)))
    outer.vars |= {name: VarDesc(name, dtype=torch.int64, dims=(1,)) for name in ("i", "n")}
    outer.vars |= {"c": VarDesc("c", dtype=torch.bool, dims=(1,)), "steps": VarDesc("steps", "step_scopes")}
    grads, given = {"Out@GRAD": ["s@GRAD", "h@GRAD"]}, Attribute("STRINGS", ["s@GRAD", "h@GRAD"])
    body, backward = ({"sub_block": Attribute("BLOCK", block)} for block in (1, 2))
    outer.ops = [
        OpDesc("while", {"Condition": ["c"], "X": ["h", "s", "n"]}, {"Out": ["h", "s", "i", "c"], "StepScopes": ["steps"]}, body),
        OpDesc(
            "while_grad",
            {"X": ["h", "s"], "Out": ["h", "s", "i", "c"], "StepScopes": ["steps"], **grads},
            {"X@GRAD": ["h@GRAD", "s@GRAD"]},
            {**backward, "original_output_grad": given},
        ),
    ]
    forward = BlockDesc(1, 0, tensors("added", "squared"))
    forward.ops = [
        OpDesc("elementwise_add", {"X": ["s"], "Y": ["h"]}, {"Out": ["added"]}, axis),
        OpDesc("elementwise_mul", {"X": ["h"], "Y": ["h"]}, {"Out": ["squared"]}, axis),
        OpDesc("assign", {"X": ["added"]}, {"Out": ["s"]}),
        OpDesc("assign", {"X": ["squared"]}, {"Out": ["h"]}),
        OpDesc("increment", {"X": ["i"]}, {"Out": ["i"]}, {"step": Attribute("FLOAT", 1.0)}),
        OpDesc("less_than", {"X": ["i"], "Y": ["n"]}, {"Out": ["c"]}, axis),
    ]
    back = BlockDesc(2, 0, tensors("squared@GRAD", "twice", "once", "h@GRAD"), forward_block_idx=1)
    back.ops = [
        OpDesc("assign", {"X": ["h@GRAD"]}, {"Out": ["squared@GRAD"]}),
        OpDesc("elementwise_mul", {"X": ["squared@GRAD"], "Y": ["h"]}, {"Out": ["once"]}, axis),
        OpDesc("elementwise_add", {"X": ["once"], "Y": ["once"]}, {"Out": ["twice"]}, axis),
        OpDesc("elementwise_add", {"X": ["twice"], "Y": ["s@GRAD"]}, {"Out": ["h@GRAD"]}, axis),
    ]
    return ProgramDesc([outer, forward, back])


@pytest.mark.parametrize("persists", [False, True])
@pytest.mark.parametrize("rounds", [0, 1, 2])
def test_the_gradient_of_what_is_not_read_after_a_loop(rounds: int, persists: bool):
    """A variable that persists is noted for each step, too, unless it is a parameter."""
    feed = {"h": torch.tensor([2.0, 3.0]), "s": torch.zeros(2), "s@GRAD": torch.tensor([1.0, 10.0]), "i": torch.tensor([0])}
    feed |= {"c": torch.tensor([rounds > 0]), "n": torch.tensor([rounds])}
    desc = loop()
    desc.blocks[0].vars["h"].persistable = persists
    desc, run = read_program(write_program(desc)), compiled(desc, list(feed), ["h@GRAD", "s"])
    for found, s in (Executor(desc, {}).run(feed, ["h@GRAD", "s"]), run(*(feed[name] for name, _ in run.inputs))):
        assert found.tolist() == [[0, 0], [1, 10], [5, 70]][rounds]  # (1 + 2 h) of each
        assert s.tolist() == [[0, 0], [2, 3], [6, 12]][rounds]


def test_gradients_of_what_each_step_has_of_its_own():
    """An array of a step is noted by nothing: the error names it."""
    desc = loop()
    desc.blocks[1].vars["kept"] = VarDesc("kept", "tensor_array", torch.float32, (2,))
    desc.blocks[2].vars["read"] = VarDesc("read", dtype=torch.float32, dims=(2,))
    desc.blocks[1].ops.insert(0, OpDesc("write_to_array", {"X": ["h"], "I": ["i"]}, {"Out": ["kept"]}))
    desc.blocks[2].ops.insert(0, OpDesc("read_from_array", {"X": ["kept"], "I": ["i"]}, {"Out": ["read"]}))
    with pytest.raises(ir.ProgramError, match="the array 'kept' that each step of the loop makes"):
        compiled(desc, ["h", "s", "s@GRAD", "c", "i", "n"], ["h@GRAD"])


def test_a_gradient_of_a_loop_that_is_passed_no_names():
    desc = loop()
    desc.blocks[0].ops[1].attrs["original_output_grad"] = Attribute("STRINGS", ["s@GRAD"])
    with pytest.raises(ir.ProgramError, match="attribute original_output_grad: expected 2 names"):
        compiled(desc, ["h", "s", "s@GRAD", "c", "i", "n"], ["h@GRAD"])


def test_a_gradient_of_a_loop_that_did_not_run():
    desc = loop()
    desc.blocks[0].ops.reverse()
    with pytest.raises(ir.ProgramError, match="a loop that does not run before its gradient"):
        compiled(desc, ["h", "s", "s@GRAD", "c", "i", "n"], ["h@GRAD"])


@pytest.mark.parametrize("on", [True, False])
def test_the_gradient_that_nothing_gives_of_a_result_of_a_branch(on: bool):
    """PaddlePaddle fills it by the shape of the result, which is not there where the branch does not run."""
    desc = program()
    like = {"value": Attribute("FLOAT", 1.0), "dtype": Attribute("INT", -1)}
    desc.blocks[0].ops[1] = OpDesc("fill_any_like", {"X": ["y"]}, {"Out": ["y@GRAD"]}, like)
    feed = {"x": torch.tensor([-1.0, 3.0]), "on": torch.tensor([on])}
    assert Executor(desc, {}).run(feed, ["x@GRAD"])[0].tolist() == ([0, 6] if on else [0, 0])


def test_a_function_with_a_gradient_of_its_own():
    """The operator of a PyLayer: y = relu(x) squared, whose gradient is said to be that of y times relu(x)."""
    desc, blocks = program(), {"blocks": Attribute("BLOCKS", [1, 2])}
    gradient = {"Input": ["x"], "Out@GRAD": ["y@GRAD"], "Scope": ["scope"]}
    desc.blocks[0].ops = [
        OpDesc("pylayer", {"Input": ["x"]}, {"Out": ["y"], "Scope": ["scope"]}, blocks),
        desc.blocks[0].ops[1],
        OpDesc("pylayer_grad", gradient, {"Input@GRAD": ["x@GRAD"]}, {"backward_block": Attribute("BLOCK", 2)}),
    ]
    axis = {"axis": Attribute("INT", -1)}
    desc.blocks[2].ops = [OpDesc("elementwise_mul", {"X": ["y@GRAD"], "Y": ["r"]}, {"Out": ["x@GRAD"]}, axis)]
    desc = read_program(write_program(desc))
    feed = {"x": torch.tensor([-1.0, 3.0]), "given": torch.tensor([5.0, 2.0])}
    assert [one.tolist() for one in Executor(desc, {}).run(feed, ["y", "x@GRAD"])] == [[0, 9], [0, 6]]
    run = compiled(desc, ["x", "given"], ["y", "x@GRAD"])
    assert [one.tolist() for one in run(*(feed[name] for name, _ in run.inputs))] == [[0, 9], [0, 6]]
