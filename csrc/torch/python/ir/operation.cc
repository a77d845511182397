// SPDX-License-Identifier: Apache-2.0
#include <pybind11/stl.h>

#include "ir/core/builtin_attribute.h"
#include "ir/core/memory_effect.h"
#include "torch/python/ir/attributes.h"
#include "torch/python/ir/handles.h"

// Operations, for Python.
namespace py = pybind11;

namespace phi::python {

namespace {

py::list Operands(const OperationHandle& op) {
  py::list values;
  for (const ir::OpOperand& operand : op->operands()) values.append(ToPython(op.program, operand.value()));
  return values;
}

py::list Results(const OperationHandle& op) {
  py::list values;
  for (size_t i = 0; i < op->num_results(); ++i) values.append(ToPython(op.program, op->result(i)));
  return values;
}

py::list Regions(const OperationHandle& op) {
  py::list regions;
  for (size_t i = 0; i < op->regions().size(); ++i) regions.append(RegionHandle{op, i});
  return regions;
}

py::object EffectsOf(const OperationHandle& op) {
  const ir::Effects effects = ir::EffectsOf(*op);
  return SimpleNamespace(py::dict(py::arg("is_known") = effects.is_known,
                                  py::arg("has_side_effect") = effects.has_side_effect,
                                  py::arg("is_random") = effects.is_random,
                                  py::arg("written") = effects.written,
                                  py::arg("shared") = effects.shared));
}

void SetOperand(const OperationHandle& op, size_t index, const py::object& value) {
  if (index >= op->num_operands())
    throw py::index_error("the operation has " + std::to_string(op->num_operands()) + " operands");
  op->operands()[index].set(ValueIn(op.program, value));
}

// Puts it before an operation of a block, or at its end.
void Move(const OperationHandle& op, ir::Block* block, ir::Operation* before) {
  ir::Operation* moved = &*op;
  ir::Block* from = moved->block();
  if (from == nullptr || block == nullptr) throw py::value_error("the operation of a program itself does not move");
  if (moved == before) return;
  if (moved->Contains(block->parent_op())) throw py::value_error("an operation cannot stand in a region of its own");
  ir::Operation* old = moved->next();
  from->Remove(moved);
  Checked([&] {
    try {
      block->Insert(moved, before);
    } catch (...) {
      from->Insert(moved, old);
      throw;
    }
  });
}

void CheckProgram(const OperationHandle& a, const OperationHandle& b) {
  if (a.program != b.program) throw py::value_error("the operation is of another program");
}

}  // namespace

void BindOperation(py::module_& m) {
  py::class_<OperationHandle>(m, "Operation")
      .def_property_readonly("name", [](const OperationHandle& op) { return ToPython(op->name()); })
      .def_property_readonly(
          "info", [](const OperationHandle& op) { return OpInfoHandle{op.program->shared_context(), op->info()}; })
      .def_property_readonly("program", [](const OperationHandle& op) { return op.program; })
      .def_property_readonly("operands", &Operands)
      .def_property_readonly("results", &Results)
      .def_property_readonly("regions", &Regions)
      .def_property_readonly("attributes", [](const OperationHandle& op) { return AttributesHandle{op}; })
      .def_property_readonly("parent_block",
                             [](const OperationHandle& op) -> py::object {
                               ir::Block* block = op->block();
                               return block ? py::cast(BlockHandle(op.program, block)) : py::none();
                             })
      .def_property_readonly("parent_op",
                             [](const OperationHandle& op) { return ToPython(op.program, op->parent_op()); })
      .def_property(
          "location",
          [](const OperationHandle& op) {
            const auto location = op->location().dyn_cast<ir::StrAttribute>();
            return location ? ToPython(location.data()) : py::str("");
          },
          [](const OperationHandle& op, const py::str& location) {
            op->set_location(LocationOf(op->context(), location));
          })
      .def_property_readonly("is_erased", [](const OperationHandle& op) { return op.cell->object == nullptr; })
      .def(
          "attribute",
          [](const OperationHandle& op, const py::str& name) -> py::object {
            const ir::Attribute attribute = op->attribute(ToText(name));
            return attribute ? py::cast(AttributeHandle{op.program->shared_context(), attribute}) : py::none();
          },
          py::arg("name"))
      .def("set_operand", &SetOperand, py::arg("index"), py::arg("value"))
      .def(
          "has_trait",
          [](const OperationHandle& op, const std::string& name) { return op->info().HasTrait(ir::TraitOf(name)); },
          py::arg("name"))
      .def_property_readonly("effects", &EffectsOf)
      .def("erase",
           [](const OperationHandle& op) {
             const ir::EraseScope scope("Operation.erase()");
             Checked([&] { op->Erase(); });
           })
      .def(
          "move_before",
          [](const OperationHandle& op, const OperationHandle& other) {
            CheckProgram(op, other);
            Move(op, other->block(), &*other);
          },
          py::arg("op"))
      .def(
          "move_after",
          [](const OperationHandle& op, const OperationHandle& other) {
            CheckProgram(op, other);
            if (op == other) return;
            ir::Operation* next = other->next();
            if (next != &*op) Move(op, other->block(), next);
          },
          py::arg("op"))
      .def(
          "__eq__", [](const OperationHandle& a, const OperationHandle& b) { return a == b; }, py::is_operator())
      .def("__hash__", [](const OperationHandle& op) { return std::hash<const void*>()(op.cell.get()); })
      .def("__repr__", [](const OperationHandle& op) { return ToPython("<Operation " + ir::Describe(*op) + ">"); });
}

}  // namespace phi::python
