// SPDX-License-Identifier: Apache-2.0
#include "torch/string_tensor.h"

#include <pybind11/stl.h>
#include <torch/csrc/autograd/python_variable.h>

#include "torch/python/string_tensor.h"

namespace py = pybind11;

namespace phi::python {

namespace {

PyObject* string_tensor = nullptr;  // the class, which lives as long as the process

py::object Wrap(const at::Tensor& tensor) { return py::reinterpret_steal<py::object>(THPVariable_Wrap(tensor)); }

// The tensor keeps its Python object, whose class stays.
void GiveClass(const at::Tensor& tensor) {
  const py::gil_scoped_acquire gil;
  Wrap(tensor).attr("__class__") = py::handle(string_tensor);
}

const at::Tensor& Unpack(const py::handle& object) {
  if (!THPVariable_Check(object.ptr()))
    throw py::type_error("a StringTensor is made of torch.Tensor offsets and bytes");
  return THPVariable_Unpack(object.ptr());
}

py::object Make(const py::handle& offsets, const py::handle& bytes, const std::vector<int64_t>& sizes) {
  const at::Tensor tensor = torch_bridge::MakeStrings({Unpack(offsets), Unpack(bytes)}, sizes);
  GiveClass(tensor);
  return Wrap(tensor);
}

py::tuple Parts(const py::handle& tensor) {
  const torch_bridge::Strings* strings = torch_bridge::FindStrings(Unpack(tensor));
  if (strings == nullptr) throw py::type_error("expected a StringTensor, got a tensor of numbers");
  return py::make_tuple(Wrap(strings->offsets), Wrap(strings->bytes));
}

}  // namespace

void BindStrings(py::module_& m) {
  m.def("set_string_tensor", [](const py::object& cls) {
    string_tensor = py::object(cls).release().ptr();
    torch_bridge::SetStringsHook(&GiveClass);
  });
  m.def("make_strings", &Make, py::arg("offsets"), py::arg("bytes"), py::arg("sizes"));
  m.def("parts_of_strings", &Parts, py::arg("tensor"));
}

}  // namespace phi::python
