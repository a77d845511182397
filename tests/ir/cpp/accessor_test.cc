// SPDX-License-Identifier: Apache-2.0
#include "../../core/cpp/check.h"
#include "ir/ops/batch_norm.h"
#include "ir/ops/conv2d.h"
#include "ir/ops/matmul.h"
#include "ir/ops/reshape.h"
#include "ir/text/parser.h"

using namespace phi::ir;  // NOLINT

namespace {

template <typename T>
T First(const Program& program) {
  for (Operation& op : *program.block()) {
    if (op.isa<T>()) return T(&op);
  }
  return T();
}

}  // namespace

TEST(accessors) {
  const auto program = ParseProgram(R"(phi.program 1
program {
  %x = pd_op.data {name = "x", shape = [1,2,4,4], dtype = float32} : f32[1,2,4,4]
  %w = builtin.parameter {name = "w"} : f32[2,2,1,1]
  %m = builtin.parameter {name = "m"} : f32[2]
  %s = pd_op.full_int_array {value = [2,16]} : i64[2]
  %c = pd_op.conv2d(%x, %w) {strides = [1,1], data_format = "NCHW"} : f32[1,2,4,4]
  %n, %mean, %v, _, _, _ = pd_op.batch_norm_(%c, %m, %m, none, %m) {epsilon = 0.5} : f32[1,2,4,4], f32[2], f32[2], f32[2], f32[2], none
  %r = pd_op.reshape(%n, %s) : f32[2,16]
  %q = pd_op.reshape_(%r, none) {shape = [16,2]} : f32[16,2]
  %p = pd_op.matmul(%r, %r) {transpose_y = true} : f32[2,2]
}
)");
  const auto matmul = First<MatmulOp>(*program);
  CHECK(!matmul.transpose_x() && matmul.transpose_y() && matmul.x() == matmul.y());
  const auto norm = First<BatchNorm_Op>(*program);
  CHECK(norm && !First<BatchNormOp>(*program) && !norm.scale() && norm.mean() == norm.variance());
  CHECK(norm.epsilon() == 0.5 && norm.data_format() == "NCHW" && norm.mean_out() == norm->result(1));
  const auto conv = First<Conv2dOp>(*program);
  CHECK_EQ(conv.strides().items().size(), 2u);
  CHECK(conv.out() == norm.x());
  const auto reshape = First<ReshapeOp>(*program);
  CHECK(reshape.shape_operand() && !reshape.shape());
  const auto in_place = First<Reshape_Op>(*program);
  CHECK(!in_place.shape_operand() && in_place.shape().data() == (std::vector<int64_t>{16, 2}));
  matmul->set_attribute("transpose_x", {});
  CHECK_ERROR(matmul.transpose_x(), InvalidArgument, "'pd_op.matmul' (%p): attribute 'transpose_x' is none");
}
