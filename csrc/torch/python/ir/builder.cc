// SPDX-License-Identifier: Apache-2.0
#include <pybind11/stl.h>

#include <optional>

#include "ir/core/builder.h"
#include "ir/core/vjp.h"
#include "torch/python/ir/attributes.h"
#include "torch/python/ir/declared.h"
#include "torch/python/ir/handles.h"

// The builder of operations, for Python.
namespace py = pybind11;

namespace phi::python {

namespace {

using ProgramPtr = std::shared_ptr<ir::Program>;

// Where operations are made: in a block, at its end or before an operation of it, which stays the place where that
// moves.
struct BuilderHandle {
  BlockHandle at;
  std::optional<OperationHandle> before;

  const ProgramPtr& program() const { return at.program; }
  ir::Builder get() const {
    if (!before) return ir::Builder(at.program.get(), at.get());
    ir::Operation* op = &**before;
    return ir::Builder(at.program.get(), op->block(), op);
  }
};

BuilderHandle BuilderBefore(const BuilderHandle& builder, const OperationHandle& op, bool after) {
  if (op.program != builder.program()) throw py::value_error("the operation is of another program");
  if (op->block() == nullptr) throw py::value_error("nothing stands beside the operation of a program itself");
  const BlockHandle block(op.program, op->block());
  ir::Operation* place = after ? op->next() : &*op;
  if (place == nullptr) return {block, std::nullopt};
  return {block, OperationHandle(op.program, place)};
}

BuilderHandle BuilderAt(const ProgramPtr& program) { return {BlockHandle(program, program->block()), std::nullopt}; }

BuilderHandle BuilderIn(const BuilderHandle& builder, const BlockHandle& block, bool at_start) {
  if (block.program != builder.program()) throw py::value_error("the block is of another program");
  ir::Operation* first = block->front();
  if (!at_start || first == nullptr) return {block, std::nullopt};
  return {block, OperationHandle(block.program, first)};
}

OperationHandle Create(const BuilderHandle& handle,
                       const py::str& name,
                       const std::vector<py::object>& operands,
                       const py::object& attributes,
                       const std::optional<std::vector<py::object>>& result_types,
                       size_t regions,
                       const py::str& location,
                       bool undeclared) {
  const ProgramPtr& program = handle.program();
  ir::IrContext* context = program->context();
  if (py::len(name) == 0) throw py::value_error("an operation has a name");
  if (regions > 1000) throw py::value_error("an operation has at most 1000 regions");
  const ir::OpInfo info = context->GetOpInfo(ToText(name));
  if (!undeclared) CheckDeclared(info);
  std::vector<ir::NamedAttribute> named;
  if (!attributes.is_none()) {
    for (const py::handle entry : py::list(attributes.attr("items")())) {
      const auto pair = entry.cast<std::pair<py::str, py::object>>();
      const std::string key = ToText(pair.first);
      if (!undeclared) CheckDeclared(info, key);
      named.emplace_back(key, AttributeIn(context, info, key, pair.second));
    }
  }
  std::vector<ir::Value> values;
  for (const py::object& operand : operands) values.push_back(ValueIn(program, operand));
  std::vector<ir::Type> types;
  if (result_types) {
    for (const py::object& type : *result_types) types.push_back(TypeIn(program, type));
  }
  const ir::Attribute place = LocationOf(context, location);
  ir::Operation* op = Checked([&] {
    ir::Builder builder = handle.get();
    if (result_types || regions > 0) return builder.Create(info.name(), values, named, types, regions);
    try {
      return builder.Create(info.name(), values, named);
    } catch (const enforce::EnforceNotMet& error) {  // of its InferMeta function, which does not know the operator
      const std::string text = enforce::Format("'%s': %s", info.name(), ir::MessageOf(error));
      throw enforce::EnforceNotMet(error.code(), text, error.file(), error.line());
    }
  });
  op->set_location(place);
  return OperationHandle(program, op);
}

py::list DifferentiateIn(const BuilderHandle& handle,
                         const OperationHandle& op,
                         const std::vector<py::object>& gradients,
                         const std::optional<std::vector<bool>>& wanted) {
  const ProgramPtr& program = handle.program();
  if (op.program != program) throw py::value_error("the operation is of another program");
  std::vector<ir::Value> values;
  for (const py::object& gradient : gradients) values.push_back(ValueIn(program, gradient));
  const std::vector<ir::Value> found = Checked([&] {
    ir::Builder builder = handle.get();
    return ir::Differentiate(&builder, *op, values, wanted.value_or(std::vector<bool>()));
  });
  py::list all;
  for (const ir::Value value : found) all.append(ToPython(program, value));
  return all;
}

}  // namespace

void BindBuilder(py::module_& m) {
  py::class_<BuilderHandle>(m, "Builder")
      .def(py::init([](const py::object& program) {
             if (program.is_none()) return BuilderAt(std::make_shared<ir::Program>());
             Given<ir::Program>(program, "program");
             return BuilderAt(program.cast<ProgramPtr>());
           }),
           py::arg("program") = py::none())
      .def_property_readonly("program", [](const BuilderHandle& b) { return b.program(); })
      .def_property_readonly("block", [](const BuilderHandle& b) { return BlockHandle(b.program(), b.get().block()); })
      .def(
          "at_end",
          [](const BuilderHandle& b, const BlockHandle& block) { return BuilderIn(b, block, false); },
          py::arg("block"))
      .def(
          "at_start",
          [](const BuilderHandle& b, const BlockHandle& block) { return BuilderIn(b, block, true); },
          py::arg("block"))
      .def(
          "before",
          [](const BuilderHandle& b, const OperationHandle& op) { return BuilderBefore(b, op, false); },
          py::arg("op"))
      .def(
          "after",
          [](const BuilderHandle& b, const OperationHandle& op) { return BuilderBefore(b, op, true); },
          py::arg("op"))
      .def("create",
           &Create,
           py::arg("name"),
           py::arg("operands") = py::tuple(),
           py::arg("attributes") = py::none(),
           py::arg("result_types") = py::none(),
           py::arg("regions") = 0,
           py::arg("location") = "",
           py::arg("undeclared") = false)
      .def("differentiate", &DifferentiateIn, py::arg("op"), py::arg("gradients"), py::arg("wanted") = py::none());
}

}  // namespace phi::python
