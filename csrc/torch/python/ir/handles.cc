// SPDX-License-Identifier: Apache-2.0
#include "torch/python/ir/handles.h"

#include "ir/core/builtin_attribute.h"
#include "torch/python/ir/attributes.h"

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

py::object SimpleNamespace(const py::dict& values) {
  return py::module_::import("types").attr("SimpleNamespace")(**values);
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

// A value, or None; ValueError for one of another program.
ir::Value ValueIn(const std::shared_ptr<ir::Program>& program, py::handle value) {
  if (value.is_none()) return ir::Value();
  const auto& handle = Given<ValueHandle>(value, "a value of an operation");
  if (handle.program() != program) throw py::value_error("the value is of another program");
  return handle.get();
}

ir::Type TypeIn(const std::shared_ptr<ir::Program>& program, py::handle type) {
  if (type.is_none()) return ir::Type();
  const auto& handle = Given<TypeHandle>(type, "the type of a value");
  if (handle.type.context() != program->context()) throw py::value_error("the type is of another context");
  return handle.type;
}

ir::Attribute AttributeIn(ir::IrContext* context, ir::OpInfo op, const std::string& name, py::handle value) {
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

}  // namespace phi::python
