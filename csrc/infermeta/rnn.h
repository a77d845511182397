// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/meta_tensor.h"
#include "infermeta/list_size.h"
#include "infermeta/set_contiguous.h"

namespace phi {

// The gates of a cell, and how many vectors of `hidden_size` the gradient needs of each step besides them.
struct RnnMode {
  int gates = 1;
  int cells = 0;
  size_t states = 1;

  explicit RnnMode(const std::string& mode) {
    if (mode == "LSTM") {
      gates = 4, cells = 1, states = 2;
    } else if (mode == "GRU") {
      gates = 3, cells = 1;
    } else {
      PADDLE_ENFORCE(
          mode == "RNN_TANH" || mode == "RNN_RELU",
          errors::InvalidArgument("argument 'mode': expected 'LSTM', 'GRU', 'RNN_TANH' or 'RNN_RELU', got '%s'", mode));
    }
  }
};

template <class Dim>
void CheckRnnTensor(
    const char* name, size_t index, const MetaTensor<Dim>& tensor, const BasicDDim<Dim>& expected, DataType dtype) {
  PADDLE_ENFORCE(
      tensor.dims() == expected,
      errors::InvalidArgument(
          "argument '%s': expected the shape %s of tensor %d, got %s", name, expected, index, tensor.dims()));
  PADDLE_ENFORCE(tensor.dtype() == dtype,
                 errors::InvalidType("argument '%s': expected %s as 'x', got %s of tensor %d",
                                     name,
                                     DataTypeName(dtype),
                                     DataTypeName(tensor.dtype()),
                                     index));
}

template <class Dim>
void RnnInferMeta(const MetaTensor<Dim>& x,
                  const std::vector<const MetaTensor<Dim>*>& pre_state,
                  const std::vector<const MetaTensor<Dim>*>& weight_list,
                  const MetaTensor<Dim>& sequence_length,
                  double dropout_prob,
                  bool is_bidirec,
                  int64_t input_size,
                  int64_t hidden_size,
                  int64_t num_layers,
                  const std::string& mode,
                  bool is_test,
                  MetaTensor<Dim>* out,
                  MetaTensor<Dim>* dropout_state_out,
                  std::vector<MetaTensor<Dim>*> state,
                  MetaTensor<Dim>* reserve) {
  const RnnMode cell(mode);
  const int64_t directions = is_bidirec ? 2 : 1;
  PADDLE_ENFORCE(
      x.dims().size() == 3 && x.dims(2) == input_size,
      errors::InvalidArgument("argument 'x': expected the shape [time, batch, input_size], with an input_size "
                              "of %d, got %s",
                              input_size,
                              x.dims()));
  PADDLE_ENFORCE(num_layers > 0,
                 errors::InvalidArgument("argument 'num_layers': expected at least 1, got %d", num_layers));
  PADDLE_ENFORCE(hidden_size > 0,
                 errors::InvalidArgument("argument 'hidden_size': expected at least 1, got %d", hidden_size));
  PADDLE_ENFORCE(dropout_prob >= 0 && dropout_prob <= 1,
                 errors::InvalidArgument("argument 'dropout_prob': expected a value in [0, 1], got %f", dropout_prob));
  const Dim time = x.dims(0), batch = x.dims(1), hidden = hidden_size;
  const BasicDDim<Dim> state_dims{Dim(num_layers * directions), batch, hidden};
  PADDLE_ENFORCE(
      pre_state.size() == cell.states,
      errors::InvalidArgument(
          "argument 'pre_state': expected %d tensors for the mode '%s', got %d", cell.states, mode, pre_state.size()));
  for (size_t i = 0; i < pre_state.size(); ++i) CheckRnnTensor("pre_state", i, *pre_state[i], state_dims, x.dtype());
  ExpectOneForEach("state", state, pre_state);
  const size_t halves = 2 * static_cast<size_t>(num_layers * directions);
  PADDLE_ENFORCE(
      weight_list.size() == 2 * halves,
      errors::InvalidArgument("argument 'weight_list': expected %d tensors, four for each layer and direction, "
                              "got %d",
                              2 * halves,
                              weight_list.size()));
  const Dim rows = cell.gates * hidden_size;
  for (size_t i = 0; i < 2 * halves; ++i) {
    const bool of_input = i % 2 == 0;
    const int64_t columns = !of_input                                 ? hidden_size
                            : i < 2 * static_cast<size_t>(directions) ? input_size
                                                                      : directions * hidden_size;
    const BasicDDim<Dim> dims = i < halves ? BasicDDim<Dim>{rows, Dim(columns)} : BasicDDim<Dim>{rows};
    CheckRnnTensor("weight_list", i, *weight_list[i], dims, x.dtype());
  }
  if (sequence_length) {
    const BasicDDim<Dim> lengths{batch};
    PADDLE_ENFORCE(sequence_length.dims() == lengths,
                   errors::InvalidArgument(
                       "argument 'sequence_length': expected the shape %s, got %s", lengths, sequence_length.dims()));
    PADDLE_ENFORCE(sequence_length.dtype() == DataType::INT32 || sequence_length.dtype() == DataType::INT64,
                   errors::InvalidType("argument 'sequence_length': expected int32 or int64, got %s",
                                       DataTypeName(sequence_length.dtype())));
  }
  const Dim width = directions * hidden_size, inner = (num_layers - 1) * (time * batch * width);
  SetContiguous(BasicDDim<Dim>{time, batch, width}, x.dtype(), out);
  const bool drops = static_cast<float>(dropout_prob) > 0 && !is_test;  // as the kernel, which gets a float
  SetContiguous(BasicDDim<Dim>{drops ? inner : Dim(0)}, DataType::UINT8, dropout_state_out);
  for (MetaTensor<Dim>* one : state) SetContiguous(state_dims, x.dtype(), one);
  const Dim steps = time * batch * (num_layers * directions * (cell.gates + cell.cells) * hidden_size);
  SetContiguous(BasicDDim<Dim>{steps + inner}, x.dtype(), reserve);
}

template <class Dim>
void RnnGradInferMeta(const MetaTensor<Dim>& x,
                      const std::vector<const MetaTensor<Dim>*>& pre_state,
                      const std::vector<const MetaTensor<Dim>*>& weight_list,
                      MetaTensor<Dim>* x_grad,
                      std::vector<MetaTensor<Dim>*> pre_state_grad,
                      std::vector<MetaTensor<Dim>*> weight_list_grad) {
  SetContiguous(x.dims(), x.dtype(), x_grad);
  if (!pre_state_grad.empty()) ExpectOneForEach("pre_state_grad", pre_state_grad, pre_state);
  if (!weight_list_grad.empty()) ExpectOneForEach("weight_list_grad", weight_list_grad, weight_list);
  for (size_t i = 0; i < pre_state_grad.size(); ++i) SetContiguous(pre_state[i]->dims(), x.dtype(), pre_state_grad[i]);
  for (size_t i = 0; i < weight_list_grad.size(); ++i) {
    SetContiguous(weight_list[i]->dims(), x.dtype(), weight_list_grad[i]);
  }
}

}  // namespace phi
