// SPDX-License-Identifier: Apache-2.0
#include <pybind11/stl.h>

#include <map>

#include "ir/core/infer_type.h"
#include "ir/core/verify.h"
#include "ir/text/parser.h"
#include "ir/text/printer.h"
#include "torch/python/ir/handles.h"

// Programs, for Python: their text, their checks.
namespace py = pybind11;

namespace phi::python {

namespace {

using ProgramPtr = std::shared_ptr<ir::Program>;

// Raises a class of phi_torch.ir.errors with a list of errors.
[[noreturn]] void RaiseErrors(const char* name, const py::list& errors) {
  const py::object type = py::module_::import("phi_torch.ir.errors").attr(name);
  PyErr_SetObject(type.ptr(), type(errors).ptr());
  throw py::error_already_set();
}

ProgramPtr Parse(const py::str& text, const py::object& context) {
  const auto shared = context.is_none() ? nullptr : Given<ContextHandle>(context, "context").context;
  const std::string source = ToText(text);
  const py::gil_scoped_release release;
  return ir::ParseProgram(source, shared);
}

}  // namespace

void BindProgram(py::module_& m) {
  py::class_<ir::Program, ProgramPtr>(m, "Program")
      .def(py::init([](const py::object& context) {
             return std::make_shared<ir::Program>(context.is_none() ? nullptr
                                                                    : Given<ContextHandle>(context, "context").context);
           }),
           py::arg("context") = py::none())
      .def_property_readonly("context", [](const ProgramPtr& p) { return ContextHandle{p->shared_context()}; })
      .def_property_readonly("module", [](const ProgramPtr& p) { return OperationHandle(p, p->module()); })
      .def_property_readonly("block", [](const ProgramPtr& p) { return BlockHandle(p, p->block()); })
      .def("walk",
           [](const ProgramPtr& p) {
             py::list ops;
             ir::Walk(p->module(), [&](ir::Operation* op) { ops.append(OperationHandle(p, op)); });
             return py::iter(ops);
           })
      .def("counts",
           [](const ProgramPtr& p) {
             std::map<std::string, int64_t> counts;
             ir::Walk(p->module(), [&](ir::Operation* op) { ++counts[op->name()]; });
             py::dict found;
             for (const auto& [name, count] : counts) found[ToPython(name)] = count;
             return found;
           })
      .def("clone", [](const ProgramPtr& p) { return ProgramPtr(p->Clone()); })
      .def("__reduce_ex__",
           [](const ProgramPtr&, const py::object&) -> py::object {
             throw py::type_error(
                 "a program is neither copied by `copy` nor pickled; program.clone() makes another one with the same "
                 "tensors, program.save(path) a file for ir.load");
           })
      .def("refine_types", [](const ProgramPtr& p) { ir::RefineTypes(p.get()); })
      .def("verify",
           [](const ProgramPtr& p) {
             const std::vector<std::string> messages = ir::Verify(*p);
             py::list errors;
             for (const std::string& message : messages) errors.append(ToPython(message));
             if (!messages.empty()) RaiseErrors("VerifyError", errors);
           })
      .def(
          "to_text",
          [](const ProgramPtr& p, bool full) { return ToPython(ir::ToText(*p, full)); },
          py::arg("full") = false)
      .def("__str__", [](const ProgramPtr& p) { return ToPython(ir::ToText(*p)); });
  m.def("parse", &Parse, py::arg("text"), py::arg("context") = py::none());
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const ir::ParseError& error) {
      py::list errors;
      for (const ir::TextFault& fault : error.faults()) {
        errors.append(py::make_tuple(fault.place.line, fault.place.column, ToPython(fault.message)));
      }
      const py::object type = py::module_::import("phi_torch.ir.errors").attr("ParseError");
      PyErr_SetObject(type.ptr(), type(errors).ptr());
    }
  });
}

}  // namespace phi::python
