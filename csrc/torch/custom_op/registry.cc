// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <mutex>
#include <optional>
#include <set>

#include "core/kernel_factory.h"
#include "torch/autograd/vmap.h"
#include "torch/custom_op/custom_op.h"
#include "torch/errors.h"
#include "torch/keys.h"
#include "torch/tags.h"

namespace phi::torch_bridge {

namespace {

// All custom operators of the process; never destroyed, since they may run while it ends.
class Registry {
 public:
  static Registry& Instance() {
    static Registry& registry = *new Registry;
    return registry;
  }

  void Add(paddle::OpMetaInfo info) {
    const std::lock_guard<std::mutex> lock(mutex_);
    auto& orders = ops_[{info.extension, info.name}];
    const int order = info.order;
    // kept even if it turns out to be wrong: its first kernels may be registered then
    CustomOp* op = kept_.emplace_back(std::make_unique<CustomOp>(std::move(info))).get();
    if (orders[order] != nullptr) {
      PADDLE_THROW(errors::AlreadyExists("%s is declared twice: at %s:%d and at %s:%d",
                                         op->qualified_name(),
                                         orders[order]->info().file,
                                         orders[order]->info().line,
                                         op->info().file,
                                         op->info().line));
    }
    Define(*op);
    orders[order] = op;
    if (order > 0 && orders[order - 1] != nullptr) orders[order - 1]->SetDerivative(op);
    if (order < 2 && orders[order + 1] != nullptr) op->SetDerivative(orders[order + 1]);
  }

  std::vector<const CustomOp*> All() {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::vector<const CustomOp*> all;
    for (const auto& [name, orders] : ops_) {
      for (const CustomOp* op : orders) {
        if (op != nullptr) all.push_back(op);
      }
    }
    return all;
  }

  // Sources may declare an op and its gradient in any order, so what is missing shows only in the end.
  void CheckComplete() {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const auto& [name, orders] : ops_) {
      for (int order = 1; order < 3; ++order) {
        if (orders[order] == nullptr || orders[order - 1] != nullptr || !orphans_.insert(orders[order]).second) {
          continue;
        }
        KernelFactory::Instance().AddError(
            enforce::Format("%s (%s:%d) differentiates %s, which is not declared; add %s(%s)",
                            orders[order]->qualified_name(),
                            orders[order]->info().file,
                            orders[order]->info().line,
                            orders[order]->qualified_name().substr(0, orders[order]->qualified_name().size() - 5),
                            order == 1 ? "PD_BUILD_OP" : "PD_BUILD_GRAD_OP",
                            name.second));
      }
    }
  }

 private:
  torch::Library& LibraryOf(const paddle::OpMetaInfo& info) {
    auto& library = libraries_[info.extension];
    if (library == nullptr) {
      library = std::make_unique<torch::Library>(
          torch::Library::FRAGMENT, info.extension, std::nullopt, info.file, static_cast<uint32_t>(info.line));
    }
    return *library;
  }

  void Define(const CustomOp& op) {
    torch::Library& library = LibraryOf(op.info());
    DefineForm(library, op, /*inplace_form=*/false);
    if (!op.has_inplace_form()) return;
    DefineForm(library, op, /*inplace_form=*/true);
    std::vector<Mutation> mutations;
    for (size_t i = 0; i < op.outputs().size(); ++i) {
      const int input = op.outputs()[i].inplace;
      if (input >= 0) mutations.push_back({static_cast<size_t>(input), i});
    }
    const char* name = op.name().c_str();
    library.impl(name, torch::dispatch(c10::DispatchKey::ADInplaceOrView, CountOverwriting()));
    library.impl(name,
                 torch::dispatch(c10::DispatchKey::Functionalize,
                                 Functionalize(op.info().extension + "::" + op.functional_name(),
                                               op.argument_count(),
                                               std::move(mutations))));
  }

  static void DefineForm(torch::Library& library, const CustomOp& op, bool inplace_form) {
    const std::string schema = op.Schema(inplace_form);
    const std::string name = schema.substr(0, schema.find('('));
    torch_bridge::Define(library, schema.c_str(), {"pt2_compliant_tag"});
    const auto impl = [&](c10::DispatchKey key, torch::CppFunction&& kernel) {
      library.impl(name.c_str(), torch::dispatch(key, std::move(kernel)));
    };
    for (const auto device : {c10::DispatchKey::CPU, c10::DispatchKey::CUDA, c10::DispatchKey::PrivateUse1}) {
      impl(device, CustomKernel(op, inplace_form));
    }
    impl(c10::DispatchKey::Meta, CustomMetaKernel(op, inplace_form));
    impl(c10::DispatchKey::Autograd, CustomAutogradKernel(op, inplace_form));
    impl(c10::DispatchKey::FuncTorchBatched, LoopBatchRule());
    impl(c10::DispatchKey::Batched, AutogradLoopBatchRule());
  }

  std::mutex mutex_;
  std::map<std::string, std::unique_ptr<torch::Library>> libraries_;
  std::vector<std::unique_ptr<CustomOp>> kept_;
  std::map<std::pair<std::string, std::string>, CustomOp* [3]> ops_;  // name -> op, gradient, double gradient
  std::set<const CustomOp*> orphans_;                                 // that were reported
};

}  // namespace

void CheckCustomOps() { Registry::Instance().CheckComplete(); }
std::vector<const CustomOp*> CustomOps() { return Registry::Instance().All(); }

}  // namespace phi::torch_bridge

namespace paddle {

// Runs while a library is being loaded, where an exception would end the process.
void RegisterCustomOp(OpMetaInfo info) {
  const std::string name = info.extension + "::" + info.name;
  try {
    phi::torch_bridge::Registry::Instance().Add(std::move(info));
  } catch (const phi::enforce::EnforceNotMet& error) {
    phi::KernelFactory::Instance().AddError(error.what());
  } catch (const c10::Error& error) {
    phi::KernelFactory::Instance().AddError(name + ": " + error.what_without_backtrace());
  }
}

}  // namespace paddle
