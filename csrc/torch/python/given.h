// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <pybind11/pybind11.h>

#include <memory>
#include <string>

// What Python gives where an object of ours is expected.
namespace phi::python {

// The object in a Python value; TypeError for one of another class. `what` names the argument.
template <typename T>
const T& Given(pybind11::handle value, const char* what) {
  if (pybind11::isinstance<T>(value)) return value.cast<const T&>();
  const auto name = [](pybind11::handle type) {
    return pybind11::str(type.attr("__name__")).template cast<std::string>();
  };
  throw pybind11::type_error(std::string(what) + ": expected a " + name(pybind11::type::of<T>()) + ", got " +
                             name(pybind11::type::of(value)));
}

// pybind11 takes None for a pointer, `self` included, unless this is the caster of the class.
template <typename T>
struct __attribute__((visibility("hidden"))) NeverNone
    : pybind11::detail::copyable_holder_caster<T, std::shared_ptr<T>> {
  bool load(pybind11::handle value, bool convert) {
    return !value.is_none() && pybind11::detail::copyable_holder_caster<T, std::shared_ptr<T>>::load(value, convert);
  }
};

}  // namespace phi::python
