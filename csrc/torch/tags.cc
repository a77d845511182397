// SPDX-License-Identifier: Apache-2.0
#include "torch/tags.h"

#include <torch/headeronly/version.h>

#include <vector>

#include "common/enforce.h"

namespace phi::torch_bridge {

namespace {

struct Named {
  std::string_view name;
  at::Tag tag;
};

constexpr Named kTags[] = {
    {"pt2_compliant_tag", at::Tag::pt2_compliant_tag},
    {"pointwise", at::Tag::pointwise},
    {"nondeterministic_seeded", at::Tag::nondeterministic_seeded},
    {"needs_fixed_stride_order", at::Tag::needs_fixed_stride_order},
    {"flexible_layout", at::Tag::flexible_layout},
    {"inplace_view", at::Tag::inplace_view},
#if TORCH_VERSION_MAJOR > 2 || TORCH_VERSION_MINOR >= 13
    {"inplace", at::Tag::inplace},
#endif
};

}  // namespace

void Define(torch::Library& m, const char* schema, std::initializer_list<std::string_view> names) {
  std::vector<at::Tag> tags;
  for (const std::string_view name : names) {
    bool found = false;
    for (const Named& known : kTags) {
      if (known.name == name) {
        tags.push_back(known.tag);
        found = true;
      }
    }
    PADDLE_ENFORCE(found || name == "inplace", errors::NotFound("torch has no tag '%s'", std::string(name)));
  }
  m.def(schema, {tags.begin(), tags.end()});
}

}  // namespace phi::torch_bridge
