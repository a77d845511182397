// SPDX-License-Identifier: Apache-2.0
#include "ir/exec/native_ops.h"
#include "ir/exec/scheduling.h"

namespace phi::ir {

bool Scheduling::SameStatic(int a, int b) {
  return !IsDynamic(a) && !IsDynamic(b) && tensors_[a].dims() == tensors_[b].dims() &&
         tensors_[a].dtype() == tensors_[b].dtype();
}

bool Scheduling::IsArray(int slot) {
  return static_cast<size_t>(slot) < program_.slots.size() && program_.slots[slot].is_array;
}

int Scheduling::KnownSide(int condition) {
  if (!IsKnown(condition)) return -1;
  const std::vector<int64_t> values = IntegersOf(tensors_[condition]);
  if (values.size() != 1) return -1;
  return values[0] != 0 ? 0 : 1;
}

void Scheduling::VisitSide(const Step& step, int side, std::vector<Action>* actions) {
  const Body& body = step.bodies[side];
  PADDLE_ENFORCE(body.yields.size() == step.outputs.size(),
                 errors::InvalidArgument(
                     "region %d yields %d values, expected %d", side, body.yields.size(), step.outputs.size()));
  Visit(body, actions);
  ++time_;
  for (size_t i = 0; i < step.outputs.size(); ++i) {
    const int out = step.outputs[i][0], from = body.yields[i];
    if (out < 0) continue;
    if (IsKnown(from) && !written_[out]) {
      SetConstant(out, DenseTensor(tensors_[from]));
      continue;
    }
    if (IsArray(out) || IsDynamic(from)) {
      SetDynamic(out);
      Pin({{from}});
    } else {
      AddBufferLike(out, from);
    }
    AddCopy(&step, from, out, actions);
  }
}

void Scheduling::VisitIf(const Step& step, std::vector<Action>* actions) {
  if (const int side = KnownSide(step.inputs[0][0]); side >= 0) return VisitSide(step, side, actions);
  Action action;
  action.kind = Action::Kind::If;
  action.step = &step;
  TouchAll(step.inputs);
  action.bodies.resize(2);
  action.ends.resize(2);
  int ends[2];
  for (int side = 0; side < 2; ++side) {
    ++unsure_;
    Visit(step.bodies[side], &action.bodies[side]);
    --unsure_;
    ends[side] = ++time_;
    PADDLE_ENFORCE(
        step.bodies[side].yields.size() == step.outputs.size(),
        errors::InvalidArgument(
            "region %d yields %d values, expected %d", side, step.bodies[side].yields.size(), step.outputs.size()));
  }
  for (size_t i = 0; i < step.outputs.size(); ++i) {
    const int out = step.outputs[i][0];
    if (out < 0) continue;
    const int first = step.bodies[0].yields[i], second = step.bodies[1].yields[i];
    const bool is_static = !IsArray(out) && SameStatic(first, second);
    if (!is_static) SetDynamic(out);
    for (int side = 0; side < 2; ++side) {
      const int from = side == 0 ? first : second, now = time_;
      time_ = ends[side];
      Touch(from);
      if (is_static && side == 0) AddBufferLike(out, first);
      Touch(out);
      if (!is_static) Pin({{from}});
      action.ends[side].push_back({from, out});
      time_ = now;
    }
  }
  actions->push_back(std::move(action));
}

void Scheduling::VisitWhile(const Step& step, std::vector<Action>* actions) {
  const Body& body = step.bodies[0];
  PADDLE_ENFORCE(body.arguments.size() + 1 == step.inputs.size() && body.yields.size() == step.inputs.size() &&
                     step.outputs.size() == body.arguments.size(),
                 errors::InvalidArgument("its region does not fit"));
  std::vector<bool> is_dynamic(body.arguments.size());
  for (size_t i = 0; i < is_dynamic.size(); ++i) {
    is_dynamic[i] = IsArray(body.arguments[i]) || IsDynamic(step.inputs[i + 1][0]);
  }
  for (;;) {
    Action action;
    const State before = Save();
    if (VisitLoop(step, &is_dynamic, &action)) {
      actions->push_back(std::move(action));
      break;
    }
    Restore(before);  // the shape of something changes from round to round
  }
  for (size_t i = 0; i < step.outputs.size(); ++i) {
    const int out = step.outputs[i][0], argument = body.arguments[i];
    if (out < 0) continue;
    if (is_dynamic[i]) {
      SetDynamic(out);
    } else {
      tensors_[out].set_meta(tensors_[argument].meta());
      tensors_[out].Borrow(program_.place, tensors_[argument].data());
      SetAlias(out, argument, 0);
    }
    Touch(out);
  }
}

bool Scheduling::VisitLoop(const Step& step, std::vector<bool>* is_dynamic, Action* action) {
  const Body& body = step.bodies[0];
  action->kind = Action::Kind::While;
  action->step = &step;
  TouchAll(step.inputs);
  for (size_t i = 0; i < body.arguments.size(); ++i) {
    const int argument = body.arguments[i], from = step.inputs[i + 1][0];
    if ((*is_dynamic)[i]) {
      SetDynamic(argument);
      Pin({{from}});
    } else {
      AddBufferLike(argument, from);
    }
    action->moves.push_back({from, argument});
  }
  ++time_;
  loops_.push_back({time_, {}});
  action->bodies.resize(1);
  action->ends.resize(1);
  ++unsure_;
  Visit(body, &action->bodies[0]);
  --unsure_;
  ++time_;
  bool holds = true;
  for (size_t i = 0; i < body.arguments.size(); ++i) {
    const int argument = body.arguments[i], next = body.yields[i + 1];
    if (!(*is_dynamic)[i] && !SameStatic(argument, next)) {
      (*is_dynamic)[i] = true;
      holds = false;
    }
    Touch(argument);
    Touch(next);
    if ((*is_dynamic)[i]) Pin({{next}});
  }
  action->next_condition = body.yields[0];
  Touch(body.yields[0]);
  if (holds) action->ends[0] = Carried(body);
  const Loop loop = std::move(loops_.back());
  loops_.pop_back();
  for (const int root : loop.outer) {
    lives_[root].last = std::max(lives_[root].last, time_);
    for (Loop& outer : loops_) {
      if (lives_[root].first < outer.begin) outer.outer.insert(root);
    }
  }
  return holds;
}

std::vector<Move> Scheduling::Carried(const Body& body) {
  std::vector<Move> first, moves;
  for (size_t i = 0; i < body.arguments.size(); ++i) {
    const int argument = body.arguments[i];
    int from = body.yields[i + 1];
    if (from == argument) continue;
    const bool is_carried = std::any_of(body.arguments.begin(), body.arguments.end(), [&](int other) {
      return HomeOf(other).root == HomeOf(from).root;
    });
    if (is_carried) {
      const int temporary = AddSlot();
      if (IsDynamic(from)) {
        SetDynamic(temporary);
      } else {
        AddBufferLike(temporary, from);
      }
      first.push_back({from, temporary});
      from = temporary;
    }
    moves.push_back({from, argument});
  }
  first.insert(first.end(), moves.begin(), moves.end());
  return first;
}

Scheduling::State Scheduling::Save() const {
  return {tensors_, made_->homes, lives_, written_, loops_, candidates_, made_->constants.size(), time_};
}

void Scheduling::Restore(const State& state) {
  tensors_ = state.tensors;
  made_->homes = state.homes;
  lives_ = state.lives;
  written_ = state.written;
  loops_ = state.loops;
  candidates_ = state.candidates;
  made_->constants.resize(state.constants);
  time_ = state.time;
}

}  // namespace phi::ir
