"""The autograd nodes and kernels, and the table of boxed kernels, that the generator writes.

Changed on purpose: `EXPECTTEST_ACCEPT=1 pytest tests/codegen/test_emit_autograd.py` rewrites the expected texts.
"""
# ruff: noqa: E501 - generated lines are as long as they are

import re

import pytest
from _yaml import op, ops
from expecttest import assert_expected_inline

from codegen.emit.torch import autograd, keys
from codegen.model.op import OpSet
from codegen.view.derivative import DerivativeError, formula

YAML = r"""
    - op : relu
      args : (Tensor x)
      output : Tensor(out)
      category : unary
      inplace : (x -> out)
      backward : relu_grad
      jvp : auto_elementwise

    - op : norm
      args : (Tensor x, Tensor mean, Tensor scale, Tensor[] more, float eps = 1e-5, IntArray axis = {})
      output : Tensor(out), Tensor(mean_out), Tensor[](rest){more.size()}
      infer_meta : {func : NormInferMeta}
      kernel : {func : norm}
      optional : scale
      inplace : (mean -> mean_out)
      backward : norm_grad
      autocast : fp32

    - op : multiply
      args : (Tensor x, Tensor y)
      output : Tensor(out)
      category : binary
      inplace : (x -> out)
      composite : x * y

    - op : sort
      args : (Tensor x)
      output : Tensor(out), Tensor(indices)
      infer_meta : {func : SortInferMeta}
      kernel : {func : sort}

    - op : full
      args : (IntArray shape, DataType dtype = DataType::FLOAT32, Place place = CPUPlace())
      output : Tensor(out)
      infer_meta : {func : CreateInferMeta}
      kernel : {func : full, data_type : dtype, backend : place}
      category : creation

    - op : sgd_
      args : (Tensor param, Tensor grad, Tensor master, float rate)
      output : Tensor(param_out), Tensor(master_out)
      infer_meta : {func : SgdInferMeta}
      kernel : {func : sgd}
      optional : master
      inplace : (param -> param_out), (master -> master_out)
      category : optimizer

    - backward_op : relu_grad
      forward : relu (Tensor x) -> Tensor(out)
      args : (Tensor out, Tensor out_grad)
      output : Tensor(x_grad)
      category : unary_grad
      backward : relu_double_grad

    - backward_op : relu_double_grad
      forward : relu_grad (Tensor out, Tensor grad_out) -> Tensor(grad_x)
      args : (Tensor out, Tensor grad_x_grad)
      output : Tensor(grad_out_grad)
      category : unary_grad

    - backward_op : norm_grad
      forward : norm (Tensor x, Tensor mean, Tensor scale, Tensor[] more, float eps, IntArray axis) -> Tensor(out), Tensor(mean_out), Tensor[](rest)
      args : (Tensor x, Tensor scale, Tensor[] more, Tensor mean_out, Tensor out_grad, Tensor[] rest_grad, float eps, IntArray axis, int groups = 1)
      output : Tensor(x_grad), Tensor(scale_grad), Tensor[](more_grad){more.size()}
      infer_meta : {func : NormGradInferMeta}
      kernel : {func : norm_grad}
      optional : scale
      no_need_buffer : more
"""


def text() -> str:
    return "\n".join(autograd.emit(ops(YAML), "0").values())


def block(start: str) -> str:
    """The generated struct or function that begins with `start`; for a kernel, the one of the key Autograd."""
    match = re.search(rf"^{re.escape(start)}.*?^}};?\n", text(), re.MULTILINE | re.DOTALL)
    assert match is not None, start
    return match[0]


def test_node() -> None:
    assert_expected_inline(
        block("struct PhiNormBackward0"),
        """\
struct PhiNormBackward0 final : BackwardNode<PhiNormBackward0, 3> {
  using BackwardNode::BackwardNode;
  static constexpr const char* kName = "PhiNormBackward0";
  static variable_list formula([[maybe_unused]] const variable_list& incoming, const Edges<3>& edges, const at::Tensor& x, const at::Tensor& scale, const SavedMetas& more, const at::Tensor& mean_out, const SavedMeta& out_shape, const SavedMetas& rest_shape, double eps, const std::vector<c10::SymInt>& axis) {
    if (!AnyDefined(incoming)) return edges.None();
    return edges.Collect(::phi::ops::norm_grad::call(x, IfDefined(scale), ShapeOnly(more), mean_out, GradOrZeros(incoming[0], out_shape), GradsOrZeros(incoming, 1, rest_shape), eps, axis, 1, edges.needed));
  }
  auto fields() { return std::tie(x_, scale_, more_, mean_out_, out_shape_, rest_shape_, eps_, axis_); }

  SavedTensor x_;
  SavedTensor scale_;
  SavedMetas more_;
  SavedTensor mean_out_;
  SavedMeta out_shape_;
  SavedMetas rest_shape_;
  double eps_ = 0;
  std::vector<c10::SymInt> axis_;
};
""",
    )


def test_functional() -> None:
    assert_expected_inline(
        block("at::Tensor relu("),
        """\
at::Tensor relu(c10::DispatchKeySet keyset, const at::Tensor& x) {
  const auto run = [&]() -> decltype(auto) {
    const at::AutoDispatchBelowADInplaceOrView guard;
    return ::phi::ops::relu::redispatch(keyset & c10::after_ADInplaceOrView_keyset, x);
  };
  if (!MayDifferentiate(x)) return run();
  const bool requires_grad = RequiresGrad(x);
  const bool has_tangent = HasTangent(x);
  if (!requires_grad && !has_tangent) return run();
  NodePtr<PhiReluBackward0> grad_node;
  if (requires_grad) {
    grad_node = NewNode<PhiReluBackward0>(CollectEdges(x));
    grad_node->edge_counts = {EdgeCount(x)};
  }
  auto results = run();
  if (grad_node) {
    SetHistory(grad_node, results);
  }
  if (has_tangent) {
    at::Tensor tangent;
    AddElementwiseTangent(&tangent, x, results, [&](const at::Tensor& part) { return ::phi::ops::relu_grad::call(results, part); });
    SetTangent(results, tangent);
  }
  if (grad_node) {
    grad_node->out_ = SavedTensor(results, true);
    Announce(grad_node);
  }
  return results;
}
""",
    )


def test_functional_with_lists() -> None:
    assert_expected_inline(
        block("std::tuple<at::Tensor, at::Tensor, std::vector<at::Tensor>> norm("),
        """\
std::tuple<at::Tensor, at::Tensor, std::vector<at::Tensor>> norm(c10::DispatchKeySet keyset, const at::Tensor& x, const at::Tensor& mean, const std::optional<at::Tensor>& scale, at::TensorList more, double eps, c10::SymIntArrayRef axis) {
  const auto run = [&]() -> decltype(auto) {
    const at::AutoDispatchBelowADInplaceOrView guard;
    return ::phi::ops::norm::redispatch(keyset & c10::after_ADInplaceOrView_keyset, x, mean, scale, more, eps, axis);
  };
  if (!MayDifferentiate(x, mean, scale, more)) return run();
  const bool requires_grad = RequiresGrad(x, mean, scale, more);
  const bool has_tangent = HasTangent(x, mean, scale, more);
  if (!requires_grad && !has_tangent) return run();
  if (has_tangent) RaiseNoForwardMode("phi::norm");
  CheckNotDifferentiable(mean, "phi::norm", "mean");
  NodePtr<PhiNormBackward0> grad_node;
  if (RequiresGrad(x, scale, more)) {
    grad_node = NewNode<PhiNormBackward0>(CollectEdges(x, scale, more));
    grad_node->edge_counts = {EdgeCount(x), EdgeCount(scale), EdgeCount(more)};
    grad_node->x_ = SavedTensor(x);
    grad_node->scale_ = SavedTensor(scale);
    grad_node->more_ = SavedMetaOf(more);
    grad_node->eps_ = eps;
    grad_node->axis_ = axis.vec();
  }
  auto results = run();
  if (grad_node) {
    SetHistory(grad_node, std::get<0>(results));
    SetHistory(grad_node, std::get<2>(results));
    grad_node->mean_out_ = SavedTensor(std::get<1>(results), false);
    grad_node->out_shape_ = SavedMetaOf(std::get<0>(results));
    grad_node->rest_shape_ = SavedMetaOf(std::get<2>(results));
    Announce(grad_node);
  }
  return results;
}
""",
    )


def test_inplace() -> None:
    assert_expected_inline(
        block("at::Tensor& relu_("),
        """\
at::Tensor& relu_(c10::DispatchKeySet keyset, at::Tensor& x) {
  const auto run = [&]() -> decltype(auto) {
    const at::AutoDispatchBelowAutograd guard;
    return ::phi::ops::relu_::redispatch(keyset & c10::after_autograd_keyset, x);
  };
  if (!MayDifferentiate(x)) return run();
  const bool requires_grad = RequiresGrad(x);
  const bool has_tangent = HasTangent(x);
  if (!requires_grad && !has_tangent) return run();
  if (has_tangent) {
    auto results = ::phi::ops::relu::call(x);
    x.copy_(results);
    return x;
  }
  CheckInplace(x, true);
  const auto grad_node = NewNode<PhiReluBackward0>(CollectEdges(x));
  grad_node->edge_counts = {EdgeCount(x)};
  run();
  RebaseHistory(grad_node, x);
  grad_node->out_ = SavedTensor(x, true, x.is_view());
  Announce(grad_node);
  return x;
}
""",
    )


def test_inplace_state() -> None:
    """The overwritten mean is no differentiable output: it is cloned for the backward op."""
    assert_expected_inline(
        block("std::tuple<at::Tensor, std::vector<at::Tensor>> norm_("),
        """\
std::tuple<at::Tensor, std::vector<at::Tensor>> norm_(c10::DispatchKeySet keyset, const at::Tensor& x, at::Tensor& mean, const std::optional<at::Tensor>& scale, at::TensorList more, double eps, c10::SymIntArrayRef axis) {
  const auto run = [&]() -> decltype(auto) {
    const at::AutoDispatchBelowAutograd guard;
    return ::phi::ops::norm_::redispatch(keyset & c10::after_autograd_keyset, x, mean, scale, more, eps, axis);
  };
  if (!MayDifferentiate(x, mean, scale, more)) return run();
  const bool requires_grad = RequiresGrad(x, mean, scale, more);
  const bool has_tangent = HasTangent(x, mean, scale, more);
  if (!requires_grad && !has_tangent) return run();
  if (has_tangent) {
    auto results = ::phi::ops::norm::call(x, mean, scale, more, eps, axis);
    mean.copy_(std::get<1>(results));
    return {std::get<0>(results), std::get<2>(results)};
  }
  CheckNotDifferentiable(mean, "phi::norm_", "mean");
  const auto grad_node = NewNode<PhiNormBackward0>(CollectEdges(x, scale, more));
  grad_node->edge_counts = {EdgeCount(x), EdgeCount(scale), EdgeCount(more)};
  grad_node->x_ = SavedTensor(x);
  grad_node->scale_ = SavedTensor(scale);
  grad_node->more_ = SavedMetaOf(more);
  grad_node->eps_ = eps;
  grad_node->axis_ = axis.vec();
  auto results = run();
  SetHistory(grad_node, std::get<0>(results));
  SetHistory(grad_node, std::get<1>(results));
  grad_node->mean_out_ = SavedTensor(mean.clone(), false);
  grad_node->out_shape_ = SavedMetaOf(std::get<0>(results));
  grad_node->rest_shape_ = SavedMetaOf(std::get<1>(results));
  Announce(grad_node);
  return results;
}
""",
    )


def test_double_grad_finds_renamed_tensors() -> None:
    assert_expected_inline(
        block("struct PhiReluGradBackward0"),
        """\
struct PhiReluGradBackward0 final : BackwardNode<PhiReluGradBackward0, 1> {
  using BackwardNode::BackwardNode;
  static constexpr const char* kName = "PhiReluGradBackward0";
  static variable_list formula([[maybe_unused]] const variable_list& incoming, const Edges<1>& edges, const at::Tensor& out) {
    if (!AnyDefined(incoming)) return edges.None();
    return edges.Collect(::phi::ops::relu_double_grad::call(out, incoming[0]));
  }
  auto fields() { return std::tie(out_); }

  SavedTensor out_;
};
""",
    )


def test_composite() -> None:
    assert_expected_inline(
        block("at::Tensor& multiply_("),
        """\
at::Tensor& multiply_(c10::DispatchKeySet keyset, at::Tensor& x, const at::Tensor& y) {
  if (NeedsInplaceCast("phi::multiply_", x, {TensorOf(x), TensorOf(y)})) return torch_bridge::autograd::multiply_(keyset, x, Cast(y, x.scalar_type()));
  const auto run = [&]() -> decltype(auto) {
    const at::AutoDispatchBelowAutograd guard;
    return ::phi::ops::multiply_::redispatch(keyset & c10::after_autograd_keyset, x, y);
  };
  if (!MayDifferentiate(x, y)) return run();
  const bool requires_grad = RequiresGrad(x, y);
  const bool has_tangent = HasTangent(x, y);
  if (!requires_grad && !has_tangent) return run();
  if (has_tangent) {
    auto results = ::phi::ops::multiply::call(x, y);
    x.copy_(results);
    return x;
  }
  CheckInplace(x, true);
  const auto grad_node = NewCompositeNode("phi::multiply", "PhiMultiplyBackward0", CollectEdges(x, y), Copy(x), y);
  run();
  RebaseHistory(grad_node, x);
  Announce(grad_node);
  return x;
}
""",
    )


def test_without_derivative() -> None:
    assert_expected_inline(
        block("std::tuple<at::Tensor, at::Tensor> sort("),
        """\
std::tuple<at::Tensor, at::Tensor> sort(c10::DispatchKeySet keyset, const at::Tensor& x) {
  const auto run = [&]() -> decltype(auto) {
    const at::AutoDispatchBelowADInplaceOrView guard;
    return ::phi::ops::sort::redispatch(keyset & c10::after_ADInplaceOrView_keyset, x);
  };
  if (!MayDifferentiate(x)) return run();
  const bool requires_grad = RequiresGrad(x);
  const bool has_tangent = HasTangent(x);
  if (!requires_grad && !has_tangent) return run();
  auto results = run();
  CheckNoTangent("phi::sort", results, x);
  if (requires_grad) {
    const auto grad_node = NotImplementedNode("phi::sort", CollectEdges(x));
    SetNotImplemented(grad_node, results);
    Announce(grad_node);
  }
  return results;
}
""",
    )


def test_optimizer() -> None:
    assert_expected_inline(
        block("void sgd_("),
        """\
void sgd_(c10::DispatchKeySet keyset, at::Tensor& param, const at::Tensor& grad, const std::optional<at::Tensor>& master, double rate) {
  const auto run = [&]() -> decltype(auto) {
    const at::AutoDispatchBelowAutograd guard;
    return ::phi::ops::sgd_::redispatch(keyset & c10::after_autograd_keyset, param, grad, master, rate);
  };
  if (!MayDifferentiate(param, grad, master)) return run();
  const bool requires_grad = RequiresGrad(param, grad, master);
  const bool has_tangent = HasTangent(param, grad, master);
  if (!requires_grad && !has_tangent) return run();
  if (has_tangent) RaiseNoForwardMode("phi::sgd_");
  CheckInplace(param, true);
  CheckInplace(master, true);
  CheckNoView("phi::sgd_", param);
  CheckNoView("phi::sgd_", master);
  const auto grad_node = NotImplementedNode("phi::sgd_", CollectEdges(param, grad, master));
  run();
  RebaseHistory(grad_node, param);
  RebaseHistory(grad_node, master);
  Announce(grad_node);
  return;
}
""",
    )


def test_creation_needs_no_kernel() -> None:
    assert 'm.impl("full", torch::CppFunction::makeFallthrough());' in text()


def test_every_overload_has_an_autograd_kernel() -> None:
    found = set(re.findall(r'(?:Implement\(m, |m\.impl\()"(\S+)", (?:&(?!inplace_or_view)|RefuseGradients)', text()))
    assert found == {
        *("relu", "relu_", "relu.out", "relu_grad", "relu_double_grad", "norm", "norm_", "norm_grad"),
        *("multiply", "multiply_", "multiply.out", "sort", "sort.out", "full.out", "sgd_"),
    }


def test_keys() -> None:
    table = keys.emit(ops(YAML), "0")["torch/register_keys.cc"]
    assert_expected_inline(
        "\n".join(re.findall(r"m\.impl\(.*?\);", table)),
        """\
m.impl("relu", ElementwiseBatchRule());
m.impl("relu_", ElementwiseBatchRule());
m.impl("multiply", ElementwiseBatchRule());
m.impl("multiply_", ElementwiseBatchRule());
m.impl("relu_grad", ElementwiseBatchRule());
m.impl("relu_double_grad", ElementwiseBatchRule());
m.impl("norm", LoopBatchRule());
m.impl("norm_", LoopBatchRule());
m.impl("sgd_", LoopBatchRule());
m.impl("norm_grad", LoopBatchRule());
m.impl("norm", AutogradLoopBatchRule());
m.impl("norm_grad", AutogradLoopBatchRule());
m.impl("relu_", Functionalize("phi::relu", 1, {{0, 0}}));
m.impl("relu.out", Functionalize("phi::relu", 1, {{1, 0}}));
m.impl("norm_", Functionalize("phi::norm", 6, {{1, 1}}));
m.impl("multiply_", Functionalize("phi::multiply", 2, {{0, 0}}));
m.impl("multiply.out", Functionalize("phi::multiply", 2, {{2, 0}}));
m.impl("sort.out", Functionalize("phi::sort", 1, {{1, 0}, {2, 1}}));
m.impl("full.out", Functionalize("phi::full", 3, {{3, 0}}));
m.impl("norm", Autocast(AutocastPolicy::kFloat32, device));
m.impl("multiply", Autocast(AutocastPolicy::kPromote, device));
m.impl("full", BackendSelect());
m.impl("norm.tensor", rule());
m.impl("norm_.tensor", rule());
m.impl("full.tensor", rule());""",
    )


def test_backward_op_that_does_not_fit() -> None:
    forward = op("""
        - op : relu
          args : (Tensor x)
          output : Tensor(out)
          category : unary
          backward : relu_grad
    """)
    backward = op("""
        - backward_op : relu_grad
          forward : relu (Tensor x) -> Tensor(out)
          args : (Tensor out, Tensor out_grad, float slope)
          output : Tensor(x_grad)
          category : unary_grad
    """)
    with pytest.raises(DerivativeError) as error:
        formula(forward, OpSet((forward, backward)))
    assert_expected_inline(
        str(error.value),
        """ops.yaml:4:40: argument 'slope' of 'relu_grad' is no argument, output or gradient of its forward op, and has no default""",
    )
