"""Operators of programs: what their entries say, and what follows from ops with the names of op_compat.yaml."""

from __future__ import annotations

from pathlib import Path

import pytest
from _yaml import ops

from codegen.emit.program import op_info
from codegen.load import load
from codegen.model.diagnose import Diagnostics
from codegen.model.op import OpSet
from codegen.model.program_op import Attribute, ProgramOp, Slot
from codegen.read.op_compat import read_op_compat
from codegen.read.program_ops import read_program_ops
from codegen.view.program_ops import program_ops

OPS = """
- op : fade
  args : (Tensor x, Tensor[] more, Tensor mask, Scalar rate = 0.5f, IntArray axes = {}, DataType dtype = DataType::INT64,
    Place place = {})
  output : Tensor(out), Tensor(cache)
  infer_meta : {func : FadeInferMeta}
  kernel :
    func : fade{dense, dense, dense -> dense, dense}, fade_sr{selected_rows, dense, dense -> selected_rows, dense}
    data_type : dtype
    backend : place
  optional : mask
  intermediate : cache
  backward : fade_grad
- backward_op : fade_grad
  forward : fade (Tensor x, Tensor[] more, Tensor mask, Scalar rate = 0.5f, IntArray axes = {}, DataType dtype = DataType::INT64,
    Place place = {}) -> Tensor(out), Tensor(cache)
  args : (Tensor cache, Tensor out_grad, Scalar rate)
  output : Tensor(x_grad), Tensor[](more_grad){1}
  infer_meta : {func : FadeGradInferMeta}
  kernel : {func : fade_grad}
"""
COMPAT = """
- op : fade (fade_v2)
  backward : fade_grad (fade_v2_grad)
  inputs : {x : X, more : More}
  outputs : {out : Out, cache : Cache}
  attrs : {rate : fade_rate}
  scalar :
    rate : {data_type : float, tensor_name : RateTensor}
  int_array :
    axes : {data_type : int, tensors_name : AxesTensorList, tensor_name : AxesTensor}
  extra :
    attrs : [bool use_cudnn = true, 'str[] names = {}']
"""


def every_op(tmp_path: Path, ops_text: str, compat: str, programs: str = "") -> dict[str, ProgramOp]:
    diag = Diagnostics()
    (tmp_path / "compat.yaml").write_text(compat)
    (tmp_path / "programs.yaml").write_text(programs)
    compats = read_op_compat(tmp_path / "compat.yaml", "compat.yaml", diag)
    written = read_program_ops(tmp_path / "programs.yaml", "programs.yaml", diag)
    assert not diag, diag.render()
    return {op.name: op for op in program_ops(ops(ops_text) if ops_text else OpSet(()), compats, written)}


def signatures(op: ProgramOp) -> list[str]:
    found = []
    for one in op.signatures or (op.default_signature,):
        inputs, outputs = (", ".join(map(str, uses)) for uses in (one.inputs, one.outputs))
        found.append(f"{one.kernel} ({inputs}; {', '.join(' | '.join(names) for names in one.attrs)}) -> ({outputs})")
    return found


def test_an_op_with_its_names_is_an_operator_of_programs(tmp_path):
    found = every_op(tmp_path, OPS, COMPAT)
    fade = found["fade_v2"]
    assert sorted(found) == ["fade_v2", "fade_v2_grad"]
    assert (fade.kernel, fade.forward, fade.by_function) == ("fade", None, False)
    assert fade.inputs == (
        *(Slot("X"), Slot("More", is_list=True), Slot("mask", optional=True), Slot("RateTensor", optional=True)),
        *(Slot("AxesTensor", optional=True), Slot("AxesTensorList", is_list=True, optional=True)),
    )
    assert fade.outputs == (Slot("Out"), Slot("Cache", intermediate=True))
    assert fade.attrs == (
        *(Attribute("fade_rate", "float", "0.5"), Attribute("axes", "int[]", "{}"), Attribute("dtype", "int", "3")),
        *(Attribute("use_cudnn", "bool", "true", extra=True), Attribute("names", "str[]", "{}", extra=True)),
    )
    attrs = "RateTensor | fade_rate, AxesTensor | AxesTensorList | axes, dtype"
    assert signatures(fade) == [
        f"fade (dense X, dense[] More, dense mask; {attrs}) -> (Out, Cache)",
        f"fade_sr (selected_rows X, dense[] More, dense mask; {attrs}) -> (Out, Cache)",
    ]


def test_a_gradient_has_the_slots_of_its_forward_op(tmp_path):
    grad = every_op(tmp_path, OPS, COMPAT)["fade_v2_grad"]
    assert (grad.kernel, grad.forward, grad.attrs) == ("fade_grad", "fade_v2", ())
    names = ["X", "More", "mask", "RateTensor", "AxesTensor", "AxesTensorList", "Out", "Cache", "Out@GRAD", "Cache@GRAD"]
    assert [slot.name for slot in grad.inputs] == names
    assert [slot.name for slot in grad.outputs] == [f"{name}@GRAD" for name in names[:6]]
    assert [slot.name for slot in (*grad.inputs, *grad.outputs) if slot.is_list] == [
        "More",
        "AxesTensorList",
        "More@GRAD",
        "AxesTensorList@GRAD",
    ]
    assert all(slot.optional for slot in (*grad.inputs, *grad.outputs))
    assert signatures(grad) == ["fade_grad (Cache, Out@GRAD; RateTensor | fade_rate) -> (X@GRAD, More@GRAD)"]


def test_what_is_written_stands_before_what_follows(tmp_path):
    written = "- op : fade_v2\n  args : (Tensor X, int axis)\n  output : Tensor(Out)\n  extra : axis\n"
    fade = every_op(tmp_path, OPS, COMPAT, written)["fade_v2"]
    assert fade.attrs == (Attribute("axis", "int", extra=True),)
    assert signatures(fade) == ["fade_v2 (X; ) -> (Out)"]


ENTRY = """
- op : blend
  args : (Tensor[] X, Tensor Weight, float alpha = 0.5, str mode = "a, b", Block sub_block)
  output : Tensor[](Out), Tensor(F1-Score)
  optional : Weight
  intermediate : F1-Score
  support_tensor : alpha
  checks : {alpha : "[0, 1]"}
  kernel : mix
  signatures :
    - mix_sr (selected_rows[] X; alpha) -> (given Out)
    - mix (X, Weight; Weight | alpha) -> (Out)
"""


def test_an_entry(tmp_path):
    blend = every_op(tmp_path, "", "", ENTRY)["blend"]
    assert blend.kernel == "mix"
    assert blend.inputs == (Slot("X", is_list=True), Slot("Weight", optional=True))
    assert blend.outputs == (Slot("Out", is_list=True), Slot("F1-Score", intermediate=True))
    assert blend.attrs == (
        Attribute("alpha", "float", "0.5", support_tensor=True, check="[0, 1]"),
        Attribute("mode", "str", '"a, b"'),
        Attribute("sub_block", "Block"),
    )
    assert signatures(blend) == [
        "mix_sr (selected_rows[] X; alpha) -> (given Out)",
        "mix (X, Weight; Weight | alpha) -> (Out)",
    ]


TABLES = """
constexpr SlotInfo blend_inputs[] = {
    {"X", true, false, false, false},
    {"Weight", false, true, false, false},
};
constexpr SlotInfo blend_outputs[] = {
    {"Out", true, false, false, false},
    {"F1-Score", false, false, true, false},
};
constexpr AttributeInfo blend_attrs[] = {
    {"alpha", OpAttributeType::FLOAT, "0.5", false, true, "[0, 1]"},
    {"mode", OpAttributeType::STRING, "\\"a, b\\"", false, false, nullptr},
    {"sub_block", OpAttributeType::BLOCK, nullptr, false, false, nullptr},
};
constexpr SignatureRow blend_signatures[] = {
    {"mix_sr", "selected_rows[] X", "alpha", "given Out"},
    {"mix", "X,Weight", "Weight|alpha", "Out"},
};

constexpr OpInfo kOps[] = {
    {"blend", "mix", nullptr, nullptr, blend_inputs, blend_outputs, blend_attrs, blend_signatures, false},
};
"""


def test_the_tables_of_an_entry(tmp_path):
    opset = OpSet((), program_ops=tuple(every_op(tmp_path, "", "", ENTRY).values()))
    text = op_info.emit(opset, "")["ops/compat/op_info.cc"]
    assert text[text.index("\nconstexpr SlotInfo") : text.index("\nconst bool kInserted")] == TABLES
    assert op_info.emit(OpSet(()), "") == {}


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("float alpha", "flaot alpha", "PHI007"),
        ("= 0.5", "0.5", "PHI008"),
        ("Tensor[](Out)", "Out", "PHI011"),
        ("optional : Weight", "optional : Wieght", "did you mean 'Weight'?"),
        ('"[0, 1]"', '"0 to 1"', "malformed check"),
        ("alpha : ", "beta : ", "PHI003"),
        ("selected_rows[] X", "rows X", "PHI015"),
        ("signatures", "signature", "did you mean 'signatures'?"),
        ("- op : blend", "- op : blend\n  mapping : func", "unknown mapping 'func'"),
    ],
)
def test_what_is_wrong_with_an_entry(tmp_path, old, new, said):
    diag = Diagnostics()
    assert old in ENTRY
    (tmp_path / "programs.yaml").write_text(ENTRY.replace(old, new, 1))
    assert read_program_ops(tmp_path / "programs.yaml", "programs.yaml", diag) == ()
    assert said in diag.render()


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("fade (fade_v2)", "fade fade_v2", "malformed name"),
        ("{x : X, more : More}", "[X, More]", "must be a mapping"),
        ("tensor_name :", "tensor_nam :", "did you mean 'tensor_name'?"),
        ("bool use_cudnn", "boolean use_cudnn", "malformed attribute"),
        ("data_type : int", "data_type : integer", "unknown data_type 'integer'"),
    ],
)
def test_what_is_wrong_with_names(tmp_path, old, new, said):
    diag = Diagnostics()
    assert old in COMPAT
    (tmp_path / "compat.yaml").write_text(COMPAT.replace(old, new, 1))
    assert read_op_compat(tmp_path / "compat.yaml", "compat.yaml", diag) == ()
    assert said in diag.render()


def test_every_op_of_the_tree_has_a_name_in_programs():
    opset, diag = load()
    assert not diag, diag.render()
    kernels = {signature.kernel for op in opset.program_ops for signature in (*op.signatures, op.default_signature)}
    missing = {op.name for op in opset.ops if op.kernel and not {branch.name for branch in op.kernel.branches} & kernels}
    missing -= {"add_n_grad", "empty_like", "full_with_tensor"}  # of Paddle's graphs alone
    missing -= {name for name in missing if name.startswith("strings_")}  # which Paddle has in eager mode alone
    # programs have tril_triu, unfold for images, set_value with a tensor or without, and no gradients of what passes fuse
    triangles = {"tril", "tril_grad", "triu", "triu_grad"}
    fused = {"fc_grad", "fused_bias_residual_layernorm_grad", "fused_conv2d_add_act_grad"}
    assert missing == {*triangles, *fused, "set_value_with_tensor_grad"}
