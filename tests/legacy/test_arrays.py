"""Parts of arrays of tensors, which loops of programs fill, and their gradients."""

from __future__ import annotations

import pytest
import torch

from phi_torch import ir
from phi_torch.legacy import Attribute, Executor, OpDesc, VarDesc

from .test_run import program_of


def part(start: int, end: int, out: str, decrease: list[int], **inputs: list[str]) -> OpDesc:
    lists = {"axes": [0], "starts": [start], "ends": [end], "infer_flags": [1], "decrease_axis": decrease}
    return OpDesc("slice", {"Input": ["array"], **inputs}, {"Out": [out]}, {k: Attribute("INTS", v) for k, v in lists.items()})


def test_parts_of_arrays():
    fill = OpDesc("fill_constant", {}, {"Out": ["i"]}, {"shape": Attribute("LONGS", [1]), "dtype": Attribute("INT", 3)})
    fill.attrs |= {"value": Attribute("FLOAT", 0.0), "str_value": Attribute("STRING", "")}
    ops = [
        fill,
        OpDesc("write_to_array", {"X": ["x"], "I": ["i"]}, {"Out": ["array"]}),
        OpDesc("increment", {"X": ["i"]}, {"Out": ["i"]}, {"step": Attribute("FLOAT", 1.0)}),
        OpDesc("scale", {"X": ["x"]}, {"Out": ["twice"]}, {"scale": Attribute("FLOAT", 2.0)}),
        OpDesc("write_to_array", {"X": ["twice"], "I": ["i"]}, {"Out": ["array"]}),
        part(-1, 2**31 - 1, "last", [0]),
        part(0, 1, "y", [0], StartsTensor=["i"]),
        part(0, 2**31 - 1, "all", []),
        OpDesc("assign", {"X": ["all"]}, {"Out": ["copy"]}),
        OpDesc("lod_array_length", {"X": ["copy"]}, {"Out": ["n"]}),
    ]
    program = program_of(*ops, x=(2,), i=(1,), twice=(2,), last=(2,), y=(2,), n=(1,))
    for name in ("array", "all", "copy"):
        program.blocks[0].vars[name] = VarDesc(name, "tensor_array", torch.float32, (2,))
    program.blocks[0].vars["x"].need_check_feed = True
    x = torch.tensor([1.0, -2.0], requires_grad=True)
    runs = [lambda: Executor(program, {}).run({"x": x}, ["last", "y", "n"])]
    runs.append(lambda: list(ir.compile(ir.from_legacy(program, fetch=["last", "y", "n"]))(x.detach())))
    for run in runs:
        last, y, n = run()
        assert last.tolist() == y.tolist() == [2, -4] and n.tolist() == [2]
    program.blocks[0].ops[5] = part(5, 6, "last", [0])
    with pytest.raises(ValueError, match=r"op 5 \(slice\): starts: expected the index of one of 2 tensors, got 5"):
        Executor(program, {}).run({"x": x}, ["last"])


@pytest.mark.parametrize("use_stack", [False, True])
def test_parts_of_arrays_and_their_gradients(use_stack: bool):
    """As PaddlePaddle 2.6.2 appends them for `array[1:n]` and `array[-1]`."""
    joined = {"axis": Attribute("INT", 0), "use_stack": Attribute("BOOLEAN", use_stack)}
    part = {name: Attribute("INTS", [value]) for name, value in {"axes": 0, "starts": 1, "ends": -1}.items()}
    last = {**part, "starts": Attribute("INTS", [-1]), "ends": Attribute("INTS", [0]), "decrease_axis": Attribute("INTS", [0])}
    ends = {"EndsTensorList": ["n"]}
    ops = [
        *(OpDesc("write_to_array", {"X": [x], "I": [f"i{at}"]}, {"Out": ["array"]}) for at, x in enumerate(("a", "b", "c"))),
        OpDesc("lod_array_length", {"X": ["array"]}, {"Out": ["n"]}),
        OpDesc("slice", {"Input": ["array"], **ends}, {"Out": ["part"]}, part),
        OpDesc("tensor_array_to_tensor", {"X": ["part"]}, {"Out": ["y"], "OutIndex": ["sizes"]}, joined),
        OpDesc("tensor_array_to_tensor_grad", {"X": ["part"], "Out@GRAD": ["y"]}, {"X@GRAD": ["part@GRAD"]}, joined),
        OpDesc("slice_grad", {"Input": ["array"], "Out@GRAD": ["part@GRAD"], **ends}, {"Input@GRAD": ["array@GRAD"]}, part),
        OpDesc("slice", {"Input": ["array"]}, {"Out": ["z"]}, last),
        OpDesc("slice_grad", {"Input": ["array"], "Out@GRAD": ["z"]}, {"Input@GRAD": ["last@GRAD"]}, last),
    ]
    for of in ("array", "last"):
        ops += [OpDesc("read_from_array", {"X": [f"{of}@GRAD"], "I": [f"i{at}"]}, {"Out": [f"{of}{at}"]}) for at in range(3)]
    places = {f"{of}{at}": (2,) for of in ("array", "last") for at in range(3)}
    indices = {f"i{at}": (1,) for at in range(3)}
    program = program_of(*ops, a=(2,), b=(2,), c=(2,), y=(-1,), z=(-1,), n=(1,), sizes=(-1,), **places, **indices)
    for name in ("array", "part", "array@GRAD", "part@GRAD", "last@GRAD"):
        program.blocks[0].vars[name] = VarDesc(name, "tensor_array", torch.float32, (-1,))
    feed = {"a": torch.tensor([1.0, 2]), "b": torch.tensor([3.0, 4]), "c": torch.tensor([5.0, 6])}
    feed |= {f"i{at}": torch.tensor([at]) for at in range(3)}
    y, z, *grads = Executor(program, {}).run(feed, ["y", "z", *places])
    assert y.tolist() == ([[3, 4], [5, 6]] if use_stack else [3, 4, 5, 6]) and z.tolist() == [5, 6]
    assert [one.tolist() for one in grads] == [[0, 0], [3, 4], [5, 6], [0, 0], [0, 0], [5, 6]]
