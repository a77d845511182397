// SPDX-License-Identifier: Apache-2.0
#include <pybind11/stl.h>
#include <torch/csrc/utils/pybind.h>

#include <set>

#include "program/grad_op_desc.h"
#include "program/op_registry.h"
#include "torch/errors.h"
#include "torch/python/fast_call.h"
#include "torch/python/programs/operator.h"
#include "torch/python/programs/values.h"

namespace py = pybind11;

namespace phi::python {

namespace {

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

// `step(scope)`: runs an operator, and lets go of variables that nothing reads afterwards. It is made for one scope,
// whose variables it knows, and finds them by name in others.
class Step {
 public:
  Step(std::shared_ptr<Operator> op, py::object scope, std::vector<std::string> last)
      : op_(std::move(op)), scope_(std::move(scope)), last_(std::move(last)) {}

  void Run(PyObject* given) {
    const bool is_own = given == scope_.ptr();
    auto* scope = is_own && own_ != nullptr ? own_ : py::handle(given).cast<Scope*>();
    op_->Run(scope, py::none(), py::none());
    if (is_own && own_ != nullptr && epoch_ == Scope::Epoch()) {
      for (Variable* variable : found_) variable->Clear();
      return;
    }
    found_.clear();
    for (const std::string& name : last_) {
      if (Variable* variable = scope->FindVar(name)) found_.push_back(variable);
    }
    for (Variable* variable : found_) variable->Clear();
    own_ = is_own ? scope : nullptr;
    epoch_ = Scope::Epoch();
  }

 private:
  std::shared_ptr<Operator> op_;
  py::object scope_;
  std::vector<std::string> last_;
  Scope* own_ = nullptr;  // null until `found_` are its variables
  std::vector<Variable*> found_;
  uint64_t epoch_ = 0;
};

PyObject* RunStep(PyObject* capsule, PyObject* scope) {
  struct Arguments {
    Step* step;
    PyObject* scope;
  };
  Arguments arguments{static_cast<Step*>(PyCapsule_GetPointer(capsule, nullptr)), scope};
  return Guarded(
      [](void* data) {
        const auto& a = *static_cast<Arguments*>(data);
        a.step->Run(a.scope);
        return py::none().release().ptr();
      },
      &arguments);
}

py::object StepOf(const std::shared_ptr<Operator>& op, py::object scope, std::vector<std::string> last) {
  static PyMethodDef definition = {"step", &RunStep, METH_O, nullptr};
  auto step = std::make_unique<Step>(op, std::move(scope), std::move(last));
  const auto capsule = py::reinterpret_steal<py::object>(PyCapsule_New(
      step.get(), nullptr, [](PyObject* self) { delete static_cast<Step*>(PyCapsule_GetPointer(self, nullptr)); }));
  (void)step.release();
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
      .def("step", &StepOf, py::arg("scope"), py::arg("last"))
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
