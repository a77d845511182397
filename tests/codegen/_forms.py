"""One op of each form, for the tests of what the generator writes."""

from _yaml import ops

YAML = r"""
    - op : add
      args : (Tensor x, Tensor y)
      output : Tensor(out)
      category : binary
      inplace : (x -> out)
      backward : add_grad
    - op : scale
      args : (Tensor x, Scalar scale = 1.0, bool bias_after_scale = true)
      output : Tensor(out)
      infer_meta : {func : UnchangedInferMeta, param : [x]}
      kernel :
        func : scale {dense -> dense}, scale_sr {selected_rows -> selected_rows}
        data_type : x
      inplace : (x -> out)
      backward : scale_grad
    - op : full
      args : (IntArray shape, Scalar value, DataType dtype = DataType::FLOAT32, Place place = CPUPlace())
      output : Tensor(out)
      infer_meta : {func : CreateInferMeta, param : [shape, dtype]}
      kernel : {func : full, param : [shape, value, dtype], data_type : dtype, backend : place}
      category : creation
    - op : split
      args : (Tensor x, IntArray sections, Scalar axis, int[] other = {1, 2}, str mode = "a")
      output : Tensor[](out){sections.size()}
      infer_meta : {func : SplitInferMeta}
      kernel : {func : split}
    - op : sgd_
      args : (Tensor param, Tensor learning_rate, Tensor master_param, bool multi_precision = false)
      output : Tensor(param_out), Tensor(master_param_out)
      infer_meta : {func : SgdInferMeta}
      kernel : {func : sgd, data_type : param}
      data_transform : {support_trans_dtype : learning_rate}
      optional : master_param, master_param_out
      inplace : (param -> param_out), (master_param -> master_param_out)
      category : optimizer
    - op : reshape
      args : (Tensor x, IntArray shape)
      output : Tensor(out)
      infer_meta : {func : ReshapeInferMeta}
      kernel : {func : reshape}
      inplace : (x -> out)
      view : (x -> out)
      category : view
    - op : swish
      args : (Tensor x, float beta = 1.0)
      output : Tensor(out)
      category : unary
    - backward_op : add_grad
      forward : add (Tensor x, Tensor y) -> Tensor(out)
      args : (Tensor x, Tensor y, Tensor out_grad, int axis = -1)
      output : Tensor(x_grad), Tensor(y_grad)
      category : binary_grad
      no_need_buffer : x, y
    - backward_op : scale_grad
      forward : scale (Tensor x, Scalar scale, bool bias_after_scale) -> Tensor(out)
      args : (Tensor out_grad, Scalar scale = 1.0)
      output : Tensor(x_grad)
      invoke : scale(out_grad, scale)
"""


OPSET = ops(YAML)


def function(files: dict[str, str], name: str) -> str:
    """The text of one generated C++ function, with what stands before it, from whichever shard it is in."""
    blocks = "".join(files.values()).split("\n\n")
    (found,) = [b for b in blocks if b.startswith("// ops.yaml") and f" {name}(" in b.split(" {\n")[0]]
    return found + "\n"
