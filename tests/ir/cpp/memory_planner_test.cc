// SPDX-License-Identifier: Apache-2.0
#include "ir/exec/memory_planner.h"

#include <random>

#include "../../core/cpp/check.h"

using namespace phi::ir;  // NOLINT

namespace {

TEST(BuffersThatLiveAtOnceAreApart) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    std::vector<Buffer> buffers(random() % 60);
    for (Buffer& buffer : buffers) {
      buffer.bytes = static_cast<int64_t>(random() % 5000);
      buffer.first = static_cast<int>(random() % 50);
      buffer.last = buffer.first + static_cast<int>(random() % 10);
    }
    const int64_t arena = PlanMemory(&buffers);
    ProveMemory(buffers, arena);
    CHECK(arena >= LiveBytes(buffers));
  }
}

TEST(MemoryIsUsedAgain) {
  std::vector<Buffer> chain;
  for (int i = 0; i < 100; ++i) chain.push_back({1000, i, i + 1});
  CHECK(PlanMemory(&chain) == 2 * 1024 && LiveBytes(chain) == 2 * 1024);
}

TEST(OtherOrdersAreTried) {
  std::vector<Buffer> earlier = {{128, 0, 2}, {64, 3, 5}, {128, 1, 3}, {128, 4, 7}};  // 320 by the others
  CHECK(PlanMemory(&earlier) == LiveBytes(earlier));
  std::vector<Buffer> longer = {{192, 1, 1}, {128, 1, 4}, {128, 3, 6}, {128, 4, 4}};  // 448 by the others
  CHECK(PlanMemory(&longer) == LiveBytes(longer));
}

TEST(AWrongPlanIsFound) {
  const std::vector<Buffer> overlap = {{100, 0, 2, 0}, {100, 2, 3, 64}};
  CHECK_ERROR(ProveMemory(overlap, 256), Fatal, "overlap");
  const std::vector<Buffer> crooked = {{100, 0, 2, 32}};
  CHECK_ERROR(ProveMemory(crooked, 256), Fatal, "planned at 32");
  const std::vector<Buffer> outside = {{100, 0, 2, 192}};
  CHECK_ERROR(ProveMemory(outside, 256), Fatal, "of 256");
}

}  // namespace
