"""Every spelling that occurs in Paddle's operator files, and what the model holds afterwards."""

from typing import Any

from _yaml import op, ops, read

from codegen.model.op import KernelBranch


def args_of(text: str) -> list[tuple[str, str, str | None]]:
    entry = op(f"- op : f\n  args : {text}\n  output : Tensor(out)\n")
    return [(a.type, a.name, a.default) for a in entry.args]


def kernel_of(text: str):
    return op(f"- op : f\n  args : (Tensor x, Tensor y, DataType dtype, Place place)\n  output : Tensor(out)\n{text}").kernel


def branches(func: str) -> list[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    names = lambda kinds: tuple(kind.name for kind in kinds)  # noqa: E731
    return [(b.name, names(b.inputs), names(b.outputs)) for b in kernel_of(f"  kernel :\n    func : {func}").branches]


def test_keys_with_and_without_a_space():
    entry = op("- op: relu\n  args: (Tensor x)\n  output: Tensor (out)\n  kernel: {func: relu}\n")
    assert (entry.name, entry.outputs[0].name, entry.kernel.dense) == ("relu", "out", KernelBranch("relu"))


def test_older_names_of_the_entry():
    old = "- api : relu\n  args : (Tensor x)\n  output : Tensor\n  backward : relu_grad\n  kernel : {func : relu}\n" + (
        "  infer_meta : {func : UnchangedInferMeta}\n"
        "- backward_api : relu_grad\n  forward : relu (Tensor x) -> Tensor\n  args : (Tensor out, Tensor out_grad)\n"
        "  output : Tensor(x_grad)\n  category : unary_grad\n"
    )
    read = ops(old)
    assert [o.name for o in read.ops] == ["relu", "relu_grad"]
    assert read["relu"].outputs[0].name == read["relu_grad"].forward.outputs[0].name == "out"


def test_split_arguments():
    for attrs, out in (("attributes", "outputs"), ("attrs", "output")):
        entry = op(f"- op : f\n  inputs : (Tensor x)\n  {attrs} : (int axis = -1)\n  {out} : Tensor(out)\n")
        assert [a.name for a in entry.inputs] == ["x"]
        assert [(a.name, a.default) for a in entry.attrs] == [("axis", "-1")]
    assert [a.name for a in op("- op : f\n  attributes : (int axis)\n  output : Tensor(out)\n").args] == ["axis"]


def test_arguments_over_several_lines():
    text = "(Tensor x, Tensor[] y,\n      int[] axes={1, 1},\n\n      bool   keepdim = false)"
    expected = [("Tensor", "x", None), ("Tensor[]", "y", None), ("int[]", "axes", "{1, 1}"), ("bool", "keepdim", "false")]
    assert args_of(text) == expected
    assert args_of(f">\n    {text}") == expected
    assert args_of('"(Tensor x, int axis=1)"') == [("Tensor", "x", None), ("int", "axis", "1")]


def test_types_and_defaults():
    text = (
        "(Tensor x, Scalar(int64_t) k = 1, IntArray shape={}, float e=1.0e-8f, float h = .5f, int64_t n=INT64_MAX, "
        'int b = (2 << 12) - 1, str mode="a,b", DataType dtype=DataType::UNDEFINED, Place place=CPUPlace(), int64_t m = 10000L)'
    )
    defaults = [None, "1", "{}", "1.0e-8f", ".5f", "INT64_MAX", "(2 << 12) - 1", '"a,b"', "DataType::UNDEFINED", "CPUPlace()"]
    assert [d for _, _, d in args_of(text)] == [*defaults, "10000L"]
    assert args_of(text)[1][0] == "Scalar(int64_t)"
    assert args_of("()") == []


def test_optional_arguments_and_outputs():
    entry = op(
        "- op : f\n  args : (Tensor x, Tensor bias, int k)\n  output : Tensor(out), Tensor(mask)\n"
        "  optional : bias, mask, k\n  intermediate : mask\n"
    )
    assert [a.optional for a in entry.args] == [False, True, True]
    assert [(o.optional, o.intermediate) for o in entry.outputs] == [(False, False), (True, True)]
    written_out = op("- op : f\n  args : (Tensor x, paddle::optional<Tensor> b)\n  output : Tensor\n").args[1]
    assert (written_out.type, written_out.optional) == ("Tensor", True)


def test_outputs():
    entry = op(
        "- op : f\n  args : (Tensor[] x, int axis)\n"
        "  output : Tensor[](out){axis<0 ? x.size() : g(x, axis)}, Tensor [] (b) {x.size()}, Tensor(s@StringTensor)\n".replace(
            " : g", ":g"
        )
    )
    assert [(o.type, o.name, o.size) for o in entry.outputs] == [
        ("Tensor[]", "out", "axis<0 ? x.size():g(x, axis)"),
        ("Tensor[]", "b", "x.size()"),
        ("Tensor", "s", None),
    ]
    assert entry.paddle_only == (("output.s", "StringTensor"),)
    assert op("- op : barrier\n  args : (int ring_id)\n  output :\n  invoke : barrier_impl(ring_id)\n").outputs == ()


def test_kernels_with_any_separator():
    two = [("scale", ("dense",), ("dense",)), ("scale_sr", ("selected_rows",), ("selected_rows",))]
    dense, rows = "scale{dense -> dense}", "scale_sr {selected_rows->selected_rows}"
    for separator in (", ", " ", ",\n           ", "\n           "):
        assert branches(f"{dense}{separator}{rows}") == two
        assert branches(f"{dense}{separator}{rows},") == two
    assert branches("f_coo{sparse_coo, dense -> sparse_coo, dense}") == [
        ("f_coo", ("sparse_coo", "dense"), ("sparse_coo", "dense"))
    ]
    assert branches("f {vec::dense, sparse_csr -> vec::sparse_coo}") == [("f", ("dense", "sparse_csr"), ("sparse_coo",))]
    assert branches("f { -> selected_rows}") == [("f", (), ("selected_rows",))]
    assert branches("f") == [("f", (), ())]


def test_the_dense_kernel_is_found_behind_others():
    kernel = kernel_of("  kernel :\n    func : a{selected_rows, dense -> dense} b{dense, dense -> dense}")
    assert kernel.dense.name == "b"


def test_where_the_kernel_key_comes_from():
    def key(text: str):
        kernel = kernel_of(f"  kernel : {{func : f, {text}}}")
        return kernel.data_type, kernel.data_type_to_complex, kernel.backend, kernel.layout

    assert key("data_type : x") == (("x",), False, (), ())
    assert key("data_type : dtype > x") == (("dtype", "x"), False, (), ())
    assert key("data_type : complex(x)") == (("x",), True, (), ())
    assert key("data_type : 'DataType::FLOAT32'")[0] == ("DataType::FLOAT32",)
    assert key("data_type : DataType::FLOAT32")[0] == ("DataType::FLOAT32",)
    for text in ("place > x", "place>x", "place >  x"):
        assert key(f"backend : {text}")[2] == ("place", "x")
    assert key("backend : place>")[2] == ("place",)
    assert key("backend : 'x, y'")[2] == ("x", "y")
    assert key("layout : x")[3] == ("x",)


def test_infer_meta_in_both_styles():
    flow = op(
        "- op : f\n  args : (Tensor x, bool b)\n  output : Tensor\n"
        "  infer_meta : {func : 'sparse::FInferMeta', "
        "param : [x, false, 0.5f, {1, 1}, DataType::INT64, '\"NCHW\"'], spmd_rule : R}\n"
    ).infer_meta
    assert (flow.func, flow.spmd_rule) == ("sparse::FInferMeta", "R")
    assert flow.param == ("x", "false", "0.5f", "{1, 1}", "DataType::INT64", '"NCHW"')
    block = op(
        "- op : f\n  args : (Tensor x)\n  output : Tensor\n"
        "  infer_meta :\n    func : FInferMeta\n    param :\n      - x\n      - -1\n"
    ).infer_meta
    assert (block.func, block.param, block.local_shape) == ("FInferMeta", ("x", "-1"), None)
    assert op("- op : f\n  args : (Tensor x)\n  output : Tensor\n  infer_meta : {func : F}\n").infer_meta.param is None


def test_inplace_and_view_pairs():
    head = "- op : f_\n  args : (Tensor a, Tensor[] c)\n  output : Tensor(b), Tensor[](d){c.size()}\n"
    for text in ("(a -> b), (c -> d)", "(a -> b, c -> d)", "(a->b),\n    (c->d)"):
        entry = op(f"{head}  inplace : {text}\n  view : {text}\n")
        assert entry.inplace == entry.view == (("a", "b"), ("c", "d"))


def test_invoke():
    entry = op("- op : f\n  args : (Tensor x)\n  output : Tensor\n  invoke : cast (x, x.dtype(), g(1, 2), 0.0f)\n")
    assert (entry.invoke.func, entry.invoke.args) == ("cast", ("x", "x.dtype()", "g(1, 2)", "0.0f"))
    assert op("- op : f\n  args : (Tensor x)\n  output : Tensor\n  invoke : full_impl()\n").invoke.args == ()


def test_composite_of_both_kinds():
    head = "- op : f_x\n  args : (Tensor x)\n  output : Tensor\n  composite : "
    paddle = op(f"{head}f_x (x,\n    out)\n")
    assert (paddle.composite, paddle.paddle_only) == (None, (("composite", "f_x (x, out)"),))
    assert op(f"{head}f_x(x)\n").composite == "f_x(x)"
    assert op(f"{head}x * f(x)\n").composite == "x * f(x)"
    assert op(f"{head}f_x2(x)\n").composite == "f_x2(x)"
    assert op(f"{head}activation:swish\n").composite == "activation:swish"


def test_lists_of_names_in_both_styles():
    head = "- op : f\n  args : (Tensor x, Tensor y)\n  output : Tensor\n"
    for names in ("x, y", "[x, y]", "\n    - x\n    - y", "x,\n    y"):
        entry = op(f"{head}  no_need_buffer : {names}\n  data_transform :\n    skip_transform : x, y\n")
        assert entry.no_need_buffer == entry.skip_transform == {"x", "y"}
    trans = op(f"{head}  data_transform : {{support_trans_dtype : [y]}}\n")
    assert trans.support_trans_dtype == {"y"}


def test_keys_that_only_paddle_reads_are_kept():
    entry = op(
        "- op : f\n  args : (Tensor x)\n  output : Tensor\n  support_dygraph_mode : true\n"
        "  traits : paddle::dialect::ForwardOnlyTrait\n"
        "  interfaces : a::B, c::D\n  scalar : {axis : {data_type : int, support_tensor : true}}\n"
        "  kernel : {func : f, use_gpudnn : true, force_backend : force_cpu}\n"
    )
    assert entry.traits == ("paddle::dialect::ForwardOnlyTrait",)
    assert entry.interfaces == ("a::B", "c::D")
    assert entry.kernel.force_backend == "force_cpu"
    kept = {"support_dygraph_mode": "true", "scalar": "{axis : {data_type : int, support_tensor : true}}"}
    assert dict(entry.paddle_only) == {**kept, "kernel.use_gpudnn": "true"}


def test_our_own_keys():
    entry = op(
        "- op : f\n  args : (Tensor x, Tensor y)\n  output : Tensor\n  jvp : auto_linear\n  autocast : fp32\n  vmap : rules:f\n"
        "  type_promotion : [x]\n  strided : true\n  layout : needs_exact_strides\n  since : 0.1\n  deprecated : '0.2: use g'\n"
        "  doc : |\n    First.\n\n    Second: `x`.\n"
    )
    assert (entry.jvp, entry.autocast, entry.vmap, entry.layout_tag) == ("auto_linear", "fp32", "rules:f", "needs_exact_strides")
    assert (entry.type_promotion, entry.strided) == (("x",), {"x", "y"})
    assert (entry.since, entry.deprecated, entry.doc) == ("0.1", "0.2: use g", "First.\n\nSecond: `x`.")


def test_pass_through():
    entry = op(
        "- backward_op : f_grad\n  forward : f (Tensor x, Tensor y) -> Tensor(out)\n  args : (Tensor out_grad)\n"
        "  output : Tensor(x_grad), Tensor(y_grad)\n  pass_through : (out_grad -> x_grad, out_grad -> y_grad)\n"
    )
    assert entry.pass_through == (("out_grad", "x_grad"), ("out_grad", "y_grad"))


def test_forward_signature():
    entry = op(
        "- backward_op : addmm_grad\n"
        "  forward : addmm (Tensor input, Tensor x, float beta=1.0,\n    float alpha=1.0) -> Tensor(out), Tensor[](r){x.size()}\n"
        "  args : (Tensor out_grad, float alpha)\n  output : Tensor(x_grad)\n"
    )
    assert entry.forward.name == "addmm"
    assert [a.name for a in entry.forward.args] == ["input", "x", "beta", "alpha"]
    assert [(o.name, o.type) for o in entry.forward.outputs] == [("out", "Tensor"), ("r", "Tensor[]")]


def test_places_are_those_of_the_file():
    entry = op("# comment\n- op : f\n  args : (Tensor x,\n    int axis)\n  output : Tensor(a), Tensor(b)\n")
    places: list[Any] = [entry, *entry.args, *entry.outputs]
    assert [str(place.loc) for place in places] == [
        "ops.yaml:2:3",
        "ops.yaml:3:11",
        "ops.yaml:4:5",
        "ops.yaml:5:12",
        "ops.yaml:5:23",
    ]


def test_empty_files():
    assert ops("").ops == ops("# nothing yet\n").ops == ()


def test_a_first_entry_without_its_dash_is_told_from_a_second_document():
    _, diag = read("  args : (Tensor x)\n  output : Tensor(out)\n- op : b\n  args : (Tensor x)\n")
    assert "what is above is no list" in diag.render()
    _, diag = read("- op : a\n  args : (Tensor x)\n---\n- op : b\n")
    assert "a file is one document: remove the line" in diag.render()
