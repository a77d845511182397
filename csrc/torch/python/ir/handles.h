// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <pybind11/pybind11.h>

#include <memory>
#include <string>
#include <utility>

#include "ir/core/program.h"
#include "torch/python/given.h"

// What Python holds of a program. A handle keeps the program alive, and knows when what it points to was erased.
namespace phi::python {

// Raises Python's ReferenceError.
[[noreturn]] void RaiseErased(const char* what, const ir::HandleCell& cell);
// Runs a change of a program; what it refuses is a ValueError.
template <typename Change>
auto Checked(Change&& change);

struct ContextHandle {
  std::shared_ptr<ir::IrContext> context;
};

struct TypeHandle {
  std::shared_ptr<ir::IrContext> context;
  ir::Type type;
};

struct AttributeHandle {
  std::shared_ptr<ir::IrContext> context;
  ir::Attribute attribute;
};

struct OpInfoHandle {
  std::shared_ptr<ir::IrContext> context;  // which an unknown operator belongs to
  ir::OpInfo info;
};

// An object of the class T in a program.
template <typename T>
struct HandleOf {
  std::shared_ptr<ir::Program> program;
  std::shared_ptr<ir::HandleCell> cell;

  HandleOf(std::shared_ptr<ir::Program> program, T* object) : program(std::move(program)), cell(object->cell()) {}
  T* get(const char* what) const {
    if (cell->object == nullptr) RaiseErased(what, *cell);
    return static_cast<T*>(cell->object);
  }
  bool operator==(const HandleOf& o) const { return cell == o.cell; }
};

struct OperationHandle : HandleOf<ir::Operation> {
  using HandleOf::HandleOf;
  ir::Operation* operator->() const { return get("operation"); }
  ir::Operation& operator*() const { return *get("operation"); }
};

struct BlockHandle : HandleOf<ir::Block> {
  using HandleOf::HandleOf;
  ir::Block* operator->() const { return HandleOf::get("block"); }
  ir::Block* get() const { return HandleOf::get("block"); }
};

struct RegionHandle {
  OperationHandle op;
  size_t index;
  ir::Region* operator->() const { return &op->regions()[index]; }
};

// A result is its operation and its number; an argument has a cell of its own.
class ValueHandle {
 public:
  ValueHandle(std::shared_ptr<ir::Program> program, ir::Value value);
  ir::Value get() const;
  const std::shared_ptr<ir::Program>& program() const { return program_; }
  bool operator==(const ValueHandle& o) const { return cell_ == o.cell_ && index_ == o.index_; }
  size_t Hash() const { return std::hash<const void*>()(cell_.get()) + index_; }

 private:
  std::shared_ptr<ir::Program> program_;
  std::shared_ptr<ir::HandleCell> cell_;
  bool is_argument_;
  size_t index_;  // of a result
};

// The attributes of an operation, as Python's mappings are.
struct AttributesHandle {
  OperationHandle op;
};

// A handle, or None for null.
pybind11::object ToPython(const std::shared_ptr<ir::Program>& program, ir::Value value);
pybind11::object ToPython(const std::shared_ptr<ir::Program>& program, ir::Operation* op);
pybind11::object ToPython(const std::shared_ptr<ir::IrContext>& context, ir::Type type);

// Text with bytes that are no UTF-8 as Python's surrogates.
pybind11::str ToPython(const std::string& text);
std::string ToText(pybind11::handle text);

// types.SimpleNamespace, for what a table or an analysis says.
pybind11::object SimpleNamespace(const pybind11::dict& values);

// A value, or null for None; ValueError for one of another program.
ir::Value ValueIn(const std::shared_ptr<ir::Program>& program, pybind11::handle value);
// A type, or null for None; ValueError for one of another context.
ir::Type TypeIn(const std::shared_ptr<ir::Program>& program, pybind11::handle type);
// The attribute of an operator that a Python value stands for, by what the operator declares.
ir::Attribute AttributeIn(ir::IrContext* context, ir::OpInfo op, const std::string& name, pybind11::handle value);
ir::Attribute LocationOf(ir::IrContext* context, const pybind11::str& location);  // null for ""

void BindTypes(pybind11::module_& m);
void BindAttributes(pybind11::module_& m);
void BindOpInfo(pybind11::module_& m);
void BindContext(pybind11::module_& m);
void BindValue(pybind11::module_& m);
void BindAttributesOfOperation(pybind11::module_& m);
void BindOperation(pybind11::module_& m);
void BindBlock(pybind11::module_& m);
void BindPasses(pybind11::module_& m);
void BindProgram(pybind11::module_& m);
void BindBuilder(pybind11::module_& m);
void BindWeights(pybind11::module_& m);  // and symbols

}  // namespace phi::python

#include "common/enforce.h"
#include "ir/text/lexer.h"

namespace phi::python {

template <typename Change>
auto Checked(Change&& change) {
  try {
    return change();
  } catch (const enforce::EnforceNotMet& error) {
    throw pybind11::value_error(ir::MessageOf(error));
  }
}

}  // namespace phi::python

namespace pybind11::detail {
template <>
class type_caster<std::shared_ptr<phi::ir::Program>> : public phi::python::NeverNone<phi::ir::Program> {};
template <>
class type_caster<std::shared_ptr<phi::ir::Weights>> : public phi::python::NeverNone<phi::ir::Weights> {};
}  // namespace pybind11::detail
