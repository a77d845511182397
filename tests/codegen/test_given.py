"""What a backward op is given, against its forward op: the statements for each way in which the forward op is known."""

from _yaml import read

from codegen.view.given import checks, unchecked

RENAMED = """
- op : cube
  args : (Tensor x)
  output : Tensor(out)
  category : unary
  backward : cube_grad
- backward_op : cube_grad
  forward : cube (Tensor x) -> Tensor(out)
  args : (Tensor x, Tensor out_grad)
  output : Tensor(x_grad)
  category : unary_grad
  backward : cube_double_grad
- backward_op : cube_double_grad
  forward : cube_grad (Tensor x, Tensor grad_out) -> Tensor(grad_x)
  args : (Tensor x, Tensor grad_out, Tensor grad_x_grad)
  output : Tensor(x_grad), Tensor(grad_out_grad)
  infer_meta : {func : GeneralBinaryGradInferMeta, param : [x, grad_out]}
  kernel : {func : cube_double_grad}
"""
REDUCED = """
- op : norm
  args : (Tensor x, Tensor[] parts, Tensor bias, IntArray axis = {}, DataType dtype = DataType::UNDEFINED)
  output : Tensor(out), Tensor[](rests){parts.size()}, Tensor(count)
  infer_meta : {func : NormInferMeta}
  kernel : {func : norm}
  optional : bias
  backward : norm_grad
- backward_op : norm_grad
  forward : norm (Tensor x, Tensor[] parts, Tensor bias, IntArray axis, DataType dtype)
    -> Tensor(out), Tensor[](rests), Tensor(count)
  args : (Tensor x, Tensor[] parts, Tensor count, Tensor out_grad, Tensor[] rests_grad, IntArray axis, bool reduce_all = false)
  output : Tensor(x_grad)
  infer_meta : {func : UnchangedInferMeta, param : [x]}
  kernel : {func : norm_grad}
"""
UNKNOWN = """
- op : fold
  args : (Tensor x, IntArray shape)
  output : Tensor(out)
  infer_meta : {func : FoldInferMeta}
  kernel : {func : fold}
  backward : fold_grad
- backward_op : fold_grad
  forward : fold (Tensor x, IntArray shape) -> Tensor(out)
  args : (Tensor x, Tensor out, Tensor out_grad)
  output : Tensor(x_grad)
  infer_meta : {func : FoldGradInferMeta, param : [x, out]}
  kernel : {func : fold_grad}
"""


def statements(text: str, name: str) -> list[str]:
    opset = read(text)[0]
    return list(checks(opset[name], opset, {a.name: a.name for a in opset[name].args}, "Dim"))


def test_an_op_of_higher_order_checks_all_orders():
    assert statements(RENAMED, "cube_grad") == ['CheckGiven<Dim>("out_grad", out_grad, x);']
    assert statements(RENAMED, "cube_double_grad") == [
        'CheckGiven<Dim>("grad_out", grad_out, x);',
        'CheckGiven<Dim>("grad_x_grad", grad_x_grad, x);',
    ]


def test_the_forward_infer_meta_runs_with_what_is_known():
    assert statements(REDUCED, "norm_grad") == [
        "Expected<Dim> out_expected;",
        "ExpectedList<Dim> rests_expected(parts.size());",
        "Expected<Dim> count_expected;",
        "NormInferMeta<Dim>(x, parts, MetaTensor<Dim>(), (reduce_all ? IntArrayBase<Dim>() : axis), out_grad.dtype(), "
        "&out_expected, rests_expected.metas(), &count_expected);",
        'CheckGiven<Dim>("out_grad", out_grad, out_expected);',
        'CheckGiven<Dim>("rests_grad", rests_grad, rests_expected.metas());',
        'CheckGiven<Dim>("count", count, count_expected);',
    ]


def test_a_gradient_is_like_its_output_where_the_forward_cannot_run():
    assert statements(UNKNOWN, "fold_grad") == ['CheckGiven<Dim>("out_grad", out_grad, out);']


def test_a_tensor_that_nothing_compares_is_found():
    opset = read(UNKNOWN.replace("param : [x, out]", "param : [x]"))[0]
    assert unchecked(opset["fold_grad"], opset) == ("x",)
    assert unchecked(read(UNKNOWN)[0]["fold_grad"], read(UNKNOWN)[0]) == ()
