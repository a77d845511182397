"""Programs that are wrong in random ways, as JSON; everything follows from the generator that is passed in."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from typing import Any

VALUES: tuple[Any, ...] = (None, True, 0, -1, 1.5, 1 << 31, 1 << 63, 1 << 70, -(1 << 63) - 1, "", "NULL", "0.a_array", [], {})
SIZES = (0, -1, -2, 1 << 31, 1 << 62, (1 << 63) - 1, 1 << 63)


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """(container, key) of each value below `value`."""
    for key in value if isinstance(value, dict) else range(len(value)):
        yield value, key
        if isinstance(value[key], (dict, list)):
            yield from places(value[key])


def ids(program: Any, marks: str) -> list[tuple[Any, Any]]:
    """The places of ids: "I" for operands, "O" for results and arguments."""
    found = []
    for container, key in places(program):
        if isinstance(container, dict) and (key == "%" or (key == "#" and type(container[key]) is int)):
            found += [(container, key)] if ("TT" in container) == (marks == "O") else []
    return found


def other_value(program: Any, rng: random.Random) -> None:
    container, key = rng.choice(list(places(program)))
    container[key] = rng.choice(VALUES)


def other_place(program: Any, rng: random.Random) -> None:
    """A value that stands elsewhere, which may make a tree deeper."""
    (container, key), (source, other) = rng.sample(list(places(program)), 2)
    container[key] = json.loads(json.dumps(source[other]))


def removed(program: Any, rng: random.Random) -> None:
    container, key = rng.choice(list(places(program)))
    del container[key]


def repeated(program: Any, rng: random.Random) -> None:
    lists = [(container, key) for container, key in places(program) if isinstance(container, list)]
    container, key = rng.choice(lists)
    container.insert(rng.randrange(len(container) + 1), json.loads(json.dumps(container[key])))


def extra_key(program: Any, rng: random.Random) -> None:
    objects = [container for container, _ in places(program) if isinstance(container, dict)]
    rng.choice(objects)[rng.choice(("#", "D", "VD", "TT", "OA", "regions", "kwargs", "x"))] = rng.choice(VALUES)


def swapped_ids(program: Any, rng: random.Random) -> None:
    """Of two results, of two operands, or of one and the other: uses before definitions, and cycles."""
    (first, a), (second, b) = (rng.choice(ids(program, rng.choice("IO"))) for _ in range(2))
    first[a], second[b] = second[b], first[a]


def other_size(program: Any, rng: random.Random) -> None:
    lists = [c[k] for c, k in places(program) if isinstance(c[k], list) and c[k] and all(type(one) is int for one in c[k])]
    found = rng.choice(lists)
    found[rng.randrange(len(found))] = rng.choice(SIZES)
    if rng.random() < 0.2:
        found *= rng.choice((2, 20))


def deep(program: Any, rng: random.Random) -> None:
    container, key = rng.choice(list(places(program)))
    for _ in range(rng.choice((3, 70, 300))):
        container[key] = rng.choice(
            ([container[key]], {"#": "0.a_array", "D": [container[key]]}, {"#": "0.t_vec", "D": [container[key]]})
        )


def nested_regions(program: Any, rng: random.Random) -> None:
    ops = program["program"]["regions"][0]["blocks"][0]["ops"]
    for _ in range(rng.choice((2, 63, 64, 90))):
        op = {"#": "2.yield", "A": [], "I": [], "O": [], "OA": []}
        block: dict[str, Any] = {"#": "block_1", "args": [], "ops": rng.choice((ops[-1:], []))}
        ops[-1:] = [op | {"regions": [{"#": "region_1", "blocks": [block]}]}]


ON_JSON: tuple[Callable[[Any, random.Random], None], ...] = (
    *(other_value, other_place, removed, repeated, extra_key, swapped_ids, other_size, deep, nested_regions),
)


def mutant(data: bytes, rng: random.Random) -> bytes:
    """The bytes of a program, a part of which is another one."""
    program = json.loads(data)
    rng.choice(ON_JSON)(program, rng)
    return json.dumps(program, separators=(",", ":")).encode()
