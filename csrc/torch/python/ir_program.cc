// SPDX-License-Identifier: Apache-2.0
#include <pybind11/stl.h>

#include <optional>

#include "ir/core/builder.h"
#include "ir/core/builtin_attribute.h"
#include "ir/core/verify.h"
#include "ir/text/parser.h"
#include "ir/text/printer.h"
#include "torch/python/ir_attributes.h"
#include "torch/python/ir_handles.h"

// Programs, operations, values, blocks and regions, for Python.
namespace py = pybind11;

namespace phi::python {

void RaiseErased(const char* what, const ir::HandleCell& cell) {
  py::set_error(PyExc_ReferenceError, ("this " + std::string(what) + " was erased by " + cell.erased_by).c_str());
  throw py::error_already_set();
}

ValueHandle::ValueHandle(std::shared_ptr<ir::Program> program, ir::Value value)
    : program_(std::move(program)), is_argument_(value.is_block_argument()), index_(is_argument_ ? 0 : value.index()) {
  cell_ = is_argument_ ? static_cast<ir::BlockArgumentImpl*>(value.impl())->cell() : value.defining_op()->cell();
}

ir::Value ValueHandle::get() const {
  if (cell_->object == nullptr) RaiseErased(is_argument_ ? "block argument" : "value's operation", *cell_);
  if (is_argument_) return ir::BlockArgument(static_cast<ir::BlockArgumentImpl*>(cell_->object));
  return static_cast<ir::Operation*>(cell_->object)->result(index_);
}

py::object ToPython(const std::shared_ptr<ir::Program>& program, ir::Value value) {
  return value ? py::cast(ValueHandle(program, value)) : py::none();
}

py::object ToPython(const std::shared_ptr<ir::IrContext>& context, ir::Type type) {
  return type ? py::cast(TypeHandle{context, type}) : py::none();
}

py::str ToPython(const std::string& text) {
  PyObject* object = PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "surrogateescape");
  if (object == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::str>(object);
}

std::string ToText(py::handle text) {
  const auto bytes =
      py::reinterpret_steal<py::bytes>(PyUnicode_AsEncodedString(text.ptr(), "utf-8", "surrogateescape"));
  if (!bytes) throw py::error_already_set();
  return std::string(bytes);
}

py::object ToPython(const std::shared_ptr<ir::Program>& program, ir::Operation* op) {
  return op ? py::cast(OperationHandle(program, op)) : py::none();
}

namespace {

using ProgramPtr = std::shared_ptr<ir::Program>;

// A value, or None; ValueError for one of another program.
ir::Value ValueIn(const ProgramPtr& program, const py::handle& value) {
  if (value.is_none()) return ir::Value();
  const auto& handle = value.cast<const ValueHandle&>();
  if (handle.program() != program) throw py::value_error("the value is of another program");
  return handle.get();
}

ir::Type TypeIn(const ProgramPtr& program, const py::handle& type) {
  if (type.is_none()) return ir::Type();
  const auto& handle = type.cast<const TypeHandle&>();
  if (handle.type.context() != program->context()) throw py::value_error("the type is of another context");
  return handle.type;
}

ir::Attribute AttributeIn(ir::IrContext* context, ir::OpInfo op, const std::string& name, const py::handle& value) {
  const int declared = op.AttributeIndex(name);
  const std::string what = "attribute '" + name + "' of '" + op.name() + "'";
  if (declared < 0) return AttributeOf(context, value, ir::AttributeKind::Any, ir::AttributeKind::Any, what);
  const ir::AttributeInfo& info = op.row().attributes[declared];
  return AttributeOf(context, value, info.kind, info.element, what);
}

ir::Attribute LocationOf(ir::IrContext* context, const py::str& location) {
  const std::string text = ToText(location);
  return text.empty() ? ir::Attribute() : ir::StrAttribute::get(context, text);
}

// ---- values ----

py::list Uses(const ValueHandle& v) {
  py::list uses;
  for (ir::OpOperand* use = v.get().first_use(); use != nullptr; use = use->next_use()) {
    uses.append(py::make_tuple(OperationHandle(v.program(), use->owner()), use->index()));
  }
  uses.attr("reverse")();  // the last one that was made comes first in the list
  return uses;
}

void BindValue(py::module_& m) {
  py::class_<ValueHandle>(m, "Value")
      .def_property(
          "type",
          [](const ValueHandle& v) { return ToPython(v.program()->shared_context(), v.get().type()); },
          [](const ValueHandle& v, const py::object& type) { v.get().set_type(TypeIn(v.program(), type)); })
      .def_property(
          "name",
          [](const ValueHandle& v) { return ToPython(v.get().name()); },
          [](const ValueHandle& v, const py::str& name) { v.get().set_name(ToText(name)); })
      .def_property_readonly("index", [](const ValueHandle& v) { return v.get().index(); })
      .def_property_readonly("defining_op",
                             [](const ValueHandle& v) { return ToPython(v.program(), v.get().defining_op()); })
      .def_property_readonly("owner_block",
                             [](const ValueHandle& v) { return BlockHandle(v.program(), v.get().owner_block()); })
      .def_property_readonly("uses", &Uses)
      .def(
          "replace_all_uses_with",
          [](const ValueHandle& v, const ValueHandle& other) {
            v.get().ReplaceAllUsesWith(ValueIn(v.program(), py::cast(other)));
          },
          py::arg("value"))
      .def("__eq__", &ValueHandle::operator==, py::is_operator())
      .def("__hash__", &ValueHandle::Hash)
      .def("__repr__", [](const ValueHandle& v) {
        const ir::Value value = v.get();
        return ToPython("<Value %" + (value.name().empty() ? "?" : value.name()) + " : " + value.type().ToString() +
                        ">");
      });
}

// ---- operations ----

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

ir::Attribute FindAttribute(const AttributesHandle& a, const py::str& name) { return a.op->attribute(ToText(name)); }

std::vector<std::string> AttributeNames(const AttributesHandle& a) {
  std::vector<std::string> names;
  for (const ir::AttributeInfo& info : a.op->info().row().attributes) {
    if (a.op->attribute(info.name)) names.emplace_back(info.name);
  }
  for (const auto& [name, value] : a.op->other_attributes()) names.push_back(name);
  return names;
}

py::list NamesOf(const AttributesHandle& a) {
  py::list names;
  for (const std::string& name : AttributeNames(a)) names.append(ToPython(name));
  return names;
}

py::object AttributeValue(const AttributesHandle& a, const std::string& name) {
  return ValueOf(a.op.program->shared_context(), a.op->attribute(name));
}

py::dict DictOf(const AttributesHandle& a) {
  py::dict values;
  for (const std::string& name : AttributeNames(a)) values[ToPython(name)] = AttributeValue(a, name);
  return values;
}

void BindAttributesOfOperation(py::module_& m) {
  const auto missing = [](const py::str& name) { return py::key_error(ToText(name)); };
  py::class_<AttributesHandle>(m, "Attributes")
      .def("__len__", [](const AttributesHandle& a) { return AttributeNames(a).size(); })
      .def("__iter__", [](const AttributesHandle& a) { return py::iter(NamesOf(a)); })
      .def("__contains__", [](const AttributesHandle& a, const py::str& name) { return bool(FindAttribute(a, name)); })
      .def("__getitem__",
           [missing](const AttributesHandle& a, const py::str& name) {
             if (!FindAttribute(a, name)) throw missing(name);
             return AttributeValue(a, ToText(name));
           })
      .def("__setitem__",
           [](const AttributesHandle& a, const py::str& name, const py::object& value) {
             const std::string key = ToText(name);
             const ir::Attribute attribute = AttributeIn(a.op.program->context(), a.op->info(), key, value);
             Checked([&] { a.op->set_attribute(key, attribute); });
           })
      .def("__delitem__",
           [missing](const AttributesHandle& a, const py::str& name) {
             if (!FindAttribute(a, name)) throw missing(name);
             a.op->set_attribute(ToText(name), ir::Attribute());
           })
      .def(
          "get",
          [](const AttributesHandle& a, const py::str& name, const py::object& otherwise) {
            return FindAttribute(a, name) ? AttributeValue(a, ToText(name)) : otherwise;
          },
          py::arg("name"),
          py::arg("default") = py::none())
      .def("keys", &NamesOf)
      .def("values", [](const AttributesHandle& a) { return DictOf(a).attr("values")(); })
      .def("items", [](const AttributesHandle& a) { return DictOf(a).attr("items")(); })
      .def("__repr__", [](const AttributesHandle& a) { return py::repr(DictOf(a)); });
}

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

// ---- blocks and regions ----

py::list Operations(const BlockHandle& block) {
  py::list ops;
  for (ir::Operation& op : *block.get()) ops.append(OperationHandle(block.program, &op));
  return ops;
}

void BindBlock(py::module_& m) {
  py::class_<BlockHandle>(m, "Block")
      .def_property_readonly("operations", &Operations)
      .def_property_readonly("arguments",
                             [](const BlockHandle& block) {
                               py::list values;
                               for (size_t i = 0; i < block->num_arguments(); ++i) {
                                 values.append(ToPython(block.program, block->argument(i)));
                               }
                               return values;
                             })
      .def_property_readonly("parent_op", [](const BlockHandle& b) { return ToPython(b.program, b->parent_op()); })
      .def(
          "add_argument",
          [](const BlockHandle& block, const py::object& type, const py::str& name) {
            if (block->parent_op() == block.program->module()) throw py::value_error("a program takes no arguments");
            const ir::BlockArgument argument = block->AddArgument(TypeIn(block.program, type));
            argument.set_name(ToText(name));
            return ValueHandle(block.program, argument);
          },
          py::arg("type"),
          py::arg("name") = "")
      .def(
          "erase_argument",
          [](const BlockHandle& block, size_t index) {
            if (index >= block->num_arguments()) {
              throw py::index_error("the block has " + std::to_string(block->num_arguments()) + " arguments");
            }
            const ir::EraseScope scope("Block.erase_argument()");
            Checked([&] { block->EraseArgument(index); });
          },
          py::arg("index"))
      .def("__len__", [](const BlockHandle& block) { return block->size(); })
      .def("__iter__", [](const BlockHandle& block) { return py::iter(Operations(block)); })
      .def(
          "__eq__", [](const BlockHandle& a, const BlockHandle& b) { return a == b; }, py::is_operator())
      .def("__hash__", [](const BlockHandle& block) { return std::hash<const void*>()(block.cell.get()); });
  py::class_<RegionHandle>(m, "Region")
      .def_property_readonly("blocks",
                             [](const RegionHandle& region) {
                               py::list blocks;
                               for (const auto& block : region->blocks()) {
                                 blocks.append(BlockHandle(region.op.program, block.get()));
                               }
                               return blocks;
                             })
      .def(
          "add_block",
          [](const RegionHandle& region, const std::vector<py::object>& arg_types) {
            const ProgramPtr& program = region.op.program;
            if (region->parent() == program->module()) throw py::value_error("a program has one block");
            std::vector<ir::Type> types;
            for (const py::object& type : arg_types) types.push_back(TypeIn(program, type));
            ir::Block* block = region->AddBlock();
            for (const ir::Type type : types) block->AddArgument(type);
            return BlockHandle(program, block);
          },
          py::arg("arg_types") = py::tuple());
}

// ---- programs ----

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
                       const std::vector<py::object>& result_types,
                       size_t regions,
                       const py::str& location) {
  const ProgramPtr& program = handle.program();
  ir::IrContext* context = program->context();
  if (py::len(name) == 0) throw py::value_error("an operation has a name");
  if (regions > 1000) throw py::value_error("an operation has at most 1000 regions");
  const ir::OpInfo info = context->GetOpInfo(ToText(name));
  std::vector<ir::NamedAttribute> named;
  if (!attributes.is_none()) {
    for (const py::handle entry : py::list(attributes.attr("items")())) {
      const auto pair = entry.cast<std::pair<py::str, py::object>>();
      const std::string key = ToText(pair.first);
      named.emplace_back(key, AttributeIn(context, info, key, pair.second));
    }
  }
  std::vector<ir::Value> values;
  for (const py::object& operand : operands) values.push_back(ValueIn(program, operand));
  std::vector<ir::Type> types;
  for (const py::object& type : result_types) types.push_back(TypeIn(program, type));
  const ir::Attribute place = LocationOf(context, location);
  return Checked([&] {
    ir::Operation* op = handle.get().Create(info.name(), values, named, types, regions);
    op->set_location(place);
    return OperationHandle(program, op);
  });
}

void BindBuilder(py::module_& m) {
  py::class_<BuilderHandle>(m, "Builder")
      .def(py::init([](const py::object& program) {
             const ProgramPtr made = program.is_none() ? std::make_shared<ir::Program>() : program.cast<ProgramPtr>();
             return BuilderHandle{BlockHandle(made, made->block()), std::nullopt};
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
           py::arg("result_types") = py::tuple(),
           py::arg("regions") = 0,
           py::arg("location") = "");
}

// Raises a class of phi_torch.ir.errors with a list of errors.
[[noreturn]] void RaiseErrors(const char* name, const py::list& errors) {
  const py::object type = py::module_::import("phi_torch.ir.errors").attr(name);
  PyErr_SetObject(type.ptr(), type(errors).ptr());
  throw py::error_already_set();
}

ProgramPtr Parse(const py::str& text, const py::object& context) {
  const auto shared = context.is_none() ? nullptr : context.cast<const ContextHandle&>().context;
  const std::string source = ToText(text);
  const py::gil_scoped_release release;
  return ir::ParseProgram(source, shared);
}

}  // namespace

void BindIrProgram(py::module_& m) {
  BindValue(m);
  BindAttributesOfOperation(m);
  BindOperation(m);
  BindBlock(m);
  py::class_<ir::Program, ProgramPtr>(m, "Program")
      .def(py::init([](const py::object& context) {
             return std::make_shared<ir::Program>(context.is_none() ? nullptr
                                                                    : context.cast<const ContextHandle&>().context);
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
      .def("clone", [](const ProgramPtr& p) { return ProgramPtr(p->Clone()); })
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
  BindBuilder(m);
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
