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
#include "torch/errors.h"
#include "torch/given_tensor.h"
#include "torch/python/fast_call.h"
#include "torch/python/program_ops.h"
#include "torch/tensor_kinds.h"

namespace py = pybind11;

namespace phi::python {

namespace {

using torch_bridge::GivenOrToTorch;
using torch_bridge::ToPhi;
using torch_bridge::TorchForm;
using torch_bridge::ToTorch;

// A value of Python's in a variable; it may go while other threads run Python.
class PyValue {
 public:
  PyValue() = default;
  explicit PyValue(py::object object)
      : object_(object.release().ptr(), [](PyObject* o) {
          const py::gil_scoped_acquire gil;
          Py_DECREF(o);
        }) {}
  py::object get() const { return py::reinterpret_borrow<py::object>(object_.get()); }

 private:
  std::shared_ptr<PyObject> object_;
};

bool IsDense(py::handle value) {
  return THPVariable_Check(value.ptr()) && THPVariable_Unpack(value.ptr()).layout() == at::kStrided;
}

DenseTensor DenseOf(py::handle value) {
  const at::Tensor& tensor = THPVariable_Unpack(value.ptr());
  if (__builtin_expect(tensor.is_conj() || tensor.is_neg(), 0)) return ToPhi(tensor.resolve_conj().resolve_neg());
  return ToPhi(tensor);
}

bool IsArray(py::handle value) {
  if (!PyList_Check(value.ptr())) return false;
  const auto list = py::reinterpret_borrow<py::list>(value);
  return std::all_of(list.begin(), list.end(), &IsDense);
}

void Set(Variable* variable, py::handle value) {
  if (IsDense(value)) {
    *variable->GetMutable<DenseTensor>() = DenseOf(value);
  } else if (THPVariable_Check(value.ptr()) && TorchForm<SelectedRows>::Holds(THPVariable_Unpack(value.ptr()))) {
    *variable->GetMutable<SelectedRows>() = TorchForm<SelectedRows>::ToPhi(THPVariable_Unpack(value.ptr()));
  } else if (IsArray(value)) {
    TensorArray array;
    for (const py::handle one : py::reinterpret_borrow<py::list>(value)) array.push_back(DenseOf(one));
    *variable->GetMutable<TensorArray>() = std::move(array);
  } else {
    *variable->GetMutable<PyValue>() = PyValue(py::reinterpret_borrow<py::object>(value));
  }
}

py::object Wrapped(at::Tensor&& tensor) { return py::reinterpret_steal<py::object>(Wrap(std::move(tensor))); }

py::object Get(const Variable& variable) {
  if (const auto* dense = variable.TryGet<DenseTensor>()) return Wrapped(GivenOrToTorch(*dense));
  if (const auto* rows = variable.TryGet<SelectedRows>()) return Wrapped(TorchForm<SelectedRows>::ToTorch(*rows));
  if (const auto* array = variable.TryGet<TensorArray>()) {
    py::list list;
    for (const DenseTensor& tensor : *array) list.append(Wrapped(GivenOrToTorch(tensor)));
    return list;
  }
  if (const auto* object = variable.TryGet<PyValue>()) return object->get();
  PADDLE_THROW(errors::Unimplemented("a variable of a library's own type has no value in Python"));
}

const Variable* Find(const Scope& scope, const std::string& name) {
  const Variable* variable = scope.FindVar(name);
  return variable != nullptr && variable->IsInitialized() ? variable : nullptr;
}

Variable* FindOrMake(Scope* scope, const std::string& name) {
  Variable* variable = scope->FindVar(name);
  return variable != nullptr ? variable : scope->Var(name);
}

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

  void Run(Scope* scope, const py::object& device, const py::object& run_block) {
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
  py::object Call(const py::dict& inputs, const py::object& device) {
    const std::unique_lock<std::mutex> lock(call_mutex_, std::try_to_lock);
    if (!lock.owns_lock() || !NobodyLooksOn()) return py::none();
    if (slots_.empty()) AddSlots();
    for (const Slot& slot : slots_) {
      if (slot.is_output) continue;
      PyObject* given = PyDict_GetItemWithError(inputs.ptr(), slot.name.ptr());
      if (given == nullptr) throw py::key_error(py::cast<std::string>(slot.name));
      if (!SetAll(slot, given)) return py::none();
    }
    Run(&scope_, device, py::none());
    py::dict found;
    for (const Slot& slot : slots_) {
      if (slot.is_output) AddResult(slot, &found);
    }
    scope_.Clear();
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

  void AddSlots() {
    const auto add = [&](const VariableNameMap& slots, bool is_output) {
      for (const auto& [slot, names] : slots) {
        const bool is_single = names.size() == 1 && (is_output || names[0] == slot);
        slots_.push_back({py::str(slot), {}, !is_single, is_output});
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

}  // namespace

void BindProgramRun(py::module_& m) {
  py::class_<Scope>(m, "Scope")
      .def(py::init<>())
      .def("__contains__", [](const Scope& scope, const std::string& name) { return Find(scope, name) != nullptr; })
      .def("__getitem__",
           [](const Scope& scope, const std::string& name) {
             const Variable* variable = Find(scope, name);
             if (variable == nullptr) throw py::key_error(name);
             return Get(*variable);
           })
      .def("__setitem__",
           [](Scope& scope, const std::string& name, py::handle value) { Set(FindOrMake(&scope, name), value); })
      .def("update",
           [](Scope& scope, const py::dict& values) {
             for (const auto& [name, value] : values) Set(FindOrMake(&scope, name.cast<std::string>()), value);
           })
      .def(
          "get",
          [](const Scope& scope, const std::string& name, py::object otherwise) {
            const Variable* variable = Find(scope, name);
            return variable != nullptr ? Get(*variable) : otherwise;
          },
          py::arg("name"),
          py::arg("otherwise") = py::none())
      .def("clear",
           [](Scope& scope, const std::vector<std::string>& names) {
             for (const std::string& name : names) {
               if (Variable* variable = scope.FindVar(name)) variable->Clear();
             }
           })
      .def("clear", &Scope::Clear);
  py::class_<Operator>(m, "Operator")
      .def(py::init<std::string, VariableNameMap, VariableNameMap, const NamedAttributes&, int>(),
           py::arg("type"),
           py::arg("inputs"),
           py::arg("outputs"),
           py::arg("attrs"),
           py::arg("float32") = 5)
      .def("run", &Operator::Run, py::arg("scope"), py::arg("device") = py::none(), py::arg("run_block") = py::none())
      .def("__call__", &Operator::Call, py::arg("inputs"), py::arg("device") = py::none())
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
