// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numeric>

#include "check.h"
#include "core/device_context_pool.h"
#include "primitive/add.h"
#include "primitive/arg_reduce.h"
#include "primitive/broadcast_elementwise_binary.h"
#include "primitive/cast.h"
#include "primitive/constant_pad.h"
#include "primitive/copy_nd.h"
#include "primitive/distribution.h"
#include "primitive/elementwise_unary.h"
#include "primitive/fill.h"
#include "primitive/matmul.h"
#include "primitive/memcpy.h"
#include "primitive/memset.h"
#include "primitive/permute.h"
#include "primitive/reduction.h"
#include "primitive/scan.h"
#include "primitive/scatter.h"
#include "primitive/softmax.h"
#include "primitive/topk.h"

// The primitives as a caller sees them that knows neither devices nor types: no header of a device is included here.
namespace {

using namespace phi;             // NOLINT
using namespace phi::primitive;  // NOLINT

const DeviceContext& Cpu() { return *DeviceContextPool::Instance().Get(CPUPlace()); }

template <typename T>
DenseTensor Tensor(const DDim& dims, const std::vector<T>& values) {
  DenseTensor tensor;
  tensor.Resize(dims);
  std::copy(values.begin(), values.end(), Cpu().Alloc<T>(&tensor));
  return tensor;
}

DenseTensor Range(const DDim& dims) {
  std::vector<float> values(product(dims));
  std::iota(values.begin(), values.end(), 0.0f);
  return Tensor(dims, values);
}

DenseTensor Empty(const DDim& dims, DataType dtype = DataType::FLOAT32) {
  DenseTensor tensor;
  tensor.Resize(dims);
  Cpu().Alloc(&tensor, dtype);
  return tensor;
}

template <typename T>
std::vector<double> Values(const DenseTensor& tensor) {
  return std::vector<double>(tensor.data<T>(), tensor.data<T>() + tensor.numel());
}

std::vector<double> Values(const DenseTensor& tensor) { return Values<float>(tensor); }

void CheckValues(const DenseTensor& tensor, const std::vector<double>& expected) {
  const std::vector<double> values = Values(tensor);
  CHECK_EQ(values.size(), expected.size());
  for (size_t i = 0; i < values.size(); ++i) CHECK_EQ(values[i], expected[i]);
}

TEST(primitive_that_a_device_lacks_is_null) {
  CHECK(FindPrimitive<Cast>(Backend::CPU, DataType::FLOAT32, DataType::INT64) != nullptr);
  CHECK(FindPrimitive<Cast>(Backend::CPU, DataType::FLOAT32, DataType::PSTRING) == nullptr);
  CHECK(FindPrimitive<Cast>(Backend::XPU, DataType::FLOAT32, DataType::INT64) == nullptr);
  CHECK(FindPrimitive<Softmax>(Backend::CPU, DataType::INT32) == nullptr);
  CHECK(FindPrimitive<Reduction>(Backend::CPU, ReduceOp::kMax, DataType::COMPLEX64, DataType::COMPLEX64) == nullptr);
  CHECK(FindPrimitive<Matmul>(Backend::CPU, DataType::BOOL) == nullptr);
  CHECK(ElementwiseUnary::Find(Backend::CPU, "no_such_op", DataType::FLOAT32) == nullptr);
  CHECK(ElementwiseUnary::Find(Backend::CPU, "add", DataType::FLOAT32) == nullptr);
  CHECK(ElementwiseUnary::Find(Backend::CPU, "relu", DataType::BOOL) == nullptr);
}

TEST(primitive_that_must_be_there_says_what_lacks) {
  CHECK_ERROR(GetPrimitive<Softmax>(Cpu(), DataType::INT32), Unimplemented, "'softmax' has no implementation");
}

struct Late {
  static constexpr const char* kName = "test_late";
  using Key = std::tuple<DataType>;
  using Fn = int (*)();
};

TEST(primitive_of_a_library_that_is_loaded_later) {
  CHECK(FindPrimitive<Late>(Backend::CUSTOM, DataType::INT8) == nullptr);
  RegisterPrimitive<Late>(Backend::CUSTOM, [] { return 3; }, DataType::INT8);
  CHECK_EQ(FindPrimitive<Late>(Backend::CUSTOM, DataType::INT8)(), 3);
  CHECK(FindPrimitive<Late>(Backend::CUSTOM, DataType::INT16) == nullptr);
}

TEST(primitive_memory) {
  const DenseTensor x = Range({3});
  DenseTensor out = Empty({3});
  GetPrimitive<Memcpy>(Cpu(), MemcpyKind::kDeviceToDevice)(Cpu(), out.data(), x.data(), 12);
  CheckValues(out, {0, 1, 2});
  GetPrimitive<Memset>(Cpu())(Cpu(), out.data(), 0, 8);
  CheckValues(out, {0, 0, 2});
  SetZero(Cpu(), &out);
  CheckValues(out, {0, 0, 0});
}

TEST(primitive_fill) {
  DenseTensor out = Empty({2, 2});
  FillWith(Cpu(), 1.5, &out);
  CheckValues(out, {1.5, 1.5, 1.5, 1.5});
  DenseTensor whole = Empty({1}, DataType::INT32);
  FillWith(Cpu(), 2.7, &whole);
  CHECK_EQ(whole.data<int32_t>()[0], 2);
}

TEST(primitive_copy_nd_broadcasts_and_takes_strides) {
  DenseTensor out;
  out.Resize({2, 3});
  Copy(Cpu(), Range({3}), &out);
  CheckValues(out, {0, 1, 2, 0, 1, 2});
  DenseTensor transposed = Range({3, 2});
  DenseTensorMeta meta = transposed.meta();
  std::swap(meta.dims[0], meta.dims[1]);
  std::swap(meta.strides[0], meta.strides[1]);
  meta.contiguous = false;
  transposed.set_meta(meta);
  Copy(Cpu(), transposed, &out);
  CheckValues(out, {0, 2, 4, 1, 3, 5});
}

TEST(primitive_copy_nd_of_a_large_permutation) {
  const DenseTensor x = Range({30, 20, 10});
  DenseTensor view = x;
  DenseTensorMeta meta = view.meta();
  meta.dims = {10, 30, 20};
  meta.strides = {1, 200, 10};
  meta.contiguous = false;
  view.set_meta(meta);
  DenseTensor out;
  out.Resize(meta.dims);
  Copy(Cpu(), view, &out);
  for (int64_t i : {0, 7, 601, 5999}) {
    CHECK_EQ(out.data<float>()[i], static_cast<float>(i % 600 / 20 * 200 + i % 20 * 10 + i / 600));
  }
}

TEST(primitive_constant_pad) {
  DenseTensor out = Empty({2, 4});
  GetPrimitive<ConstantPad>(Cpu(), DataType::FLOAT32)(Cpu(), Range({1, 2}), {1, 1}, Scalar(7.0f), &out);
  CheckValues(out, {7, 7, 7, 7, 7, 0, 1, 7});
  GetPrimitive<ConstantPad>(Cpu(), DataType::FLOAT32)(Cpu(), Empty({0, 2}), {2, 0}, Scalar(1.0f), &out);
  CheckValues(out, {1, 1, 1, 1, 1, 1, 1, 1});
}

TEST(primitive_permute) {
  DenseTensor out = Empty({3, 2});
  PermuteTo(Cpu(), Range({2, 3}), {1, 0}, &out);
  CheckValues(out, {0, 3, 1, 4, 2, 5});
}

TEST(primitive_cast) {
  DenseTensor out;
  out.Resize({3});
  CastTo(Cpu(), Tensor<float>({3}, {1.5f, -2.5f, 0.0f}), DataType::INT64, &out);
  CHECK(Values<int64_t>(out) == std::vector<double>({1, -2, 0}));
  DenseTensor same;
  same.Resize({3});
  CastTo(Cpu(), out, DataType::INT64, &same);
  CHECK(Values<int64_t>(same) == std::vector<double>({1, -2, 0}));
  CHECK_ERROR(CastTo(Cpu(), out, DataType::PSTRING, &same), Unimplemented, "'cast'");
}

TEST(primitive_add_of_any_number) {
  const DenseTensor x = Range({2, 2});
  const DenseTensor row = Range({2});
  const auto add = GetPrimitive<Add>(Cpu(), DataType::FLOAT32);
  for (size_t n = 1; n < 8; ++n) {
    std::vector<const DenseTensor*> tensors(n, &x);
    tensors.push_back(&row);
    DenseTensor out = Empty({2, 2});
    add(Cpu(), tensors, &out);
    const double k = static_cast<double>(n);
    CheckValues(out, {0, k + 1, 2 * k, 3 * k + 1});
  }
}

TEST(primitive_elementwise_by_name) {
  DenseTensor out;
  out.Resize({3});
  ElementwiseUnary::Find(Backend::CPU, "square", DataType::FLOAT32)(Cpu(), Range({3}), &out);
  CheckValues(out, {0, 1, 4});
  const auto less = BroadcastElementwiseBinary::Find(Backend::CPU, "less_than", DataType::FLOAT32);
  DenseTensor mask;
  mask.Resize({2, 3});
  less(Cpu(), Range({2, 3}), Tensor<float>({1}, {2.0f}), &mask);
  CHECK(Values<bool>(mask) == std::vector<double>({1, 1, 0, 0, 0, 0}));
}

TEST(primitive_reduction) {
  AxisSet rows;
  rows.Add(0);
  DenseTensor out;
  out.Resize({3});
  Reduce(Cpu(), ReduceOp::kSum, Range({2, 3}), rows, DataType::FLOAT32, &out);
  CheckValues(out, {3, 5, 7});
  Reduce(Cpu(), ReduceOp::kMean, Range({2, 3}), rows, DataType::FLOAT32, &out);
  CheckValues(out, {1.5, 2.5, 3.5});
  DenseTensor all;
  all.Resize({});
  Reduce(Cpu(), ReduceOp::kMax, Range({2, 3}), AxisSet(), DataType::FLOAT32, &all);
  CheckValues(all, {5});
  Reduce(Cpu(), ReduceOp::kSum, Tensor<int32_t>({2}, {2, 3}), AxisSet(), DataType::INT64, &all);
  CHECK_EQ(all.data<int64_t>()[0], 5);
  Reduce(Cpu(), ReduceOp::kProd, Tensor<int32_t>({2}, {2, 3}), AxisSet(), DataType::INT64, &all);
  CHECK_EQ(all.data<int64_t>()[0], 6);
  Reduce(Cpu(), ReduceOp::kProd, Tensor<float>({3}, {2, -3, 0.5}), AxisSet(), DataType::FLOAT32, &all);
  CheckValues(all, {-3});
  Reduce(Cpu(), ReduceOp::kNorm, Tensor<float>({2}, {3, -4}), AxisSet(), DataType::FLOAT32, &all);
  CheckValues(all, {5});
}

TEST(primitive_arg_reduction) {
  DenseTensor out;
  out.Resize({2});
  const DenseTensor x = Tensor<float>({2, 3}, {1, 7, 7, 4, 0, 2});
  ArgReduce(Cpu(), ArgReduceOp::kMax, x, primitive::AxisShape(x.dims(), 1), DataType::INT64, &out);
  CHECK(Values<int64_t>(out) == std::vector<double>({1, 0}));
  ArgReduce(Cpu(), ArgReduceOp::kMin, x, primitive::AxisShape(x.dims(), 1), DataType::INT32, &out);
  CHECK(Values<int32_t>(out) == std::vector<double>({0, 1}));
  const DenseTensor none = Empty({2, 0});
  CHECK_ERROR(ArgReduce(Cpu(), ArgReduceOp::kMax, none, primitive::AxisShape(none.dims(), 1), DataType::INT64, &out),
              InvalidArgument,
              "the axis has no elements: [2, 0]");
}

TEST(primitive_scan) {
  DenseTensor out;
  out.Resize({2, 2});
  CumulativeSum(Cpu(), Range({2, 2}), primitive::AxisShape({2, 2}, 0), {}, &out);
  CheckValues(out, {0, 1, 2, 4});
  CumulativeSum(Cpu(), Range({2, 2}), primitive::AxisShape({2, 2}, 1), {.exclusive = true, .reverse = true}, &out);
  CheckValues(out, {1, 0, 3, 0});
}

TEST(primitive_topk_selects_and_sorts) {
  const DenseTensor x = Tensor<float>({4}, {1, 9, 3, 9});
  DenseTensor out = Empty({2}), indices = Empty({2}, DataType::INT64);
  const auto select = GetPrimitive<TopK>(Cpu(), DataType::FLOAT32);
  select(Cpu(), x, primitive::AxisShape({4}, 0), 2, true, true, &out, &indices);
  CheckValues(out, {9, 9});
  CHECK(Values<int64_t>(indices) == std::vector<double>({1, 3}));
  DenseTensor sorted = Empty({4}), order = Empty({4}, DataType::INT64);
  select(Cpu(), x, primitive::AxisShape({4}, 0), 4, false, true, &sorted, &order);
  CheckValues(sorted, {1, 3, 9, 9});
  CHECK(Values<int64_t>(order) == std::vector<double>({0, 2, 1, 3}));
}

TEST(primitive_gather_and_scatter) {
  const DenseTensor x = Range({3, 2}), ids = Tensor<int64_t>({3}, {2, 0, -1});
  const LookupTable table = TableAlong(x, 0);
  DenseTensor rows = Empty({3, 2});
  GetPrimitive<Gather>(Cpu())(Cpu(), table, ids, x, &rows);
  CheckValues(rows, {4, 5, 0, 1, 4, 5});
  DenseTensor sums = Empty({3, 2});
  GetPrimitive<ScatterSum>(Cpu(), DataType::FLOAT32)(Cpu(), table, ids, rows, &sums);
  CheckValues(sums, {0, 1, 0, 0, 8, 10});
  CHECK_ERROR(GetPrimitive<Gather>(Cpu())(Cpu(), table, Tensor<int64_t>({1}, {3}), x, &rows), OutOfRange, "got 3");
}

TEST(primitive_random_numbers) {
  std::vector<float> few(8), many(5000);
  const primitive::PhiloxState state{7, 0};
  GetPrimitive<UniformNumbers>(Cpu(), DataType::FLOAT32)(Cpu(), state, 2.0, 3.0, 8, few.data());
  GetPrimitive<UniformNumbers>(Cpu(), DataType::FLOAT32)(Cpu(), state, 2.0, 3.0, 5000, many.data());
  CHECK(std::equal(few.begin(), few.end(), many.begin()));
  CHECK(std::all_of(many.begin(), many.end(), [](float v) { return v >= 2 && v < 3; }));
  GetPrimitive<NormalNumbers>(Cpu(), DataType::FLOAT32)(Cpu(), state, 1.0, 2.0, 5000, many.data());
  CHECK(std::abs(std::accumulate(many.begin(), many.end(), 0.0) / 5000 - 1) < 0.1);
}

TEST(primitive_softmax) {
  DenseTensor out = Empty({1, 2});
  GetPrimitive<Softmax>(Cpu(), DataType::FLOAT32)(Cpu(), Range({1, 2}), 1, &out);
  CHECK(std::abs(out.data<float>()[1] - 0.7310586f) < 1e-5f);
  GetPrimitive<LogSoftmax>(Cpu(), DataType::FLOAT32)(Cpu(), Range({1, 2}), 1, &out);
  CHECK(std::abs(out.data<float>()[0] + 1.3132617f) < 1e-5f);
  const DenseTensor y = Tensor<float>({1, 2}, {0.25, 0.75}), dy = Tensor<float>({1, 2}, {1, 2});
  GetPrimitive<SoftmaxGrad>(Cpu(), DataType::FLOAT32)(Cpu(), y, dy, 1, &out);
  CheckValues(out, {-0.1875, 0.1875});
  GetPrimitive<LogSoftmaxGrad>(Cpu(), DataType::FLOAT32)(Cpu(), Range({1, 2}), dy, 1, &out);
  CHECK(std::abs(out.data<float>()[0] + 2) < 1e-5f);
}

TEST(primitive_matmul_broadcasts) {
  DenseTensor out = Empty({2, 2, 2});
  MatMul(Cpu(), Range({2, 2, 2}), false, Tensor<float>({2, 2}, {0, 1, 1, 0}), true, &out);
  CheckValues(out, {1, 0, 3, 2, 5, 4, 7, 6});
  MatMul(Cpu(), Range({2, 2, 2}), false, Tensor<float>({2, 2}, {0, 1, 1, 0}), true, &out, {.accumulate = true});
  CheckValues(out, {2, 0, 6, 4, 10, 8, 14, 12});
}

enum class ProbeOp { kFirst, kLast, kCount };
struct Probe {
  static constexpr const char* kName = "probe";
  using Key = std::tuple<ProbeOp, phi::DataType>;
  using Fn = void (*)(const phi::DeviceContext&);
};
static_assert(phi::detail::PrimitiveKey<Probe::Key>::kSize == 2 * static_cast<size_t>(phi::DataType::NUM_DATA_TYPES));

TEST(table_of_a_primitive_has_a_place_for_each_key) {
  const Probe::Fn function = [](const phi::DeviceContext&) {};
  phi::RegisterPrimitive<Probe>(phi::Backend::CUSTOM, function, ProbeOp::kLast, phi::DataType::FLOAT8_E5M2);
  int found = 0;
  for (const ProbeOp op : {ProbeOp::kFirst, ProbeOp::kLast}) {
    for (int dtype = 0; dtype < static_cast<int>(phi::DataType::NUM_DATA_TYPES); ++dtype) {
      found += phi::FindPrimitive<Probe>(phi::Backend::CUSTOM, op, static_cast<phi::DataType>(dtype)) != nullptr;
    }
  }
  CHECK_EQ(found, 1);
  CHECK(phi::FindPrimitive<Probe>(phi::Backend::CUSTOM, ProbeOp::kLast, phi::DataType::FLOAT8_E5M2) == function);
  CHECK(phi::FindPrimitive<Probe>(phi::Backend::CPU, ProbeOp::kLast, phi::DataType::FLOAT8_E5M2) == nullptr);
  CHECK_ERROR(phi::PrimitiveTable::Of("probe", 3), PreconditionNotMet, "different keys for the primitive 'probe'");
}

}  // namespace
