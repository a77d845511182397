// SPDX-License-Identifier: Apache-2.0
#include "torch/python/programs/values.h"

#include <pybind11/stl.h>
#include <torch/csrc/autograd/python_variable.h>

#include <algorithm>

#include "common/enforce.h"
#include "torch/given_tensor.h"
#include "torch/python/fast_call.h"
#include "torch/tensor_kinds.h"

namespace py = pybind11;

namespace phi::python {

namespace {

using torch_bridge::GivenOrToTorch;
using torch_bridge::ToPhi;
using torch_bridge::TorchForm;

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

// Whether the value is a tensor of the class, which the variable then has.
template <typename T>
bool SetAs(Variable* variable, py::handle value) {
  if (!THPVariable_Check(value.ptr()) || !TorchForm<T>::Holds(THPVariable_Unpack(value.ptr()))) return false;
  *variable->GetMutable<T>() = TorchForm<T>::ToPhi(THPVariable_Unpack(value.ptr()));
  return true;
}

py::object Wrapped(at::Tensor&& tensor) { return py::reinterpret_steal<py::object>(Wrap(std::move(tensor))); }

const Variable* Find(const Scope& scope, const std::string& name) {
  const Variable* variable = scope.FindVar(name);
  return variable != nullptr && variable->IsInitialized() ? variable : nullptr;
}

Variable* FindOrMake(Scope* scope, const std::string& name) {
  Variable* variable = scope->FindVar(name);
  return variable != nullptr ? variable : scope->Var(name);
}

}  // namespace

void Set(Variable* variable, py::handle value) {
  if (IsDense(value)) {
    *variable->GetMutable<DenseTensor>() = DenseOf(value);
  } else if (SetAs<SelectedRows>(variable, value) || SetAs<SparseCooTensor>(variable, value) ||
             SetAs<SparseCsrTensor>(variable, value)) {
    return;
  } else if (IsArray(value)) {
    TensorArray array;
    for (const py::handle one : py::reinterpret_borrow<py::list>(value)) array.push_back(DenseOf(one));
    *variable->GetMutable<TensorArray>() = std::move(array);
  } else {
    *variable->GetMutable<PyValue>() = PyValue(py::reinterpret_borrow<py::object>(value));
  }
}

py::object Get(const Variable& variable) {
  if (const auto* dense = variable.TryGet<DenseTensor>()) return Wrapped(GivenOrToTorch(*dense));
  if (const auto* rows = variable.TryGet<SelectedRows>()) return Wrapped(TorchForm<SelectedRows>::ToTorch(*rows));
  if (const auto* coo = variable.TryGet<SparseCooTensor>()) return Wrapped(TorchForm<SparseCooTensor>::ToTorch(*coo));
  if (const auto* csr = variable.TryGet<SparseCsrTensor>()) return Wrapped(TorchForm<SparseCsrTensor>::ToTorch(*csr));
  if (const auto* array = variable.TryGet<TensorArray>()) {
    py::list list;
    for (const DenseTensor& tensor : *array) list.append(Wrapped(GivenOrToTorch(tensor)));
    return list;
  }
  if (const auto* object = variable.TryGet<PyValue>()) return object->get();
  PADDLE_THROW(errors::Unimplemented("a variable of a library's own type has no value in Python"));
}

void BindScope(py::module_& m) {
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
}

}  // namespace phi::python
