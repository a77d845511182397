# ruff: noqa: E501  expected texts stand as they are generated
"""The API functions behind the backend keys that the generator writes, for one op of each form.

Changed on purpose: `EXPECTTEST_ACCEPT=1 pytest tests/codegen/test_emit_api.py` rewrites the expected texts.
"""

from _forms import OPSET, function
from expecttest import assert_expected_inline

from codegen.emit import api


def test_api_of_a_binary_op():
    assert_expected_inline(
        function(api.emit(OPSET, ""), "add"),
        """\
// ops.yaml, add
using Fn_add = void(const DeviceContext&, const DenseTensor&, const DenseTensor&, DenseTensor*);
const OpSite site_add("phi::add", "add", SignatureOf<Fn_add>::Get());
at::Tensor add(const at::Tensor& x, const at::Tensor& y) {
  PHI_OP_TRY
  if (const auto type = PromotedType({TensorOf(x), TensorOf(y)})) return api::add(Cast(x, *type), Cast(y, *type));
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
  PHI_OP_CATCH("phi::add")
}
""",
    )


def test_api_in_place_with_promotion():
    assert_expected_inline(
        function(api.emit(OPSET, ""), "add_"),
        """\
// ops.yaml, add
using Fn_add_ = void(const DeviceContext&, const DenseTensor&, const DenseTensor&, DenseTensor*);
const OpSite site_add_("phi::add_", "add", SignatureOf<Fn_add_>::Get());
at::Tensor& add_(at::Tensor& x, const at::Tensor& y) {
  PHI_OP_TRY
  if (NeedsInplaceCast("phi::add_", x, {TensorOf(x), TensorOf(y)})) return api::add_(x, Cast(y, x.scalar_type()));
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
  PHI_OP_CATCH("phi::add_")
}
""",
    )


def test_api_out():
    assert_expected_inline(
        function(api.emit(OPSET, ""), "scale_out"),
        """\
// ops.yaml, scale
using Fn_scale_out = void(const DeviceContext&, const DenseTensor&, const Scalar&, bool, DenseTensor*);
const OpSite site_scale_out("phi::scale", "scale", SignatureOf<Fn_scale_out>::Get());
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
  PHI_OP_CATCH("phi::scale")
}
""",
    )


def test_api_of_selected_rows():
    assert_expected_inline(
        function(api.emit(OPSET, ""), "scale_selected_rows"),
        """\
// ops.yaml, scale
using Fn_scale_selected_rows = void(const DeviceContext&, const SelectedRows&, const Scalar&, bool, SelectedRows*);
const OpSite site_scale_selected_rows("phi::scale", "scale_sr", SignatureOf<Fn_scale_selected_rows>::Get());
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
  PHI_OP_CATCH("phi::scale")
}
""",
    )


def test_api_of_a_creation_op():
    assert_expected_inline(
        function(api.emit(OPSET, ""), "full"),
        """\
// ops.yaml, full
using Fn_full = void(const DeviceContext&, const IntArray&, const Scalar&, DataType, DenseTensor*);
const OpSite site_full("phi::full", "full", SignatureOf<Fn_full>::Get());
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
  PHI_OP_CATCH("phi::full")
}
""",
    )


def test_api_of_a_list_output():
    assert_expected_inline(
        function(api.emit(OPSET, ""), "split"),
        """\
// ops.yaml, split
using Fn_split = void(const DeviceContext&, const DenseTensor&, const IntArray&, const Scalar&, const std::vector<int>&, const std::string&, std::vector<DenseTensor*>);
const OpSite site_split("phi::split", "split", SignatureOf<Fn_split>::Get());
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
  PHI_OP_CATCH("phi::split")
}
""",
    )


def test_api_of_an_optimizer():
    assert_expected_inline(
        function(api.emit(OPSET, ""), "sgd_"),
        """\
// ops.yaml, sgd_
using Fn_sgd_ = void(const DeviceContext&, const DenseTensor&, const DenseTensor&, const paddle::optional<DenseTensor>&, bool, DenseTensor*, DenseTensor*);
const OpSite site_sgd_("phi::sgd_", "sgd", SignatureOf<Fn_sgd_>::Get());
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
  PHI_OP_CATCH("phi::sgd_")
}
""",
    )


def test_api_with_output_mask():
    assert_expected_inline(
        function(api.emit(OPSET, ""), "add_grad"),
        """\
// ops.yaml, add_grad
using Fn_add_grad = void(const DeviceContext&, const DenseTensor&, const DenseTensor&, const DenseTensor&, int64_t, DenseTensor*, DenseTensor*);
const OpSite site_add_grad("phi::add_grad", "add_grad", SignatureOf<Fn_add_grad>::Get());
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
  PHI_OP_CATCH("phi::add_grad")
}
""",
    )


def test_a_view_has_no_function_behind_the_backend_keys():
    assert "reshape" not in "".join(api.emit(OPSET, "").values())
