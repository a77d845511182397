// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <pybind11/pybind11.h>

#include <memory>
#include <string>

#include "ir/core/builtin_attribute.h"

namespace phi::python {

// The Python value of an attribute: bool, int, float, complex, str, a list, a dict, a Type; None for null.
pybind11::object ValueOf(const std::shared_ptr<ir::IrContext>& context, ir::Attribute attribute);
// An Attribute of Python's is taken as it is. Without a kind (Any): by the class of the value. ValueError or TypeError,
// which name `what`, where it is of another kind.
ir::Attribute AttributeOf(ir::IrContext* context,
                          pybind11::handle value,
                          ir::AttributeKind kind,
                          ir::AttributeKind element,
                          const std::string& what,
                          int depth = 0);

struct KindOf {
  ir::AttributeKind kind;
  ir::AttributeKind element = ir::AttributeKind::Any;
};
KindOf ParseKind(const std::string& name);  // "i32", "array<i32>"; ValueError for another
std::string KindName(ir::AttributeKind kind, ir::AttributeKind element);

}  // namespace phi::python
