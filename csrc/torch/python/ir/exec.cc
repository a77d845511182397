// SPDX-License-Identifier: Apache-2.0
#include "torch/python/ir/exec.h"

#include <ATen/Parallel.h>
#include <ATen/ops/scalar_tensor.h>
#include <pybind11/stl.h>
#include <torch/csrc/autograd/python_variable.h>

#include <map>

#include "ir/exec/error.h"
#include "ir/exec/executable.h"
#include "ir/exec/kernel_program.h"
#include "torch/errors.h"
#include "torch/ir/call_arguments.h"
#include "torch/ir/tensor_io.h"
#include "torch/python/fast_call.h"
#include "torch/python/ir/handles.h"

// Compiled programs, for Python.
namespace py = pybind11;

namespace phi::python {

namespace {

using torch_bridge::ProgramInput;
using torch_bridge::ProgramOutputs;

// Python's error is set; no exception of C++ that an operation could be named in.
struct Interrupted {};

void LookForSignals() {
  const py::gil_scoped_acquire gil;
  if (PyErr_CheckSignals() != 0) throw Interrupted();
}

// The number of threads of the kernels, for a while.
class WithThreads {
 public:
  explicit WithThreads(int threads) : before_(threads > 0 ? at::get_num_threads() : 0) {
    if (threads > 0) at::set_num_threads(threads);
  }
  ~WithThreads() {
    if (before_ > 0) at::set_num_threads(before_);
  }
  WithThreads(const WithThreads&) = delete;
  WithThreads& operator=(const WithThreads&) = delete;

 private:
  const int before_;
};

// A number for an input that is one: of rank 0, and of a dtype that holds it.
at::Tensor NumberFor(const ir::Port& port, PyObject* given, size_t place) {
  const auto type = port.type ? port.type.dyn_cast<ir::DenseTensorType>() : ir::DenseTensorType();
  const bool is_number = type && type.dims().empty();
  if (is_number) {
    const at::ScalarType dtype = torch_bridge::ToTorch(type.dtype());
    const bool is_bool = PyBool_Check(given);
    const bool fits_float = at::isFloatingType(dtype) && (PyFloat_Check(given) || PyLong_Check(given)) && !is_bool;
    if (fits_float) return at::scalar_tensor(py::cast<double>(py::handle(given)), dtype);
    const bool fits =
        dtype == at::kBool ? is_bool : at::isIntegralType(dtype, false) && PyLong_Check(given) && !is_bool;
    if (fits) return at::scalar_tensor(py::cast<int64_t>(py::handle(given)), dtype);
  }
  const std::string name = port.slot < 0 ? "" : " ('" + port.name + "')";
  std::string expected = is_number ? " or a number, of " + port.type.ToString() : "";
  if (port.slot < 0) expected = " (the program has fewer inputs: a number with which a model was exported is in it)";
  throw py::type_error("input " + std::to_string(place) + name + ": expected a torch.Tensor" + expected + ", got " +
                       std::string(Py_TYPE(given)->tp_name));
}

class CompiledProgram {
 public:
  CompiledProgram(const std::shared_ptr<ir::Program>& program,
                  int threads,
                  int64_t max_memory,
                  bool reuse_outputs,
                  int64_t max_iterations)
      : threads_(threads), reuse_outputs_(reuse_outputs) {
    ir::CompileOptions options;
    options.max_memory = max_memory;
    options.limits = {max_iterations, &LookForSignals};
    PHI_OP_TRY
    executable_ = std::make_unique<ir::Executable>(*program, options);
    PHI_OP_CATCH("ir.compile")
    kept_.resize(executable_->outputs().size());
  }

  py::tuple Run(const py::args& args, const ir::Observer* observer = nullptr, bool poison = false) {
    Lent lent = Lend(args);
    ProgramOutputs outputs(executable_->outputs().size(), CPUPlace(), reuse_outputs_ ? &kept_ : nullptr);
    try {
      const ReleaseGil released;
      const WithThreads threads(threads_);
      PHI_OP_TRY
      executable_->RunObserved({lent.tensors.data(), lent.tensors.size()}, &outputs, observer, poison);
      PHI_OP_CATCH("ir.run")
    } catch (const Interrupted&) {
      throw py::error_already_set();
    }
    auto tensors = outputs.Release();
    py::tuple result(tensors.size());
    for (size_t i = 0; i < tensors.size(); ++i) {
      std::vector<at::Tensor>* const array = outputs.ArrayAt(i);
      PyObject* const one = array == nullptr ? Wrap(std::move(tensors[i])) : Wrap(std::move(*array));
      PyTuple_SET_ITEM(result.ptr(), static_cast<Py_ssize_t>(i), one);
    }
    return result;
  }

  // (operator, kernel, runs, seconds, bytes) of each step that ran.
  py::list Profile(const py::args& args, int repeat) {
    struct Total {
      int64_t runs = 0;
      double seconds = 0;
    };
    std::vector<const ir::Action*> order;
    std::map<const ir::Action*, Total> totals;
    const ir::Observer observer = [&](const ir::Action& action, double seconds) {
      const auto [at, is_new] = totals.try_emplace(&action);
      if (is_new) order.push_back(&action);
      ++at->second.runs;
      at->second.seconds += seconds;
    };
    Run(args);
    for (int i = 0; i < repeat; ++i) Run(args, &observer);
    py::list rows;
    for (const ir::Action* action : order) {
      const Total& total = totals[action];
      std::string kernels;
      const bool has_kernel = action->kind == ir::Action::Kind::Kernel || action->kind == ir::Action::Kind::Dynamic;
      if (has_kernel) kernels = action->chosen().kernel_name;
      for (const ir::Action& part :
           action->kind == ir::Action::Kind::Tiles ? action->bodies[0] : std::vector<ir::Action>()) {
        kernels += (kernels.empty() ? "" : " ") + part.chosen().kernel_name;
      }
      rows.append(py::make_tuple(action->step != nullptr ? ToPython(action->step->op->name()) : py::str("copy"),
                                 ToPython(kernels),
                                 action->step != nullptr ? ToPython(ir::Describe(*action->step->op)) : py::str(""),
                                 total.runs,
                                 total.seconds));
    }
    return rows;
  }

  std::string Explain(const py::args& args) {
    if (args.empty()) return executable_->Explain();
    Lent lent = Lend(args);
    PHI_OP_TRY
    return executable_->Explain(executable_->ScheduleFor({lent.tensors.data(), lent.tensors.size()}).get());
    PHI_OP_CATCH("ir.explain")
  }

  std::shared_ptr<ir::Program> Lowered(const py::args& args) {
    Lent lent = Lend(args);
    PHI_OP_TRY
    const auto schedule = executable_->ScheduleFor({lent.tensors.data(), lent.tensors.size()});
    return ir::KernelProgram(executable_->lowered(), *schedule);
    PHI_OP_CATCH("ir.lowered")
  }

  // bytes of the arena, the most that live at once, bytes of the outputs, instructions
  py::tuple Memory(const py::args& args) {
    Lent lent = Lend(args);
    PHI_OP_TRY
    const auto schedule = executable_->ScheduleFor({lent.tensors.data(), lent.tensors.size()});
    return py::make_tuple(
        schedule->arena, ir::LiveBytes(schedule->buffers), schedule->output_bytes, schedule->actions.size());
    PHI_OP_CATCH("ir.memory")
  }

  static py::list Ports(const std::vector<ir::Port>& ports) {
    py::list names;
    for (const ir::Port& port : ports) names.append(py::make_tuple(ToPython(port.name), port.type.ToString()));
    return names;
  }
  py::list Inputs() const { return Ports(executable_->inputs()); }
  py::list Outputs() const { return Ports(executable_->outputs()); }

 private:
  struct Lent {
    c10::SmallVector<DenseTensor, 4> tensors;
    c10::SmallVector<ProgramInput, 4> inputs;
    c10::SmallVector<at::Tensor, 1> numbers;
  };

  Lent Lend(const py::args& args) const {
    Lent lent;
    lent.tensors.resize(args.size());
    lent.inputs.reserve(args.size());
    const auto& ports = executable_->inputs();
    for (size_t i = 0; i < args.size(); ++i) {
      PyObject* given = PyTuple_GET_ITEM(args.ptr(), static_cast<Py_ssize_t>(i));
      static const ir::Port unknown{"input beyond the last", -1, ir::Type()};
      const ir::Port& port = i < ports.size() ? ports[i] : unknown;
      const bool is_tensor = THPVariable_Check(given);
      if (!is_tensor) lent.numbers.push_back(NumberFor(port, given, i));
      PHI_OP_TRY
      const at::Tensor& tensor = is_tensor ? THPVariable_Unpack(given) : lent.numbers.back();
      lent.inputs.emplace_back(port, CPUPlace(), tensor, &lent.tensors[i]);
      PHI_OP_CATCH("ir.run")
    }
    return lent;
  }

  std::unique_ptr<ir::Executable> executable_;
  const int threads_;
  const bool reuse_outputs_;
  std::vector<at::Tensor> kept_;
};

}  // namespace

void BindExecutable(py::module_& m) {
  py::class_<CompiledProgram>(m, "CompiledProgram")
      .def(py::init<const std::shared_ptr<ir::Program>&, int, int64_t, bool, int64_t>(),
           py::arg("program"),
           py::arg("threads"),
           py::arg("max_memory"),
           py::arg("reuse_outputs"),
           py::arg("max_iterations"))
      .def("__call__", [](CompiledProgram& self, const py::args& inputs) { return self.Run(inputs); })
      .def("__call__",
           [](CompiledProgram&, const py::args&, const py::kwargs& named) -> py::tuple {
             throw py::type_error("inputs are given in order, got '" + py::cast<std::string>(named.begin()->first) +
                                  "' by its name; run.named(x=...) takes all of them by their names");
           })
      .def("run_poisoned",
           [](CompiledProgram& self, const py::args& inputs) { return self.Run(inputs, nullptr, true); })
      .def("profile_rows",
           [](CompiledProgram& self, int repeat, const py::args& inputs) { return self.Profile(inputs, repeat); })
      .def("explain", [](CompiledProgram& self, const py::args& inputs) { return self.Explain(inputs); })
      .def("lowered", [](CompiledProgram& self, const py::args& inputs) { return self.Lowered(inputs); })
      .def("memory", [](CompiledProgram& self, const py::args& inputs) { return self.Memory(inputs); })
      .def_property_readonly("inputs", [](CompiledProgram& self) { return self.Inputs(); })
      .def_property_readonly("outputs", [](CompiledProgram& self) { return self.Outputs(); });
  m.def("takes_strides", [](const OperationHandle& op) { return ir::TakesStrides(*op); }, py::arg("op"));
}

}  // namespace phi::python
