"""Rules across entries on right entries of every order, category defaults, and the scan of the C++ sources."""

from collections.abc import Set
from pathlib import Path

import pytest
from _yaml import ROOT, op, ops, read

from codegen.check.functors import find_struct
from codegen.model.category import CATEGORIES
from codegen.model.dtypes import cpp_types
from codegen.read.sources import Sources, scan_text

# the pairs of a Paddle op up to its third derivative, where the forward's tensors are renamed
TANH = """
- op : tanh
  args : (Tensor x)
  output : Tensor(out)
  infer_meta : {func : UnchangedInferMeta}
  kernel : {func : tanh}
  inplace : (x -> out)
  backward : tanh_grad
- backward_op : tanh_grad
  forward : tanh (Tensor x) -> Tensor(out)
  args : (Tensor out, Tensor out_grad)
  output : Tensor(x_grad)
  infer_meta : {func : UnchangedInferMeta, param : [out]}
  kernel : {func : tanh_grad}
  inplace : (out_grad -> x_grad)
  composite : tanh_grad (out, out_grad, x_grad)
  backward : tanh_double_grad
- backward_op : tanh_double_grad
  forward : tanh_grad (Tensor out, Tensor grad_out) -> Tensor(grad_x)
  args : (Tensor out, Tensor grad_out, Tensor grad_x_grad)
  output : Tensor(out_grad), Tensor(grad_out_grad)
  infer_meta : {func : GeneralBinaryGradInferMeta, param : [out, out]}
  kernel : {func : tanh_double_grad}
  inplace : (grad_x_grad -> grad_out_grad)
  backward : tanh_triple_grad
- backward_op : tanh_triple_grad
  forward : tanh_double_grad (Tensor out, Tensor grad_out_forward, Tensor grad_x_grad_forward)
    -> Tensor(grad_out_new), Tensor(grad_out_grad)
  args : (Tensor out, Tensor grad_out_forward, Tensor grad_x_grad_forward, Tensor grad_out_new_grad, Tensor grad_out_grad_grad)
  output : Tensor(out_grad), Tensor(grad_out_forward_grad), Tensor(grad_x_grad_forward_grad)
  infer_meta : {func : GeneralTernaryGradInferMeta, param : [out, out, grad_x_grad_forward]}
  kernel : {func : tanh_triple_grad}
  optional : grad_out_grad_grad
"""
SWISH = """
- op : swish
  args : (Tensor x)
  output : Tensor(out)
  category : unary
  composite : x * sigmoid(x)
  backward : swish_grad
- backward_op : swish_grad
  forward : swish (Tensor x) -> Tensor(out)
  args : (Tensor x, Tensor out_grad)
  output : Tensor(x_grad)
  category : unary_grad
  composite : out_grad * (sigmoid(x) + x * sigmoid(x) * (1 - sigmoid(x)))
"""


def test_all_orders_of_derivatives():
    assert [o.name for o in ops(TANH).backward_ops] == ["tanh_grad", "tanh_double_grad", "tanh_triple_grad"]


def test_backward_before_forward():
    entries = TANH.split("- ")[1:]
    assert [o.name for o in ops("".join(f"- {e}" for e in reversed(entries))).forward_ops] == ["tanh"]


def test_attributes_match_by_name():
    text = """
    - op : addmm
      args : (Tensor input, Tensor x, float beta=1.0, float alpha=1.0)
      output : Tensor(out)
      infer_meta : {func : AddmmInferMeta}
      kernel : {func : addmm}
      backward : addmm_grad
    - backward_op : addmm_grad
      forward : addmm (Tensor input, Tensor x, float alpha=1.0, float beta=1.0) -> Tensor(out)
      args : (Tensor input, Tensor out_grad, float alpha, float beta, int axis = -1)
      output : Tensor(x_grad)
      infer_meta : {func : AddmmGradInferMeta}
      kernel : {func : addmm_grad}
    """
    assert not read(text)[1]


def test_forward_takes_optional_from_its_op():
    text = """
    - op : f
      args : (Tensor x, Tensor bias)
      output : Tensor(out), Tensor(mask)
      optional : bias
      intermediate : mask
      composite : relu(x), bias
      backward : f_grad
    - backward_op : f_grad
      forward : f (Tensor x, Tensor bias) -> Tensor(out), Tensor(mask)
      args : (Tensor out_grad)
      output : Tensor(x_grad)
      composite : out_grad * 1
    """
    forward = ops(text)["f_grad"].forward
    assert [a.optional for a in forward.args] == [False, True]
    assert [o.intermediate for o in forward.outputs] == [False, True]


def test_a_broken_entry_causes_no_follow_up_errors():
    diag = read(TANH.replace("args : (Tensor out, Tensor out_grad)", "args : (Tenser out, Tensor out_grad)"))[1]
    assert [e.code for e in diag.errors] == ["PHI007"]
    assert diag.broken == {"tanh_grad"}


def test_a_gradient_of_a_broken_entry_has_no_header_to_look_in(tmp_path: Path):
    (tmp_path / "infermeta").mkdir()
    (tmp_path / "infermeta" / "unary.h").write_text(UNCHANGED)
    diag = read(SWISH.replace("(Tensor x)\n  output", "(Tenser x)\n  output", 1), csrc=tmp_path)[1]
    assert [e.code for e in diag.errors] == ["PHI007"]


def test_out_of_tree_ops_refer_to_a_base():
    base = ops(TANH)
    mine = """
    - op : my_tanh
      args : (Tensor x)
      output : Tensor(out)
      invoke : tanh(x)
      backward : tanh_grad
    """
    assert [e.code for e in read(mine, base=base)[1].errors] == ["PHI023"]
    assert [e.code for e in read(mine)[1].errors] == ["PHI021", "PHI039"]


def test_category_defaults():
    swish, grad = ops(SWISH).ops
    assert (swish.infer_meta.func, swish.infer_meta.param, swish.kernel.dense.name) == ("UnchangedInferMeta", ("x",), "swish")
    assert (swish.vmap, swish.autocast, swish.strided, swish.type_promotion) == ("elementwise", "none", {"x"}, ())
    assert (grad.infer_meta.param, grad.vmap, grad.autocast, grad.strided) == (("x",), "elementwise", "none", {"x", "out_grad"})
    add = op("- op : add\n  args : (Tensor x, Tensor y)\n  output : Tensor(out)\n  category : binary\n")
    assert (add.infer_meta.func, add.infer_meta.param) == ("ElementwiseInferMeta", ("x", "y"))
    assert (add.vmap, add.autocast, add.type_promotion, add.strided) == ("elementwise", "promote", ("x", "y"), {"x", "y"})
    general = op("- op : f\n  args : (Tensor x, Tensor y)\n  output : Tensor(out)\n")
    assert (general.category, general.infer_meta, general.kernel, general.vmap) == ("general", None, None, "loop")
    assert (general.autocast, general.strided, general.jvp) == ("promote", frozenset(), None)
    assert op("- op : f\n  args : (Tensor x)\n  output : Tensor\n  composite : g(x)\n").vmap == "composite"
    assert ops(TANH)["tanh_double_grad"].autocast == "none"


def test_binary_grad_defaults():
    grad = op(
        "- backward_op : add_grad\n  forward : add (Tensor x, Tensor y) -> Tensor(out)\n"
        "  args : (Tensor x, Tensor y, Tensor out_grad)\n  output : Tensor(x_grad), Tensor(y_grad)\n  category : binary_grad\n"
    )
    assert (grad.infer_meta.func, grad.infer_meta.param) == ("GeneralBinaryGradInferMeta", ("x", "y"))
    assert (grad.vmap, grad.autocast, grad.kernel.dense.name) == ("loop", "none", "add_grad")


def test_explicit_keys_win_over_the_category():
    entry = op(
        "- op : add\n  args : (Tensor x, Tensor y)\n  output : Tensor(out)\n  category : binary\n  autocast : fp32\n"
        "  vmap : loop\n  strided : false\n  type_promotion : []\n"
        "  kernel : {func : add_raw}\n  infer_meta : {func : F, param : [x]}\n"
    )
    assert (entry.autocast, entry.vmap, entry.strided, entry.type_promotion) == ("fp32", "loop", frozenset(), ())
    assert (entry.kernel.dense.name, entry.infer_meta.func) == ("add_raw", "F")


def test_creation_takes_its_key_from_its_attributes():
    full = op(
        "- op : full_like\n  args : (Tensor x, Scalar v, DataType dtype = DataType::UNDEFINED, Place place = {})\n"
        "  output : Tensor\n  category : creation\n  infer_meta : {func : F}\n  kernel : {func : full_like}\n"
    )
    assert (full.kernel.data_type, full.kernel.backend) == (("dtype", "x"), ("place", "x"))


def test_every_category_is_consistent():
    for name, rule in CATEGORIES.items():
        assert rule.backward == name.endswith("_grad"), name
        assert rule.own_kernel == (rule.infer_meta is not None), name
        assert (rule.arity > 0) == (rule.infer_meta is not None), name


def test_composite_names():
    def codes(composite: str, known: Set[str] | None = frozenset({"relu", "ones", "sum"})):
        text = f"- op : f\n  args : (Tensor x, int[] axes)\n  output : Tensor\n  composite : '{composite}'\n"
        return [e.code for e in read(text, names_of=lambda module: known)[1].errors]

    assert codes("relu(x).sum(axes) + aten.sum(x, [len(axes)]) * torch.ones([a for a in axes])") == []
    assert codes("anything(x) + torch.anything(x)", None) == []
    assert codes("phi.f(x, axes)", None) == []
    assert codes("phi.g(x)", None) == ["PHI035"]
    assert codes("aten.summ(x)") == ["PHI035"]
    assert codes("numpy.sum(x)") == ["PHI035"]
    assert codes("relu(y)") == ["PHI035"]
    assert codes("relu") == ["PHI035"]
    assert codes("x, x") == ["PHI035"]


def test_composite_functions(tmp_path: Path):
    (tmp_path / "activation.py").write_text("def swish(x, beta=1.0): ...\ndef silu(x): ...\n")
    (tmp_path / "broken.py").write_text("def swish(x,:\n")

    def help_of(composite: str) -> list[str | None]:
        text = f"- op : swish\n  args : (Tensor x, float beta)\n  output : Tensor\n  composite : {composite}\n"
        return [e.help for e in read(text, decompositions=tmp_path)[1].errors]

    assert help_of("activation:swish") == []
    assert help_of("activation:swihs") == ["did you mean 'swish'?"]
    assert help_of("activation:silu") == ["its parameters must be the arguments of 'swish': (x, beta)"]
    assert help_of("none:swish") == [f"write a function swish(x, beta) in {tmp_path.name}/none.py"]
    assert help_of("broken:swish") == [f"write a function swish(x, beta) in {tmp_path.name}/broken.py"]


REGISTRATIONS = """
// PD_REGISTER_KERNEL(no, CPU, ALL_LAYOUT, F, float) {}
/* PD_REGISTER_KERNEL(no, CPU, ALL_LAYOUT, F) */
#define REGISTER(name, fn, ...) \\
  PD_REGISTER_KERNEL(name##_raw, GPU, ALL_LAYOUT, fn, int, __VA_ARGS__) {}
PD_REGISTER_KERNEL(one, CPU, ALL_LAYOUT,
                   phi::OneKernel, float, std::complex<float>) {
  kernel->InputAt(0).SetBackend(phi::Backend::CPU);
}
PD_REGISTER_KERNEL_FOR_ALL_DTYPE(two, GPU, NCHW, phi::TwoKernel) {}
PD_REGISTER_KERNEL_FOR_ALL_BACKEND_DTYPE(three, ALL_LAYOUT, phi::ThreeKernel) {}
REGISTER(four, phi::FourKernel, long, bool)
"""


def test_scan_of_registrations():
    found = [(r.name, r.backend, r.layout, r.line, r.dtypes) for r in scan_text(REGISTRATIONS, "a.cc")]
    assert found == [
        ("one", "CPU", "ALL_LAYOUT", 6, ("float", "std::complex<float>")),
        ("two", "GPU", "NCHW", 10, ("ALL_DTYPE",)),
        ("three", "ALL_BACKEND", "ALL_LAYOUT", 11, ("ALL_DTYPE",)),
        ("four_raw", "GPU", "ALL_LAYOUT", 12, ("int", "long", "bool")),
    ]


UNCHANGED = """
template <class Dim> void UnchangedInferMeta(const MetaTensor<Dim>& x, MetaTensor<Dim>* out) {}
template <class Dim> void GeneralUnaryGradInferMeta(const MetaTensor<Dim>& x, MetaTensor<Dim>* dx) {}
"""


def test_functors_of_generated_kernels(tmp_path: Path):
    (tmp_path / "infermeta").mkdir()
    (tmp_path / "infermeta" / "unary.h").write_text(UNCHANGED)
    impl = tmp_path / "kernels" / "ops"
    impl.mkdir(parents=True)
    (impl / "swish.h").write_text("template <typename T> struct SwishFunctor {};\nstruct SwishGradFunctor {};")
    assert not read(SWISH, csrc=tmp_path)[1]
    (impl / "swish.h").write_text("// struct SwishFunctor {};\nstruct SwishGradFunctor {};")
    assert [e.code for e in read(SWISH, csrc=tmp_path)[1].errors] == ["PHI038"]


def test_functions_of_generated_kernels(tmp_path: Path):
    text = SWISH.replace("category : unary\n", "category : unary\n  kernel : {func : swish, param : [x]}\n  dtypes : integer\n", 1)
    impl = tmp_path / "kernels" / "ops"
    impl.mkdir(parents=True)
    (tmp_path / "infermeta").mkdir()
    (tmp_path / "infermeta" / "unary.h").write_text(UNCHANGED)
    kernel = "void SwishKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {}"
    (impl / "swish.h").write_text("struct SwishGradFunctor {};\n" + kernel)
    assert not read(text, csrc=tmp_path)[1]
    (impl / "swish.h").write_text("struct SwishGradFunctor {}; struct SwishFunctor {};")
    (error,) = read(text, csrc=tmp_path)[1].errors
    assert error.code == "PHI038" and "has no function template SwishKernel" in error.message
    (impl / "swish.h").write_text("struct SwishGradFunctor {};\n" + kernel.replace("& x", "& y"))
    (error,) = read(text, csrc=tmp_path)[1].errors
    assert error.code == "PHI044" and "calls parameter 2 'y', expected 'x'" in error.message


def test_a_generated_kernel_that_a_source_registers_too(tmp_path: Path):
    (tmp_path / "infermeta").mkdir()
    (tmp_path / "infermeta" / "unary.h").write_text(UNCHANGED)
    impl = tmp_path / "kernels" / "ops"
    impl.mkdir(parents=True)
    (impl / "swish.h").write_text("struct SwishFunctor {};\nstruct SwishGradFunctor {};")
    (tmp_path / "kernels" / "swish.cc").write_text("\nPD_REGISTER_KERNEL(swish, CPU, ALL_LAYOUT, F, float) {}")
    (error,) = read(SWISH, csrc=tmp_path)[1].errors
    assert error.code == "PHI043" and "swish.cc:2 registers 'swish'" in error.message


def test_dtypes_of_a_generated_kernel():
    assert ops(SWISH)["swish"].dtypes == ("floating",)
    assert op("- op : f\n  args : (Tensor x)\n  output : Tensor\n  category : unary\n  dtypes : [int32, complex]\n").dtypes == (
        "int32",
        "complex",
    )
    by_hand = "- op : f\n  args : (Tensor x)\n  output : Tensor\n  category : unary\n  kernel : {func : f, param : [x]}\n"
    assert op(by_hand).dtypes == ()
    assert cpp_types(("floating", "float32", "int8")) == [
        "float",
        "double",
        "phi::dtype::float16",
        "phi::dtype::bfloat16",
        "int8_t",
    ]


def test_every_order_of_gradient_stands_in_one_file():
    from codegen.model.category import implementation

    read = ops(TANH)
    assert implementation(read["tanh_triple_grad"], read) == ("kernels/ops/tanh.h", ("TanhTripleGradKernel",))
    assert (ROOT / "codegen").is_dir()


@pytest.mark.parametrize(
    ("text", "calls", "made_of", "not_of"),
    [
        ("struct F { template <typename V> V operator()(V x, V y) const { return x; } };", (2,), [0], [1]),
        ("template <typename T> struct F final { T a, b; T operator()(T x) const { return {x}; } };", (1,), [2], [1, 3]),
        ("struct F { float a; float b{2}; float c = Min(1, 2); bool operator()(bool x) const; };", (1,), [1, 2, 3], [0, 4]),
        (
            "struct F { explicit F(const Scalar& a, int b = 1) : a_(a) {} V operator()(V x) const; private: V a_; };",
            (1,),
            [1, 2],
            [0],
        ),
        ("struct F { template <typename... V> V operator()(V... x) const; static constexpr int kOne = 1; };", (), [0], [1]),
        ("struct G { float s; float operator()(float x) const; };\nstruct F : G {};", (1,), [0, 1], []),
        ("struct G { float s; float operator()(float x, float y) const; };\nusing F = my::G;", (2,), [1], [0]),
        (
            "struct F { float s[3]; using V = float; float operator()(float x) const; float operator()(float, float) const; };",
            (1, 2),
            [3],
            [],
        ),
    ],
)
def test_functors_are_read(text, calls, made_of, not_of, tmp_path):
    (tmp_path / "f.h").write_text(text)
    struct = find_struct("F", Sources([tmp_path / "f.h"]))
    assert struct.calls == calls
    assert all(struct.takes(n) for n in made_of) and not any(struct.takes(n) for n in not_of)
