"""Ops whose Python functions, op table and documentation page the tests look at."""

from types import ModuleType

from _yaml import ops

YAML = r"""
    - op : relu
      args : (Tensor x)
      output : Tensor(out)
      category : unary
      composite : where(x > 0, x, 0)
      inplace : (x -> out)
      backward : relu_grad
      doc : |
        max(x, 0), with a "quote" and a back\slash.

    - op : full
      args : (IntArray shape, Scalar(double) value, DataType dtype=DataType::FLOAT32, Place place=CPUPlace())
      output : Tensor(out)
      infer_meta : {func : CreateInferMeta, param : [shape, dtype]}
      kernel : {func : full, param : [shape, value, dtype], data_type : dtype, backend : place}
      category : creation

    - op : norm
      args : (Tensor x, Tensor mean, Tensor scale, float limit, float eps = INFINITY, str mode = "all")
      output : Tensor(out), Tensor(mean_out), Tensor(saved)
      infer_meta : {func : NormInferMeta}
      kernel : {func : norm}
      view : (mean -> mean_out)
      optional : scale
      intermediate : saved
      deprecated : "0.2: use layer_norm"

    - op : sgd_
      args : (Tensor[] param, Tensor grad, Tensor master, Scalar rate = 0.1f)
      output : Tensor[](param_out){param.size()}, Tensor(master_out), Tensor(found)
      infer_meta : {func : SgdInferMeta}
      kernel :
        func : sgd {dense, dense, dense -> dense, dense, dense},
               sgd_sr {dense, selected_rows, dense -> dense, dense, dense}
      inplace : (param -> param_out), (master -> master_out)
      optional : master, master_out
      category : optimizer

    - backward_op : relu_grad
      forward : relu (Tensor x) -> Tensor(out)
      args : (Tensor out, Tensor out_grad)
      output : Tensor(x_grad)
      category : unary_grad
      composite : where(out > 0, out_grad, 0)
"""


def emitted(module: ModuleType, name: str) -> str:
    return module.emit(ops(YAML), "0123456789abcdef")[name]
