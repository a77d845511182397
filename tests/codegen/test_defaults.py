"""What an entry means where it is silent."""

from _yaml import op, ops, read

from codegen.model.category import is_composite_alone

MOVE = """
- op : move
  args : (Tensor x, Tensor index, int64_t axis = 0)
  output : Tensor(out)
  infer_meta : {func : MoveInferMeta}
  dtypes : floating
  backward : move_grad
- backward_op : move_grad
  forward : move (Tensor x, Tensor index, int64_t axis) -> Tensor(out)
  args : (Tensor x, Tensor index, Tensor out_grad, int64_t axis)
  output : Tensor(x_grad)
  dtypes : floating
"""


def test_a_kernel_with_dtypes_has_the_name_of_its_op_and_the_dtype_of_its_first_tensor():
    move = ops(MOVE)["move"].kernel
    assert move.dense.name == "move" and move.data_type == ("x",)


def test_a_gradient_is_of_the_dtype_of_the_incoming_one_and_like_what_it_is_the_gradient_of():
    found = ops(MOVE)["move_grad"]
    assert found.kernel.dense.name == "move_grad" and found.kernel.data_type == ("out_grad",)
    assert (found.infer_meta.func, found.infer_meta.param) == ("ContiguousGradInferMeta", ("x",))


def test_two_gradients():
    text = MOVE.replace("output : Tensor(x_grad)", "output : Tensor(x_grad), Tensor(index_grad)")
    found = ops(text)["move_grad"].infer_meta
    assert (found.func, found.param) == ("ContiguousBinaryGradInferMeta", ("x", "index"))


def test_what_is_written_wins():
    text = MOVE.replace(
        "dtypes : floating\n  backward", "kernel : {func : shift, data_type : index}\n  dtypes : floating\n  backward"
    )
    assert ops(text)["move"].kernel.dense.name == "shift" and ops(text)["move"].kernel.data_type == ("index",)


def test_an_op_in_place_alone_has_a_kernel_without_the_underscore():
    entry = "- op : step_\n  args : (Tensor x)\n  output : Tensor(out)\n  inplace : (x -> out)\n  category : optimizer\n"
    assert op(f"{entry}  dtypes : floating").kernel.dense.name == "step"


def test_a_gradient_without_a_kernel_has_no_infer_meta():
    text = MOVE.rpartition("  dtypes : floating\n")[0] + "  composite : out_grad * 1\n"
    found = ops(text)["move_grad"]
    assert found.kernel is None and found.infer_meta is None


def test_a_composite_that_is_the_kernel():
    """It takes any strides, and has a site that it is registered at, but no functor and no function."""
    text = "- op : twice\n  args : (Tensor x)\n  output : Tensor(out)\n  category : unary\n  composite : x + x\n"
    twice = op(f"{text}  dtypes :\n    COMPOSITE : floating\n")
    assert (twice.kernel.dense.name, twice.functors, twice.strided) == ("twice", (), {"x"})
    assert is_composite_alone(twice) and twice.dtypes_on("COMPOSITE") == ("floating",) and twice.dtypes_on("CPU") == ()
    both = op(f"{text}  dtypes :\n    CPU : float32\n    COMPOSITE : floating\n")
    assert not is_composite_alone(both) and [functor.name for functor in both.functors] == ["TwiceFunctor"]


def test_a_composite_that_is_the_kernel_is_there():
    text = "- op : twice\n  args : (Tensor x)\n  output : Tensor(out)\n  category : unary\n  dtypes :\n    COMPOSITE : floating\n"
    assert "runs its composite, but has none" in read(text)[1].render()
