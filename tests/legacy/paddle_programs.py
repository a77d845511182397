"""Run by Paddle's interpreter: for each line of standard input, runs the programs of the folder that it names and writes what
their variables hold, then a line.

`<name>.pdmodel` is a program, `<name>.pkl` says {"feed": {variable: array}, "lods": {variable: levels of offsets}, "fetch":
[variable]}, `<name>.out` gets {variable: (bytes, dtype, shape, levels)}, or the text of an error. Its operators are appended one
by one to a program of Paddle's, which gives attributes that are not there their defaults. For one that ends the process or hangs,
the text names the signal.
"""

import os
import pickle
import signal
import sys
from pathlib import Path

os.environ |= {"FLAGS_enable_pir_api": "0", "FLAGS_enable_pir_in_executor": "0", "OMP_NUM_THREADS": "1"}
SECONDS = 5  # of one that hangs, where others take milliseconds


def main():
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what Paddle prints
    import paddle

    paddle.enable_static()
    for line in sys.stdin:
        run(paddle, sorted(Path(line.strip()).glob("*.pdmodel")))
        print("done", file=answers, flush=True)


def run(paddle, files):
    while files:  # what ends the process is the last one of its fork
        reads, writes = os.pipe()
        child = os.fork()
        if child == 0:
            for file in files:
                os.write(writes, b"1")
                signal.alarm(SECONDS)
                file.with_suffix(".out").write_bytes(pickle.dumps(answer_of(paddle, file)))
            os._exit(0)
        os.close(writes)
        with open(reads, "rb") as begun:
            ran = len(begun.read())
        status = os.waitpid(child, 0)[1]
        if os.WIFSIGNALED(status):
            ended = f"the process ended by {signal.Signals(os.WTERMSIG(status)).name}"
            files[ran - 1].with_suffix(".out").write_bytes(pickle.dumps(ended))
        files = files[ran:]


def answer_of(paddle, file):
    request = pickle.loads(file.with_suffix(".pkl").read_bytes())
    try:
        program = appended(paddle, paddle.static.Program.parse_from_string(file.read_bytes()))
        executor = paddle.static.Executor(paddle.CPUPlace())
        feed = {name: with_lod(paddle, array, request.get("lods", {}).get(name)) for name, array in request["feed"].items()}
        with paddle.static.scope_guard(paddle.static.Scope()):
            found = executor.run(program, feed=feed, fetch_list=request["fetch"], return_numpy=False)
        return {name: encoded(value) for name, value in zip(request["fetch"], found)}
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def appended(paddle, described):
    program = paddle.static.Program()
    block, given = program.global_block(), described.global_block()
    for var in given.vars.values():
        tensor = var.type != getattr(paddle.base.core.VarDesc.VarType, "LOD_RANK_TABLE", None)
        of = {"shape": var.shape, "dtype": var.dtype, "lod_level": var.lod_level} if tensor else {}
        block.create_var(name=var.name, type=var.type, **of)
    forward = None
    for op in given.ops:
        if op.type.endswith("_grad"):  # Python knows none: as Paddle's own backward pass appends it
            grad = block.desc.append_op()
            grad.copy_from(forward.desc if forward else op.desc)
            grad.set_type(op.type)
            for slot in {*grad.input_names(), *op.input_names}:
                grad.set_input(slot, op.input(slot) if slot in op.input_names else [])
            for slot in {*grad.output_names(), *op.output_names}:
                grad.set_output(slot, op.output(slot) if slot in op.output_names else [])
            grad.infer_var_type(block.desc)
            grad.infer_shape(block.desc)
        else:
            inputs = {slot: [block.var(name) for name in op.input(slot)] for slot in op.input_names}
            outputs = {slot: [block.var(name) for name in op.output(slot)] for slot in op.output_names}
            for slot in paddle.base.framework.OpProtoHolder.instance().get_op_proto(op.type).outputs:
                if not slot.dispensable and slot.name not in outputs:  # such as a shape for the gradient
                    outputs[slot.name] = [block.create_var(name=f"{op.type}.{slot.name}")]
            forward = block.append_op(type=op.type, inputs=inputs, outputs=outputs, attrs=op.all_attrs())
    program._sync_with_cpp()
    return program


def with_lod(paddle, array, lod):
    if lod is None:
        return array
    made = paddle.base.core.LoDTensor()
    made.set(array, paddle.CPUPlace())
    made.set_lod(lod)
    return made


def encoded(value):
    """None for a variable without memory, as the shape that a gradient needs."""
    import numpy as np

    if not value._is_initialized():
        return None
    array = np.array(value)
    return array.tobytes(), str(array.dtype), array.shape, value.lod()


if __name__ == "__main__":
    main()
