// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/csrc/python_headers.h>

#include <pybind11/pybind11.h>
#include <torch/csrc/Exceptions.h>
#include <torch/csrc/autograd/python_variable.h>
