// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <tuple>
#include <vector>

#include "backends/cpu/cpu_context.h"
#include "common/optional.h"
#include "core/kernel_registry.h"
#include "core/parallel.h"
#include "kernels/detection/polygon_overlap.h"

namespace phi {

namespace {

// The boxes of one class of an image, each of left, top, right and bottom or of the corners of a polygon, and their
// scores.
template <typename T>
struct Candidates {
  const T* boxes;
  const T* scores;
  int numbers;  // of a box
  int64_t box_step;
  int64_t score_step;
  int64_t count;

  const T* box(int64_t i) const { return boxes + i * box_step; }
  T score(int64_t i) const { return scores[i * score_step]; }
};

template <typename T>
struct Found {
  int label;
  int64_t box;
  T score;
};

template <typename T>
T Area(T left, T top, T right, T bottom, T pixel) {
  return right >= left && bottom >= top ? (right - left + pixel) * (bottom - top + pixel) : T(0);
}

// The part that two boxes have in common of what they cover together.
template <typename T>
T Overlap(const T* a, const T* b, T pixel) {
  const T common = Area(std::max(a[0], b[0]), std::max(a[1], b[1]), std::min(a[2], b[2]), std::min(a[3], b[3]), pixel);
  return common / (Area(a[0], a[1], a[2], a[3], pixel) + Area(b[0], b[1], b[2], b[3], pixel) - common);
}

template <typename T>
struct Selection {
  T score_threshold;
  int top_k;
  T threshold;
  T pixel;
  T eta;

  // The boxes that no better one covers, the best one first.
  std::vector<int64_t> Of(const Candidates<T>& given) const {
    std::vector<int64_t> order, kept;
    for (int64_t i = 0; i < given.count; ++i) {
      if (given.score(i) > score_threshold) order.push_back(i);
    }
    std::stable_sort(order.begin(), order.end(), [&](int64_t i, int64_t k) { return given.score(i) > given.score(k); });
    if (top_k > -1 && order.size() > static_cast<size_t>(top_k)) order.resize(top_k);
    T limit = threshold;
    for (const int64_t i : order) {
      const bool is_apart =
          std::all_of(kept.begin(), kept.end(), [&](int64_t k) { return OverlapOf(given, i, k) <= limit; });
      if (!is_apart) continue;
      kept.push_back(i);
      if (eta < 1 && limit > T(0.5)) limit *= eta;
    }
    return kept;
  }

  T OverlapOf(const Candidates<T>& given, int64_t i, int64_t k) const {
    if (given.numbers == 4) return Overlap(given.box(i), given.box(k), pixel);
    return PolygonOverlap(given.box(i), given.box(k), given.numbers / 2);
  }
};

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
  const Selection<T> selection{T(score_threshold), nms_top_k, T(nms_threshold), T(normalized ? 0 : 1), T(nms_eta)};
  const std::vector<int64_t> counts = CountsOf(scores, rois_num);
  std::vector<int64_t> firsts(counts.size());
  for (size_t i = 1; i < counts.size(); ++i) firsts[i] = firsts[i - 1] + counts[i - 1];
  const auto candidates = [&](int64_t image, int64_t label) -> Candidates<T> {
    const int64_t first = firsts[image], count = counts[image];
    const int n = numbers_of_box;
    if (!rois_num)
      return {bboxes.data<T>() + first * n, scores.data<T>() + first * classes + label * count, n, n, 1, count};
    const int64_t begin = first * classes + label;
    return {bboxes.data<T>() + begin * n, scores.data<T>() + begin, n, n * classes, classes, count};
  };
  std::vector<std::vector<Found<T>>> found(counts.size());
  ParallelFor(static_cast<int64_t>(counts.size()), 1, [&](int64_t first, int64_t last) {
    for (int64_t image = first; image < last; ++image) {
      std::vector<Found<T>>& of = found[image];
      for (int label = 0; label < classes; ++label) {
        if (label == background_label) continue;
        const Candidates<T> given = candidates(image, label);
        std::vector<int64_t> kept = selection.Of(given);
        if (rois_num) std::sort(kept.begin(), kept.end());
        for (const int64_t i : kept) of.push_back({label, i, given.score(i)});
      }
      if (keep_top_k < 0 || of.size() <= static_cast<size_t>(keep_top_k)) continue;
      std::stable_sort(of.begin(), of.end(), [](const Found<T>& a, const Found<T>& b) { return a.score > b.score; });
      of.resize(keep_top_k);
      std::stable_sort(of.begin(), of.end(), [&](const Found<T>& a, const Found<T>& b) {
        return rois_num ? std::tie(a.label, a.box) < std::tie(b.label, b.box) : a.label < b.label;
      });
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
