"""Operator YAML that is wrong in random ways. Everything follows from the generator that is passed in."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from codegen.model.category import CATEGORIES
from codegen.read.entry import KEYS, OWN_KEYS
from codegen.types.table import TYPES

Mutation = Callable[[str, random.Random], str]

_CHARACTERS = "()[]{}:,->=<\"'|#&*!%@`\\?~\t\n\r\0\x07\x1b\x85\xa0é中\u2028\ufeff\U0001f600 x1_"
_WORDS = (
    *(*KEYS, *OWN_KEYS, *TYPES, *CATEGORIES),
    *("true", "null", "~", "0x7f", "1e999", "-0", "nan", ".inf", "9" * 400, "1_0", "2001-01-01", "0b1", "0o7", "=", "<<"),
    *(
        "optional<Tensor>",
        "paddle::optional<int>",
        "Tensor[][]",
        "DataType::FLOAT32",
        "x.size()",
        "lambda",
        "class",
        "__import__('os')",
    ),
    *(
        "\ud800".encode("utf-16", "surrogatepass").decode("utf-16", "replace"),
        "a" * 3000,
        "é" * 300,
        "%s{}{0}$x",
        "{{ x }}",
        "*a",
        "&a",
    ),
)
_VALUES = (
    *(
        "",
        "[]",
        "{}",
        "[[]]",
        "''",
        '""',
        "|",
        ">",
        "|+2\n  x",
        "&a x",
        "*a",
        "!!str x",
        "!!python/object:os.system x",
        "!x y",
        "? x",
        "- x",
    ),
    *(
        "(",
        ")",
        "(Tensor x",
        "()",
        "(,)",
        "(->)",
        "->",
        "( -> )",
        "x -> y",
        "{a: {b: {c: d}}}",
        "[a, [b, [c]]]",
        "{<<: {op: x}}",
        "# x",
    ),
)


def characters(text: str, rng: random.Random) -> str:
    at = rng.randrange(len(text) + 1)
    if rng.random() < 0.5:
        return text[:at] + text[at + rng.randint(1, 6) :]
    return text[:at] + "".join(rng.choices(_CHARACTERS, k=rng.randint(1, 3))) + text[at:]


def words(text: str, rng: random.Random) -> str:
    """A word becomes another one of the text, or one that means something somewhere."""
    spans = [match.span() for match in re.finditer(r"[\w:.]+(?:\[\])?", text)] or [(0, 0)]
    begin, end = rng.choice(spans)
    from_, to = rng.choice(spans)
    return text[:begin] + (text[from_:to] if rng.random() < 0.3 else rng.choice(_WORDS)) + text[end:]


def typos(text: str, rng: random.Random) -> str:
    spans = [match.span() for match in re.finditer(r"\w{3,}", text)] or [(0, 0)]
    begin, end = rng.choice(spans)
    letters = list(text[begin:end])
    rng.shuffle(letters)
    return text[:begin] + "".join(letters) + text[end:]


def lines(text: str, rng: random.Random) -> str:
    """Lines go, come twice, change their places or their indentation."""
    rows = text.split("\n")
    i, j = rng.randrange(len(rows)), rng.randrange(len(rows))
    kind = rng.randrange(5)
    if kind == 0:
        del rows[i]
    elif kind == 1:
        rows.insert(i, rows[j])
    elif kind == 2:
        rows[i], rows[j] = rows[j], rows[i]
    elif kind == 3:
        rows[i] = " " * rng.randint(1, 5) + rows[i] if rng.random() < 0.5 else rows[i].lstrip()
    else:
        rows[i] = rows[i].replace("  ", "\t", 1)
    return "\n".join(rows)


def values(text: str, rng: random.Random) -> str:
    """The value of a key becomes something else, a list or a mapping."""
    rows = text.split("\n")
    keyed = [i for i, row in enumerate(rows) if " :" in row] or [0]
    i = rng.choice(keyed)
    key, colon, value = rows[i].partition(" :")
    new = rng.choice(
        [*_VALUES, f"[{value}]", f"{{{value} : {value}}}", f"{value} : {value}", f"'{value}'", f"{value},", f"{value} #"]
    )
    rows[i] = f"{key}{colon} {new}"
    return "\n".join(rows)


def nesting(text: str, rng: random.Random) -> str:
    """Deep nesting, and aliases that stand for each other many times."""
    depth = rng.choice([1, 3, 30, 300, 30_000])
    kind = rng.randrange(6)
    if kind == 0:
        return text + "[" * depth
    if kind == 1:
        return f"- op : {'[' * depth}{']' * depth}\n" + text
    if kind == 2:
        return f"- args : {'(' * depth}Tensor x{')' * depth}\n  op : deep\n" + text
    if kind == 3:
        return "".join(f"{' ' * i}-\n" for i in range(min(depth, 300))) + text
    if kind == 4:
        return f"- op : deep\n  args : (Tensor x, int n = {'-' * depth}1)\n  output : Tensor\n  composite : {'(' * depth}x\n" + text
    levels = min(depth, 20)
    names = [f"a{i}" for i in range(levels)]
    laughs = [f"- &{name} [{', '.join([f'*a{i - 1}' if i else 'lol'] * 9)}]" for i, name in enumerate(names)]
    return "\n".join([*laughs, f"- op : *a{levels - 1}", text])


def anchors(text: str, rng: random.Random) -> str:
    rows = text.split("\n")
    keyed = [i for i, row in enumerate(rows) if " : " in row] or [0]
    i, j = sorted((rng.choice(keyed), rng.choice(keyed)))
    rows[i] = rows[i].replace(" : ", " : &a ", 1)
    if i != j:
        rows[j] = rows[j].partition(" : ")[0] + " : *a"
    if rng.random() < 0.3:
        rows.insert(j, rng.choice(["  <<: *a", "  <<: {op : x}", "  <<: [*a, *a]", "  ? *a : b"]))
    return "\n".join(rows)


def entries(text: str, rng: random.Random) -> str:
    """Entries come twice or go, and a document follows."""
    parts = re.split(r"(?m)^(?=- )", text)
    kind = rng.randrange(4)
    if kind == 0:
        parts.insert(rng.randrange(len(parts)), rng.choice(parts))
    elif kind == 1:
        del parts[rng.randrange(len(parts))]
    elif kind == 2:
        rng.shuffle(parts)
    else:
        parts.append(
            rng.choice(["---\n", "...\n", "%YAML 1.2\n---\n", "- null\n", "- - x\n", "- {}\n", "-\n", "x\n", "x : y\n", "? x\n"])
        )
    return "".join(parts)


MUTATIONS: dict[Mutation, int] = {  # how often each is made: what stays YAML reaches more of the rules
    **{words: 8, typos: 4, values: 5, lines: 4, entries: 2},
    **{characters: 2, anchors: 1, nesting: 1},
}


def mutated(text: str, rng: random.Random) -> str:
    """One to four edits."""
    for _ in range(rng.choice([1, 1, 1, 2, 2, 3, 4])):
        (mutation,) = rng.choices([*MUTATIONS], [*MUTATIONS.values()])
        text = mutation(text, rng)
    return text


def damaged(text: str, rng: random.Random) -> bytes:
    """The text as UTF-8, now and then with a few other bytes."""
    data = bytearray(text.encode("utf-8", "surrogatepass"))
    for _ in range(rng.choice([1, 2]) if rng.random() < 0.05 else 0):
        at = rng.randrange(len(data) + 1)
        data[at : at + rng.randint(0, 2)] = bytes(rng.choices(range(256), k=rng.randint(0, 2)))
    return bytes(data)
