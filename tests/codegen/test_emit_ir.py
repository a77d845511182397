# ruff: noqa: E501  expected texts stand as they are generated
"""The constant rows that the IR has of operators, and the keys that decide on them."""

from _yaml import op, ops, read
from expecttest import assert_expected_inline

from codegen.emit.ir import op_table
from codegen.load import load
from codegen.view.ir_op import forms, mutable_attributes

SQUEEZE = """
- op : squeeze
  args : (Tensor x, IntArray axis = {}, int[] order = {1, -1}, Place place = {}, str mode = "a", float rate = 0.5f)
  output : Tensor(out), Tensor(xshape)
  mutable_attributes : axis
  optional : xshape
  infer_meta : {func : UnchangedInferMeta, param : [x]}
  kernel : {func : squeeze}
  inplace : (x -> out)
  view : (x -> out)
  backward : squeeze_grad
- backward_op : squeeze_grad
  forward : squeeze (Tensor x, IntArray axis = {}, int[] order = {1, -1}, Place place = {}, str mode = "a", float rate = 0.5f) -> Tensor(out), Tensor(xshape)
  args : (Tensor x, Tensor out_grad, IntArray axis)
  output : Tensor(x_grad)
  infer_meta : {func : UnchangedInferMeta, param : [x]}
  kernel : {func : squeeze_grad}
"""


def test_rows():
    assert_expected_inline(
        _table(SQUEEZE),
        """\
constexpr Literal squeeze_default_order[] = {
    Literal::Int(1), Literal::Int(-1),
};
constexpr InputInfo squeeze_inputs[] = {
    {.name = "x"},
    {.name = "axis", .is_mutable_attribute = true},
};
constexpr AttributeInfo squeeze_attributes[] = {
    {.name = "axis", .kind = AttributeKind::IntArray, .default_value = Literal::List({}), .is_mutable = true},
    {.name = "order", .kind = AttributeKind::Array, .element = AttributeKind::Int32, .default_value = Literal::List(squeeze_default_order)},
    {.name = "place", .kind = AttributeKind::Place, .default_value = Literal::Str("undefined")},
    {.name = "mode", .kind = AttributeKind::Str, .default_value = Literal::Str("a")},
    {.name = "rate", .kind = AttributeKind::Float, .default_value = Literal::Float(0.5)},
};
constexpr OutputInfo squeeze_outputs[] = {
    {.name = "out"},
    {.name = "xshape", .optional = true},
};
constexpr std::pair<int, int> form_squeeze_shared[] = {
    {0, 0},
};
constexpr std::pair<int, int> form_squeeze__shared[] = {
    {0, 0},
};
constexpr Vjp::AttributeFrom squeeze_vjp_attributes[] = {
    {0, 0},
};
constexpr std::array<int16_t, 1> squeeze_tensors = {0};
constexpr std::array<int16_t, 5> squeeze_values = {0, 1, 2, 3, 4};
constexpr KernelInfo::Concept squeeze_kernel = {"squeeze", squeeze_tensors, squeeze_values};
constexpr Vjp::Operand squeeze_vjp_operands[] = {{Vjp::Source::Input, 0}, {Vjp::Source::Gradient, 0}, {Vjp::Source::Input, 1}};
constexpr int16_t squeeze_vjp_results[] = {0};
constexpr Vjp::Concept squeeze_vjp = {
    "pd_op.squeeze_grad", squeeze_vjp_operands, squeeze_vjp_attributes, squeeze_vjp_results};
constexpr InterfaceRow form_squeeze_interfaces[] = {{&TypeId::Get<KernelInfo>, &squeeze_kernel}, {&TypeId::Get<Vjp>, &squeeze_vjp}, {&TypeId::Get<Autocast>, &Autocast::kNone}};
constexpr InterfaceRow form_squeeze__interfaces[] = {{&TypeId::Get<KernelInfo>, &squeeze_kernel}, {&TypeId::Get<Autocast>, &Autocast::kNone}};
constexpr InputInfo squeeze_grad_inputs[] = {
    {.name = "x"},
    {.name = "out_grad"},
    {.name = "axis", .is_mutable_attribute = true},
};
constexpr AttributeInfo squeeze_grad_attributes[] = {
    {.name = "axis", .kind = AttributeKind::IntArray, .is_mutable = true},
};
constexpr OutputInfo squeeze_grad_outputs[] = {
    {.name = "x_grad"},
};
constexpr std::array<int16_t, 2> squeeze_grad_tensors = {0, 1};
constexpr std::array<int16_t, 1> squeeze_grad_values = {0};
constexpr KernelInfo::Concept squeeze_grad_kernel = {"squeeze_grad", squeeze_grad_tensors, squeeze_grad_values};
constexpr InterfaceRow form_squeeze_grad_interfaces[] = {{&TypeId::Get<KernelInfo>, &squeeze_grad_kernel}, {&TypeId::Get<Autocast>, &Autocast::kNone}};

constexpr OpRow kOps[] = {
    {.name = "pd_op.squeeze", .place = "ops.yaml, squeeze", .inputs = squeeze_inputs, .attributes = squeeze_attributes, .outputs = squeeze_outputs, .traits = Trait::ViewLike | Trait::ReadOnly, .inplace = form_squeeze_shared, .interfaces = form_squeeze_interfaces},
    {.name = "pd_op.squeeze_", .place = "ops.yaml, squeeze", .inputs = squeeze_inputs, .attributes = squeeze_attributes, .outputs = squeeze_outputs, .traits = Trait::ViewLike | Trait::Inplace, .inplace = form_squeeze__shared, .interfaces = form_squeeze__interfaces},
    {.name = "pd_op.squeeze_grad", .place = "ops.yaml, squeeze_grad", .inputs = squeeze_grad_inputs, .attributes = squeeze_grad_attributes, .outputs = squeeze_grad_outputs, .traits = Trait::ReadOnly, .interfaces = form_squeeze_grad_interfaces},
};

""",
    )


def _table(text: str) -> str:
    """The rows of all shards, between the first and the last lines that all of them have."""
    parts = op_table.emit(ops(text), "").values()
    return "".join(part.partition("namespace {\n\n")[2].partition("[[maybe_unused]]")[0] for part in parts)


def test_gradients_inherit_mutable_attributes():
    opset = ops(SQUEEZE)
    assert mutable_attributes(opset["squeeze_grad"], opset) == ("axis",)


def test_traits():
    text = "- op : f\n  args : (Tensor x)\n  output : Tensor\n  infer_meta : {func : UnchangedInferMeta}\n  kernel : {func : f}\n"
    (plain,) = forms(op(text))
    assert plain.traits == ("ReadOnly",)
    (paddle,) = forms(op(text + "  traits : pir::SideEffectTrait, paddle::dialect::ForwardOnlyTrait\n"))
    assert paddle.traits == ("SideEffect",)
    both = forms(op(text + "  inplace : (x -> out)\n  traits : [commutative, elementwise]\n"))
    assert [form.name for form in both] == ["f", "f_"]
    assert [form.traits for form in both] == [
        *(("Commutative", "Elementwise", "ReadOnly"), ("Commutative", "Elementwise", "Inplace"))
    ]


def test_wrong_names():
    _, diag = read(
        "- op : f\n  args : (Tensor x, int n)\n  output : Tensor\n  infer_meta : {func : UnchangedInferMeta, param : [x]}\n"
        "  kernel : {func : f}\n  traits : comutative\n  mutable_attributes : [x, n]\n"
    )
    assert diag.render() == (
        "ops.yaml:6:12: error[PHI019]: unknown trait 'comutative' of 'f'\n"
        "    traits : comutative\n             ^^^^^^^^^^\n  help: did you mean 'commutative'?\n"
        "ops.yaml:7:25: error[PHI017]: mutable_attributes of 'f' names 'x'\n"
        "    mutable_attributes : [x, n]\n                          ^\n  help: expected one of n"
    )


def test_operators_of_programs_only():
    opset, diag = load()
    assert not diag, diag.render()
    assert {"data", "fetch", "full_int_array", "array_write_"} <= {op.name for op in opset.pir_ops}
    assert '"pd_op.data"' in "".join(op_table.emit(opset, "").values())


def test_tiles():
    entry = "- op : f\n  args : (Tensor x, Tensor y)\n  output : {}\n  infer_meta : {{func : F, param : [x]}}\n  kernel : {{func : f}}\n"
    one, two = entry.format("Tensor(out)"), entry.format("Tensor(out), Tensor(more)")
    tiles = "constexpr TileProgram::Concept f_tile = {2};"
    assert tiles not in _table(one)
    assert tiles in _table(one + "  vmap : elementwise\n")
    assert tiles in _table(one + "  tile : true\n")
    assert tiles not in _table(one + "  vmap : elementwise\n  tile : false\n")
    in_place = _table(one + "  tile : true\n  inplace : (x -> out)\n")
    assert "form_f_interfaces[] = {{&TypeId::Get<KernelInfo>, &f_kernel}, {&TypeId::Get<TileProgram>, &f_tile}," in in_place
    assert "form_f__interfaces[] = {{&TypeId::Get<KernelInfo>, &f_kernel}, {&TypeId::Get<Autocast>" in in_place
    _, diag = read(two + "  tile : true\n")
    assert diag.render() == (
        "ops.yaml:6:10: error[PHI034]: 'f' cannot be computed in tiles\n    tile : true\n           ^^^^\n"
        "  help: leave `tile` out: only an op of tensors that are always there, with one tensor as output, has tiles"
    )
