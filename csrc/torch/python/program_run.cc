// SPDX-License-Identifier: Apache-2.0
#include <ATen/autocast_mode.h>
#include <ATen/core/PythonFallbackKernel.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <c10/core/impl/TorchDispatchModeTLS.h>
#include <pybind11/stl.h>
#include <torch/csrc/Device.h>
#include <torch/csrc/Exceptions.h>
#include <torch/csrc/autograd/python_variable.h>

#include <algorithm>
#include <mutex>
#include <set>

#include "api/trace.h"
#include "program/grad_op_desc.h"
#include "program/kernel_attribute.h"
#include "program/kernel_operator.h"
#include "program/op_registry.h"
#include "torch/convert.h"
#include "torch/errors.h"
#include "torch/python/fast_call.h"
#include "torch/python/program_ops.h"
#include "torch/python/program_values.h"

namespace py = pybind11;

namespace phi::python {

namespace {

using torch_bridge::ToPhi;

// Whether torch itself would have nothing to do with calls on the tensor but to run kernels.
bool IsPlain(const at::Tensor& tensor) {
  using Key = c10::DispatchKey;
  constexpr c10::DispatchKeySet others({Key::Python,
                                        Key::PythonTLSSnapshot,
                                        Key::FuncTorchGradWrapper,
                                        Key::FuncTorchBatched,
                                        Key::FuncTorchBatchedDecomposition,
                                        Key::Functionalize,
                                        Key::Batched});
  const bool is_recorded = at::GradMode::is_enabled() && tensor.requires_grad();
  return !tensor.key_set().has_any(others) && !tensor.is_meta() && !is_recorded && !tensor._fw_grad(0).defined() &&
         !at::autocast::is_autocast_enabled(tensor.device().type());
}

bool NobodyLooksOn() {
  using Key = c10::DispatchKey;
  return !IsObserved() && !c10::impl::TorchDispatchModeTLS::any_modes_set() &&
         !at::impl::torch_function_mode_enabled() &&
         !c10::impl::tls_is_dispatch_key_included(Key::FuncTorchDynamicLayerFrontMode) &&
         !c10::impl::tls_is_dispatch_key_included(Key::Functionalize);
}

bool RunsPlainly(const std::vector<at::Tensor>& tensors) {
  return NobodyLooksOn() && std::all_of(tensors.begin(), tensors.end(), &IsPlain);
}

// An operator for Python.
class Operator {
 public:
  Operator(std::string type, VariableNameMap inputs, VariableNameMap outputs, const NamedAttributes& attrs, int float32)
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

  void Run(Scope* scope, py::handle device, py::handle run_block) {
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

  // The outputs by slot for the inputs by slot, of an operator whose variables have the names of their slots, those of
  // lists others; None where a call does more than run a kernel, or another thread is in one.
  py::object Call(PyObject* inputs, py::handle device) {
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

  std::string Misfit(std::string kernel,
                     std::vector<std::string> inputs,
                     std::vector<std::string> attrs,
                     std::vector<std::string> outputs) const {
    if (kernel_ == nullptr) return "";
    return kernel_->Misfit(KernelSignature(std::move(kernel), std::move(inputs), std::move(attrs), std::move(outputs)));
  }

 private:
  struct Slot {
    py::str name;
    std::vector<Variable*> variables;
    bool is_list;
    bool is_output;
  };

  // Most dicts have the same string as a key.
  static py::str Interned(const std::string& text) {
    return py::reinterpret_steal<py::str>(PyUnicode_InternFromString(text.c_str()));
  }
  void AddSlots() {
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
  static bool SetIfPlain(Variable* variable, PyObject* given) {
    if (!THPVariable_Check(given) || !IsPlain(THPVariable_Unpack(given))) return false;
    Set(variable, given);
    return true;
  }
  static bool SetAll(const Slot& slot, PyObject* given) {
    if (!slot.is_list) return SetIfPlain(slot.variables[0], given);
    const auto all = py::reinterpret_borrow<py::sequence>(given);
    if (all.size() != slot.variables.size()) return false;
    for (size_t i = 0; i < all.size(); ++i) {
      if (!SetIfPlain(slot.variables[i], py::object(all[i]).ptr())) return false;
    }
    return true;
  }
  static void AddResult(const Slot& slot, py::dict* found) {
    if (!slot.is_list) {
      if (slot.variables[0]->IsInitialized()) (*found)[slot.name] = Get(*slot.variables[0]);
      return;
    }
    py::list list;
    for (const Variable* variable : slot.variables) list.append(Get(*variable));
    (*found)[slot.name] = list;
  }

  std::string place_;
  std::mutex call_mutex_;
  Scope scope_;
  std::vector<Slot> slots_;
  std::unique_ptr<OperatorBase> operator_;
  const KernelOperator* kernel_ = nullptr;
};

// `call(inputs, device=None)` of an operator, as a function that costs little more than a call in C.
PyObject* CallFast(PyObject* capsule, PyObject* const* args, Py_ssize_t nargs) {
  struct Arguments {
    Operator* op;
    PyObject* inputs;
    PyObject* device;
  };
  if (nargs < 1 || nargs > 2) {
    PyErr_Format(PyExc_TypeError, "expected 1 or 2 arguments, got %zd", nargs);
    return nullptr;
  }
  auto* op = static_cast<Operator*>(PyCapsule_GetPointer(capsule, nullptr));
  Arguments arguments{op, args[0], nargs > 1 ? args[1] : Py_None};
  return Guarded(
      [](void* data) {
        const auto& a = *static_cast<Arguments*>(data);
        return a.op->Call(a.inputs, a.device).release().ptr();
      },
      &arguments);
}

// The operator lives as long as the function.
py::object CallOf(const std::shared_ptr<Operator>& op) {
  static PyMethodDef definition = {
      "call", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(&CallFast)), METH_FASTCALL, nullptr};
  auto kept = std::make_unique<std::shared_ptr<Operator>>(op);
  auto capsule = py::reinterpret_steal<py::object>(PyCapsule_New(op.get(), nullptr, [](PyObject* self) {
    delete static_cast<std::shared_ptr<Operator>*>(PyCapsule_GetContext(self));
  }));
  PyCapsule_SetContext(capsule.ptr(), kept.release());
  return py::reinterpret_steal<py::object>(PyCFunction_New(&definition, capsule.ptr()));
}

}  // namespace

void BindProgramRun(py::module_& m) {
  BindScope(m);
  py::class_<Operator, std::shared_ptr<Operator>>(m, "Operator")
      .def(py::init<std::string, VariableNameMap, VariableNameMap, const NamedAttributes&, int>(),
           py::arg("type"),
           py::arg("inputs"),
           py::arg("outputs"),
           py::arg("attrs"),
           py::arg("float32") = 5)
      .def("run", &Operator::Run, py::arg("scope"), py::arg("device") = py::none(), py::arg("run_block") = py::none())
      .def_property_readonly("call", &CallOf)
      .def("misfit", &Operator::Misfit);
  m.def("runs_plainly", &RunsPlainly, py::arg("tensors"));
  m.def(
      "grad_op",
      [](std::string type, VariableNameMap inputs, VariableNameMap outputs, const std::set<std::string>& no_grad) {
        OpDesc forward{std::move(type), std::move(inputs), std::move(outputs), {}};
        PHI_OP_TRY
        const OpDesc grad = GradOpDesc(forward, no_grad);
        return py::make_tuple(grad.type, py::cast(grad.inputs), py::cast(grad.outputs));
        PHI_OP_CATCH("phi::grad_op")
      },
      py::arg("type"),
      py::arg("inputs"),
      py::arg("outputs"),
      py::arg("no_grad"));
  m.def("registered_operators", [] { return OpRegistry::Instance().Types(); });
}

}  // namespace phi::python
