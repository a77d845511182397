// SPDX-License-Identifier: Apache-2.0
#include "torch/python/node_name.h"

#include <Python.h>
#include <torch/csrc/autograd/python_cpp_function.h>

#include "torch/autograd/compat.h"

namespace phi::python {

namespace {

using torch::autograd::THPCppFunction;

struct WithoutClass final : torch::autograd::Node {
  torch::autograd::variable_list apply(torch::autograd::variable_list&& grads) override { return std::move(grads); }
};

PyObject* Repr(PyObject* self) {
  return PyUnicode_FromFormat(
      "<%s object at %p>", reinterpret_cast<THPCppFunction*>(self)->cdata->name().c_str(), self);
}

}  // namespace

void NameNodes() {
  PyObject* node = torch::autograd::functionToPyObject(torch_bridge::NewNode<WithoutClass>());
  PyTypeObject* type = Py_TYPE(node);  // torch's, of all nodes without a class
  type->tp_repr = Repr;
  PyType_Modified(type);
  Py_DECREF(node);
}

}  // namespace phi::python
