// SPDX-License-Identifier: Apache-2.0
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "api/trace.h"
#include "common/flags.h"
#include "torch/custom_op.h"
#include "torch/python/fast_call.h"
#include "torch/python/python_kernel.h"

// phi_torch._C: what Python asks of the kernel registry, and the fast functions of the ops.
namespace py = pybind11;

namespace {

py::dict KeyOf(const phi::KernelKey& key) {
  return py::dict(py::arg("backend") = phi::BackendName(key.backend()),
                  py::arg("layout") = phi::DataLayoutName(key.layout()),
                  py::arg("dtype") = phi::DataTypeName(key.dtype()));
}

py::dict RecordOf(const phi::CallRecord& record) {
  py::list steps, transforms;
  for (const phi::SelectionStep& step : record.steps) {
    steps.append(py::dict(py::arg("key") = KeyOf(step.key), py::arg("why") = step.why, py::arg("found") = step.found));
  }
  for (const phi::TransformRecord& t : record.transforms) {
    transforms.append(py::dict(py::arg("arg") = t.argument, py::arg("what") = t.what));
  }
  py::dict key = KeyOf(record.key);
  key["sources"] = record.sources;
  return py::dict(py::arg("op") = record.op,
                  py::arg("key") = key,
                  py::arg("steps") = steps,
                  py::arg("transforms") = transforms,
                  py::arg("kernel") = py::dict(py::arg("name") = record.kernel_name,
                                               py::arg("key") = KeyOf(record.result.key),
                                               py::arg("file") = record.result.kernel->file(),
                                               py::arg("line") = record.result.kernel->line()),
                  py::arg("fallback_cpu") = record.result.has_fallback_cpu);
}

// Runs `call` up to its first kernel; the exception that ends it may have crossed torch and Python.
py::list Trace(const py::function& call) {
  std::vector<phi::CallRecord> records;
  {
    const phi::Tracer tracer(&records);
    try {
      call();
    } catch (const phi::TraceStop&) {
    } catch (const py::error_already_set&) {
      if (records.empty()) throw;
    }
  }
  py::list result;
  for (const auto& record : records) result.append(RecordOf(record));
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

}  // namespace

PYBIND11_MODULE(_C, m) {
  m.def("kernels", &Kernels, py::arg("name"));
  m.def("kernel_names", [] { return phi::KernelFactory::Instance().Names(); });
  m.def("take_registration_errors", [] {
    phi::torch_bridge::CheckCustomOps();
    return phi::KernelFactory::Instance().TakeErrors();
  });
  m.def("bind_fast_functions", &BindFastFunctions, py::arg("python"), py::arg("module"));
  m.def("register_kernel",
        &RegisterKernel,
        py::arg("name"),
        py::arg("key"),
        py::arg("function"),
        py::arg("place"),
        py::arg("priority"),
        py::arg("override"));
  m.def("trace", &Trace, py::arg("call"));
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
