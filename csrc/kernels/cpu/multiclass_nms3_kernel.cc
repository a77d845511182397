// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>
#include <vector>

#include "backends/cpu/cpu_context.h"
#include "common/optional.h"
#include "core/kernel_registry.h"
#include "core/parallel.h"
#include "kernels/detection/box_choice.h"
#include "primitive/loop/vec_loop.h"

namespace phi {

namespace {

template <typename T>
struct Found {
  int label;
  int64_t box;
  T score;
};

// Leaves the `count` best of all that were found, in their order.
template <typename T>
void KeepBest(int64_t count, std::vector<Found<T>>* found) {
  std::vector<size_t> places(found->size());
  std::iota(places.begin(), places.end(), size_t{0});
  std::nth_element(places.begin(), places.begin() + count, places.end(), [&](size_t a, size_t b) {
    const T left = (*found)[a].score, right = (*found)[b].score;
    return left > right || (left == right && a < b);
  });
  places.resize(count);
  std::sort(places.begin(), places.end());
  for (int64_t i = 0; i < count; ++i) (*found)[i] = (*found)[places[i]];
  found->resize(count);
}

// How many boxes each image has.
std::vector<int64_t> CountsOf(const DenseTensor& scores, const paddle::optional<DenseTensor>& rois_num) {
  if (!rois_num) return std::vector<int64_t>(scores.dims()[0], scores.dims()[2]);
  std::vector<int64_t> counts;
  int64_t all = 0;
  for (int64_t i = 0; i < rois_num->numel(); ++i) {
    const bool is_long = rois_num->dtype() == DataType::INT64;
    counts.push_back(is_long ? rois_num->data<int64_t>()[i] : rois_num->data<int32_t>()[i]);
    PADDLE_ENFORCE(counts.back() >= 0,
                   errors::InvalidArgument("argument 'rois_num': expected no negative number, got %d", counts.back()));
    all += counts.back();
  }
  PADDLE_ENFORCE(
      all == scores.dims()[0],
      errors::InvalidArgument("argument 'rois_num': expected %d boxes in all, got %d", scores.dims()[0], all));
  return counts;
}

}  // namespace

template <typename T, typename Context>
void MultiClassNMSKernel(const Context& dev_ctx,
                         const DenseTensor& bboxes,
                         const DenseTensor& scores,
                         const paddle::optional<DenseTensor>& rois_num,
                         float score_threshold,
                         int nms_top_k,
                         int keep_top_k,
                         float nms_threshold,
                         bool normalized,
                         float nms_eta,
                         int background_label,
                         DenseTensor* out,
                         DenseTensor* index,
                         DenseTensor* nms_rois_num) {
  const int64_t classes = scores.dims()[1];
  const auto numbers_of_box = static_cast<int>(bboxes.dims()[2]);
  const BoxChoice<T> choice{T(score_threshold), nms_top_k, T(nms_threshold), T(normalized ? 0 : 1), T(nms_eta)};
  const std::vector<int64_t> counts = CountsOf(scores, rois_num);
  std::vector<int64_t> firsts(counts.size());
  for (size_t i = 1; i < counts.size(); ++i) firsts[i] = firsts[i - 1] + counts[i - 1];
  const auto candidates = [&](int64_t image, int64_t label) -> BoxCandidates<T> {
    const int64_t first = firsts[image], count = counts[image];
    const int n = numbers_of_box;
    if (!rois_num)
      return {bboxes.data<T>() + first * n, scores.data<T>() + first * classes + label * count, n, n, 1, count};
    const int64_t begin = first * classes + label;
    return {bboxes.data<T>() + begin * n, scores.data<T>() + begin, n, n * classes, classes, count};
  };
  std::vector<std::vector<Found<T>>> found(counts.size());
  const int64_t images = counts.size(), work = scores.numel() * numbers_of_box / std::max<int64_t>(1, images);
  ParallelFor(images, primitive::RowGrain(work), [&](int64_t first, int64_t last) {
    BoxWorkspace<T> space;
    for (int64_t image = first; image < last; ++image) {
      std::vector<Found<T>>& of = found[image];
      for (int label = 0; label < classes; ++label) {
        if (label == background_label) continue;
        const BoxCandidates<T> given = candidates(image, label);
        choice.Choose(given, &space);
        if (rois_num) std::sort(space.kept.begin(), space.kept.end());
        for (const int64_t i : space.kept) of.push_back({label, i, given.score(i)});
      }
      if (keep_top_k >= 0 && of.size() > static_cast<size_t>(keep_top_k)) KeepBest(keep_top_k, &of);
    }
  });
  int64_t rows = 0;
  int32_t* numbers = dev_ctx.template Alloc<int32_t>(nms_rois_num);
  for (size_t image = 0; image < found.size(); ++image) {
    numbers[image] = static_cast<int32_t>(found[image].size());
    rows += numbers[image];
  }
  out->Resize({rows, numbers_of_box + 2});
  index->Resize({rows, 1});
  T* row = dev_ctx.template Alloc<T>(out);
  int32_t* place = dev_ctx.template Alloc<int32_t>(index);
  for (size_t image = 0; image < found.size(); ++image) {
    for (const Found<T>& one : found[image]) {
      row[0] = static_cast<T>(one.label);
      row[1] = one.score;
      row = std::copy_n(candidates(image, one.label).box(one.box), numbers_of_box, row + 2);
      const int64_t number = firsts[image] + one.box;
      *place++ = static_cast<int32_t>(rois_num ? number * classes + one.label : number);
    }
  }
}

}  // namespace phi

PD_REGISTER_KERNEL(multiclass_nms3, CPU, ALL_LAYOUT, phi::MultiClassNMSKernel, float, double) {
  kernel->InputAt(2).SetDataType(phi::DataType::UNDEFINED);
  for (int i : {1, 2}) kernel->OutputAt(i).SetDataType(phi::DataType::INT32);
}
