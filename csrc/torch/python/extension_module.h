// SPDX-License-Identifier: Apache-2.0
// An extension that is one library: the Python module of it gives the operators' functions.
#pragma once

#include <Python.h>

#include <initializer_list>
#include <utility>

#include "core/kernel_factory.h"

namespace phi::torch_bridge::python {

// The kernels that the extension brings: their names must be known before the first is registered, in any order of
// objects.
struct OwnKernels {
  explicit OwnKernels(std::initializer_list<const char*> names) {
    for (const char* name : names) KernelFactory::Instance().GetOrCreate(name);
  }
};

// Name and text of a Python module that belongs to the extension.
using ModuleTexts = std::initializer_list<std::pair<const char*, const char*>>;

// phi_torch.extension.activate_library(module, texts); 0, or -1 with Python's error set.
inline int ActivateLibrary(PyObject* module, ModuleTexts texts) {
  PyObject* given = PyDict_New();
  PyObject* extension = given ? PyImport_ImportModule("phi_torch.extension") : nullptr;
  bool good = extension != nullptr;
  for (const auto& [name, text] : texts) {
    PyObject* value = good ? PyUnicode_FromString(text) : nullptr;
    good = value && PyDict_SetItemString(given, name, value) == 0;
    Py_XDECREF(value);
  }
  PyObject* result = good ? PyObject_CallMethod(extension, "activate_library", "OO", module, given) : nullptr;
  Py_XDECREF(result);
  Py_XDECREF(extension);
  Py_XDECREF(given);
  return result ? 0 : -1;
}

}  // namespace phi::torch_bridge::python

// The module, of kTexts.
#define PHI_EXTENSION_MODULE(name) PHI_EXTENSION_MODULE_NAMED(name)
#define PHI_EXTENSION_MODULE_NAMED(name)                                                                \
  static int Execute(PyObject* module) {                                                                \
    return phi::torch_bridge::python::ActivateLibrary(module, phi::torch_bridge::python::kTexts);       \
  }                                                                                                     \
  PyMODINIT_FUNC PyInit_##name() {                                                                      \
    static PyModuleDef_Slot slots[] = {{Py_mod_exec, reinterpret_cast<void*>(&Execute)}, {0, nullptr}}; \
    static PyModuleDef definition = {                                                                   \
        PyModuleDef_HEAD_INIT, #name, nullptr, 0, nullptr, slots, nullptr, nullptr, nullptr};           \
    return PyModuleDef_Init(&definition);                                                               \
  }
