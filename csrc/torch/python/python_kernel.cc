// SPDX-License-Identifier: Apache-2.0
#include "torch/python/python_kernel.h"

#include <ATen/ops/from_blob.h>
#include <c10/util/Exception.h>
#include <torch/csrc/Device.h>
#include <torch/csrc/Dtype.h>
#include <torch/csrc/DynamicTypes.h>
#include <torch/csrc/Exceptions.h>
#include <torch/csrc/autograd/python_variable.h>

#include <utility>

#include "core/kernel_context.h"
#include "torch/tensor_adapter.h"

namespace py = pybind11;

namespace phi::python {
namespace {

py::object Own(PyObject* object) {
  if (object == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::object>(object);
}

py::object ToPython(bool value) { return py::bool_(value); }
py::object ToPython(int value) { return py::int_(value); }
py::object ToPython(int64_t value) { return py::int_(value); }
py::object ToPython(float value) { return py::float_(value); }
py::object ToPython(double value) { return py::float_(value); }
py::object ToPython(const std::string& value) { return py::str(value); }
py::object ToPython(DataType value) {
  if (value == DataType::UNDEFINED) return py::none();
  return py::reinterpret_borrow<py::object>(
      reinterpret_cast<PyObject*>(torch::getTHPDtype(torch_bridge::ToTorch(value))));
}
py::object ToPython(DataLayout value) { return py::str(DataLayoutName(value)); }
py::object ToPython(const Place& value) { return Own(THPDevice_New(torch_bridge::ToTorch(value))); }
py::object ToPython(const Scalar& value) {
  if (value.dtype() == DataType::BOOL) return py::bool_(value.to<bool>());
  if (IsComplexType(value.dtype())) {
    const auto number = value.to<phi::dtype::complex<double>>();
    return Own(PyComplex_FromDoubles(number.real(), number.imag()));
  }
  return IsFloatingType(value.dtype()) ? py::object(py::float_(value.to<double>())) : py::int_(value.to<int64_t>());
}
template <typename T>
py::object ToPython(const std::vector<T>& values) {
  py::list list;
  for (const auto& value : values) list.append(ToPython(static_cast<const T&>(value)));
  return list;
}
py::object ToPython(const IntArray& value) { return ToPython(value.GetData()); }

// The torch tensors that stand for those of one call.
class Tensors {
 public:
  ~Tensors() {
    for (const at::Tensor& tensor : tensors_) Detach(tensor);
  }

  py::object Make(const TensorBase* tensor) {
    if (tensor == nullptr) return py::none();
    TORCH_CHECK_NOT_IMPLEMENTED(tensor->kind() == TensorKind::kDense, "a Python kernel takes dense tensors only");
    tensors_.push_back(torch_bridge::ToTorch(static_cast<const DenseTensor&>(*tensor)));
    return Own(THPVariable_Wrap(tensors_.back()));
  }

 private:
  // Whoever still has the tensor or its storage gets memory of its own: that of the call is about to go.
  static void Detach(const at::Tensor& tensor) {
    const at::Storage& storage = tensor.storage();
    if (tensor.use_count() == 1 && storage.use_count() == 1) return;
    const at::TensorOptions bytes = at::TensorOptions().dtype(at::kByte).device(tensor.device());
    const int64_t size = static_cast<int64_t>(storage.nbytes());
    const at::Tensor copy = at::from_blob(storage.mutable_data(), {size}, bytes).clone();
    storage.unsafeGetStorageImpl()->set_data_ptr_noswap(
        copy.storage().unsafeGetStorageImpl()->set_data_ptr(at::DataPtr(nullptr, tensor.device())));
  }

  std::vector<at::Tensor> tensors_;
};

void Call(const py::function& function, KernelContext* ctx) {
  Tensors tensors;
  py::list inputs, attributes, outputs;
  for (size_t i = 0; i < ctx->InputsSize(); ++i) {
    py::list range;
    const auto [begin, end] = ctx->InputRangeAt(i);
    for (int j = begin; j < end; ++j) range.append(tensors.Make(ctx->InputAt<TensorBase>(j)));
    inputs.append(range);
  }
  for (size_t i = 0; i < ctx->AttrsSize(); ++i) {
    attributes.append(std::visit([](const auto& value) { return ToPython(value); }, ctx->AttributeAt(i)));
  }
  for (size_t i = 0; i < ctx->OutputsSize(); ++i) {
    py::list range;
    const auto [begin, end] = ctx->OutputRangeAt(i);
    for (int j = begin; j < end; ++j) {
      auto* output = ctx->MutableOutputAt<TensorBase>(j);
      if (output != nullptr) ctx->GetDeviceContext().Alloc(output, output->dtype());
      range.append(tensors.Make(output));
    }
    outputs.append(range);
  }
  function(std::move(inputs), std::move(attributes), std::move(outputs));
}

}  // namespace

KernelFunctor CallPython(py::function function) {
  // kernels are never freed, so neither is the function: it may not be touched when the interpreter is gone
  auto* kept = new py::function(std::move(function));
  return [kept](KernelContext* ctx) {
    const py::gil_scoped_acquire gil;
    try {
      Call(*kept, ctx);
    } catch (py::error_already_set& error) {
      error.restore();
      python_error raised;
      raised.persist();
      throw raised;
    }
  };
}

}  // namespace phi::python
