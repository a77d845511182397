"""The node of an op with `pass_through`: gradients that are an incoming one, handed on without a call."""
# ruff: noqa: E501 - generated lines are as long as they are

import re

from _yaml import ops
from expecttest import assert_expected_inline

from codegen.emit.torch import autograd

YAML = """
    - op : residual
      args : (Tensor x, Tensor y, Tensor z)
      output : Tensor(out)
      infer_meta : {func : ResidualInferMeta}
      kernel : {func : residual}
      backward : residual_grad

    - backward_op : residual_grad
      forward : residual (Tensor x, Tensor y, Tensor z) -> Tensor(out)
      args : (Tensor y, Tensor z, Tensor out_grad)
      output : Tensor(x_grad), Tensor(y_grad), Tensor(z_grad)
      infer_meta : {func : ResidualGradInferMeta}
      kernel : {func : residual_grad}
      no_need_buffer : y
      pass_through : (out_grad -> x_grad, out_grad -> y_grad)
"""


def test_incoming_gradient_that_is_passed_through() -> None:
    text = "\n".join(autograd.emit(ops(YAML), "0").values())
    found = re.search(r"^struct PhiResidualBackward0.*?^};\n", text, re.MULTILINE | re.DOTALL)
    assert found is not None
    assert_expected_inline(
        found[0],
        """\
struct PhiResidualBackward0 final : BackwardNode<PhiResidualBackward0, 3> {
  using BackwardNode::BackwardNode;
  static constexpr const char* kName = "PhiResidualBackward0";
  static variable_list formula([[maybe_unused]] const variable_list& incoming, const Edges<3>& edges, const SavedMeta& y, const at::Tensor& z, const SavedMeta& x) {
    if (!AnyDefined(incoming)) return edges.None();
    PassThrough<3> passed(edges);
    passed.Try<0>(incoming[0], x);
    passed.Try<1>(incoming[0], y);
    if (passed.all()) return edges.Collect(passed.grads());
    return edges.Collect(passed.Fill(::phi::ops::residual_grad::call(ShapeOnly(y), z, incoming[0], passed.rest())));
  }
  auto fields() { return std::tie(y_, z_, x_); }

  SavedMeta y_;
  SavedTensor z_;
  SavedMeta x_;
};
""",
    )
