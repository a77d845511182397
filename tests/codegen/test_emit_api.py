# ruff: noqa: E501  expected texts stand as they are generated
"""The schemas, API, Meta functions and kernels that the generator writes, for one op of each form.

Changed on purpose: `EXPECTTEST_ACCEPT=1 pytest tests/codegen/test_emit_api.py` rewrites the expected texts.
"""

import re

import pytest
from _yaml import ops
from expecttest import assert_expected_inline

from codegen.dispatcher import overloads
from codegen.emit import api, composite_ops, infermeta, kernels, meta, schema
from codegen.model import OpSet

YAML = r"""
    - op : add
      args : (Tensor x, Tensor y)
      output : Tensor(out)
      category : binary
      inplace : (x -> out)
      backward : add_grad
    - op : scale
      args : (Tensor x, Scalar scale = 1.0, bool bias_after_scale = true)
      output : Tensor(out)
      infer_meta : {func : UnchangedInferMeta, param : [x]}
      kernel :
        func : scale {dense -> dense}, scale_sr {selected_rows -> selected_rows}
        data_type : x
      inplace : (x -> out)
      backward : scale_grad
    - op : full
      args : (IntArray shape, Scalar value, DataType dtype = DataType::FLOAT32, Place place = CPUPlace())
      output : Tensor(out)
      infer_meta : {func : CreateInferMeta, param : [shape, dtype]}
      kernel : {func : full, param : [shape, value, dtype], data_type : dtype, backend : place}
      category : creation
    - op : split
      args : (Tensor x, IntArray sections, Scalar axis, int[] other = {1, 2}, str mode = "a")
      output : Tensor[](out){sections.size()}
      infer_meta : {func : SplitInferMeta}
      kernel : {func : split}
    - op : sgd_
      args : (Tensor param, Tensor learning_rate, Tensor master_param, bool multi_precision = false)
      output : Tensor(param_out), Tensor(master_param_out)
      infer_meta : {func : SgdInferMeta}
      kernel : {func : sgd, data_type : param}
      data_transform : {support_trans_dtype : learning_rate}
      optional : master_param, master_param_out
      inplace : (param -> param_out), (master_param -> master_param_out)
      category : optimizer
    - op : reshape
      args : (Tensor x, IntArray shape)
      output : Tensor(out)
      infer_meta : {func : ReshapeInferMeta}
      kernel : {func : reshape}
      inplace : (x -> out)
      view : (x -> out)
      category : view
    - op : swish
      args : (Tensor x, float beta = 1.0)
      output : Tensor(out)
      category : unary
    - backward_op : add_grad
      forward : add (Tensor x, Tensor y) -> Tensor(out)
      args : (Tensor x, Tensor y, Tensor out_grad, int axis = -1)
      output : Tensor(x_grad), Tensor(y_grad)
      category : binary_grad
      no_need_buffer : x, y
    - backward_op : scale_grad
      forward : scale (Tensor x, Scalar scale, bool bias_after_scale) -> Tensor(out)
      args : (Tensor out_grad, Scalar scale = 1.0)
      output : Tensor(x_grad)
      invoke : scale(out_grad, scale, 0.0f)
"""


@pytest.fixture(scope="module")
def opset() -> OpSet:
    return ops(YAML)


def function(files: dict[str, str], name: str) -> str:
    """The text of one generated C++ function, with what stands before it, from whichever shard it is in."""
    blocks = "".join(files.values()).split("\n\n")
    (found,) = [b for b in blocks if b.startswith("// ops.yaml") and f" {name}(" in b.split(" {\n")[0]]
    return found + "\n"


def test_schemas(opset):
    schemas = "\n".join(o.schema for op in opset.ops for o in overloads(op))
    assert_expected_inline(
        schemas,
        """\
add(Tensor x, Tensor y) -> Tensor
add_(Tensor(a!) x, Tensor y) -> Tensor(a!)
add.out(Tensor x, Tensor y, *, Tensor(a!) out) -> Tensor(a!)
scale(Tensor x, Scalar scale=1.0, bool bias_after_scale=True) -> Tensor
scale_(Tensor(a!) x, Scalar scale=1.0, bool bias_after_scale=True) -> Tensor(a!)
scale.out(Tensor x, Scalar scale=1.0, bool bias_after_scale=True, *, Tensor(a!) out) -> Tensor(a!)
scale.tensor(Tensor x, Tensor scale, bool bias_after_scale=True) -> Tensor
full(SymInt[] shape, Scalar value, ScalarType? dtype=6, Device? device=None) -> Tensor
full.out(SymInt[] shape, Scalar value, ScalarType? dtype=6, Device? device=None, *, Tensor(a!) out) -> Tensor(a!)
full.tensor(Tensor shape, Tensor value, ScalarType? dtype=6, Device? device=None) -> Tensor
split(Tensor x, SymInt[] sections, Scalar axis, int[] other=[1, 2], str mode="a") -> Tensor[]
split.tensor(Tensor x, Tensor sections, Tensor axis, int[] other=[1, 2], str mode="a") -> Tensor[]
sgd_(Tensor(a!) param, Tensor learning_rate, Tensor(b!)? master_param=None, bool multi_precision=False) -> ()
reshape(Tensor x, SymInt[] shape) -> Tensor
reshape_(Tensor(a!) x, SymInt[] shape) -> Tensor(a!)
reshape.tensor(Tensor x, Tensor shape) -> Tensor
swish(Tensor x, float beta=1.0) -> Tensor
swish.out(Tensor x, float beta=1.0, *, Tensor(a!) out) -> Tensor(a!)
add_grad(Tensor x, Tensor y, Tensor out_grad, int axis=-1, *, bool[2] output_mask=[True, True]) -> (Tensor, Tensor)
scale_grad(Tensor out_grad, Scalar scale=1.0) -> Tensor""",
    )


def test_cpp_types(opset):
    types = "\n".join(f"{o.symbol}: {o.cpp_type}" for name in ("full", "split", "sgd_") for o in overloads(opset[name]))
    assert_expected_inline(
        types,
        """\
full: at::Tensor(c10::SymIntArrayRef, const at::Scalar&, std::optional<at::ScalarType>, std::optional<at::Device>)
full_out: at::Tensor&(c10::SymIntArrayRef, const at::Scalar&, std::optional<at::ScalarType>, std::optional<at::Device>, at::Tensor&)
full_tensor: at::Tensor(const at::Tensor&, const at::Tensor&, std::optional<at::ScalarType>, std::optional<at::Device>)
split: std::vector<at::Tensor>(const at::Tensor&, c10::SymIntArrayRef, const at::Scalar&, at::IntArrayRef, std::string_view)
split_tensor: std::vector<at::Tensor>(const at::Tensor&, const at::Tensor&, const at::Tensor&, at::IntArrayRef, std::string_view)
sgd_: void(at::Tensor&, const at::Tensor&, const std::optional<at::Tensor>&, bool)""",
    )


def test_tags(opset):
    tags = "\n".join(f"{o.full_name}: {' '.join(o.tags)}" for name in ("add", "full") for o in overloads(opset[name]))
    assert_expected_inline(
        tags,
        """\
add: pt2_compliant_tag pointwise
add_: pt2_compliant_tag inplace
add.out: pt2_compliant_tag out
full: pt2_compliant_tag
full.out: pt2_compliant_tag out
full.tensor: pt2_compliant_tag""",
    )


def test_api_of_a_binary_op(opset):
    assert_expected_inline(
        function(api.emit(opset, ""), "add"),
        """\
// ops.yaml:2
using Fn_add = void(const DeviceContext&, const DenseTensor&, const DenseTensor&, DenseTensor*);
const OpSite site_add("add", "add", TypedSignature<Fn_add>(), "ops.yaml:2");
at::Tensor add(const at::Tensor& x, const at::Tensor& y) {
  PHI_OP_TRY
  if (const auto type = PromotedType({TensorOf(x), TensorOf(y)})) return add(Cast(x, *type), Cast(y, *type));
  KeyBuilder key;
  key.Add(x, "x");
  key.Add(y, "y");
  Call call(site_add, key);
  const Input x_in(x, call, 0, "x", kStrided);
  const Input y_in(y, call, 1, "y", kStrided);
  OutTensor out_out;
  MetaTensor<int64_t> out_meta(&out_out);
  ElementwiseInferMeta<int64_t>(x_in.meta(), y_in.meta(), &out_meta);
  call.Run<Fn_add>(x_in, y_in, &out_out);
  return out_out.Release(call.device());
  PHI_OP_CATCH("add")
}
""",
    )


def test_api_in_place_with_promotion(opset):
    assert_expected_inline(
        function(api.emit(opset, ""), "add_"),
        """\
// ops.yaml:2
using Fn_add_ = void(const DeviceContext&, const DenseTensor&, const DenseTensor&, DenseTensor*);
const OpSite site_add_("add_", "add", TypedSignature<Fn_add_>(), "ops.yaml:2");
at::Tensor& add_(at::Tensor& x, const at::Tensor& y) {
  PHI_OP_TRY
  if (NeedsInplaceCast("add_", x, {TensorOf(x), TensorOf(y)})) return add_(x, Cast(y, x.scalar_type()));
  KeyBuilder key;
  key.Add(x, "x");
  key.Add(y, "y");
  Call call(site_add_, key);
  const Input x_in(x, call, 0, "x", kStrided);
  const Input y_in(y, call, 1, "y", kStrided);
  OutTensor out_out(x);
  MetaTensor<int64_t> out_meta(&out_out);
  ElementwiseInferMeta<int64_t>(x_in.meta(), y_in.meta(), &out_meta);
  out_out.Bind("x", false);
  call.Run<Fn_add_>(x_in, y_in, &out_out);
  out_out.Release(call.device());
  return x;
  PHI_OP_CATCH("add_")
}
""",
    )


def test_api_out(opset):
    assert_expected_inline(
        function(api.emit(opset, ""), "scale_out"),
        """\
// ops.yaml:8
using Fn_scale_out = void(const DeviceContext&, const DenseTensor&, const Scalar&, bool, DenseTensor*);
const OpSite site_scale_out("scale", "scale", TypedSignature<Fn_scale_out>(), "ops.yaml:8");
at::Tensor& scale_out(const at::Tensor& x, const at::Scalar& scale, bool bias_after_scale, at::Tensor& out) {
  PHI_OP_TRY
  const Scalar scale_v = ToPhi(scale);
  KeyBuilder key;
  key.Add(x, "x");
  key.SetDataType(ToPhi(x.scalar_type()), "x");
  Call call(site_scale_out, key);
  const Input x_in(x, call, 0, "x", kContiguous);
  OutTensor out_out(out);
  MetaTensor<int64_t> out_meta(&out_out);
  UnchangedInferMeta<int64_t>(x_in.meta(), &out_meta);
  out_out.Bind("out", true);
  call.Run<Fn_scale_out>(x_in, scale_v, bias_after_scale, &out_out);
  out_out.Release(call.device());
  return out;
  PHI_OP_CATCH("scale")
}
""",
    )


def test_api_of_selected_rows(opset):
    assert_expected_inline(
        function(api.emit(opset, ""), "scale_selected_rows"),
        """\
// ops.yaml:8
using Fn_scale_selected_rows = void(const DeviceContext&, const SelectedRows&, const Scalar&, bool, SelectedRows*);
const OpSite site_scale_selected_rows("scale", "scale_sr", TypedSignature<Fn_scale_selected_rows>(), "ops.yaml:8");
at::Tensor scale_selected_rows(const at::Tensor& x, const at::Scalar& scale, bool bias_after_scale) {
  PHI_OP_TRY
  const Scalar scale_v = ToPhi(scale);
  KeyBuilder key;
  key.Add(x, "x");
  key.SetDataType(ToPhi(x.scalar_type()), "x");
  Call call(site_scale_selected_rows, key);
  const SelectedRowsInput x_in(x);
  SelectedRows out_out;
  MetaTensor<int64_t> out_meta(out_out.mutable_value());
  UnchangedInferMeta<int64_t>(x_in.meta(), &out_meta);
  call.Run<Fn_scale_selected_rows>(x_in, scale_v, bias_after_scale, &out_out);
  return ToTorch(out_out);
  PHI_OP_CATCH("scale")
}
""",
    )


def test_api_of_a_creation_op(opset):
    assert_expected_inline(
        function(api.emit(opset, ""), "full"),
        """\
// ops.yaml:17
using Fn_full = void(const DeviceContext&, const IntArray&, const Scalar&, DataType, DenseTensor*);
const OpSite site_full("full", "full", TypedSignature<Fn_full>(), "ops.yaml:17");
at::Tensor full(c10::SymIntArrayRef shape, const at::Scalar& value, std::optional<at::ScalarType> dtype, std::optional<at::Device> device) {
  PHI_OP_TRY
  const IntArray shape_v = ToIntArray(shape);
  const Scalar value_v = ToPhi(value);
  const DataType dtype_v = ToPhi(dtype, DataType::FLOAT32);
  const Place place_v = ToPhi(device, CPUPlace());
  KeyBuilder key;
  if (place_v != Place()) key.SetBackend(place_v, "place");
  if (dtype_v != DataType::UNDEFINED) key.SetDataType(dtype_v, "dtype");
  Call call(site_full, key);
  OutTensor out_out;
  MetaTensor<int64_t> out_meta(&out_out);
  CreateInferMeta<int64_t>(shape_v, dtype_v, &out_meta);
  call.Run<Fn_full>(shape_v, value_v, dtype_v, &out_out);
  return out_out.Release(call.device());
  PHI_OP_CATCH("full")
}
""",
    )


def test_api_of_a_list_output(opset):
    assert_expected_inline(
        function(api.emit(opset, ""), "split"),
        """\
// ops.yaml:23
using Fn_split = void(const DeviceContext&, const DenseTensor&, const IntArray&, const Scalar&, const std::vector<int>&, const std::string&, std::vector<DenseTensor*>);
const OpSite site_split("split", "split", TypedSignature<Fn_split>(), "ops.yaml:23");
std::vector<at::Tensor> split(const at::Tensor& x, c10::SymIntArrayRef sections, const at::Scalar& axis, at::IntArrayRef other, std::string_view mode) {
  PHI_OP_TRY
  const IntArray sections_v = ToIntArray(sections);
  const Scalar axis_v = ToPhi(axis);
  const std::vector<int> other_v = ToVector<int>(other, "other");
  const std::string mode_v(mode);
  KeyBuilder key;
  key.Add(x, "x");
  Call call(site_split, key);
  const Input x_in(x, call, 0, "x", kContiguous);
  OutTensorList out_out(sections.size());
  SplitInferMeta<int64_t>(x_in.meta(), sections_v, axis_v, other_v, mode_v, out_out.metas());
  call.Run<Fn_split>(x_in, sections_v, axis_v, other_v, mode_v, out_out.pointers());
  return out_out.Release(call.device());
  PHI_OP_CATCH("split")
}
""",
    )


def test_api_of_an_optimizer(opset):
    assert_expected_inline(
        function(api.emit(opset, ""), "sgd_"),
        """\
// ops.yaml:28
using Fn_sgd_ = void(const DeviceContext&, const DenseTensor&, const DenseTensor&, const paddle::optional<DenseTensor>&, bool, DenseTensor*, DenseTensor*);
const OpSite site_sgd_("sgd_", "sgd", TypedSignature<Fn_sgd_>(), "ops.yaml:28");
void sgd_(at::Tensor& param, const at::Tensor& learning_rate, const std::optional<at::Tensor>& master_param, bool multi_precision) {
  PHI_OP_TRY
  KeyBuilder key;
  key.Add(param, "param");
  key.Add(learning_rate, "learning_rate");
  key.Add(master_param, "master_param");
  key.SetDataType(ToPhi(param.scalar_type()), "param");
  Call call(site_sgd_, key);
  const Input param_in(param, call, 0, "param", kContiguous);
  const Input learning_rate_in(learning_rate, call, 1, "learning_rate", kTransDtype);
  const OptionalInput master_param_in(master_param, call, 2, "master_param", kContiguous);
  OutTensor param_out_out(param);
  MetaTensor<int64_t> param_out_meta(&param_out_out);
  OutTensor master_param_out_out(master_param.value_or(at::Tensor()));
  MetaTensor<int64_t> master_param_out_meta(&master_param_out_out);
  SgdInferMeta<int64_t>(param_in.meta(), learning_rate_in.meta(), master_param_in.meta(), multi_precision, &param_out_meta, (master_param.has_value() ? &master_param_out_meta : nullptr));
  param_out_out.Bind("param", false);
  if (master_param.has_value()) master_param_out_out.Bind("master_param", false);
  call.Run<Fn_sgd_>(param_in, learning_rate_in, master_param_in, multi_precision, &param_out_out, (master_param.has_value() ? &master_param_out_out : nullptr));
  param_out_out.Release(call.device());
  if (master_param.has_value()) master_param_out_out.Release(call.device());
  PHI_OP_CATCH("sgd_")
}
""",
    )


def test_api_with_output_mask(opset):
    assert_expected_inline(
        function(api.emit(opset, ""), "add_grad"),
        """\
// ops.yaml:49
using Fn_add_grad = void(const DeviceContext&, const DenseTensor&, const DenseTensor&, const DenseTensor&, int64_t, DenseTensor*, DenseTensor*);
const OpSite site_add_grad("add_grad", "add_grad", TypedSignature<Fn_add_grad>(), "ops.yaml:49");
std::tuple<at::Tensor, at::Tensor> add_grad(const at::Tensor& x, const at::Tensor& y, const at::Tensor& out_grad, int64_t axis, std::array<bool, 2> output_mask) {
  PHI_OP_TRY
  const int64_t axis_v = CheckInt32(axis, "axis");
  KeyBuilder key;
  key.Add(x, "x");
  key.Add(y, "y");
  key.Add(out_grad, "out_grad");
  Call call(site_add_grad, key);
  const Input x_in(x, call, 0, "x", kStrided | kNoBuffer);
  const Input y_in(y, call, 1, "y", kStrided | kNoBuffer);
  const Input out_grad_in(out_grad, call, 2, "out_grad", kStrided);
  OutTensor x_grad_out;
  MetaTensor<int64_t> x_grad_meta(&x_grad_out);
  OutTensor y_grad_out;
  MetaTensor<int64_t> y_grad_meta(&y_grad_out);
  GeneralBinaryGradInferMeta<int64_t>(x_in.meta(), y_in.meta(), (output_mask[0] ? &x_grad_meta : nullptr), (output_mask[1] ? &y_grad_meta : nullptr));
  call.Run<Fn_add_grad>(x_in, y_in, out_grad_in, axis_v, (output_mask[0] ? &x_grad_out : nullptr), (output_mask[1] ? &y_grad_out : nullptr));
  return {output_mask[0] ? x_grad_out.Release(call.device()) : at::Tensor(), output_mask[1] ? y_grad_out.Release(call.device()) : at::Tensor()};
  PHI_OP_CATCH("add_grad")
}
""",
    )


def test_meta(opset):
    assert_expected_inline(
        function(meta.emit(opset, ""), "add_grad"),
        """\
// ops.yaml:49
std::tuple<at::Tensor, at::Tensor> add_grad([[maybe_unused]] const at::Tensor& x, [[maybe_unused]] const at::Tensor& y, [[maybe_unused]] const at::Tensor& out_grad, [[maybe_unused]] int64_t axis, [[maybe_unused]] std::array<bool, 2> output_mask) {
  PHI_OP_TRY
  const SymInput x_in(x, true);
  const SymInput y_in(y, true);
  SymOutput x_grad_out;
  MetaTensor<SymInt> x_grad_meta = x_grad_out.meta();
  SymOutput y_grad_out;
  MetaTensor<SymInt> y_grad_meta = y_grad_out.meta();
  GeneralBinaryGradInferMeta<SymInt>(x_in.meta(), y_in.meta(), (output_mask[0] ? &x_grad_meta : nullptr), (output_mask[1] ? &y_grad_meta : nullptr));
  return {output_mask[0] ? x_grad_out.Make() : at::Tensor(), output_mask[1] ? y_grad_out.Make() : at::Tensor()};
  PHI_OP_CATCH("add_grad")
}
""",
    )


def test_meta_of_symbolic_sizes(opset):
    assert_expected_inline(
        function(meta.emit(opset, ""), "split"),
        """\
// ops.yaml:23
std::vector<at::Tensor> split([[maybe_unused]] const at::Tensor& x, [[maybe_unused]] c10::SymIntArrayRef sections, [[maybe_unused]] const at::Scalar& axis, [[maybe_unused]] at::IntArrayRef other, [[maybe_unused]] std::string_view mode) {
  PHI_OP_TRY
  const IntArrayBase<SymInt> sections_v(sections.data(), sections.size());
  const Scalar axis_v = ToPhi(axis);
  const std::vector<int> other_v = ToVector<int>(other, "other");
  const std::string mode_v(mode);
  const SymInput x_in(x, false);
  SymOutputList out_out(sections.size());
  SplitInferMeta<SymInt>(x_in.meta(), sections_v, axis_v, other_v, mode_v, out_out.metas());
  return out_out.Make();
  PHI_OP_CATCH("split")
}
""",
    )


def test_views_and_invoked_ops(opset):
    text = composite_ops.emit(opset, "")["torch/composite_ops.cc"]
    assert_expected_inline(
        text[text.index("// ops.yaml") : text.index("}  // namespace")],
        """\
// ops.yaml:55
at::Tensor scale_grad([[maybe_unused]] const at::Tensor& out_grad, [[maybe_unused]] const at::Scalar& scale) { return phi::ops::scale::call(out_grad, scale, 0.0); }

// CompositeImplicitAutograd alone does not serve functionalization and vmap of ops outside ATen.
void Register(torch::Library& m) {
  m.impl("reshape", TORCH_FN(reshape));
  m.impl("reshape_", TORCH_FN(reshape_));
  m.impl("scale_grad", TORCH_FN(scale_grad));
}

""",
    )


def test_typed_handles(opset):
    text = schema.emit(opset, "")["torch/ops.h"]
    assert_expected_inline(
        re.search(r"struct sgd_ \{.*?\n\};", text, re.DOTALL).group(),
        """\
struct sgd_ {
  using Fn = void(at::Tensor&, const at::Tensor&, const std::optional<at::Tensor>&, bool);
  static const c10::TypedOperatorHandle<Fn>& handle();
  static void call(at::Tensor& param, const at::Tensor& learning_rate, const std::optional<at::Tensor>& master_param, bool multi_precision);
  static void redispatch(c10::DispatchKeySet keys, at::Tensor& param, const at::Tensor& learning_rate, const std::optional<at::Tensor>& master_param, bool multi_precision);
};""",
    )


def test_infer_meta_of_each_kernel_of_an_op(opset):
    text = infermeta.emit(opset, "")["infermeta/registry.cc"]
    assert_expected_inline(
        "\n".join(line for line in text.splitlines() if "scale" in line),
        """\
PD_REGISTER_INFER_META_FN(scale, UnchangedInferMeta<int64_t>);
PD_REGISTER_INFER_META_FN(scale_sr, UnchangedInferMeta<int64_t>);""",
    )


def test_kernel_of_a_category_op(opset):
    assert_expected_inline(
        kernels.emit(opset, "")["kernels/cpu/swish_kernel.cc"],
        """\
// generated from yaml/ by codegen; do not edit
// ops.yaml:45
#include "kernels/swish_kernel.h"

#include "core/kernel_registry.h"
#include "kernels/impl/swish.h"
#include "primitive/elementwise.h"

namespace phi {

template <typename T, typename Context>
void SwishKernel(const Context& dev_ctx, const DenseTensor& x, float beta, DenseTensor* out) {
  using Compute = typename dtype::MPTypeTrait<T>::Type;
  dev_ctx.template Alloc<T>(out);
  primitive::ElementwiseUnary<T, T>(dev_ctx, x, out, SwishFunctor<Compute>(static_cast<Compute>(beta)));
}

}  // namespace phi

PD_REGISTER_KERNEL(
    swish, CPU, ALL_LAYOUT, phi::SwishKernel, float, double, phi::dtype::float16, phi::dtype::bfloat16) {}
""",
    )


def test_functional_form_of_a_list_output(opset):
    assert_expected_inline(
        kernels.emit(opset, "")["functional/split.h"],
        """\
// generated from yaml/ by codegen; do not edit
// ops.yaml:23
#pragma once

#include "core/functional.h"
#include "infermeta/all.h"
#include "kernels/split_kernel.h"

namespace phi {

template <typename T, typename Context>
std::vector<DenseTensor> Split(const Context& dev_ctx, const DenseTensor& x, const IntArray& sections, const Scalar& axis, const std::vector<int>& other, const std::string& mode) {
  ResultList out_result(sections.size());
  SplitInferMeta<int64_t>(MetaOf(x), sections, axis, other, mode, out_result.metas());
  SplitKernel<T, Context>(dev_ctx, x, sections, axis, other, mode, out_result.pointers());
  return out_result.take();
}

}  // namespace phi
""",
    )


def test_a_view_has_no_function_behind_the_backend_keys(opset):
    assert "reshape" not in "".join(api.emit(opset, "").values())
