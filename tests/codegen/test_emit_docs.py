"""The documentation page that the generator writes.

Changed on purpose: `EXPECTTEST_ACCEPT=1 pytest tests/codegen/test_emit_docs.py` rewrites the expected text.
"""

from pathlib import Path

from _python_forms import YAML
from _yaml import ops
from expecttest import assert_expected_inline

from codegen.emit.docs import operators as docs


def test_docs_page(tmp_path: Path):
    assert_expected_inline(
        docs.emit(ops(YAML), "", tmp_path)["docs/ops.md"],
        """\
<!-- generated from yaml/ by codegen; do not edit -->
# Operators

4 operators. `phi_torch.<op>` returns the outputs that are not intermediate; `torch.ops.phi.<op>` all of them.

| operator | | differentiable | in torch |
|---|---|---|---|
| [`full`](#full) | PHI's operator `full` | - |  |
| [`norm`](#norm) | PHI's operator `norm` | - |  |
| [`relu`](#relu) | max(x, 0), with a "quote" and a back\\slash | any order |  |
| [`sgd_`](#sgd_) | PHI's operator `sgd_` | - |  |

## full

PHI's operator `full`.

```python
phi_torch.full(
    shape: IntArray,
    value: Number | Tensor,
    dtype: torch.dtype | None = torch.float32,
    place: Device = None,
    *,
    out: Tensor | None = None,
) -> Tensor
```

```text
full(SymInt[] shape, Scalar value, ScalarType? dtype=6, Device? device=None) -> Tensor
full.out(SymInt[] shape, Scalar value, ScalarType? dtype=6, Device? device=None, *, Tensor(a!) out) -> Tensor(a!)
full.tensor(Tensor shape, Tensor value, ScalarType? dtype=6, Device? device=None) -> Tensor
```

| | |
|---|---|
| differentiable | no |
| vmap | loop |
| autocast | none |
| entry | [`ops.yaml`](../ops.yaml) |

## norm

PHI's operator `norm`.

```python
phi_torch.norm(
    x: Tensor,
    mean: Tensor,
    scale: Tensor | None,
    limit: float,
    eps: float = float("inf"),
    mode: str = "all",
) -> tuple[Tensor, Tensor]
phi_torch.norm_(
    x: Tensor,
    mean: Tensor,
    scale: Tensor | None,
    limit: float,
    eps: float = float("inf"),
    mode: str = "all",
) -> tuple[Tensor, Tensor]
```

```text
norm(Tensor x, Tensor mean, Tensor? scale, float limit, float eps, str mode="all") -> (Tensor, Tensor, Tensor)
norm_(Tensor x, Tensor(a!) mean, Tensor? scale, float limit, float eps, str mode="all") -> (Tensor, Tensor)
```

| | |
|---|---|
| differentiable | no |
| vmap | loop |
| autocast | promote |
| deprecated | 0.2: use layer_norm |
| entry | [`ops.yaml`](../ops.yaml) |

## relu

max(x, 0), with a "quote" and a back\\slash.

```python
phi_torch.relu(x: Tensor, *, out: Tensor | None = None) -> Tensor
phi_torch.relu_(x: Tensor) -> Tensor
```

```text
relu(Tensor x) -> Tensor
relu_(Tensor(a!) x) -> Tensor(a!)
relu.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)
```

| | |
|---|---|
| dtypes, CPU | float32, float64, float16, bfloat16 |
| dtypes, GPU | float32, float64, float16, bfloat16 |
| differentiable | any order, by `relu_grad` and its composite |
| composite | `where(x > 0, x, 0)` |
| vmap | elementwise |
| autocast | none |
| entry | [`ops.yaml`](../ops.yaml) |
| kernel | [`ops/relu.h`](../csrc/kernels/ops/relu.h) |
| gradient | [`ops/relu.h`](../csrc/kernels/ops/relu.h) |

## sgd_

PHI's operator `sgd_`.

```python
phi_torch.sgd_(
    param: Sequence[Tensor],
    grad: Tensor,
    master: Tensor | None = None,
    rate: Number | Tensor = 0.1,
) -> tuple[Sequence[Tensor], Tensor | None, Tensor]
```

```text
sgd_(Tensor(a!)[] param, Tensor grad, Tensor(b!)? master=None, Scalar rate=0.1) -> Tensor
sgd_.tensor(Tensor(a!)[] param, Tensor grad, Tensor(b!)? master, Tensor rate) -> Tensor
```

| | |
|---|---|
| differentiable | no |
| vmap | loop |
| autocast | none |
| entry | [`ops.yaml`](../ops.yaml) |
""",
    )


def test_dtypes_come_from_the_sources(tmp_path: Path):
    folder = tmp_path / "csrc" / "kernels"
    folder.mkdir(parents=True)
    (folder / "full_kernel.cc").write_text(
        "PD_REGISTER_KERNEL(full, CPU, ALL_LAYOUT, phi::FullKernel, float, int64_t, phi::dtype::bfloat16) {}\n"
    )
    text = docs.emit(ops(YAML), "", tmp_path / "csrc")["docs/ops.md"]
    assert "| dtypes, CPU | float32, int64, bfloat16 |" in text
