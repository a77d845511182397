"""A call that is right becomes one that is nearly right. Everything follows from the generator that is passed in."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from . import values
from .recipes import Call, ListRecipe, Recipe, TensorRecipe, Text

ALIASES = (
    "{}",
    "{}",
    "{}[1:]",
    "{}[:-1]",
    "{}.t()",
    "{}[0]",
    "{}.flip(0)",
    "{}.view(-1)",
    "{}.detach()",
    "{}.expand(2, *{}.shape)",
)


def random_call(seeds: list[Call], types: Callable[[str], dict[str, str]], rng: random.Random) -> Call:
    """One of `seeds`, changed in zero to three places; `types` gives the types of a function's arguments."""
    call = rng.choice(seeds)
    if rng.random() < 0.25:
        call = _retyped(call, rng)
    if rng.random() < 0.2:
        call = _on_tensors(call, lambda t: values.dressed(t, rng))
    if not rng.random() < 0.45:
        call = _on_tensors(call, lambda t: replace(t, grad=False))
    else:
        call = _on_tensors(call, lambda t: replace(t, grad=rng.random() < 0.8))
    for _ in range(rng.choice([0, 1, 1, 1, 1, 1, 2, 3])):
        call = _changed(call, types(call.function), rng)
    return call


def _on_tensors(call: Call, function: Callable[[TensorRecipe], TensorRecipe]) -> Call:
    def mapped(recipe: Recipe) -> Recipe:
        if isinstance(recipe, ListRecipe):
            return ListRecipe(tuple(mapped(item) for item in recipe.items))
        return function(recipe) if isinstance(recipe, TensorRecipe) else recipe

    return replace(call, arguments={name: mapped(recipe) for name, recipe in call.arguments.items()})


def _retyped(call: Call, rng: random.Random) -> Call:
    """All tensors of one dtype get another one."""
    found: list[Any] = []
    _on_tensors(call, lambda t: found.append(t.dtype) or t)  # type: ignore[func-returns-value]
    if not found:
        return call
    old, new = rng.choice(found), rng.choice(values.COMMON if rng.random() < 0.9 else values.DTYPES)
    return _on_tensors(call, lambda t: values.retyped(t, new) if t.dtype is old else t)


def _changed(call: Call, types: dict[str, str], rng: random.Random) -> Call:
    """One argument becomes another, or goes, or is made of another one's memory."""
    names = list(call.arguments)
    if not names:
        return call
    name = rng.choice(names)
    recipe = call.arguments[name]
    tensors = [n for n in names if isinstance(call.arguments[n], TensorRecipe)]
    if rng.random() < 0.08 and len(tensors) > 1:
        first, second = sorted(rng.sample(tensors, 2), key=names.index)
        return replace(call, aliases=(*call.aliases, (second, first, rng.choice(ALIASES))))
    if rng.random() < 0.02:
        left = {n: r for n, r in call.arguments.items() if n != name}
        return replace(call, arguments=left)
    if isinstance(recipe, Text) and "Tensor" not in types.get(name, ""):
        return call.with_argument(name, values.attribute(types.get(name, ""), rng, recipe.text))
    return call.with_argument(name, values.changed(recipe, rng))
