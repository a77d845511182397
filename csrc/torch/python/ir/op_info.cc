// SPDX-License-Identifier: Apache-2.0
#include <pybind11/stl.h>

#include <optional>
#include <string>

#include "ir/core/autocast.h"
#include "ir/core/decompose.h"
#include "ir/core/dialect.h"
#include "ir/core/tile_program.h"
#include "ir/core/vjp.h"
#include "ir/dialect/kernel_info.h"
#include "torch/python/ir/attributes.h"
#include "torch/python/ir/handles.h"

// The tables of operators, for Python.
namespace py = pybind11;

namespace phi::python {

namespace {

py::list Inputs(const OpInfoHandle& op) {
  py::list rows;
  for (const ir::InputInfo& input : op.info.row().inputs) {
    rows.append(SimpleNamespace(py::dict(py::arg("name") = input.name,
                                         py::arg("optional") = input.optional,
                                         py::arg("is_list") = input.is_list,
                                         py::arg("is_mutable_attribute") = input.is_mutable_attribute)));
  }
  return rows;
}

py::list Attributes(const OpInfoHandle& op) {
  py::list rows;
  const auto context = op.context ? op.context : std::make_shared<ir::IrContext>();
  for (const ir::AttributeInfo& info : op.info.row().attributes) {
    const bool has_default = info.default_value.kind != ir::Literal::Kind::None;
    const ir::Attribute value =
        has_default ? ir::MakeAttribute(context.get(), info.kind, info.element, info.default_value) : ir::Attribute();
    rows.append(SimpleNamespace(py::dict(py::arg("name") = info.name,
                                         py::arg("kind") = KindName(info.kind, info.element),
                                         py::arg("has_default") = has_default,
                                         py::arg("default") = ValueOf(context, value),
                                         py::arg("optional") = info.optional,
                                         py::arg("is_mutable") = info.is_mutable)));
  }
  return rows;
}

py::list Outputs(const OpInfoHandle& op) {
  py::list rows;
  for (const ir::OutputInfo& output : op.info.row().outputs) {
    rows.append(SimpleNamespace(py::dict(py::arg("name") = output.name,
                                         py::arg("optional") = output.optional,
                                         py::arg("is_list") = output.is_list,
                                         py::arg("intermediate") = output.intermediate)));
  }
  return rows;
}

}  // namespace

void BindOpInfo(py::module_& m) {
  py::class_<OpInfoHandle>(m, "OpInfo")
      .def_property_readonly("name", [](const OpInfoHandle& op) { return ToPython(op.info.name()); })
      .def_property_readonly("place", [](const OpInfoHandle& op) { return op.info.row().place; })
      .def_property_readonly("inputs", &Inputs)
      .def_property_readonly("attributes", &Attributes)
      .def_property_readonly("outputs", &Outputs)
      .def_property_readonly("shared",
                             [](const OpInfoHandle& op) {
                               const auto pairs = op.info.row().inplace;
                               return std::vector<std::pair<int, int>>(pairs.begin(), pairs.end());
                             })
      .def_property_readonly("traits", [](const OpInfoHandle& op) { return op.info.row().traits.Names(); })
      .def_property_readonly("gradient",
                             [](const OpInfoHandle& op) -> py::object {
                               const auto* vjp = op.info.GetInterface<ir::Vjp>();
                               return vjp != nullptr ? py::object(ToPython(vjp->gradient)) : py::none();
                             })
      .def_property_readonly("kernel",
                             [](const OpInfoHandle& op) {
                               const auto* kernel = op.info.GetInterface<ir::KernelInfo>();
                               return kernel != nullptr ? std::optional<std::string>(kernel->kernel) : std::nullopt;
                             })
      .def_property_readonly("composite",
                             [](const OpInfoHandle& op) {
                               const auto* found = op.info.GetInterface<ir::Decompose>();
                               return found != nullptr ? std::optional<std::string>(found->composite) : std::nullopt;
                             })
      .def_property_readonly("composite_only",
                             [](const OpInfoHandle& op) {
                               const auto* found = op.info.GetInterface<ir::Decompose>();
                               return found != nullptr && found->only;
                             })
      .def_property_readonly("autocast",
                             [](const OpInfoHandle& op) {
                               const auto* found = op.info.GetInterface<ir::Autocast>();
                               return found != nullptr ? std::optional<std::string>(found->rule) : std::nullopt;
                             })
      .def_property_readonly("has_tiles",
                             [](const OpInfoHandle& op) { return op.info.GetInterface<ir::TileProgram>() != nullptr; })
      .def_property_readonly("is_registered", [](const OpInfoHandle& op) { return op.info.is_registered(); })
      .def("__repr__", [](const OpInfoHandle& op) { return "<OpInfo " + op.info.name() + ">"; });
  m.def(
      "op_info",
      [](const std::string& name) -> py::object {
        const ir::OpInfo info = ir::DialectRegistry::Instance().FindOp(name);
        return info ? py::cast(OpInfoHandle{nullptr, info}) : py::none();
      },
      py::arg("name"));
  m.def("op_names", [] { return ir::DialectRegistry::Instance().OpNames(); });
}

}  // namespace phi::python
