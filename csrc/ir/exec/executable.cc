// SPDX-License-Identifier: Apache-2.0
#include "ir/exec/executable.h"

#include <algorithm>
#include <optional>
#include <sstream>

#include "core/device_context_pool.h"
#include "ir/core/builtin_type.h"
#include "ir/core/verify.h"
#include "ir/exec/native_arrays.h"
#include "ir/shape/dim_range.h"

namespace phi::ir {

using enforce::Format;

Executable::Executable(const Program& program, const CompileOptions& options)
    : options_(options), kept_(options.schedules) {
  const std::vector<std::string> faults = Verify(program);
  std::string all;
  for (const std::string& fault : faults) all += "\n  " + fault;
  PADDLE_ENFORCE(faults.empty(), errors::InvalidArgument("the program has %d faults:%s", faults.size(), all));
  program_ = Lower(program, options.place);
}

namespace {

// The number of the symbol that a size is.
std::optional<int64_t> SymbolOf(const Dim& dim) {
  std::vector<int64_t> symbols;
  dim.CollectSymbols(&symbols);
  const bool is_one = symbols.size() == 1 && dim.ToString() == "s" + std::to_string(symbols[0]);
  return is_one ? std::optional(symbols[0]) : std::nullopt;
}

}  // namespace

void Executable::Check(std::span<const DenseTensor> inputs) const {
  const auto& expected = program_->inputs;
  if (inputs.size() != expected.size()) {
    std::string names;
    for (const Port& port : expected) names += (names.empty() ? "" : ", ") + port.name;
    PADDLE_THROW(errors::InvalidArgument(
        "expected %d inputs (%s), got %d", expected.size(), names.empty() ? "none" : names, inputs.size()));
  }
  const auto check = [&](bool fits, size_t i, const std::string& why) {
    PADDLE_ENFORCE(fits,
                   errors::InvalidArgument("input '%s': expected %s%s, got %s",
                                           expected[i].name,
                                           expected[i].type,
                                           why,
                                           TypeText(inputs[i].dtype(), inputs[i].dims())));
  };
  std::vector<std::optional<int64_t>> values(program_->program->symbols().size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    const auto type = expected[i].type.dyn_cast<TensorType>();
    const auto& dims = type.dims();
    check(type.dtype() == inputs[i].dtype() && dims.size() == static_cast<size_t>(inputs[i].dims().size()), i, "");
    for (size_t d = 0; d < dims.size(); ++d) {
      const int64_t got = inputs[i].dims()[static_cast<int>(d)];
      check(!dims[d].is_number() || dims[d].number() == got, i, "");
      const std::optional<int64_t> number = SymbolOf(dims[d]);
      if (!number) continue;
      std::optional<int64_t>& value = values[*number];
      if (value) check(*value == got, i, Format(", where s%d is %d already", *number, *value));
      const SymbolInfo& info = program_->program->symbols().at(*number);
      const std::string to = info.upper == SymbolInfo::kNoUpper ? "" : Format(" to %d", info.upper);
      check(got >= info.lower && got <= info.upper && got % info.divisor == 0,
            i,
            Format(", where s%d is from %d on%s", *number, info.lower, to));
      value = got;
    }
  }
  SymbolTable known;
  for (size_t number = 0; number < values.size(); ++number) {
    SymbolInfo info = program_->program->symbols().at(static_cast<int64_t>(number));
    if (values[number]) info.lower = info.upper = *values[number];
    known.Add(info);
  }
  for (size_t i = 0; i < inputs.size(); ++i) {  // sizes that follow from symbols
    const auto& dims = expected[i].type.dyn_cast<TensorType>().dims();
    for (size_t d = 0; d < dims.size(); ++d) {
      if (dims[d].is_number() || dims[d].is_unknown() || SymbolOf(dims[d])) continue;
      const DimRange range = RangeOf(dims[d], known);
      const bool fits = range.lower != range.upper || range.lower == inputs[i].dims()[static_cast<int>(d)];
      check(fits, i, Format(", where %s is %d", dims[d].ToString(), range.lower));
    }
  }
}

std::shared_ptr<KeptSchedule> Executable::Find(std::span<const DenseTensor> inputs) {
  bool well_typed = inputs.size() == program_->inputs.size();
  for (size_t i = 0; i < inputs.size() && well_typed; ++i) {
    well_typed = inputs[i].dtype() == program_->slots[program_->inputs[i].slot].declared.dtype();
  }
  std::shared_ptr<KeptSchedule> kept = well_typed ? kept_.Find(inputs) : nullptr;
  if (kept != nullptr) return kept;
  Check(inputs);
  std::vector<DDim> dims;
  for (const DenseTensor& input : inputs) dims.push_back(input.dims());
  return kept_.Add(inputs, MakeSchedule(*program_, dims, options_.max_memory));
}

std::shared_ptr<const Schedule> Executable::ScheduleFor(std::span<const DenseTensor> inputs) {
  const std::shared_ptr<KeptSchedule> kept = Find(inputs);
  return {kept, kept->schedule.get()};
}

void Executable::RunObserved(std::span<const DenseTensor> inputs,
                             OutputReceiver* outputs,
                             const Observer* observer,
                             bool poison) {
  const std::shared_ptr<KeptSchedule> kept = Find(inputs);
  std::unique_ptr<Frame> frame = kept->Take();
  if (frame == nullptr) frame = std::make_unique<Frame>(*program_, *kept->schedule, options_.limits);
  if (!frame->HasMemory()) frame->SetMemory(kept_.TakeMemory());
  // the frame goes back whatever happens
  struct Return {
    KeptSchedules* all;
    KeptSchedule* to;
    std::unique_ptr<Frame>* frame;
    ~Return() { all->Give(to, std::move(*frame)); }
  } back{&kept_, kept.get(), &frame};
  std::unique_lock<std::mutex> alone(writing_, std::defer_lock);
  if (program_->writes_parameters) alone.lock();
  for (size_t i = 0; i < inputs.size(); ++i) frame->SetInput(i, const_cast<void*>(inputs[i].data()));
  const size_t count = program_->outputs.size();
  for (size_t i = 0; i < count; ++i) {
    if (!frame->IsMadeOutput(i)) frame->SetOutput(i, outputs->Allocate(i, frame->output(i).meta()));
  }
  if (observer == nullptr && !poison) {
    frame->Run();
  } else {
    frame->RunObserved(observer != nullptr ? *observer : Observer(), poison);
  }
  const auto context = [&]() -> const DeviceContext& { return *DeviceContextPool::Instance().Get(options_.place); };
  for (size_t i = 0; i < count; ++i) {
    if (frame->IsArrayOutput(i)) {
      outputs->ReceiveArray(i, OwnArray(context(), program_->outputs[i].name, frame->array_output(i)));
    } else if (frame->IsMadeOutput(i)) {
      DenseTensor owned;
      const DenseTensor& made = frame->output(i);
      const bool is_own = made.Holder() != nullptr && made.is_contiguous();
      AssignTensor(context(), made, !is_own, &owned);
      outputs->Receive(i, std::move(owned));
    }
  }
}

namespace {

class OwnedOutputs final : public OutputReceiver {
 public:
  OwnedOutputs(const Place& place, size_t count) : place_(place), tensors(count) {}
  void* Allocate(size_t i, const DenseTensorMeta& meta) override {
    tensors[i] = DenseTensor(meta, place_);
    return DeviceContextPool::Instance().Get(place_)->Alloc(&tensors[i], meta.dtype);
  }
  void Receive(size_t i, DenseTensor tensor) override { tensors[i] = std::move(tensor); }
  void ReceiveArray(size_t i, TensorArray) override {
    PADDLE_THROW(
        errors::Unimplemented("output %d is an array of tensors, for which a run needs a receiver of its outputs", i));
  }

 private:
  const Place place_;

 public:
  std::vector<DenseTensor> tensors;
};

void ExplainBody(const Body& body, int depth, std::ostream& os) {
  const std::string indent(2 * depth, ' ');
  for (const Step& step : body.steps) {
    if (step.kind == Step::Kind::Shape || step.kind == Step::Kind::Copy) continue;
    os << indent << Describe(*step.op);
    if (step.kind == Step::Kind::Call || step.kind == Step::Kind::View) os << ": " << step.plan;
    if (step.kind == Step::Kind::View) os << " [a view]";
    os << '\n';
    for (const Body& inner : step.bodies) ExplainBody(inner, depth + 1, os);
  }
}

}  // namespace

std::vector<DenseTensor> Executable::Run(std::span<const DenseTensor> inputs) {
  OwnedOutputs outputs(options_.place, program_->outputs.size());
  Run(inputs, &outputs);
  return std::move(outputs.tensors);
}

std::string Executable::Explain(const Schedule* schedule) const {
  std::ostringstream os;
  ExplainBody(program_->body, 0, os);
  if (schedule != nullptr) {
    os << schedule->actions.size() << " instructions, " << schedule->arena << " bytes of memory ("
       << LiveBytes(schedule->buffers) << " live at once), " << schedule->output_bytes << " bytes of outputs\n";
  }
  return os.str();
}

}  // namespace phi::ir
