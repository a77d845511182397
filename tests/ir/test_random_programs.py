"""Random programs: what a compiled one gives is what the same operators give one by one, with freed memory overwritten."""

from __future__ import annotations

import random

import pytest
import torch

from phi_torch import ir


class RandomProgram:
    """A program of up to 60 operators of views, in-place operators, lists, branches, loops, and its values by torch's functions."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        torch.manual_seed(seed)
        self.builder = ir.Builder()
        self.make = self.builder.program.context
        self.inputs: list[torch.Tensor] = []
        self.values: list[tuple[ir.Value, torch.Tensor]] = []
        for i in range(self.random.randint(1, 3)):
            self.add_input(f"x{i}")
        for _ in range(self.random.randint(10, 60)):
            self.add(self.builder)
        self.expected = []
        for i, (value, tensor) in enumerate(self.random.sample(self.values, min(4, len(self.values)))):
            self.builder.create("pd_op.fetch", [value], {"name": f"y{i}", "col": i}, [value.type])
            self.expected.append(tensor)

    def type(self, tensor: torch.Tensor) -> ir.Type:
        return self.make.dense_tensor(str(tensor.dtype).removeprefix("torch."), [-1] * tensor.dim())

    def add_input(self, name: str) -> None:
        x = torch.randn([self.random.choice([1, 2, 4, 6]) for _ in range(self.random.randint(1, 3))])
        type = self.make.dense_tensor("float32", list(x.shape))
        op = self.builder.create("pd_op.data", [], {"name": name, "shape": list(x.shape), "dtype": "float32"}, [type])
        self.inputs.append(x)
        self.values.append((op.results[0], x))

    def create(
        self, builder: ir.Builder, name: str, operands: list[ir.Value], tensor: torch.Tensor, **attributes: object
    ) -> ir.Value:
        return builder.create(name, operands, attributes, [self.type(tensor)]).results[0]

    def integers(self, builder: ir.Builder, values: list[int]) -> ir.Value:
        type = self.make.dense_tensor("int64", [len(values)])
        return builder.create("pd_op.full_int_array", [], {"value": values}, [type]).results[0]

    def add(self, builder: ir.Builder, depth: int = 0) -> None:
        value, x = self.random.choice(self.values)
        kinds = (
            ["unary", "binary", "transpose", "reshape", "slice", "concat", "split", "inplace", "matmul"]
            + ["if"] * (depth < 2)
            + ["while"] * (depth < 1)
        )
        getattr(self, f"add_{self.random.choice(kinds)}")(builder, value, x, depth)

    def keep(self, value: ir.Value, tensor: torch.Tensor) -> None:
        self.values.append((value, tensor))

    def add_unary(self, builder: ir.Builder, value: ir.Value, x: torch.Tensor, depth: int) -> None:
        name, function = self.random.choice([("relu", torch.relu), ("tanh", torch.tanh), ("sigmoid", torch.sigmoid)])
        y = function(x)
        self.keep(self.create(builder, f"pd_op.{name}", [value], y), y)

    def add_binary(self, builder: ir.Builder, value: ir.Value, x: torch.Tensor, depth: int) -> None:
        def fits(t: torch.Tensor) -> bool:
            return t.dim() == x.dim() and all(a == b or 1 in (a, b) for a, b in zip(t.shape, x.shape))

        other, y = self.random.choice([(v, t) for v, t in self.values if fits(t)])
        z = x + y
        self.keep(self.create(builder, "pd_op.add", [value, other], z), z)

    def add_transpose(self, builder: ir.Builder, value: ir.Value, x: torch.Tensor, depth: int) -> None:
        perm = self.random.sample(range(x.dim()), x.dim())
        y = x.permute(perm)
        self.keep(self.create(builder, "pd_op.transpose", [value], y, perm=perm), y)

    def add_reshape(self, builder: ir.Builder, value: ir.Value, x: torch.Tensor, depth: int) -> None:
        shape = self.random.choice([[-1], [1, -1], [x.numel(), 1]])
        y = x.reshape(shape)
        self.keep(self.create(builder, "pd_op.reshape", [value, self.integers(builder, shape)], y), y)

    def add_slice(self, builder: ir.Builder, value: ir.Value, x: torch.Tensor, depth: int) -> None:
        end = self.random.randint(1, x.shape[0])
        begin = self.random.randrange(end)
        y = x[begin:end]
        operands = [value, self.integers(builder, [begin]), self.integers(builder, [end])]
        self.keep(self.create(builder, "pd_op.slice", operands, y, axes=[0], infer_flags=[1], decrease_axis=[]), y)

    def add_concat(self, builder: ir.Builder, value: ir.Value, x: torch.Tensor, depth: int) -> None:
        if x.numel() > 500:
            return
        list_type = self.make.vector([value.type, value.type])
        both = builder.create("builtin.combine", [value, value], {}, [list_type]).results[0]
        axis = self.create(builder, "pd_op.full", [], torch.zeros(1, dtype=torch.int32), shape=[1], value=0.0, dtype="int32")
        y = torch.cat([x, x])
        self.keep(self.create(builder, "pd_op.concat", [both, axis], y), y)

    def add_split(self, builder: ir.Builder, value: ir.Value, x: torch.Tensor, depth: int) -> None:
        pieces = x.unbind(0)
        type = self.make.vector([self.type(piece) for piece in pieces])
        taken = builder.create("pd_op.unbind", [value], {"axis": 0}, [type]).results[0]
        split = builder.create("builtin.split", [taken], {}, [self.type(piece) for piece in pieces])
        if x.dim() > 1:
            i = self.random.randrange(len(pieces))
            self.keep(split.results[i], pieces[i])

    def add_inplace(self, builder: ir.Builder, value: ir.Value, x: torch.Tensor, depth: int) -> None:
        if depth > 0 or value.type != self.type(x):
            return
        y = torch.relu(x)
        written = self.create(builder, "pd_op.relu_", [value], y)
        self.values = [(v, t) for v, t in self.values if v != value]
        self.keep(written, y)

    def add_matmul(self, builder: ir.Builder, value: ir.Value, x: torch.Tensor, depth: int) -> None:
        if x.dim() != 2:
            return
        y = x @ x.T
        self.keep(self.create(builder, "pd_op.matmul", [value, value], y, transpose_y=True), y)

    def add_if(self, builder: ir.Builder, value: ir.Value, x: torch.Tensor, depth: int) -> None:
        chosen = self.random.random() < 0.5
        total = x.sum()
        sum_of = self.create(builder, "pd_op.sum", [value, self.integers(builder, [])], total)
        limit = total.item() - 1 if chosen else total.item() + 1
        bound = self.create(builder, "pd_op.full", [], total, shape=[], value=float(limit), dtype="float32")
        condition = self.create(builder, "pd_op.greater_than", [sum_of, bound], torch.tensor(True))
        op = builder.create("pd_op.if", [condition], {}, [self.type(x)], regions=2)
        outer, results = list(self.values), []
        for region in op.regions:
            self.values = list(outer)
            inner = builder.at_end(region.add_block())
            for _ in range(self.random.randint(1, 4)):
                self.add(inner, depth + 1)
            fitting = [(v, t) for v, t in self.values if t.dim() == x.dim()]
            result, tensor = self.random.choice(fitting)
            inner.create("cf.yield", [result])
            results.append(tensor)
        self.values = outer
        self.keep(op.results[0], results[0 if chosen else 1])

    def number(self, builder: ir.Builder, value: int, dtype: str = "int64") -> ir.Value:
        like = torch.zeros(1, dtype=getattr(torch, dtype))
        return self.create(builder, "pd_op.full", [], like, shape=[1], value=float(value), dtype=dtype)

    def add_while(self, builder: ir.Builder, value: ir.Value, x: torch.Tensor, depth: int) -> None:
        """Two values are carried, and change places or not."""
        other, y = self.random.choice([(v, t) for v, t in self.values if t.shape == x.shape])
        rounds, swaps = self.random.randint(0, 3), self.random.random() < 0.5
        names = ["relu", *self.random.choices(["relu", "relu_", "tanh", "add"], k=self.random.randint(0, 3))]
        zero, limit = self.number(builder, 0), self.number(builder, rounds)
        flag = torch.zeros(1, dtype=torch.bool)
        types = [zero.type, self.type(x), self.type(y)]
        more = self.create(builder, "pd_op.less_than", [zero, limit], flag)
        loop = builder.create("pd_op.while", [more, zero, value, other], {}, types, regions=1)
        block = loop.regions[0].add_block(types)
        inner, (i, a, b) = builder.at_end(block), block.arguments
        following = inner.create("pd_op.scale", [i, self.number(inner, 1, "float32")], {"bias": 1.0}, [zero.type])
        again = self.create(inner, "pd_op.less_than", [following.results[0], limit], flag)
        made = a
        for name in names:
            made = self.create(inner, f"pd_op.{name}", [made, b] if name == "add" else [made], x)
        inner.create("cf.yield", [again, following.results[0], *((b, made) if swaps else (made, b))])
        for _ in range(rounds):
            z = x
            for name in names:
                z = z + y if name == "add" else torch.tanh(z) if name == "tanh" else torch.relu(z)
            x, y = (y, z) if swaps else (z, y)
        self.keep(loop.results[1], x)
        self.keep(loop.results[2], y)


@pytest.mark.parametrize("passes", [[], "default"], ids=["no passes", "default"])
@pytest.mark.parametrize("seed", range(60))
def test_compiled_is_eager(seed: int, passes):
    made = RandomProgram(seed)
    made.builder.program.verify()
    run = ir.compile(ir.parse(str(made.builder.program)), passes=passes)
    for call in (run, run.run_poisoned, run):
        before = [x.clone() for x in made.inputs]
        found = call(*made.inputs)
        assert all(torch.equal(a, b) for a, b in zip(before, made.inputs))  # no input is written
        for ours, theirs in zip(found, made.expected, strict=True):
            torch.testing.assert_close(ours, theirs, rtol=1e-4, atol=1e-4)
