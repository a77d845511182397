# ruff: noqa: E501  expected texts stand as they are generated
"""The functions of paddle:: that the generator writes for custom operators.

Changed on purpose: `EXPECTTEST_ACCEPT=1 pytest tests/codegen/test_emit_paddle_api.py` rewrites the expected texts.
"""

from _yaml import ops
from expecttest import assert_expected_inline

from codegen.emit.torch import paddle_api

YAML = r"""
    - op : cast
      args : (Tensor x, DataType dtype)
      output : Tensor(out)
      infer_meta : {func : CastInferMeta}
      kernel : {func : cast, data_type : dtype}

    - op : norm
      args : (Tensor x, Tensor scale, Tensor[] more, float eps = 1e-5f, IntArray axis = {0}, str mode = "all")
      output : Tensor(out), Tensor(mean), Tensor[](rest){more.size()}
      infer_meta : {func : NormInferMeta}
      kernel : {func : norm}
      optional : scale
      intermediate : mean

    - op : sgd_
      args : (Tensor param, float rate)
      output : Tensor(param_out)
      infer_meta : {func : SgdInferMeta}
      kernel : {func : sgd}
      inplace : (param -> param_out)
      category : optimizer
"""


def test_declarations():
    text = paddle_api.emit(ops(YAML), "")["paddle/ops.h"]
    assert_expected_inline(
        text[text.index("// The operators") :],
        """\
// The operators as functions. They raise what the operators of torch.ops.phi raise.
namespace paddle::experimental {

// ops.yaml, cast
Tensor cast(const Tensor& x, DataType dtype);

// ops.yaml, norm
std::tuple<Tensor, std::vector<Tensor>> norm(const Tensor& x, const paddle::optional<Tensor>& scale, const std::vector<Tensor>& more, float eps = 1e-05, const IntArray& axis = {0}, const std::string& mode = "all");

}  // namespace paddle::experimental
""",
    )


def test_definitions():
    text = paddle_api.emit(ops(YAML), "")["torch/paddle_ops.cc"]
    assert_expected_inline(
        text[text.index("using phi") :],
        """\
using phi::torch_bridge::ToTorch;
using phi::torch_bridge::Unwrap;
using phi::torch_bridge::Wrap;

Tensor cast(const Tensor& x, DataType dtype) {
  auto results = phi::ops::cast::call(Unwrap(x), ToTorch(dtype));
  return Wrap(results);
}

std::tuple<Tensor, std::vector<Tensor>> norm(const Tensor& x, const paddle::optional<Tensor>& scale, const std::vector<Tensor>& more, float eps, const IntArray& axis, const std::string& mode) {
  auto results = phi::ops::norm::call(Unwrap(x), Unwrap(scale), Unwrap(more), Unwrap(eps), Unwrap(axis), Unwrap(mode));
  return {Wrap(std::get<0>(results)), Wrap(std::get<2>(results))};
}

}  // namespace paddle::experimental
""",
    )
