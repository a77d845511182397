# ruff: noqa: E501  expected texts stand as they are generated
"""The API functions behind the backend keys that the generator writes, for one op of each form.

Changed on purpose: `EXPECTTEST_ACCEPT=1 pytest tests/codegen/test_emit_api.py` rewrites the expected texts.
"""

from _forms import OPSET, function
from _yaml import ops
from expecttest import assert_expected_inline

from codegen.emit.torch import api


def test_api_of_a_binary_op():
    assert_expected_inline(
        function(api.emit(OPSET, ""), "add"),
        """\
// ops.yaml, add
constexpr InputRule inputs_add[] = {{"x", kStrided | kPromoted, 0}, {"y", kStrided | kPromoted, 1}};
using Fn_add = void(const DeviceContext&, const DenseTensor&, const DenseTensor&, DenseTensor*);
const OpSite site_add("phi::add", "add", SignatureOf<Fn_add>::Get(), {inputs_add});
at::Tensor add(const at::Tensor& x, const at::Tensor& y) {
  PHI_OP_TRY
  if (const auto type = PromotedType({TensorOf(x), TensorOf(y)})) return api::add(Cast(x, *type), Cast(y, *type));
  auto x_in = Lend(x, inputs_add[0]);
  auto y_in = Lend(y, inputs_add[1]);
  Call call(site_add);
  call.AddToKey(inputs_add, x_in, y_in);
  call.Prepare(inputs_add, x_in, y_in);
  OutTensor out_out;
  MetaTensor<int64_t> out_meta(&out_out);
  ElementwiseInferMeta<int64_t>(x_in.meta(), y_in.meta(), &out_meta);
  call.Run<Fn_add>(x_in, y_in, &out_out);
  return out_out.Release(call.place());
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
const OpSite site_add_("phi::add_", "add", SignatureOf<Fn_add_>::Get(), {inputs_add});
at::Tensor& add_(at::Tensor& x, const at::Tensor& y) {
  PHI_OP_TRY
  if (NeedsInplaceCast("phi::add_", x, {TensorOf(x), TensorOf(y)})) return api::add_(x, Cast(y, x.scalar_type()));
  CheckWritten(x, "x");
  CheckApart(x, "x", y, "y", Sharing::kWhole);
  auto x_in = Lend(x, inputs_add[0]);
  auto y_in = Lend(y, inputs_add[1]);
  Call call(site_add_);
  call.AddToKey(inputs_add, x_in, y_in);
  call.Prepare(inputs_add, x_in, y_in);
  OutTensor out_out(x);
  MetaTensor<int64_t> out_meta(&out_out);
  ElementwiseInferMeta<int64_t>(x_in.meta(), y_in.meta(), &out_meta);
  out_out.Bind("x", false);
  call.Run<Fn_add_>(x_in, y_in, &out_out);
  out_out.Release(call.place());
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
const OpSite site_scale_out("phi::scale", "scale", SignatureOf<Fn_scale_out>::Get(), {inputs_scale});
at::Tensor& scale_out(const at::Tensor& x, const at::Scalar& scale, bool bias_after_scale, at::Tensor& out) {
  PHI_OP_TRY
  CheckWritten(out, "out");
  const bool out_shared = CheckApart(out, "out", x, "x", Sharing::kWhole);
  const Scalar scale_v = ToPhi(scale, "scale");
  auto x_in = Lend(x, inputs_scale[0]);
  Call call(site_scale_out);
  call.AddToKey(inputs_scale, x_in);
  call.key().SetDataType(x_in.tensor().dtype(), "x");
  call.Prepare(inputs_scale, x_in);
  OutTensor out_out(out);
  MetaTensor<int64_t> out_meta(&out_out);
  UnchangedInferMeta<int64_t>(x_in.meta(), &out_meta);
  if (IsComplexType(scale_v.dtype())) CheckReal(scale_v, "scale", {ToPhi(x.scalar_type()), out_meta.dtype()});
  out_out.Bind("out", !out_shared);
  call.Run<Fn_scale_out>(x_in, scale_v, bias_after_scale, &out_out);
  out_out.Release(call.place());
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
const OpSite site_scale_selected_rows("phi::scale", "scale_sr", SignatureOf<Fn_scale_selected_rows>::Get(), {inputs_scale});
at::Tensor scale_selected_rows(const at::Tensor& x, const at::Scalar& scale, bool bias_after_scale) {
  PHI_OP_TRY
  const Scalar scale_v = ToPhi(scale, "scale");
  auto x_in = LendAs<SelectedRows>(x);
  Call call(site_scale_selected_rows);
  call.AddToKey(inputs_scale, x_in);
  call.key().SetDataType(x_in.tensor().dtype(), "x");
  call.Prepare(inputs_scale, x_in);
  OutOf<SelectedRows> out_out;
  MetaTensor<int64_t> out_meta(&out_out);
  UnchangedInferMeta<int64_t>(x_in.meta(), &out_meta);
  if (IsComplexType(scale_v.dtype())) CheckReal(scale_v, "scale", {ToPhi(x.scalar_type()), out_meta.dtype()});
  call.Run<Fn_scale_selected_rows>(x_in, scale_v, bias_after_scale, &out_out);
  return out_out.Release(call.place());
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
const OpSite site_full("phi::full", "full", SignatureOf<Fn_full>::Get(), {{}, 2});
at::Tensor full(c10::SymIntArrayRef shape, const at::Scalar& value, std::optional<at::ScalarType> dtype, std::optional<at::Device> device) {
  PHI_OP_TRY
  const IntArray shape_v = ToIntArray(shape);
  const Scalar value_v = ToPhi(value, "value");
  const DataType dtype_v = ToPhi(dtype, DataType::FLOAT32);
  const Place place_v = ToPhi(WithIndex(device), CPUPlace());
  Call call(site_full);
  if (place_v != Place()) call.key().SetBackend(place_v, "place");
  else call.key().SetBackend(CPUPlace(), "the default");
  if (dtype_v != DataType::UNDEFINED) call.key().SetDataType(dtype_v, "dtype");
  call.Prepare();
  OutTensor out_out;
  MetaTensor<int64_t> out_meta(&out_out);
  CreateInferMeta<int64_t>(shape_v, dtype_v, &out_meta);
  if (IsComplexType(value_v.dtype())) CheckReal(value_v, "value", {out_meta.dtype()});
  call.Run<Fn_full>(shape_v, value_v, dtype_v, &out_out);
  return out_out.Release(call.place());
  PHI_OP_CATCH("phi::full")
}
""",
    )


def test_api_of_a_list_output():
    assert_expected_inline(
        function(api.emit(OPSET, ""), "split"),
        """\
// ops.yaml, split
constexpr InputRule inputs_split[] = {{"x", kContiguous, 0}};
using Fn_split = void(const DeviceContext&, const DenseTensor&, const IntArray&, const Scalar&, const std::vector<int>&, const std::string&, std::vector<DenseTensor*>);
const OpSite site_split("phi::split", "split", SignatureOf<Fn_split>::Get(), {inputs_split});
std::vector<at::Tensor> split(const at::Tensor& x, c10::SymIntArrayRef sections, const at::Scalar& axis, at::IntArrayRef other, std::string_view mode) {
  PHI_OP_TRY
  const IntArray sections_v = ToIntArray(sections);
  const Scalar axis_v = ToPhi(axis, "axis");
  const std::vector<int> other_v = ToVector<int>(other, "other");
  const std::string mode_v(mode);
  auto x_in = Lend(x, inputs_split[0]);
  Call call(site_split);
  call.AddToKey(inputs_split, x_in);
  call.Prepare(inputs_split, x_in);
  OutList<OutTensor> out_out(ListSize(sections.size(), "out"));
  SplitInferMeta<int64_t>(x_in.meta(), sections_v, axis_v, other_v, mode_v, out_out.metas());
  if (IsComplexType(axis_v.dtype())) CheckReal(axis_v, "axis", {ToPhi(x.scalar_type())});
  call.Run<Fn_split>(x_in, sections_v, axis_v, other_v, mode_v, out_out.pointers());
  return out_out.Release(call.place());
  PHI_OP_CATCH("phi::split")
}
""",
    )


def test_api_of_an_optimizer():
    assert_expected_inline(
        function(api.emit(OPSET, ""), "sgd_"),
        """\
// ops.yaml, sgd_
constexpr InputRule inputs_sgd_[] = {{"param", kGivesDataType, 0}, {"learning_rate", kTransDtype, 1}, {"master_param", kContiguous, 2}};
using Fn_sgd_ = void(const DeviceContext&, const DenseTensor&, const DenseTensor&, const paddle::optional<DenseTensor>&, bool, DenseTensor*, DenseTensor*);
const OpSite site_sgd_("phi::sgd_", "sgd", SignatureOf<Fn_sgd_>::Get(), {inputs_sgd_});
void sgd_(at::Tensor& param, const at::Tensor& learning_rate, const std::optional<at::Tensor>& master_param, bool multi_precision) {
  PHI_OP_TRY
  CheckArguments({{param, "param", true}, {master_param, "master_param", true}, {learning_rate, "learning_rate", false}});
  auto param_in = Lend(param, inputs_sgd_[0]);
  auto learning_rate_in = Lend(learning_rate, inputs_sgd_[1]);
  auto master_param_in = Lend(master_param, inputs_sgd_[2]);
  Call call(site_sgd_);
  call.AddToKey(inputs_sgd_, param_in, learning_rate_in, master_param_in);
  call.key().SetDataType(param_in.tensor().dtype(), "param");
  call.Prepare(inputs_sgd_, param_in, learning_rate_in, master_param_in);
  OutTensor param_out_out(param);
  MetaTensor<int64_t> param_out_meta(&param_out_out);
  OutTensor master_param_out_out(master_param.value_or(at::Tensor()));
  MetaTensor<int64_t> master_param_out_meta(&master_param_out_out);
  SgdInferMeta<int64_t>(param_in.meta(), learning_rate_in.meta(), master_param_in.meta(), multi_precision, &param_out_meta, (master_param.has_value() ? &master_param_out_meta : nullptr));
  param_out_out.Bind("param", false);
  if (master_param.has_value()) master_param_out_out.Bind("master_param", false);
  call.Run<Fn_sgd_>(param_in, learning_rate_in, master_param_in, multi_precision, &param_out_out, (master_param.has_value() ? &master_param_out_out : nullptr));
  param_out_out.Release(call.place());
  if (master_param.has_value()) master_param_out_out.Release(call.place());
  PHI_OP_CATCH("phi::sgd_")
}
""",
    )


def test_api_with_output_mask():
    assert_expected_inline(
        function(api.emit(OPSET, ""), "add_grad"),
        """\
// ops.yaml, add_grad
constexpr InputRule inputs_add_grad[] = {{"x", kStrided | kNoBuffer, 0}, {"y", kStrided | kNoBuffer, 1}, {"out_grad", kStrided, 2}};
using Fn_add_grad = void(const DeviceContext&, const DenseTensor&, const DenseTensor&, const DenseTensor&, int64_t, DenseTensor*, DenseTensor*);
const OpSite site_add_grad("phi::add_grad", "add_grad", SignatureOf<Fn_add_grad>::Get(), {inputs_add_grad});
std::tuple<at::Tensor, at::Tensor> add_grad(const at::Tensor& x, const at::Tensor& y, const at::Tensor& out_grad, int64_t axis, std::array<bool, 2> output_mask) {
  PHI_OP_TRY
  const int64_t axis_v = CheckInt32(axis, "axis");
  auto x_in = Lend(x, inputs_add_grad[0]);
  auto y_in = Lend(y, inputs_add_grad[1]);
  auto out_grad_in = Lend(out_grad, inputs_add_grad[2]);
  Call call(site_add_grad);
  call.AddToKey(inputs_add_grad, x_in, y_in, out_grad_in);
  call.Prepare(inputs_add_grad, x_in, y_in, out_grad_in);
  OutTensor x_grad_out;
  MetaTensor<int64_t> x_grad_meta(&x_grad_out);
  OutTensor y_grad_out;
  MetaTensor<int64_t> y_grad_meta(&y_grad_out);
  CheckOneType<int64_t>("y", y_in.meta(), "x", x_in.meta());
  BroadcastGradInferMeta<int64_t>(x_in.meta(), y_in.meta(), out_grad_in.meta(), axis_v, (output_mask[0] ? &x_grad_meta : nullptr), (output_mask[1] ? &y_grad_meta : nullptr));
  call.Run<Fn_add_grad>(x_in, y_in, out_grad_in, axis_v, (output_mask[0] ? &x_grad_out : nullptr), (output_mask[1] ? &y_grad_out : nullptr));
  return {output_mask[0] ? x_grad_out.Release(call.place()) : at::Tensor(), output_mask[1] ? y_grad_out.Release(call.place()) : at::Tensor()};
  PHI_OP_CATCH("phi::add_grad")
}
""",
    )


def test_a_view_has_no_function_behind_the_backend_keys():
    assert "reshape" not in "".join(api.emit(OPSET, "").values())


def test_api_of_kernels_that_an_attribute_decides_on():
    text = """
    - op : look
      args : (Tensor x, bool sparse)
      output : Tensor(out)
      infer_meta : {func : UnchangedInferMeta, param : [x]}
      kernel :
        func : look {dense -> dense}, look_sparse {dense -> selected_rows}
        when : {look_sparse : sparse}
    """
    assert_expected_inline(
        function(api.emit(ops(text), ""), "look_on_Dense"),
        """\
// ops.yaml, look
at::Tensor look_on_Dense(const at::Tensor& x, bool sparse) {
  PHI_OP_TRY
  if (sparse && Are<DenseTensor>(x)) return look_dense(x, sparse);
  if (Are<DenseTensor>(x)) return look(x, sparse);
  ThrowKinds("phi::look", "look_sparse {dense -> selected_rows}; look {dense -> dense}", {KindsOf(x)});
  PHI_OP_CATCH("phi::look")
}
""",
    )


def test_api_of_a_creation_of_strings():
    text = """
    - op : words
      args : (IntArray shape)
      output : Tensor(out)
      infer_meta : {func : CreateInferMeta, param : [shape, DataType::UINT8]}
      kernel : {func : "words { -> string}", param : [shape], data_type : DataType::PSTRING, backend : Backend::CPU}
    """
    assert_expected_inline(
        function(api.emit(ops(text), ""), "words"),
        """\
// ops.yaml, words
using Fn_words = void(const DeviceContext&, const IntArray&, StringTensor*);
const OpSite site_words("phi::words", "words", SignatureOf<Fn_words>::Get());
at::Tensor words(c10::SymIntArrayRef shape) {
  PHI_OP_TRY
  const IntArray shape_v = ToIntArray(shape);
  Call call(site_words);
  call.key().SetBackend(Backend::CPU, "the YAML");
  call.key().SetDataType(DataType::PSTRING, "the YAML");
  call.Prepare();
  OutOf<StringTensor> out_out;
  MetaTensor<int64_t> out_meta(&out_out);
  CreateInferMeta<int64_t>(shape_v, DataType::UINT8, &out_meta);
  call.Run<Fn_words>(shape_v, &out_out);
  return out_out.Release(call.place());
  PHI_OP_CATCH("phi::words")
}
""",
    )
