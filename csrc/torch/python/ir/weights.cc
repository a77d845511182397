// SPDX-License-Identifier: Apache-2.0
#include <ATen/ops/from_blob.h>
#include <pybind11/stl.h>
#include <torch/csrc/autograd/python_variable.h>

#include <algorithm>

#include "ir/core/parse_value.h"
#include "torch/convert.h"
#include "torch/ir/tensor_io.h"
#include "torch/python/ir/handles.h"

// The weights and the symbols of programs, for Python.
namespace py = pybind11;

namespace phi::python {

namespace {

using WeightsPtr = std::shared_ptr<ir::Weights>;
using ProgramPtr = std::shared_ptr<ir::Program>;

// A parameter as it was when it was asked for.
struct ParameterHandle {
  std::string name;
  ir::Parameter parameter;
};

struct SymbolsHandle {
  ProgramPtr program;
};

// Gives a Python object back, from any thread.
struct Release {
  void operator()(void* object) const {
    if (!Py_IsInitialized()) return;  // the process ends
    const py::gil_scoped_acquire gil;
    delete static_cast<py::object*>(object);
  }
};

py::object DataOf(const ParameterHandle& p) {
  const ir::Parameter& weight = p.parameter;
  if (std::get_deleter<Release>(weight.owner) != nullptr) return *static_cast<py::object*>(weight.owner.get());
  // what a pass made
  at::Tensor tensor = at::from_blob(
      weight.data,
      weight.dims,
      [owner = weight.owner](void*) {},
      at::TensorOptions().dtype(torch_bridge::ToTorch(weight.dtype)));
  return py::reinterpret_steal<py::object>(THPVariable_Wrap(std::move(tensor)));
}

const at::Tensor& AsTensor(py::handle given) {
  if (!THPVariable_Check(given.ptr())) throw py::type_error("a weight is a torch.Tensor");
  return THPVariable_Unpack(given.ptr());
}

ParameterHandle SetWeight(const WeightsPtr& weights, const py::str& name, const py::object& given, bool is_mutable) {
  const at::Tensor& tensor = AsTensor(given);
  if (!tensor.is_cpu() || tensor.layout() != at::kStrided) {
    throw py::value_error("a weight is a dense tensor on the CPU, got one on " + tensor.device().str() +
                          " of the layout " + c10::str(tensor.layout()));
  }
  if (!tensor.is_contiguous()) throw py::value_error("a weight is contiguous: call .contiguous()");
  if (tensor.is_conj() || tensor.is_neg() || tensor._is_zerotensor()) {
    throw py::value_error("a weight is what its memory holds, and no lazy tensor: call .clone()");
  }
  if (!torch_bridge::HasMemory(tensor))
    throw py::value_error("a weight lies in memory, and is no fake tensor or wrapper");
  ir::Parameter parameter;
  parameter.dtype = torch_bridge::ToPhi(tensor.scalar_type());
  parameter.dims = tensor.sizes().vec();
  parameter.data = tensor.data_ptr();
  parameter.owner = std::shared_ptr<void>(new py::object(given), Release());
  parameter.is_mutable = is_mutable;
  const std::string key = ToText(name);
  return {key, weights->Set(key, std::move(parameter))};
}

ParameterHandle GetWeight(const WeightsPtr& weights, const py::str& name) {
  const std::string key = ToText(name);
  const ir::Parameter* found = weights->Find(key);
  if (found == nullptr) throw py::key_error(key);
  return {key, *found};
}

bool Hold(const WeightsPtr& weights, const py::dict& tensors) {
  return std::all_of(tensors.begin(), tensors.end(), [&](const auto& item) {
    const at::Tensor& tensor = AsTensor(item.second);
    const ir::Parameter* found = weights->Find(ToText(py::reinterpret_borrow<py::str>(item.first)));
    return found != nullptr && tensor.is_cpu() && tensor.is_contiguous() && found->data == tensor.data_ptr() &&
           found->dtype == torch_bridge::ToPhi(tensor.scalar_type()) && tensor.sizes().equals(found->dims);
  });
}

std::string AddSymbol(
    const SymbolsHandle& s, const py::str& source, int64_t lower, std::optional<int64_t> upper, int64_t divisor) {
  ir::SymbolInfo info{ToText(source), lower, upper.value_or(ir::SymbolInfo::kNoUpper), divisor};
  return "s" + std::to_string(s.program->symbols().Add(std::move(info)));
}

py::tuple SymbolOf(const SymbolsHandle& s, const std::string& name) {
  for (size_t i = 0; i < s.program->symbols().size(); ++i) {
    if (name != "s" + std::to_string(i)) continue;
    const ir::SymbolInfo& info = s.program->symbols().at(static_cast<int64_t>(i));
    const py::object upper = info.upper == ir::SymbolInfo::kNoUpper ? py::object(py::none()) : py::int_(info.upper);
    return py::make_tuple(ToPython(info.source), info.lower, upper, info.divisor);
  }
  throw py::key_error(name);
}

}  // namespace

void BindWeights(py::module_& m) {
  py::class_<ParameterHandle>(m, "Parameter")
      .def_property_readonly("name", [](const ParameterHandle& p) { return ToPython(p.name); })
      .def_property_readonly("dtype", [](const ParameterHandle& p) { return ir::NameOf(p.parameter.dtype); })
      .def_property_readonly("shape", [](const ParameterHandle& p) { return p.parameter.dims; })
      .def_property_readonly("is_mutable", [](const ParameterHandle& p) { return p.parameter.is_mutable; })
      .def_property_readonly("version", [](const ParameterHandle& p) { return p.parameter.version; })
      .def_property_readonly("data", &DataOf);
  py::class_<ir::Weights, WeightsPtr>(m, "Weights")
      .def("set", &SetWeight, py::arg("name"), py::arg("tensor"), py::arg("is_mutable") = false)
      .def("__getitem__", &GetWeight, py::arg("name"))
      .def("__delitem__",
           [](const WeightsPtr& weights, const py::str& name) {
             if (!weights->Erase(ToText(name))) throw py::key_error(ToText(name));
           })
      .def("__contains__",
           [](const WeightsPtr& weights, const py::str& name) { return weights->Find(ToText(name)) != nullptr; })
      .def("hold", &Hold, py::arg("tensors"))
      .def("__len__", [](const WeightsPtr& weights) { return weights->parameters().size(); })
      .def("__iter__", [](const WeightsPtr& weights) {
        py::list names;
        for (const auto& [name, parameter] : weights->parameters()) names.append(ToPython(name));
        return py::iter(names);
      });
  py::class_<SymbolsHandle>(m, "Symbols")
      .def("add",
           &AddSymbol,
           py::arg("source") = "",
           py::arg("lower") = 0,
           py::arg("upper") = py::none(),
           py::arg("divisor") = 1)
      .def("__getitem__", &SymbolOf, py::arg("name"))
      .def("__len__", [](const SymbolsHandle& s) { return s.program->symbols().size(); })
      .def("__iter__", [](const SymbolsHandle& s) {
        py::list names;
        for (size_t i = 0; i < s.program->symbols().size(); ++i) names.append("s" + std::to_string(i));
        return py::iter(names);
      });
  py::object program = m.attr("Program");
  const auto property = [&](const char* name, const py::cpp_function& get) {
    program.attr(name) = py::module_::import("builtins").attr("property")(get);
  };
  property("weights", py::cpp_function([](const ProgramPtr& p) { return p->weights(); }));
  property("symbols", py::cpp_function([](const ProgramPtr& p) { return SymbolsHandle{p}; }));
}

}  // namespace phi::python
