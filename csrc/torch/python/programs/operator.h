// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <ATen/core/Tensor.h>
#include <pybind11/pybind11.h>

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "program/kernel_operator.h"
#include "program/scope.h"
#include "torch/python/programs/ops.h"

namespace phi::python {

// Whether torch itself would have nothing to do with calls on the tensors but to run kernels.
bool RunsPlainly(const std::vector<at::Tensor>& tensors);

// An operator for Python.
class __attribute__((visibility("hidden"))) Operator {
 public:
  Operator(
      std::string type, VariableNameMap inputs, VariableNameMap outputs, const NamedAttributes& attrs, int float32);

  void Run(Scope* scope, pybind11::handle device, pybind11::handle run_block);
  // The outputs by slot for the inputs by slot, of an operator whose variables have the names of their slots, those of
  // lists others; None where a call does more than run a kernel, or another thread is in one.
  pybind11::object Call(PyObject* inputs, pybind11::handle device);
  std::string Misfit(std::string kernel,
                     std::vector<std::string> inputs,
                     std::vector<std::string> attrs,
                     std::vector<std::string> outputs) const;

 private:
  struct Slot {
    pybind11::str name;
    std::vector<Variable*> variables;
    bool is_list;
    bool is_output;
  };

  void AddSlots();
  static bool SetAll(const Slot& slot, PyObject* given);
  static void AddResult(const Slot& slot, pybind11::dict* found);

  std::string place_;
  std::mutex call_mutex_;
  Scope scope_;
  std::vector<Slot> slots_;
  std::unique_ptr<OperatorBase> operator_;
  const KernelOperator* kernel_ = nullptr;
};

}  // namespace phi::python
