// SPDX-License-Identifier: Apache-2.0
#include "backends/all_context.h"
#include "check.h"
#include "common/flags.h"
#include "core/device_context_pool.h"
#include "core/kernel_registry.h"
#include "core/kernel_selection.h"
#include "core/yaml_places.h"

namespace phi {

template <typename T, typename Context>
void NopKernel(const Context&, const DenseTensor&, DenseTensor*) {}
template <typename T, typename Context>
void OtherKernel(const Context&, const DenseTensor&, int, DenseTensor*) {}
template <typename Context>
void AnyTypeKernel(const Context&, const DenseTensor&, DenseTensor*) {}

}  // namespace phi

PD_REGISTER_KERNEL(select, CPU, ALL_LAYOUT, phi::NopKernel, float, double, int64_t) {}
PD_REGISTER_KERNEL(select, CPU, NHWC, phi::NopKernel, float) {}
PD_REGISTER_KERNEL(select, ONEDNN, ALL_LAYOUT, phi::NopKernel, float) {}
PD_REGISTER_KERNEL(select, GPU, ALL_LAYOUT, phi::NopKernel, float, double) {}
PD_REGISTER_KERNEL(select, GPUDNN, ALL_LAYOUT, phi::NopKernel, float) {}
PD_REGISTER_KERNEL(select, KPS, ALL_LAYOUT, phi::NopKernel, float, bool) {}
PD_REGISTER_KERNEL(strided, CPU, ALL_LAYOUT, phi::NopKernel, float) {}
PD_REGISTER_KERNEL(strided, CPU, STRIDED, phi::NopKernel, float) {}
PD_REGISTER_KERNEL_FOR_ALL_DTYPE(any_type, CPU, ALL_LAYOUT, phi::AnyTypeKernel) {}
PD_REGISTER_KERNEL(with_defs, GPU, ALL_LAYOUT, phi::NopKernel, float, phi::dtype::float16) {
  kernel->InputAt(0).SetBackend(phi::Backend::CPU);
  if (kernel_key.dtype() == phi::DataType::FLOAT16) kernel->OutputAt(0).SetDataType(phi::DataType::FLOAT32);
}

namespace {

using phi::Backend;
using phi::DataLayout;
using phi::DataType;
using phi::KernelFactory;
using phi::KernelKey;

phi::KernelResult Select(const char* name,
                         Backend backend,
                         DataType dtype,
                         DataLayout layout = DataLayout::ALL_LAYOUT) {
  return phi::SelectKernelOrThrowError(*KernelFactory::Instance().Find(name), KernelKey(backend, layout, dtype), true);
}

struct WithFlag {
  WithFlag(std::string name, const std::string& value) : name_(std::move(name)), before_(phi::GetFlag(name_)) {
    phi::SetFlag(name_, value);
  }
  ~WithFlag() { phi::SetFlag(name_, before_); }
  std::string name_, before_;
};

TEST(key_is_backend_layout_dtype_bits) {
  const KernelKey key(Backend::GPU, DataLayout::NCHW, DataType::FLOAT32);
  CHECK_EQ(key.hash_value(), 3u | 2u << 8 | 10u << 12);
  CHECK(key == KernelKey(Backend::GPU, DataLayout::NCHW, DataType::FLOAT32));
  CHECK(key != KernelKey(Backend::CPU, DataLayout::NCHW, DataType::FLOAT32));
  std::ostringstream os;
  os << key;
  CHECK_EQ(os.str(), "(GPU, NCHW, float32)");
}

TEST(all_is_undefined) {
  CHECK(Backend::ALL_BACKEND == Backend::UNDEFINED);
  CHECK(DataLayout::ALL_LAYOUT == DataLayout::UNDEFINED);
  CHECK(DataType::ALL_DTYPE == DataType::UNDEFINED);
}

TEST(exact_layout_comes_before_all_layout) {
  const WithFlag off("use_onednn", "false");
  CHECK(Select("select", Backend::CPU, DataType::FLOAT32, DataLayout::NHWC).key.layout() == DataLayout::NHWC);
  CHECK(Select("select", Backend::CPU, DataType::FLOAT64, DataLayout::NHWC).key.layout() == DataLayout::ALL_LAYOUT);
}

TEST(onednn_by_flag) {
  CHECK(Select("select", Backend::CPU, DataType::FLOAT32).key.backend() == Backend::ONEDNN);
  CHECK(Select("select", Backend::CPU, DataType::FLOAT64).key.backend() == Backend::CPU);
  const WithFlag off("use_onednn", "false");
  CHECK(Select("select", Backend::CPU, DataType::FLOAT32).key.backend() == Backend::CPU);
}

TEST(gpudnn_then_gpu_then_kps_then_cpu) {
  CHECK(Select("select", Backend::GPU, DataType::FLOAT32).key.backend() == Backend::GPUDNN);
  CHECK(Select("select", Backend::GPUDNN, DataType::FLOAT64).key.backend() == Backend::GPU);
  CHECK(Select("select", Backend::GPU, DataType::BOOL).key.backend() == Backend::KPS);
  const phi::KernelResult fallback = Select("select", Backend::GPU, DataType::INT64);
  CHECK(fallback.key.backend() == Backend::CPU && fallback.has_fallback_cpu);
  const WithFlag off("use_cudnn", "false");
  CHECK(Select("select", Backend::GPU, DataType::FLOAT32).key.backend() == Backend::GPU);
}

TEST(fallback_policy_error_lists_what_there_is) {
  const WithFlag policy("cpu_fallback", "error");
  CHECK_ERROR(Select("select", Backend::GPU, DataType::INT64), Unimplemented, "registry_test.cc:");
  CHECK_ERROR(Select("select", Backend::GPU, DataType::INT64), Unimplemented, "(GPU, ALL_LAYOUT, int64)");
}

TEST(no_kernel_of_this_dtype_anywhere) {
  CHECK_ERROR(Select("select", Backend::CPU, DataType::COMPLEX64), Unimplemented, "(CPU, ALL_LAYOUT, complex64)");
  CHECK_ERROR(Select("select", Backend::GPU, DataType::COMPLEX64), Unimplemented, "Registered:");
}

TEST(unknown_kernel_is_not_found) {
  const phi::KernelSet& set = KernelFactory::Instance().GetOrCreate("nothing_registers_this");
  CHECK_ERROR(set.Select(KernelKey(Backend::CPU, DataLayout::ALL_LAYOUT, DataType::FLOAT32)),
              NotFound,
              "nothing_registers_this");
}

TEST(stride_kernel_first_unless_switched_off) {
  CHECK(Select("strided", Backend::CPU, DataType::FLOAT32).is_stride_kernel);
  const WithFlag off("use_stride_kernel", "false");
  CHECK(!Select("strided", Backend::CPU, DataType::FLOAT32).is_stride_kernel);
}

TEST(for_all_dtypes) {
  CHECK(Select("any_type", Backend::CPU, DataType::COMPLEX128).kernel != nullptr);
  CHECK(Select("any_type", Backend::CPU, DataType::BOOL).kernel != nullptr);
  CHECK_EQ(KernelFactory::Instance().Find("any_type")->kernels().size(), 14u);
}

TEST(selection_is_remembered_until_a_registration) {
  using phi::KernelImpl;
  const phi::KernelSet& set = KernelFactory::Instance().GetOrCreate("grows");
  const KernelKey wide(Backend::CPU, DataLayout::ALL_LAYOUT, DataType::ALL_DTYPE);
  const KernelKey exact(Backend::CPU, DataLayout::ALL_LAYOUT, DataType::FLOAT32);
  using Impl = KernelImpl<decltype(&phi::NopKernel<float, phi::CPUContext>), &phi::NopKernel<float, phi::CPUContext>>;
  KernelFactory::Instance().Register("grows", wide, Impl::Get().Make(wide, "a.cc", 1));
  const phi::KernelResult& first = set.Select(exact);
  CHECK(first.key == wide && &set.Select(exact) == &first);
  KernelFactory::Instance().Register("grows", exact, Impl::Get().Make(exact, "a.cc", 2));
  CHECK(set.Select(exact).key == exact);
}

TEST(registering_a_key_twice_names_both_places) {
  using Impl =
      phi::KernelImpl<decltype(&phi::NopKernel<float, phi::CPUContext>), &phi::NopKernel<float, phi::CPUContext>>;
  const KernelKey key(Backend::CPU, DataLayout::ALL_LAYOUT, DataType::FLOAT32);
  KernelFactory& factory = KernelFactory::Instance();
  factory.TakeErrors();
  factory.Register("twice", key, Impl::Get().Make(key, "first.cc", 1));
  factory.Register("twice", key, Impl::Get().Make(key, "second.cc", 2));
  const auto errors = factory.TakeErrors();
  CHECK_EQ(errors.size(), 1u);
  CHECK_EQ(errors[0],
           "kernel 'twice' (CPU, ALL_LAYOUT, float32) is registered twice: at first.cc:1 and at second.cc:2");
  CHECK_EQ(std::string(factory.Find("twice")->Find(key)->file()), "first.cc");
  factory.Register("twice", key, Impl::Get().Make(key, "third.cc", 3), /*override=*/true);
  CHECK(factory.TakeErrors().empty());
  CHECK_EQ(std::string(factory.Find("twice")->Find(key)->file()), "third.cc");
}

TEST(signature_mismatch_names_both_places) {
  using Nop [[maybe_unused]] =
      phi::KernelImpl<decltype(&phi::NopKernel<float, phi::CPUContext>), &phi::NopKernel<float, phi::CPUContext>>;
  using Other =
      phi::KernelImpl<decltype(&phi::OtherKernel<float, phi::CPUContext>), &phi::OtherKernel<float, phi::CPUContext>>;
  KernelFactory& factory = KernelFactory::Instance();
  factory.TakeErrors();
  const KernelKey f32(Backend::CPU, DataLayout::ALL_LAYOUT, DataType::FLOAT32);
  const KernelKey f64(Backend::CPU, DataLayout::ALL_LAYOUT, DataType::FLOAT64);
  const phi::YamlPlaces places({{"phi::typed", "yaml/ops.yaml:7"}});
  factory.Register("typed", f32, Other::Get().Make(f32, "early.cc", 5));  // registered before the API is known
  factory.GetOrCreate("typed").ExpectSignature(
      phi::SignatureOf<void(const phi::DeviceContext&, const phi::DenseTensor&, phi::DenseTensor*)>::Get(),
      "phi::typed");
  factory.Register("typed", f64, Other::Get().Make(f64, "late.cc", 6));
  const auto errors = factory.TakeErrors();
  CHECK_EQ(errors.size(), 2u);
  CHECK(errors[0].find("early.cc:5") != std::string::npos && errors[0].find("yaml/ops.yaml:7") != std::string::npos);
  CHECK(errors[1].find("late.cc:6") != std::string::npos);
  CHECK(factory.Find("typed")->kernels().empty());
}

TEST(signatures_do_not_depend_on_context_or_width) {
  using Cpu =
      phi::KernelImpl<decltype(&phi::OtherKernel<float, phi::CPUContext>), &phi::OtherKernel<float, phi::CPUContext>>;
  using Gpu =
      phi::KernelImpl<decltype(&phi::OtherKernel<double, phi::GPUContext>), &phi::OtherKernel<double, phi::GPUContext>>;
  CHECK((std::is_same_v<Cpu::CallFn, Gpu::CallFn>));
  CHECK((std::is_same_v<Cpu::CallFn,
                        void (*)(const phi::DeviceContext&, const phi::DenseTensor&, int64_t, phi::DenseTensor*)>));
}

TEST(body_adjusts_argument_definitions) {
  const phi::KernelSet& set = *KernelFactory::Instance().Find("with_defs");
  const KernelKey f32(Backend::GPU, DataLayout::ALL_LAYOUT, DataType::FLOAT32);
  const KernelKey f16(Backend::GPU, DataLayout::ALL_LAYOUT, DataType::FLOAT16);
  CHECK(set.Find(f32)->args_def().input_defs()[0].backend == Backend::CPU);
  CHECK(set.Find(f32)->args_def().output_defs()[0].dtype == DataType::FLOAT32);
  CHECK(set.Find(f16)->args_def().output_defs()[0].dtype == DataType::FLOAT32);
  CHECK(set.Find(f16)->args_def().input_defs()[0].dtype == DataType::FLOAT16);
}

TEST(steps_of_a_selection) {
  std::vector<phi::SelectionStep> steps;
  const KernelKey key(Backend::GPU, DataLayout::ALL_LAYOUT, DataType::INT64);
  phi::SelectKernelOrThrowError(*KernelFactory::Instance().Find("select"), key, true, &steps);
  CHECK(steps.front().key.layout() == DataLayout::STRIDED && !steps.front().found);
  CHECK(steps.back().found && steps.back().why == "CPU fallback");
}

TEST(unknown_device_is_unavailable) {
  CHECK_ERROR(phi::DeviceContextPool::Instance().Get(phi::Place(phi::AllocationType::CUSTOM)), Unavailable, "custom:0");
}

TEST(flags_reject_what_they_do_not_know) {
  CHECK_ERROR(phi::SetFlag("no_such_flag", "1"), InvalidArgument, "use_onednn");
  CHECK_ERROR(phi::SetFlag("cpu_fallback", "maybe"), InvalidArgument, "'warn'");
  CHECK_ERROR(phi::SetFlag("use_cudnn", "maybe"), InvalidArgument, "true or false");
}

}  // namespace
