// SPDX-License-Identifier: Apache-2.0
#include <ATen/core/LegacyTypeDispatch.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <sstream>

#include "api/trace.h"
#include "common/flags.h"
#include "torch/custom_op/custom_op.h"
#include "torch/guarded_memory.h"
#include "torch/python/fast_call.h"
#include "torch/python/ir/core.h"
#include "torch/python/node_name.h"
#include "torch/python/programs/ops.h"
#include "torch/python/python_kernel.h"
#include "torch/python/string_tensor.h"

// phi_torch._C: what Python asks of the kernel registry, and the fast functions of the ops.
namespace py = pybind11;

namespace {

py::dict KeyOf(const phi::KernelKey& key) {
  return py::dict(py::arg("backend") = phi::BackendName(key.backend()),
                  py::arg("layout") = phi::DataLayoutName(key.layout()),
                  py::arg("dtype") = phi::DataTypeName(key.dtype()));
}

py::dict PlanOf(const phi::Plan& plan) {
  py::list steps, transforms;
  for (const phi::SelectionStep& step : plan.steps) {
    steps.append(py::dict(py::arg("key") = KeyOf(step.key), py::arg("why") = step.why, py::arg("found") = step.found));
  }
  for (const phi::PlannedTransform& t : plan.transforms) {
    std::ostringstream what;
    what << t.what;
    transforms.append(py::dict(py::arg("arg") = t.argument, py::arg("what") = what.str()));
  }
  py::dict key = KeyOf(plan.key);
  key["sources"] = plan.sources;
  return py::dict(py::arg("op") = plan.op,
                  py::arg("key") = key,
                  py::arg("steps") = steps,
                  py::arg("transforms") = transforms,
                  py::arg("kernel") = py::dict(py::arg("name") = plan.kernel_name,
                                               py::arg("key") = KeyOf(plan.selected.key),
                                               py::arg("file") = plan.kernel().file(),
                                               py::arg("line") = plan.kernel().line()),
                  py::arg("fallback_cpu") = plan.selected.has_fallback_cpu);
}

// The plans of the kernels that `call` would run.
py::list Trace(const py::function& call) {
  std::vector<phi::Plan> plans;
  {
    const phi::Tracer tracer(&plans);
    const at::AutoDispatchBelowADInplaceOrView below_autograd;  // nothing is written, so nothing is recorded
    call();
  }
  py::list result;
  for (const phi::Plan& plan : plans) result.append(PlanOf(plan));
  return result;
}

py::list Kernels(const std::string& name) {
  py::list rows;
  if (const phi::KernelSet* set = phi::KernelFactory::Instance().Find(name)) {
    for (const auto& [key, kernel] : set->kernels()) {
      rows.append(py::make_tuple(phi::BackendName(key.backend()),
                                 phi::DataLayoutName(key.layout()),
                                 phi::DataTypeName(key.dtype()),
                                 kernel->file(),
                                 kernel->line()));
    }
  }
  return rows;
}

phi::KernelKey KeyFrom(const std::string& backend, const std::string& layout, const std::string& dtype) {
  return phi::KernelKey(phi::StringToBackend(backend), phi::StringToDataLayout(layout), phi::StringToDataType(dtype));
}

// A Python function as a kernel. Returns what takes it back.
py::cpp_function RegisterKernel(const std::string& name,
                                const std::tuple<std::string, std::string, std::string>& key_names,
                                py::function function,
                                const std::tuple<std::string, int>& place,
                                int priority,
                                bool override) {
  auto& factory = phi::KernelFactory::Instance();
  const phi::KernelKey key = std::apply(KeyFrom, key_names);
  phi::KernelSet& set = factory.GetOrCreate(name);
  phi::Kernel kernel =
      set.MakeKernel(key, phi::python::CallPython(std::move(function)), std::get<0>(place), std::get<1>(place));
  kernel.set_priority(priority);
  const phi::Kernel* registered = factory.Register(name, key, std::move(kernel), override);
  return py::cpp_function([name, key, registered] { phi::KernelFactory::Instance().Remove(name, key, registered); });
}

// What was declared with PD_BUILD_OP, PD_BUILD_GRAD_OP and PD_BUILD_DOUBLE_GRAD_OP.
py::list CustomOps() {
  py::list rows;
  for (const phi::torch_bridge::CustomOp* op : phi::torch_bridge::CustomOps()) {
    py::list outputs, inplace;
    for (const auto& output : op->outputs()) {
      if (op->Returns(output, op->has_inplace_form())) outputs.append(output.name);
      if (op->has_inplace_form() && output.inplace >= 0) {
        inplace.append(py::make_tuple(op->inputs()[output.inplace].name, output.name));
      }
    }
    rows.append(py::dict(py::arg("namespace") = op->info().extension,
                         py::arg("name") = op->name(),
                         py::arg("declared") = op->info().name,
                         py::arg("order") = op->info().order,
                         py::arg("file") = op->info().file,
                         py::arg("line") = op->info().line,
                         py::arg("schema") = op->Schema(op->has_inplace_form()),
                         py::arg("outputs") = outputs,
                         py::arg("inplace") = inplace,
                         py::arg("differentiable") = op->derivative() != nullptr));
  }
  return rows;
}

// (address, size, first, last) of each damaged zone, as MemoryFault has them.
py::list TakeMemoryFaults() {
  py::list faults;
  for (const auto& fault : phi::torch_bridge::TakeMemoryFaults()) {
    faults.append(py::make_tuple(fault.address, fault.size, fault.first, fault.last));
  }
  return faults;
}

// name -> the fast function, for each that has a Python function of the same name to fall back to.
py::dict BindFastFunctions(const py::dict& python, const py::str& module) {
  py::dict bound;
  for (phi::python::FastFunction* function : phi::python::FastFunction::TakeAll()) {
    if (!python.contains(function->name())) continue;
    PyObject* object = function->Bind(python[function->name()].ptr(), module.ptr());
    if (object == nullptr) throw py::error_already_set();
    bound[function->name()] = py::reinterpret_steal<py::object>(object);
  }
  return bound;
}

py::object BindFastOp(const py::object& function, const py::object& op) {
  PyObject* bound = phi::python::FastFunction::BindOp(function.ptr(), op.ptr());
  if (bound == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::object>(bound);
}

}  // namespace

// Without the interpreter's lock: registries and flags have locks of their own.
PYBIND11_MODULE(_C, m, py::mod_gil_not_used()) {
  phi::python::NameNodes();
  phi::python::BindStrings(m);
#ifndef PHI_WITHOUT_PROGRAMS
  phi::python::BindProgramOps(m);
  phi::python::BindProgramRun(m);
  m.def("bind_ir", &phi::python::BindIr, py::arg("module"));
#endif
  m.def("kernels", &Kernels, py::arg("name"));
  m.def("kernel_names", [] { return phi::KernelFactory::Instance().Names(); });
  m.def("take_registration_errors", [] {
    phi::torch_bridge::CheckCustomOps();
    return phi::KernelFactory::Instance().TakeErrors();
  });
  m.def("custom_ops", &CustomOps);
  m.def("bind_fast_functions", &BindFastFunctions, py::arg("python"), py::arg("module"));
  m.def("bind_fast_op", &BindFastOp, py::arg("function"), py::arg("op"));
  m.def("register_kernel",
        &RegisterKernel,
        py::arg("name"),
        py::arg("key"),
        py::arg("function"),
        py::arg("place"),
        py::arg("priority"),
        py::arg("override"));
  m.def("trace", &Trace, py::arg("call"));
  m.def("guard_memory", &phi::torch_bridge::GuardMemory, py::arg("fill"));
  m.def("stop_guarding_memory", &phi::torch_bridge::StopGuardingMemory);
  m.def("take_memory_faults", &TakeMemoryFaults);
  m.def("get_flag", [](const std::string& name) { return phi::GetFlag(name); }, py::arg("name"));
  m.def(
      "set_flag",
      [](const std::string& name, const std::string& value) {
        phi::SetFlag(name, value);
        phi::KernelFactory::Instance().ClearSelections();
      },
      py::arg("name"),
      py::arg("value"));
  m.def("flag_names", &phi::FlagNames);
  py::register_exception_translator([](std::exception_ptr p) {
    try {
      if (p) std::rethrow_exception(p);
    } catch (const phi::enforce::EnforceNotMet& e) {
      const auto type = e.code() == phi::ErrorCode::InvalidArgument ? PyExc_ValueError : PyExc_RuntimeError;
      PyErr_SetString(type, e.what());
    }
  });
}
