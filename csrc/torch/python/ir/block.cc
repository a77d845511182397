// SPDX-License-Identifier: Apache-2.0
#include <pybind11/stl.h>

#include "torch/python/ir/handles.h"

// Blocks and regions, for Python.
namespace py = pybind11;

namespace phi::python {

namespace {

py::list Operations(const BlockHandle& block) {
  py::list ops;
  for (ir::Operation& op : *block.get()) ops.append(OperationHandle(block.program, &op));
  return ops;
}

}  // namespace

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
            const std::shared_ptr<ir::Program>& program = region.op.program;
            if (region->parent() == program->module()) throw py::value_error("a program has one block");
            std::vector<ir::Type> types;
            for (const py::object& type : arg_types) types.push_back(TypeIn(program, type));
            ir::Block* block = region->AddBlock();
            for (const ir::Type type : types) block->AddArgument(type);
            return BlockHandle(program, block);
          },
          py::arg("arg_types") = py::tuple());
}

}  // namespace phi::python
