// SPDX-License-Identifier: Apache-2.0
#include "torch/python/programs/operator.h"

#include <ATen/autocast_mode.h>
#include <ATen/core/PythonFallbackKernel.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <c10/core/impl/TorchDispatchModeTLS.h>
#include <torch/csrc/Device.h>
#include <torch/csrc/Exceptions.h>
#include <torch/csrc/autograd/python_variable.h>

#include "api/trace.h"
#include "program/kernel_attribute.h"
#include "program/op_registry.h"
#include "torch/convert.h"
#include "torch/errors.h"
#include "torch/ir/tensor_io.h"
#include "torch/python/fast_call.h"
#include "torch/python/programs/values.h"

namespace py = pybind11;

namespace phi::python {

namespace {

using torch_bridge::ToPhi;

// Whether torch itself would have nothing to do with calls on the tensor but to run kernels. ValueError for one whose
// memory was freed: kernels would read a null pointer.
bool IsPlain(const at::Tensor& tensor) {
  using Key = c10::DispatchKey;
  constexpr c10::DispatchKeySet others({Key::Python,
                                        Key::PythonTLSSnapshot,
                                        Key::FuncTorchGradWrapper,
                                        Key::FuncTorchBatched,
                                        Key::FuncTorchBatchedDecomposition,
                                        Key::Functionalize,
                                        Key::Batched});
  if (tensor.key_set().has_any(others) || tensor.is_meta()) return false;
  TORCH_CHECK_VALUE(!tensor.has_storage() || tensor._is_zerotensor() || torch_bridge::HasMemory(tensor),
                    "expected tensors in memory, got one of sizes ",
                    tensor.sizes(),
                    " whose memory was freed, as by untyped_storage().resize_(0)");
  const bool is_recorded = at::GradMode::is_enabled() && tensor.requires_grad();
  return !is_recorded && !tensor._fw_grad(0).defined() && !at::autocast::is_autocast_enabled(tensor.device().type());
}

bool NobodyLooksOn() {
  using Key = c10::DispatchKey;
  return !IsObserved() && !c10::impl::TorchDispatchModeTLS::any_modes_set() &&
         !at::impl::torch_function_mode_enabled() &&
         !c10::impl::tls_is_dispatch_key_included(Key::FuncTorchDynamicLayerFrontMode) &&
         !c10::impl::tls_is_dispatch_key_included(Key::Functionalize);
}

// Most dicts have the same string as a key.
py::str Interned(const std::string& text) {
  return py::reinterpret_steal<py::str>(PyUnicode_InternFromString(text.c_str()));
}

bool SetIfPlain(Variable* variable, PyObject* given) {
  if (!THPVariable_Check(given) || !IsPlain(THPVariable_Unpack(given))) return false;
  Set(variable, given);
  return true;
}

}  // namespace

bool RunsPlainly(const std::vector<at::Tensor>& tensors) {
  bool are_plain = NobodyLooksOn();
  for (const at::Tensor& tensor : tensors) are_plain = IsPlain(tensor) && are_plain;
  return are_plain;
}

Operator::Operator(
    std::string type, VariableNameMap inputs, VariableNameMap outputs, const NamedAttributes& attrs, int float32)
    : place_("phi::" + type) {
  OpDesc desc{std::move(type), std::move(inputs), std::move(outputs), AttributesOf(attrs)};
  if (OpRegistry::Instance().Contains(desc.type)) {
    operator_ = OpRegistry::CreateOp(std::move(desc));
  } else {
    auto kernel = std::make_unique<KernelOperator>(std::move(desc), ProgramDataType(float32));
    kernel_ = kernel.get();
    operator_ = std::move(kernel);
  }
}

void Operator::Run(Scope* scope, py::handle device, py::handle run_block) {
  RunContext context{scope};
  if (!device.is_none()) context.place = ToPhi(reinterpret_cast<THPDevice*>(device.ptr())->device);
  if (!run_block.is_none()) {
    context.run_block = [&](int block, Scope* inner) {
      const py::gil_scoped_acquire gil;
      run_block(block, py::cast(inner, py::return_value_policy::reference));
    };
  }
  const ReleaseGil released;
  PHI_OP_TRY
  operator_->Run(context);
  PHI_OP_CATCH(place_.c_str())
}

py::object Operator::Call(PyObject* inputs, py::handle device) {
  const std::unique_lock<std::mutex> lock(call_mutex_, std::try_to_lock);
  if (!lock.owns_lock() || !PyDict_Check(inputs) || !NobodyLooksOn()) return py::none();
  if (slots_.empty()) AddSlots();
  for (const Slot& slot : slots_) {
    if (slot.is_output) continue;
    PyObject* given = PyDict_GetItemWithError(inputs, slot.name.ptr());
    if (given == nullptr) {
      if (PyErr_Occurred() == nullptr) PyErr_SetObject(PyExc_KeyError, slot.name.ptr());
      throw py::error_already_set();
    }
    if (!SetAll(slot, given)) return py::none();
  }
  Run(&scope_, device, py::none());
  py::dict found;
  for (const Slot& slot : slots_) {
    if (slot.is_output) AddResult(slot, &found);
  }
  for (const Slot& slot : slots_) {
    for (Variable* variable : slot.variables) variable->Clear();
  }
  return found;
}

std::string Operator::Misfit(std::string kernel,
                             std::vector<std::string> inputs,
                             std::vector<std::string> attrs,
                             std::vector<std::string> outputs) const {
  if (kernel_ == nullptr) return "";
  return kernel_->Misfit(KernelSignature(std::move(kernel), std::move(inputs), std::move(attrs), std::move(outputs)));
}

void Operator::AddSlots() {
  const auto add = [&](const VariableNameMap& slots, bool is_output) {
    for (const auto& [slot, names] : slots) {
      const bool is_single = names.size() == 1 && (is_output || names[0] == slot);
      slots_.push_back({Interned(slot), {}, !is_single, is_output});
      for (const std::string& name : names) slots_.back().variables.push_back(scope_.Var(name));
    }
  };
  add(operator_->desc().inputs, false);
  add(operator_->desc().outputs, true);
}

bool Operator::SetAll(const Slot& slot, PyObject* given) {
  if (!slot.is_list) return SetIfPlain(slot.variables[0], given);
  const auto all = py::reinterpret_borrow<py::sequence>(given);
  if (all.size() != slot.variables.size()) return false;
  for (size_t i = 0; i < all.size(); ++i) {
    if (!SetIfPlain(slot.variables[i], py::object(all[i]).ptr())) return false;
  }
  return true;
}

void Operator::AddResult(const Slot& slot, py::dict* found) {
  if (!slot.is_list) {
    if (slot.variables[0]->IsInitialized()) (*found)[slot.name] = Get(*slot.variables[0]);
    return;
  }
  py::list list;
  for (const Variable* variable : slot.variables) list.append(Get(*variable));
  (*found)[slot.name] = list;
}

}  // namespace phi::python
