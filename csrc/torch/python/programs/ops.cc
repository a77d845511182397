// SPDX-License-Identifier: Apache-2.0
#include "torch/python/programs/ops.h"

#include <pybind11/complex.h>
#include <pybind11/stl.h>

#include "common/enforce.h"
#include "core/op_utils.h"

namespace py = pybind11;

namespace phi::python {

namespace {

constexpr const char* kAttributeTypes[] = {"INT",
                                           "FLOAT",
                                           "STRING",
                                           "INTS",
                                           "FLOATS",
                                           "STRINGS",
                                           "BOOLEAN",
                                           "BOOLEANS",
                                           "BLOCK",
                                           "LONG",
                                           "BLOCKS",
                                           "LONGS",
                                           "FLOAT64S",
                                           "VAR",
                                           "VARS",
                                           "FLOAT64",
                                           "SCALAR",
                                           "SCALARS"};

py::tuple Slots(std::span<const SlotInfo> slots) {
  py::list rows;
  for (const SlotInfo& s : slots) {
    rows.append(py::make_tuple(s.name, s.duplicable, s.dispensable, s.intermediate, s.extra));
  }
  return py::tuple(rows);
}

py::object OpInfoOf(const std::string& type) {
  const OpInfo* info = OpInfoMap::Instance().Find(type);
  if (info == nullptr) return py::none();
  py::list attrs;
  for (const AttributeInfo& a : info->attrs) {
    const char* kind = kAttributeTypes[static_cast<int>(a.type)];
    attrs.append(py::make_tuple(a.name, kind, a.default_value, a.extra, a.support_tensor, a.check));
  }
  return py::dict(py::arg("kernel") = info->kernel,
                  py::arg("forward") = info->forward,
                  py::arg("grad") = info->grad,
                  py::arg("inputs") = Slots(info->inputs),
                  py::arg("outputs") = Slots(info->outputs),
                  py::arg("attrs") = py::tuple(attrs));
}

py::tuple SignatureTuple(const KernelSignature& s) {
  const auto names = [](const std::vector<std::string>& list) { return py::tuple(py::cast(list)); };
  return py::make_tuple(s.name, names(s.input_names), names(s.attr_names), names(s.output_names));
}

VariableKind KindOf(const std::string& kind) {
  if (kind == "dense_tensor") return VariableKind::kDense;
  if (kind == "selected_rows") return VariableKind::kSelectedRows;
  if (kind == "sparse_coo") return VariableKind::kSparseCoo;
  if (kind == "sparse_csr") return VariableKind::kSparseCsr;
  if (kind == "tensor_array") return VariableKind::kDenseArray;
  if (kind == "vocab") return VariableKind::kVocab;
  return kind == "absent" ? VariableKind::kAbsent : VariableKind::kOther;
}

using NamedKinds = std::map<std::string, std::vector<std::string>>;

SlotKinds KindsOf(const NamedKinds& slots) {
  SlotKinds kinds;
  for (const auto& [name, variables] : slots) {
    for (const std::string& kind : variables) kinds[name].push_back(KindOf(kind));
  }
  return kinds;
}

Scalar ScalarOf(py::handle value) {
  if (py::isinstance<py::bool_>(value)) return Scalar(value.cast<bool>());
  if (py::isinstance<py::int_>(value)) return Scalar(value.cast<int64_t>());
  if (PyComplex_Check(value.ptr())) return Scalar(complex128(value.cast<std::complex<double>>()));
  return Scalar(value.cast<double>());
}

py::tuple MapArguments(const std::string& type,
                       const NamedKinds& inputs,
                       const NamedKinds& outputs,
                       const NamedAttributes& attrs,
                       bool infer_shape) {
  const SlotArguments op(KindsOf(inputs), KindsOf(outputs), AttributesOf(attrs), infer_shape);
  return SignatureTuple(OpUtilsMap::Instance().Map(type, op));
}

py::list Signatures(const std::string& type) {
  py::list rows;
  for (const KernelSignature& signature : OpUtilsMap::Instance().Signatures(type))
    rows.append(SignatureTuple(signature));
  return rows;
}

}  // namespace

OpAttributeMap AttributesOf(const NamedAttributes& given) {
  OpAttributeMap attributes;
  for (const auto& [name, typed] : given) {
    const auto& [type, value] = typed;
    if (type == "INT") attributes[name] = value.cast<int32_t>();
    if (type == "FLOAT") attributes[name] = value.cast<float>();
    if (type == "STRING") attributes[name] = value.cast<std::string>();
    if (type == "INTS") attributes[name] = value.cast<std::vector<int32_t>>();
    if (type == "FLOATS") attributes[name] = value.cast<std::vector<float>>();
    if (type == "STRINGS") attributes[name] = value.cast<std::vector<std::string>>();
    if (type == "BOOLEAN") attributes[name] = value.cast<bool>();
    if (type == "BOOLEANS") attributes[name] = value.cast<std::vector<bool>>();
    if (type == "BLOCK") attributes[name] = BlockIndex{value.cast<int32_t>()};
    if (type == "LONG") attributes[name] = value.cast<int64_t>();
    if (type == "LONGS") attributes[name] = value.cast<std::vector<int64_t>>();
    if (type == "FLOAT64S") attributes[name] = value.cast<std::vector<double>>();
    if (type == "VAR") attributes[name] = VariableName{value.cast<std::string>()};
    if (type == "VARS") {
      std::vector<VariableName> names;
      for (const auto& one : value.cast<std::vector<std::string>>()) names.push_back({one});
      attributes[name] = std::move(names);
    }
    if (type == "FLOAT64") attributes[name] = value.cast<double>();
    if (type == "SCALAR") attributes[name] = ScalarOf(value);
    if (type == "SCALARS") {
      std::vector<Scalar> values;
      for (const py::handle one : value) values.push_back(ScalarOf(one));
      attributes[name] = std::move(values);
    }
  }
  return attributes;
}

void BindProgramOps(py::module_& m) {
  m.def("program_op_types", [] { return OpInfoMap::Instance().Types(); });
  m.def("op_info", &OpInfoOf, py::arg("type"));
  m.def("default_signature",
        [](const std::string& type) { return SignatureTuple(OpUtilsMap::Instance().GetDefaultSignature(type)); });
  m.def("base_kernel_name", [](const std::string& type) { return OpUtilsMap::Instance().GetBaseKernelName(type); });
  m.def("signatures", &Signatures, py::arg("type"));
  m.def("map_arguments",
        &MapArguments,
        py::arg("type"),
        py::arg("inputs"),
        py::arg("outputs"),
        py::arg("attrs"),
        py::arg("infer_shape"));
}

}  // namespace phi::python
