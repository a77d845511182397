"""What is read of C++ sources for the build: includes, and what acts when a library is loaded."""

import _yaml  # noqa: F401  which finds the generator
import pytest

from codegen.read.cpp import acts_when_loaded, includes

ACTS = (
    "TORCH_LIBRARY_IMPL(phi, CPU, m) {}",
    "PD_REGISTER_KERNEL(relu, CPU, ALL_LAYOUT, phi::ReluKernel, float) {}",
    "[[maybe_unused]] static const bool whatever = RegisterCast<CPUContext>(Backend::CPU);",
    "const bool another = [] {\n  return true;\n}();",
    "[[gnu::init_priority(101)]] const YamlPlaces places({});",
    "[[maybe_unused]] const bool two =\n    Register<ReduceOp::kMax, CPUContext>(Backend::CPU) &&\n    true;",
)
WAITS = (
    "constexpr int kSize = Size(3);",
    "bool f() {\n  const bool registered = Find(1);\n  return registered;\n}",
    'const char* const kName = "name";',
    "const bool IsFine(int x);",
)


@pytest.mark.parametrize("text", ACTS)
def test_what_acts_when_its_library_is_loaded(text: str):
    assert acts_when_loaded(f"namespace phi {{\n{text}\n}}\n")


@pytest.mark.parametrize("text", WAITS)
def test_what_waits_until_it_is_called(text: str):
    assert not acts_when_loaded(f"namespace phi {{\n{text}\n}}\n")


def test_includes():
    assert includes('#include <vector>\n  #  include "core/a.h"\n// #include "b.h"\n') == ("vector", "core/a.h")
