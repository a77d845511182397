"""Run by Paddle's interpreter: runs the programs of a folder and writes what their variables hold.

`<name>.pdmodel` is a program, `<name>.pkl` says {"feed": {variable: array}, "fetch": [variable]}, `<name>.out` gets
{variable: array}, or the text of an error.
"""

import os
import pickle
import sys
from pathlib import Path

os.environ |= {"FLAGS_enable_pir_api": "0", "FLAGS_enable_pir_in_executor": "0", "OMP_NUM_THREADS": "1"}


def main(folder):
    import paddle

    paddle.enable_static()
    executor = paddle.static.Executor(paddle.CPUPlace())
    for file in sorted(folder.glob("*.pdmodel")):
        request = pickle.loads(file.with_suffix(".pkl").read_bytes())
        try:
            program = paddle.static.Program.parse_from_string(file.read_bytes())
            with paddle.static.scope_guard(paddle.static.Scope()):
                found = executor.run(program, feed=request["feed"], fetch_list=request["fetch"])
            answer: object = {name: encoded(value) for name, value in zip(request["fetch"], found)}
        except Exception as error:
            answer = f"{type(error).__name__}: {error}"
        file.with_suffix(".out").write_bytes(pickle.dumps(answer))


def encoded(value):
    """None for a variable without memory, as the shape that a gradient needs."""
    return value if value is None else (value.tobytes(), str(value.dtype), value.shape)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
