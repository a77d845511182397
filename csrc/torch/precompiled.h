// SPDX-License-Identifier: Apache-2.0
#pragma once

// What most of the sources below this folder include, and what takes longest of that; see
// phi_torch/_build/precompiled.py.
#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/saved_variable.h>
#include <torch/csrc/dynamo/compiled_autograd.h>
#include <torch/library.h>
