"""The Python functions and the op table that the generator writes.

Changed on purpose: `EXPECTTEST_ACCEPT=1 pytest tests/codegen/test_emit_python.py` rewrites the expected texts.
"""

import ast
import re

from _python_forms import YAML, emitted
from _yaml import ops
from expecttest import assert_expected_inline

from codegen.emit.python import functions as python
from codegen.emit.python import op_table as composites


def function(name: str, text: str) -> str:
    """The source of one generated function."""
    found = next(n for n in ast.parse(text).body if isinstance(n, ast.FunctionDef) and n.name == name)
    return ast.get_source_segment(text, found) or ""


def test_unary():
    assert_expected_inline(
        function("relu", emitted(python, "python/ops.py")),
        '''\
def relu(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """max(x, 0), with a "quote" and a back\\\\slash.

    Args:
        x: Tensor
        out: the tensor to write to, optional

    Returns:
        out: Tensor
    """
    if out is not None:
        return _op_relu_out(x, out=out)
    return _op_relu(x)''',
    )


def test_in_place_form_returns_its_argument():
    assert_expected_inline(
        function("relu_", emitted(python, "python/ops.py")),
        '''\
def relu_(x: Tensor) -> Tensor:
    """max(x, 0), with a "quote" and a back\\\\slash.

    In place: writes into `x` and returns it.

    Args:
        x: Tensor

    Returns:
        out: Tensor
    """
    _op_relu_(x)
    return x''',
    )


def test_attributes_that_may_be_tensors():
    assert_expected_inline(
        function("full", emitted(python, "python/ops.py")),
        '''\
def full(
    shape: IntArray,
    value: Number | Tensor,
    dtype: torch.dtype | None = torch.float32,
    place: Device = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """PHI's operator `full`.

    Args:
        shape: IntArray
        value: Scalar(double)
        dtype: DataType, default torch.float32
        place: Place, default None
        out: the tensor to write to, optional

    Returns:
        out: Tensor
    """
    shape = _int_array(shape)
    if out is not None:
        return _op_full_out(_as_number(shape), _as_number(value), dtype, place, out=out)
    place = _default_device(place)
    if isinstance(shape, Tensor) or isinstance(value, Tensor):
        return _op_full_tensor(_as_tensor(shape), _as_tensor(value), dtype, place)
    return _op_full(shape, value, dtype, place)''',
    )


def test_intermediate_outputs_are_dropped():
    assert_expected_inline(
        function("norm", emitted(python, "python/ops.py")),
        '''\
def norm(
    x: Tensor,
    mean: Tensor,
    scale: Tensor | None,
    limit: float,
    eps: float = float("inf"),
    mode: str = "all",
) -> tuple[Tensor, Tensor]:
    """PHI's operator `norm`.

    Deprecated: 0.2: use layer_norm

    Args:
        x: Tensor
        mean: Tensor
        scale: Tensor, optional, default None
        limit: float
        eps: float, default float("inf")
        mode: str, default "all"

    Returns:
        out: Tensor
        mean_out: Tensor
    """
    _deprecated('norm', '0.2: use layer_norm')
    result = _op_norm(x, mean, scale, limit, eps, mode)
    return result[0], result[1]''',
    )


def test_mutated_inputs_stand_in_the_place_of_outputs():
    assert_expected_inline(
        function("sgd_", emitted(python, "python/ops.py")),
        '''\
def sgd_(
    param: Sequence[Tensor],
    grad: Tensor,
    master: Tensor | None = None,
    rate: Number | Tensor = 0.1,
) -> tuple[Sequence[Tensor], Tensor | None, Tensor]:
    """PHI's operator `sgd_`.

    In place: writes into `param`, `master` and returns them.

    Args:
        param: Tensor[]
        grad: Tensor
        master: Tensor, optional, default None
        rate: Scalar, default 0.1

    Returns:
        param_out: Tensor[]
        master_out: Tensor, optional
        found: Tensor
    """
    if isinstance(rate, Tensor):
        result = _op_sgd__tensor(param, grad, master, _as_tensor(rate))
    else:
        result = _op_sgd_(param, grad, master, rate)
    return param, master, result''',
    )


def test_stub():
    text = emitted(python, "python/ops.pyi")
    assert_expected_inline(
        text[text.index("__all__") :],
        """\
__all__ = [
    "relu",
    "relu_",
    "full",
    "norm",
    "norm_",
    "sgd_",
]

# ops.yaml:2
def relu(x: Tensor, *, out: Tensor | None = None) -> Tensor: ...

# ops.yaml:2
def relu_(x: Tensor) -> Tensor: ...

# ops.yaml:12
def full(
    shape: IntArray,
    value: Number | Tensor,
    dtype: torch.dtype | None = torch.float32,
    place: Device = None,
    *,
    out: Tensor | None = None,
) -> Tensor: ...

# ops.yaml:19
def norm(
    x: Tensor,
    mean: Tensor,
    scale: Tensor | None,
    limit: float,
    eps: float = float("inf"),
    mode: str = "all",
) -> tuple[Tensor, Tensor]: ...

# ops.yaml:19
def norm_(
    x: Tensor,
    mean: Tensor,
    scale: Tensor | None,
    limit: float,
    eps: float = float("inf"),
    mode: str = "all",
) -> tuple[Tensor, Tensor]: ...

# ops.yaml:29
def sgd_(
    param: Sequence[Tensor],
    grad: Tensor,
    master: Tensor | None = None,
    rate: Number | Tensor = 0.1,
) -> tuple[Sequence[Tensor], Tensor | None, Tensor]: ...
""",
    )


def test_op_table():
    text = emitted(composites, "python/_op_table.py")
    assert_expected_inline(
        text[text.index("SOURCE_HASH") :],
        """\
SOURCE_HASH = "0123456789abcdef"

OPS: dict[str, OpInfo] = {
    op.name: op
    for op in (
        # ops.yaml:2
        OpInfo(
            name='relu',
            loc='ops.yaml:2',
            schema='(Tensor x) -> Tensor',
            params='x',
            overloads=('relu', 'relu_', 'relu.out'),
            composite='where(x > 0, x, 0)',
            kernels=('relu',),
            inplace=(('x', 'out'),),
            backward='relu_grad',
            category='unary',
            vmap='elementwise',
            order='any',
            doc=True,
            kernel_args=('Tensor x',),
            kernel_outputs=('Tensor out',),
        ),
        # ops.yaml:12
        OpInfo(
            name='full',
            loc='ops.yaml:12',
            schema='(SymInt[] shape, Scalar value, ScalarType? dtype=6, Device? device=None) -> Tensor',
            params='shape, value, dtype=torch.float32, place=None',
            overloads=('full', 'full.out', 'full.tensor'),
            kernels=('full',),
            category='creation',
            kernel_args=('IntArray shape', 'Scalar(double) value', 'DataType dtype'),
            kernel_outputs=('Tensor out',),
        ),
        # ops.yaml:19
        OpInfo(
            name='norm',
            loc='ops.yaml:19',
            schema='(Tensor x, Tensor mean, Tensor? scale, float limit, float eps, str mode="all") -> (Tensor, Tensor, Tensor)',
            params='x, mean, scale, limit, eps=float("inf"), mode="all"',
            outputs=('out', 'mean_out', 'saved'),
            intermediate=('saved',),
            overloads=('norm', 'norm_'),
            kernels=('norm',),
            inplace=(('mean', 'mean_out'),),
            autocast='promote',
            kernel_args=('Tensor x', 'Tensor mean', 'Tensor scale', 'float limit', 'float eps', 'str mode'),
            kernel_outputs=('Tensor out', 'Tensor mean_out', 'Tensor saved'),
        ),
        # ops.yaml:29
        OpInfo(
            name='sgd_',
            loc='ops.yaml:29',
            schema='(Tensor(a!)[] param, Tensor grad, Tensor(b!)? master=None, Scalar rate=0.1) -> Tensor',
            params='param, grad, master=None, rate=0.1',
            outputs=('param_out', 'master_out', 'found'),
            overloads=('sgd_', 'sgd_.tensor'),
            kernels=('sgd', 'sgd_sr'),
            inplace=(('param', 'param_out'), ('master', 'master_out')),
            category='optimizer',
            kernel_args=('Tensor[] param', 'Tensor grad', 'Tensor master', 'Scalar rate'),
            kernel_outputs=('Tensor[] param_out', 'Tensor master_out', 'Tensor found'),
        ),
        # ops.yaml:40
        OpInfo(
            name='relu_grad',
            loc='ops.yaml:40',
            schema='(Tensor out, Tensor out_grad) -> Tensor',
            params='out, out_grad',
            outputs=('x_grad',),
            overloads=('relu_grad',),
            composite='where(out > 0, out_grad, 0)',
            kernels=('relu_grad',),
            forward='relu',
            category='unary_grad',
            vmap='elementwise',
            order='composite',
            kernel_args=('Tensor out', 'Tensor out_grad'),
            kernel_outputs=('Tensor x_grad',),
        ),
    )
}
""",
    )


def test_docstring_is_the_yaml_text():
    text = emitted(python, "python/ops.py")
    module = ast.parse(text)
    relu = next(n for n in module.body if isinstance(n, ast.FunctionDef) and n.name == "relu")
    assert (ast.get_docstring(relu) or "").startswith('max(x, 0), with a "quote" and a back\\slash.')


def test_every_overload_is_bound_once():
    handles = re.findall(r"^(_op_\w+) = torch.ops.phi.([\w.]+)$", emitted(python, "python/ops.py"), re.MULTILINE)
    assert len({name for name, _ in handles}) == len({target for _, target in handles}) == len(handles)


def test_stub_and_module_agree():
    def signatures(name: str) -> dict[str, str]:
        functions = [n for n in ast.parse(emitted(python, name)).body if isinstance(n, ast.FunctionDef)]
        return {f.name: f"{ast.unparse(f.args)} -> {ast.unparse(f.returns)}" for f in functions}

    assert signatures("python/ops.py") == signatures("python/ops.pyi")


def test_no_function_hides_a_name_that_the_module_uses():
    """An op is called `sum` or `full`; the generated bodies use only what no op can be called."""
    text = emitted(python, "python/ops.py")
    loaded = {n.id for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    free = {n for n in loaded if not n.startswith("_op_")} - {a.name for op in ops(YAML).ops for a in op.args}
    types = {"bool", "int", "float", "str", "list", "tuple", "Tensor", "Sequence", "Number", "IntArray", "Device", "torch"}
    assert free <= {
        *types,
        "isinstance",
        "result",
        "_int_array",
        "_ints",
        "_as_tensor",
        "_as_number",
        "_default_device",
        "_outputs",
        "out",
        "outs",
        "_deprecated",
    }
