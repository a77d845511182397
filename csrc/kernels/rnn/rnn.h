// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/funcs/rnn_layers.h"

namespace phi {
namespace funcs {

// 1 where an element is kept. A `seed` other than 0 gives the same numbers in each call.
template <typename Context>
void DrawMasks(const Context& dev_ctx, float dropout, int seed, DenseTensor* masks) {
  const int64_t n = masks->numel();
  if (n == 0) return;
  uint8_t* mask = masks->data<uint8_t>();
  const primitive::PhiloxState state = DropoutState(dev_ctx, paddle::none, seed, seed != 0, n);
  primitive::ForEachUniform<float>(dev_ctx, state, n, [=] HOSTDEVICE(int64_t i, float u) { mask[i] = u >= dropout; });
}

}  // namespace funcs

// `reserve` keeps what the gradient needs, and `dropout_state_out` which outputs of a layer the next one gets, if the
// dropout has a part in it; either may be null.
template <typename T, typename Context>
void RnnKernel(const Context& dev_ctx,
               const DenseTensor& x,
               const std::vector<const DenseTensor*>& pre_state,
               const std::vector<const DenseTensor*>& weight_list,
               const paddle::optional<DenseTensor>& sequence_length,
               float dropout_prob,
               bool is_bidirec,
               int input_size,
               int hidden_size,
               int num_layers,
               const std::string& mode,
               int seed,
               bool is_test,
               DenseTensor* out,
               DenseTensor* dropout_state_out,
               std::vector<DenseTensor*> state,
               DenseTensor* reserve) {
  dev_ctx.template Alloc<T>(out);
  for (size_t i = 0; i < state.size(); ++i) primitive::Copy(dev_ctx, *pre_state[i], state[i]);
  funcs::WithRnnCell(mode, [&](auto cell) {
    using Cell = decltype(cell);
    const funcs::RnnLayout<Cell> at(x, hidden_size, num_layers, is_bidirec);
    DenseTensor kept, masks;
    if (reserve) {
      dev_ctx.template Alloc<T>(reserve);
    } else {
      kept = primitive::EmptyTensor<T>(dev_ctx, {at.outputs(num_layers - 1)});
      reserve = &kept;
    }
    const bool drops = dropout_prob > 0 && !is_test && num_layers > 1;
    if (drops && !dropout_state_out) {
      masks.Resize({(num_layers - 1) * at.steps() * at.width()});
      dropout_state_out = &masks;
    }
    if (dropout_state_out) dev_ctx.template Alloc<uint8_t>(dropout_state_out);
    if (drops) funcs::DrawMasks(dev_ctx, dropout_prob, seed, dropout_state_out);
    funcs::Rnn<T, Context, Cell>(dev_ctx, at, weight_list, sequence_length, dropout_prob)
        .Forward(x, drops ? dropout_state_out : nullptr, state, *reserve, *out);
  });
}

template <typename T, typename Context>
void RnnGradKernel(const Context& dev_ctx,
                   const DenseTensor& x,
                   const std::vector<const DenseTensor*>& pre_state,
                   const std::vector<const DenseTensor*>& weight_list,
                   const paddle::optional<DenseTensor>& sequence_length,
                   const DenseTensor& out,
                   const DenseTensor& dropout_state_out,
                   const DenseTensor& reserve,
                   const DenseTensor& out_grad,
                   const std::vector<const DenseTensor*>& state_grad,
                   float dropout_prob,
                   bool is_bidirec,
                   int input_size,
                   int hidden_size,
                   int num_layers,
                   const std::string& mode,
                   int seed,
                   bool is_test,
                   DenseTensor* x_grad,
                   std::vector<DenseTensor*> pre_state_grad,
                   std::vector<DenseTensor*> weight_list_grad) {
  std::vector<DenseTensor> states;  // the gradients of the states, from the last step to the first
  for (size_t i = 0; i < pre_state.size(); ++i) {
    DenseTensor own;
    own.Resize(pre_state[i]->dims());
    DenseTensor* const wanted = pre_state_grad.empty() ? nullptr : pre_state_grad[i];
    primitive::Copy(dev_ctx, *state_grad[i], wanted ? wanted : &own);
    states.push_back(wanted ? primitive::ViewOf(*wanted, wanted->dims()) : std::move(own));
  }
  funcs::WithRnnCell(mode, [&](auto cell) {
    using Cell = decltype(cell);
    const funcs::RnnLayout<Cell> at(x, hidden_size, num_layers, is_bidirec);
    const bool drops = dropout_prob > 0 && !is_test && num_layers > 1;
    funcs::Rnn<T, Context, Cell>(dev_ctx, at, weight_list, sequence_length, dropout_prob)
        .Backward(x,
                  pre_state,
                  drops ? &dropout_state_out : nullptr,
                  out,
                  reserve,
                  out_grad,
                  states,
                  x_grad,
                  weight_list_grad);
  });
}

}  // namespace phi
