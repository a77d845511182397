"""`docs/yaml.md`: every key of an entry, from yaml/schema.json, and the types of arguments."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ...model.category import CATEGORIES
from ...model.dtypes import GROUPS
from ...model.op import PHI, OpSet
from ...types.base import Type
from ...types.kinds import KINDS
from ...types.table import TYPES
from ..render import render

_SCHEMA = Path(__file__).resolve().parents[3] / "yaml" / "schema.json"
_PADDLE, _SPELLING = "Read by Paddle only", (" spelling of ", "where they are split")


def emit(opset: OpSet, source_hash: str, schema: Path = _SCHEMA) -> dict[str, str]:
    if opset.namespace != PHI:
        return {}
    keys = json.loads(schema.read_text(encoding="utf-8"))["items"]["properties"]
    ours = {key: value for key, value in keys.items() if not value["description"].startswith(_PADDLE)}
    rows = dict(_rows(ours))
    others = {key: row for key, row in rows.items() if any(text in row["meaning"] for text in _SPELLING)}
    return {
        "docs/yaml.md": render(
            "docs_yaml.md.j2",
            keys=[row for key, row in rows.items() if key not in others],
            others="\n".join(f"| `{row['key']}` | {row['meaning']} |" for row in others.values()),
            nested=[(key, list(dict(_rows(value["properties"])).values())) for key, value in ours.items() if "properties" in value],
            paddle=", ".join(f"`{key}`" for key in keys if key not in ours),
            categories=[_category(name) for name in CATEGORIES],
            types=list(_types()),
            kinds=list(KINDS.values()),
            groups="\n".join(f"| `{name}` | {', '.join(dtypes)} |" for name, dtypes in GROUPS.items()),
        )
    }


def _rows(properties: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, str]]]:
    for key, value in properties.items():
        meaning = value["description"]
        if words := _words(value):
            meaning += f" One of {', '.join(f'`{word}`' for word in words)}."
        yield key, {"key": key, "form": _form(value), "meaning": _cell(meaning)}


def _words(value: Mapping[str, Any]) -> list[str]:
    alternatives = value.get("anyOf", ())
    return value.get("enum") or [word for alternative in alternatives for word in alternative.get("enum", ())]


def _form(value: Mapping[str, Any]) -> str:
    """What is written behind the colon."""
    if "enum" in value or "anyOf" in value:
        return "a word"
    if value.get("additionalProperties"):
        return "`name : {key : value}`"
    type = value.get("type", [])
    types = [type] if isinstance(type, str) else type
    if "properties" in value:
        return "keys, below"
    if "array" in types:
        return "`a, b` or `[a, b]`" + (", `true`, `false`" if "boolean" in types else "")
    return "a version" if "number" in types else "text"


def _category(name: str) -> dict[str, str]:
    rule = CATEGORIES[name]
    brings = [
        *([f"`infer_meta : {rule.infer_meta}`"] if rule.infer_meta else []),
        *(["a kernel of the op's name"] if rule.own_kernel else []),
        *(["a functor for each element"] if rule.functor else []),
        *([f"`dtypes : {', '.join(rule.dtypes)}`"] if rule.dtypes else []),
        *(["`vmap : elementwise`"] if rule.elementwise_vmap else []),
        *(["`strided : true`"] if rule.strided else []),
        *(["`type_promotion : true`"] if rule.type_promotion else []),
        *(["`data_type` and `backend` from the DataType and Place attributes"] if rule.key_from_attrs else []),
    ]
    needs = [
        *([f"{'exactly' if rule.exact_arity else 'at least'} {rule.arity} tensor{'s' * (rule.arity > 1)}"] if rule.arity else []),
        *([f"at most {rule.max_outputs} output{'s' * (rule.max_outputs > 1)}"] if rule.max_outputs else []),
        *([f"`{rule.needs}`"] if rule.needs else []),
        *(["`backward_op`"] if rule.backward else []),
    ]
    return {"name": name, "brings": ", ".join(brings), "needs": ", ".join(needs)}


def _types() -> Iterator[dict[str, str]]:
    """The types, those that are the same in everything in one row."""
    alike: dict[tuple[str, ...], list[Type]] = {}
    for type in TYPES.values():
        alike.setdefault((type.python, type.schema, type.dispatcher, type.kernel, type.infer), []).append(type)
    for types in alike.values():
        first, names = types[0], ", ".join(f"`{type.name}`" for type in types)
        yield _type(names, first, first.python)
        optional = first.form(optional=True, has_default=True)
        if optional is not first:
            yield _type(f"{names}, `optional`", optional, f"{first.python} | None")


def _type(names: str, type: Type, python: str) -> dict[str, str]:
    cells = {"python": python, "schema": type.schema, "kernel": type.kernel, "infer": type.infer}
    return {"names": names, **{key: f"`{_cell(text)}`" for key, text in cells.items()}}


def _cell(text: str) -> str:
    """Text in a table."""
    return text.replace("|", "\\|")
