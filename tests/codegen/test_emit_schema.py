# ruff: noqa: E501  expected texts stand as they are generated
"""The schemas, Meta functions, handles and kernels that the generator writes, for one op of each form.

Changed on purpose: `EXPECTTEST_ACCEPT=1 pytest tests/codegen/test_emit_schema.py` rewrites the expected texts.
"""

import re
from dataclasses import replace

from _forms import OPSET, function
from _yaml import ops
from expecttest import assert_expected_inline

from codegen.emit.kernels import infermeta, kernels
from codegen.emit.torch import composite_ops, meta, schema, signatures
from codegen.model.op import Loc
from codegen.view.dispatcher import CALLED, overloads


def test_schemas():
    schemas = "\n".join(o.schema for op in OPSET.ops for o in overloads(op))
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
scale_.tensor(Tensor(a!) x, Tensor scale, bool bias_after_scale=True) -> Tensor(a!)
full(SymInt[] shape, Scalar value, ScalarType? dtype=6, Device? device=None) -> Tensor
full.out(SymInt[] shape, Scalar value, ScalarType? dtype=6, Device? device=None, *, Tensor(a!) out) -> Tensor(a!)
full.tensor(Tensor shape, Tensor value, ScalarType? dtype=6, Device? device=None) -> Tensor
split(Tensor x, SymInt[] sections, Scalar axis, int[] other=[1, 2], str mode="a") -> Tensor[]
split.tensor(Tensor x, Tensor sections, Tensor axis, int[] other=[1, 2], str mode="a") -> Tensor[]
sgd_(Tensor(a!) param, Tensor learning_rate, Tensor(b!)? master_param=None, bool multi_precision=False) -> ()
reshape(Tensor x, SymInt[] shape) -> Tensor
reshape_(Tensor(a!) x, SymInt[] shape) -> Tensor(a!)
reshape.tensor(Tensor x, Tensor shape) -> Tensor
reshape_.tensor(Tensor(a!) x, Tensor shape) -> Tensor(a!)
swish(Tensor x, float beta=1.0) -> Tensor
swish.out(Tensor x, float beta=1.0, *, Tensor(a!) out) -> Tensor(a!)
add_grad(Tensor x, Tensor y, Tensor out_grad, int axis=-1, *, bool[2] output_mask=[True, True]) -> (Tensor, Tensor)
scale_grad(Tensor out_grad, Scalar scale=1.0) -> Tensor""",
    )


def test_ops_of_one_cpp_type_share_what_the_dispatcher_needs_of_it():
    generated = "".join(signatures.emit(OPSET, "0").values())
    every = [o for op in OPSET.ops for o in overloads(op)]
    called = re.findall(r"template struct Dispatch<(.*)>;", generated)
    assert len(called) == len(set(called)) and set(called) >= {o.cpp_type for o in every if o.kind in CALLED}
    assert not [one for one in called if one.endswith("at::Tensor&, at::Tensor&)")]  # of no out= form
    registered = re.findall(r"\*, (.*) \(\*\)(\((?!c10::DispatchKeySet).*\))\);", generated)
    assert len(every) > len(registered) == len(set(registered)) and {o.cpp_type for o in every} <= set(map("".join, registered))
    with_keys = re.findall(r"\(\*\)\(c10::DispatchKeySet(?:, )?(.*)\)\);", generated)
    assert with_keys and not [types for types in with_keys if types.endswith("at::Tensor&, at::Tensor&")]  # of no out= form


def test_cpp_types():
    types = "\n".join(f"{o.symbol}: {o.cpp_type}" for name in ("full", "split", "sgd_") for o in overloads(OPSET[name]))
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


def test_tags():
    tags = "\n".join(f"{o.full_name}: {' '.join(o.tags)}" for name in ("add", "full") for o in overloads(OPSET[name]))
    assert_expected_inline(
        tags,
        """\
add: pt2_compliant_tag pointwise
add_: pt2_compliant_tag inplace
add.out: pt2_compliant_tag
full: pt2_compliant_tag
full.out: pt2_compliant_tag
full.tensor: pt2_compliant_tag""",
    )


def test_meta():
    assert_expected_inline(
        function(meta.emit(OPSET, ""), "add_grad"),
        """\
// ops.yaml, add_grad
std::tuple<at::Tensor, at::Tensor> add_grad([[maybe_unused]] const at::Tensor& x, [[maybe_unused]] const at::Tensor& y, [[maybe_unused]] const at::Tensor& out_grad, [[maybe_unused]] int64_t axis, [[maybe_unused]] std::array<bool, 2> output_mask) {
  PHI_OP_TRY
  CheckMeta(x, "x");
  CheckMeta(y, "y");
  CheckMeta(out_grad, "out_grad");
  const int64_t axis_v = CheckInt32(axis, "axis");
  const SymInput x_in(x, true);
  const SymInput y_in(y, true);
  const SymInput out_grad_in(out_grad, true);
  CheckOneType<SymInt>("y", y_in.meta(), "x", x_in.meta());
  SymOutput x_grad_out;
  MetaTensor<SymInt> x_grad_meta = x_grad_out.meta();
  SymOutput y_grad_out;
  MetaTensor<SymInt> y_grad_meta = y_grad_out.meta();
  BroadcastGradInferMeta<SymInt>(x_in.meta(), y_in.meta(), out_grad_in.meta(), axis_v, (output_mask[0] ? &x_grad_meta : nullptr), (output_mask[1] ? &y_grad_meta : nullptr));
  return {output_mask[0] ? x_grad_out.Make() : at::Tensor(), output_mask[1] ? y_grad_out.Make() : at::Tensor()};
  PHI_OP_CATCH("phi::add_grad")
}
""",
    )


def test_meta_of_symbolic_sizes():
    assert_expected_inline(
        function(meta.emit(OPSET, ""), "split"),
        """\
// ops.yaml, split
std::vector<at::Tensor> split([[maybe_unused]] const at::Tensor& x, [[maybe_unused]] c10::SymIntArrayRef sections, [[maybe_unused]] const at::Scalar& axis, [[maybe_unused]] at::IntArrayRef other, [[maybe_unused]] std::string_view mode) {
  PHI_OP_TRY
  CheckMeta(x, "x");
  const IntArrayBase<SymInt> sections_v(sections.data(), sections.size());
  const Scalar axis_v = ToPhi(axis, "axis");
  const std::vector<int> other_v = ToVector<int>(other, "other");
  const std::string mode_v(mode);
  const SymInput x_in(x, false);
  SymOutputList out_out(ListSize(sections.size(), "out"));
  SplitInferMeta<SymInt>(x_in.meta(), sections_v, axis_v, other_v, mode_v, out_out.metas());
  if (IsComplexType(axis_v.dtype())) CheckReal(axis_v, "axis", {ToPhi(x.scalar_type())});
  return out_out.Make();
  PHI_OP_CATCH("phi::split")
}
""",
    )


def test_views_and_invoked_ops():
    text = composite_ops.emit(OPSET, "")["torch/composite_ops.cc"]
    assert_expected_inline(
        text[text.index("// ops.yaml") : text.index("}  // namespace")],
        """\
// ops.yaml, scale_grad
at::Tensor scale_grad([[maybe_unused]] const at::Tensor& out_grad, [[maybe_unused]] const at::Scalar& scale) {
  return ::phi::ops::scale::call(out_grad, scale, true);
}

// CompositeImplicitAutograd alone does not serve functionalization and vmap of ops outside ATen.
void Register(torch::Library& m) {
  Implement(m, "reshape", &reshape);
  Implement(m, "reshape_", &reshape_);
  Implement(m, "scale_grad", &scale_grad);
}

""",
    )


def test_typed_handles():
    text = schema.emit(OPSET, "")["torch/ops/sgd_.h"]
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


def test_infer_meta_of_each_kernel_of_an_op():
    text = "".join(infermeta.emit(OPSET, "").values())
    assert_expected_inline(
        "\n".join(line for line in text.splitlines() if "scale" in line),
        """\
  factory.Insert("scale", {&InferMetaImpl<&UnchangedInferMeta<int64_t>>::Call, false, {0}, {}, {{0, 0}}});
  factory.Insert("scale_sr", {&InferMetaImpl<&UnchangedInferMeta<int64_t>>::Call, false, {0}, {}, {{0, 0}}});""",
    )


def test_kernel_of_a_category_op():
    assert_expected_inline(
        kernels.emit(replace(OPSET, definitions={"SwishFunctor": Loc("csrc/kernels/ops/swish.h", 9)}), "")[
            "kernels/cpu/swish_kernel.cc"
        ],
        """\
// generated from yaml/ by codegen; do not edit
// ops.yaml, swish
#include "kernels/swish_kernel.h"

#include "backends/cpu/cpu_context.h"
#include "core/kernel_registry.h"
#include "kernels/ops/swish.h"
#include "primitive/elementwise.h"

namespace phi {

template <typename T, typename Context>
void SwishKernel(const Context& dev_ctx, const DenseTensor& x, double beta, DenseTensor* out) {
#line 9 "csrc/kernels/ops/swish.h"
  primitive::Map<T>(dev_ctx, out, primitive::MakeFunctor<primitive::ComputeType<T>, SwishFunctor>(beta), x);
}

}  // namespace phi

#line 9 "csrc/kernels/ops/swish.h"
PD_REGISTER_KERNEL(swish, CPU, ALL_LAYOUT, phi::SwishKernel, float, double, phi::dtype::float16, phi::dtype::bfloat16) {
}
""",
    )


def test_kernel_of_selected_rows():
    """A kernel of one tensor serves the rows of SelectedRows, by the name of the branch."""
    text = """
    - op : scale
      args : (Tensor x, Scalar scale = 1.0, bool twice = false)
      output : Tensor(out)
      category : unary
      kernel : {func : "scale {dense -> dense}, scale_sr {selected_rows -> selected_rows}"}
    """
    text = kernels.emit(ops(text), "")["kernels/cpu/scale_kernel.cc"]
    assert "primitive::MakeFunctor<primitive::ComputeType<T>, ScaleFunctor>(scale, twice), x)" in text
    assert_expected_inline(
        text[text.index("void ScaleSrKernel") :],
        """\
void ScaleSrKernel(const Context& dev_ctx, const SelectedRows& x, const Scalar& scale, bool twice, SelectedRows* out) {
  CopyPatternOf(x, out);
  ScaleKernel<T, Context>(dev_ctx, x.value(), scale, twice, out->mutable_value());
}

}  // namespace phi

PD_REGISTER_KERNEL(scale, CPU, ALL_LAYOUT, phi::ScaleKernel, float, double, phi::dtype::float16, phi::dtype::bfloat16) {
}
PD_REGISTER_KERNEL(scale_sr, CPU, ALL_LAYOUT, phi::ScaleSrKernel, float, double, phi::dtype::float16, phi::dtype::bfloat16) {}
""",
    )


def test_kernel_of_the_elements_of_sparse_tensors():
    """That of a gradient takes the elements of all of its tensors."""
    text = """
    - op : fade
      args : (Tensor x, float by)
      output : Tensor(out)
      category : unary
      backward : fade_grad
    - backward_op : fade_grad
      forward : fade (Tensor x, float by) -> Tensor(out)
      args : (Tensor x, Tensor out_grad, float by)
      output : Tensor(x_grad)
      category : unary_grad
      kernel :
        func : fade_grad {dense, dense -> dense}, fade_csr_grad {sparse_csr, sparse_csr -> sparse_csr}
    """
    text = kernels.emit(ops(text), "")["kernels/cpu/fade_grad_kernel.cc"]
    assert_expected_inline(
        text[text.index("void FadeCsrGradKernel") : text.index("}  // namespace phi\n\nPD_REGISTER")],
        """\
void FadeCsrGradKernel(const Context& dev_ctx, const SparseCsrTensor& x, const SparseCsrTensor& out_grad, float by, SparseCsrTensor* x_grad) {
  CopyPatternOf(x, x_grad);
  FadeGradKernel<T, Context>(dev_ctx, x.values(), out_grad.values(), by, x_grad->mutable_values());
}

""",
    )
    assert "PD_REGISTER_KERNEL(fade_csr_grad, CPU, ALL_LAYOUT, phi::FadeCsrGradKernel, float, double" in text


def test_kernel_of_a_step_on_rows():
    text = """
    - op : slide_
      args : (Tensor param, Tensor grad, Tensor rate, Tensor speed, bool lazy = false)
      output : Tensor(param_out), Tensor(speed_out)
      category : optimizer
      infer_meta : {func : SlideInferMeta}
      kernel :
        func : slide {dense, dense, dense, dense -> dense, dense}, slide_sparse {dense, selected_rows, dense, dense -> dense, dense}
        only_rows : lazy
      dtypes : floating
      optional : speed, speed_out
      inplace : (param -> param_out), (speed -> speed_out)
    """
    text = kernels.emit(ops(text), "")["kernels/cpu/slide_kernel.cc"]
    assert '#include "kernels/funcs/step_on_rows.h"' in text
    assert_expected_inline(
        text[text.index("  const funcs::StepOnRows") : text.index("}  // namespace phi\n\nPD_REGISTER")],
        """\
  const funcs::StepOnRows step(dev_ctx, grad, lazy);
  auto param_part = step.Take(param, param_out);
  auto speed_part = step.Take(speed, speed_out);
  SlideKernel<T, Context>(dev_ctx, param_part.in, step.grad(), rate, speed_part.in, lazy, param_part.out(), speed_part.out());
  step.PutBack(param_part, param);
  step.PutBack(speed_part, speed);
}

""",
    )


def test_kernel_of_a_function_template():
    text = """
    - op : pow
      args : (Tensor x, Tensor y, Scalar factor = 1.0)
      output : Tensor(out)
      category : general
      infer_meta : {func : PowInferMeta}
      kernel : {func : pow_kernel, param : [x, factor, y]}
      dtypes : int32, complex, int32
      optional : y
    """
    files = kernels.emit(replace(ops(text), definitions={"PowKernel": Loc("csrc/kernels/ops/pow.h", 14)}), "")
    assert_expected_inline(
        files["kernels/gpu/pow_kernel.cu"],
        """\
// generated from yaml/ by codegen; do not edit
// ops.yaml, pow
#include "kernels/pow_kernel.h"

#include "backends/gpu/gpu_context.h"
#include "core/kernel_registry.h"
#include "kernels/ops/pow.h"

#line 14 "csrc/kernels/ops/pow.h"
PD_REGISTER_KERNEL(pow_kernel, GPU, ALL_LAYOUT, phi::PowKernel, int32_t, phi::dtype::complex<float>, phi::dtype::complex<double>) {
}
""",
    )
    assert_expected_inline(
        files["kernels/pow_kernel.h"].partition("Context>\n")[2],
        """\
void PowKernel(const Context& dev_ctx, const DenseTensor& x, const Scalar& factor, const paddle::optional<DenseTensor>& y, DenseTensor* out);

}  // namespace phi
""",
    )


def test_kernel_with_argument_definitions_and_dtypes_of_each_backend():
    text = """
    - op : drop
      args : (Tensor x, Tensor seed, float p)
      output : Tensor(out), Tensor(mask)
      infer_meta : {func : DropInferMeta}
      kernel :
        func : drop
        param : [seed, x, p]
        args_def :
          seed : {backend : CPU, dtype : int32}
          mask : {dtype : any}
      dtypes : {CPU : "int32, floating", GPU : float32}
    """
    files = kernels.emit(ops(text), "")
    registrations = [files[f"kernels/{name}"].partition("PD_")[2] for name in ("cpu/drop_kernel.cc", "gpu/drop_kernel.cu")]
    body = """ {
  kernel->InputAt(0).SetBackend(phi::Backend::CPU).SetDataType(phi::DataType::INT32);  // seed
  kernel->OutputAt(1).SetDataType(phi::DataType::UNDEFINED);  // mask
}
"""
    cpu = (
        "REGISTER_KERNEL(drop, CPU, ALL_LAYOUT, phi::DropKernel, int32_t, float, double, phi::dtype::float16, phi::dtype::bfloat16)"
    )
    assert registrations == [cpu + body, "REGISTER_KERNEL(drop, GPU, ALL_LAYOUT, phi::DropKernel, float)" + body]


def test_kernel_of_the_gradients_of_a_binary_op():
    text = """
    - op : mix
      args : (Tensor x, Tensor y, float part)
      output : Tensor(out)
      category : binary
      dtypes : floating
      backward : mix_grad
    - backward_op : mix_grad
      forward : mix (Tensor x, Tensor y, float part) -> Tensor(out)
      args : (Tensor x, Tensor y, Tensor out_grad, float part, int axis = -1)
      output : Tensor(x_grad), Tensor(y_grad)
      category : binary_grad
      dtypes : floating
      no_need_buffer : y
      functor : my::MixGradFunctor(x, out_grad), out_grad
    """
    text = kernels.emit(ops(text), "")["kernels/cpu/mix_grad_kernel.cc"]
    assert_expected_inline(
        text[text.index('#include "kernels/funcs') : text.index("}")],
        """\
#include "kernels/funcs/binary_grad.h"

namespace phi {

template <typename T, typename Context>
void MixGradKernel(const Context& dev_ctx, const DenseTensor& x, const DenseTensor& y, const DenseTensor& out_grad, double part, int axis, DenseTensor* x_grad, DenseTensor* y_grad) {
  funcs::BinaryGrad<T>(dev_ctx, out_grad, axis, x, x_grad, primitive::MakeFunctor<primitive::ComputeType<T>, my::MixGradFunctor>(part), x, out_grad);
  funcs::SumToInput(dev_ctx, out_grad, axis, y, y_grad);
""",
    )


def test_functional_form_of_a_list_output():
    assert_expected_inline(
        kernels.emit(OPSET, "")["functional/split.h"],
        """\
// generated from yaml/ by codegen; do not edit
// ops.yaml, split
#pragma once

#include "core/functional.h"
#include "infermeta/functions.h"
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
