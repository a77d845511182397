// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>

#include <iomanip>
#include <iostream>
#include <string>

#include "ir/exec/executable.h"
#include "ir/files/program_file.h"
#include "ir/files/safetensors.h"

namespace {

// The inputs of the program by name, from a file of tensors.
std::vector<phi::DenseTensor> InputsOf(const phi::ir::Executable& program, const phi::ir::TensorFile& file) {
  std::vector<phi::DenseTensor> inputs;
  for (const phi::ir::Port& port : program.inputs()) {
    const auto found = file.tensors.find(port.name);
    if (found == file.tensors.end()) throw std::invalid_argument("there is no input '" + port.name + "'");
    const phi::DDim dims(found->second.dims);
    const phi::DenseTensorMeta meta{
        .dims = dims, .strides = phi::contiguous_strides(dims), .dtype = found->second.dtype};
    inputs.emplace_back(meta, phi::CPUPlace(), found->second.data);
  }
  return inputs;
}

// Its name, data type and shape, and the numbers of float32.
void Print(const std::string& name, const phi::DenseTensor& tensor) {
  std::cout << name << ' ' << phi::DataTypeName(tensor.dtype()) << ' ' << tensor.dims() << '\n';
  if (tensor.dtype() != phi::DataType::FLOAT32) return;
  for (int64_t i = 0; i < tensor.numel(); ++i) std::cout << (i ? " " : "") << tensor.data<float>()[i];
  std::cout << '\n';
}

}  // namespace

// run_program MODEL.phi INPUTS.safetensors KERNELS...: prints the outputs, after the libraries of kernels were loaded.
int main(int count, char** arguments) {
  if (count < 4) {
    std::cerr << "usage: run_program MODEL.phi INPUTS.safetensors KERNELS.so...\n";
    return 2;
  }
  for (int i = 3; i < count; ++i) {
    if (dlopen(arguments[i], RTLD_NOW | RTLD_GLOBAL) == nullptr) {
      std::cerr << dlerror() << '\n';
      return 1;
    }
  }
  try {
    const auto program = phi::ir::LoadProgram(arguments[1]);
    phi::ir::Executable run(*program, {});
    const phi::ir::TensorFile file = phi::ir::ReadTensors(std::string(arguments[2]));
    const std::vector<phi::DenseTensor> outputs = run.Run(InputsOf(run, file));
    std::cout << std::setprecision(9);
    for (size_t i = 0; i < outputs.size(); ++i) Print(run.outputs()[i].name, outputs[i]);
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
