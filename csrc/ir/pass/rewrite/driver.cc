// SPDX-License-Identifier: Apache-2.0
#include "ir/pass/rewrite/driver.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "common/enforce.h"
#include "ir/core/builtin_type.h"
#include "ir/core/infer_type.h"
#include "ir/pass/rewrite/matcher.h"
#include "ir/pass/rewrite/replacement.h"

namespace phi::ir {

namespace {

constexpr size_t kMostRewrites = 10;  // of one operation, and of what took its place

class Driver {
 public:
  Driver(Program* program, std::span<const Rewrite* const> rewrites)
      : program_(program), written_(*program), matched_{program, &written_} {
    for (const Rewrite* rewrite : rewrites) {
      for (const std::string& root : rewrite->Roots()) by_root_[root].push_back(rewrite);
    }
    for (auto& [root, candidates] : by_root_) {
      std::ranges::stable_sort(candidates, std::greater<>(), &Rewrite::Size);
    }
  }

  PassCounts Run() {
    Walk(program_->module(), [this](Operation* op) { Add(op); });
    while (!queue_.empty()) {
      Operation* op = queue_.front();
      queue_.pop_front();
      if (waiting_.erase(op) != 0) Visit(op);
    }
    return std::move(counts_);
  }

 private:
  void Add(Operation* op) {
    if (by_root_.contains(op->name()) && waiting_.insert(op).second) queue_.push_back(op);
  }

  void Visit(Operation* op) {
    for (const Rewrite* rewrite : by_root_.at(op->name())) {
      const auto match = FindMatch(*rewrite, op, matched_);
      if (match && Apply(*rewrite, *match)) return;
    }
  }

  // False where the operators of the replacement refuse it, make another type, or have to guess.
  bool Apply(const Rewrite& rewrite, const Match& match) {
    Operation* root = match.ops.front();
    const size_t at = RootResult(rewrite, *root);
    Replacement replacement(rewrite, match, matched_);
    Value value;
    try {
      value = replacement.Build();
    } catch (const enforce::EnforceNotMet&) {
      return false;
    }
    if (value.type() != root->result(at).type()) return false;
    if (std::ranges::any_of(replacement.ops(), GuessesSizes)) return false;
    const std::vector<std::string> history = Extended(rewrite, match);
    replacement.Take();
    if (!replacement.ops().empty()) replacement.ops().back()->set_result_name(value.index(), root->result_name(at));
    Queue(match);
    root->result(at).ReplaceAllUsesWith(value);
    Erase(match.ops);
    for (Operation* op : replacement.ops()) {
      history_[op] = history;
      Add(op);
    }
    for (const OpOperand* use = value.first_use(); use != nullptr; use = use->next_use()) Add(use->owner());
    ++counts_[rewrite.name];
    return true;
  }

  // Whether an operation fits its operands only if sizes are equal of which nobody knows it.
  static bool GuessesSizes(const Operation* op) {
    return !IsProven(*op) && std::ranges::all_of(op->operands(), [](const OpOperand& operand) {
      const Operation* made = operand.value() ? operand.value().defining_op() : nullptr;
      return made == nullptr || IsProven(*made);
    });
  }

  static size_t RootResult(const Rewrite& rewrite, const Operation& root) {
    if (rewrite.match.kind != TermKind::Field) return 0;
    const auto outputs = root.info().row().outputs;
    const auto found = std::ranges::find(outputs, std::string_view(rewrite.match.text), &OutputInfo::name);
    return static_cast<size_t>(found - outputs.begin());
  }

  // The names of the rewrites that an operation comes from.
  std::vector<std::string> Extended(const Rewrite& rewrite, const Match& match) const {
    std::vector<std::string> history;
    for (const Operation* op : match.ops) {
      const auto found = history_.find(op);
      if (found != history_.end() && found->second.size() > history.size()) history = found->second;
    }
    history.push_back(rewrite.name);
    if (history.size() <= kMostRewrites) return history;
    std::string names;
    for (const std::string& name : std::set<std::string>(history.begin(), history.end())) {
      names += (names.empty() ? "'" : ", '") + name + "'";
    }
    PADDLE_THROW(errors::PreconditionNotMet(
        "the rewrites %s chase each other: more than %d of them at %s; add a condition that is false of what they make",
        names,
        kMostRewrites,
        Describe(*match.ops.front())));
  }

  // What else uses the operands may match once they have fewer uses.
  void Queue(const Match& match) {
    for (const Operation* op : match.ops) {
      for (const OpOperand& operand : op->operands()) {
        if (!operand.value()) continue;
        for (const OpOperand* use = operand.value().first_use(); use != nullptr; use = use->next_use()) {
          Add(use->owner());
        }
      }
    }
  }

  // All that are not used any more: the root first, which uses the others.
  void Erase(std::vector<Operation*> ops) {
    const auto is_used = [](const Operation* op) {
      for (size_t i = 0; i < op->num_results(); ++i) {
        if (op->result(i).has_uses()) return true;
      }
      return false;
    };
    for (bool erased = true; erased;) {
      erased = false;
      for (Operation*& op : ops) {
        if (op == nullptr || is_used(op)) continue;
        waiting_.erase(op);
        history_.erase(op);
        op->Erase();
        op = nullptr;
        erased = true;
      }
    }
  }

  Program* const program_;
  const WrittenValues written_;
  const MatchedProgram matched_;
  std::unordered_map<std::string, std::vector<const Rewrite*>> by_root_;
  std::deque<Operation*> queue_;  // an operation that is gone is not among those that wait
  std::unordered_set<const Operation*> waiting_;
  std::unordered_map<const Operation*, std::vector<std::string>> history_;
  PassCounts counts_;
};

}  // namespace

PassCounts ApplyRewrites(Program* program, std::span<const Rewrite* const> rewrites) {
  return Driver(program, rewrites).Run();
}

}  // namespace phi::ir
