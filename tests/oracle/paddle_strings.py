"""What Paddle's process answers for tests/oracle/test_strings.py: {"op": `strings_lower`, "strings": [...]} with UTF-8."""

import importlib
from typing import Any

import numpy as np


def answer(paddle: Any, request: dict[str, Any]) -> dict[str, Any]:
    tensor = importlib.import_module("paddle.base.core").eager.StringTensor(np.array(request["strings"]), "x")
    return {"strings": getattr(paddle._C_ops, request["op"])(tensor, True).numpy().tolist()}
