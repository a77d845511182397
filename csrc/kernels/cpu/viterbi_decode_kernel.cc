// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include "backends/cpu/cpu_context.h"
#include "core/kernel_registry.h"
#include "core/parallel.h"
#include "primitive/cast.h"
#include "primitive/loop/vec_loop.h"

namespace phi {

namespace {

// NaN is the greatest, as everywhere; of several that are equal, the first one stays.
template <typename T>
bool IsBetter(T one, T best) {
  return one > best || (one != one && best == best);
}

// The best paths of a sequence, one to each tag.
template <typename T>
class Paths {
 public:
  Paths(const T* transitions, int64_t steps, int64_t tags)
      : transitions_(transitions), tags_(tags), score_(tags), best_(tags), before_((steps - 1) * tags) {}

  void Begin(const T* potentials, const T* transition) {
    for (int64_t tag = 0; tag < tags_; ++tag) score_[tag] = potentials[tag] + (transition ? transition[tag] : T(0));
  }

  void Step(int64_t step, const T* potentials) {
    int64_t* before = Before(step);
    std::fill_n(before, tags_, 0);
    for (int64_t to = 0; to < tags_; ++to) best_[to] = score_[0] + transitions_[to];
    for (int64_t from = 1; from < tags_; ++from) {
      for (int64_t to = 0; to < tags_; ++to) {
        const T one = score_[from] + transitions_[from * tags_ + to];
        const bool is_better = IsBetter(one, best_[to]);
        best_[to] = is_better ? one : best_[to];
        before[to] = is_better ? from : before[to];
      }
    }
    for (int64_t tag = 0; tag < tags_; ++tag) score_[tag] = best_[tag] + potentials[tag];
  }

  void End(const T* transition) {
    for (int64_t tag = 0; tag < tags_; ++tag) score_[tag] += transition[tag];
  }

  // Writes the tags of the best path of `length` steps, and returns its score.
  T Best(int64_t length, int64_t* path) {
    int64_t best = 0;
    for (int64_t tag = 1; tag < tags_; ++tag) {
      if (IsBetter(score_[tag], score_[best])) best = tag;
    }
    const T score = score_[best];
    for (int64_t step = length - 1; step >= 0; --step) {
      path[step] = best;
      if (step > 0) best = Before(step)[best];
    }
    return score;
  }

 private:
  int64_t* Before(int64_t step) { return before_.data() + (step - 1) * tags_; }

  const T* const transitions_;
  const int64_t tags_;
  std::vector<T> score_, best_;
  std::vector<int64_t> before_;  // the tag before each tag, for each step but the first
};

}  // namespace

template <typename T, typename Context>
void ViterbiDecodeKernel(const Context& dev_ctx,
                         const DenseTensor& potentials,
                         const DenseTensor& transition_params,
                         const DenseTensor& lengths,
                         bool include_bos_eos_tag,
                         DenseTensor* scores,
                         DenseTensor* path) {
  const int64_t batch = potentials.dims()[0], steps = potentials.dims()[1], tags = potentials.dims()[2];
  const DenseTensor long_lengths = primitive::ToInt64(dev_ctx, lengths);
  const int64_t* length = long_lengths.data<int64_t>();
  const int64_t longest = batch == 0 ? 0 : std::max(*std::max_element(length, length + batch), int64_t{0});
  PADDLE_ENFORCE(longest <= steps,
                 errors::InvalidArgument(
                     "argument 'lengths': expected at most the %d steps of 'potentials', got %d", steps, longest));
  path->Resize({batch, longest});
  T* score = dev_ctx.template Alloc<T>(scores);
  int64_t* tag = dev_ctx.template Alloc<int64_t>(path);
  std::fill_n(tag, batch * longest, 0);
  const T* transitions = transition_params.data<T>();
  const T* begin = include_bos_eos_tag ? transitions + (tags - 1) * tags : nullptr;
  ParallelFor(batch, primitive::RowGrain(steps * tags * tags), [&](int64_t first, int64_t last) {
    Paths<T> paths(transitions, steps, tags);
    for (int64_t i = first; i < last; ++i) {
      const T* emission = potentials.data<T>() + i * steps * tags;
      paths.Begin(emission, begin);
      const int64_t count = std::max(length[i], int64_t{0});
      for (int64_t step = 1; step < count; ++step) paths.Step(step, emission + step * tags);
      if (include_bos_eos_tag && count > 0) paths.End(transitions + (tags - 2) * tags);
      score[i] = paths.Best(count, tag + i * longest);
    }
  });
}

}  // namespace phi

PD_REGISTER_KERNEL(viterbi_decode, CPU, ALL_LAYOUT, phi::ViterbiDecodeKernel, float, double) {
  kernel->InputAt(2).SetDataType(phi::DataType::UNDEFINED);
  kernel->OutputAt(1).SetDataType(phi::DataType::INT64);
}
