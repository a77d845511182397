"""Paddle's side, run by Paddle's interpreter: reads pickled calls from stdin and writes pickled answers to stdout.

A wrong call may end the process, so a child does the work, and the next one is forked when it dies. What is pickled is
made of plain Python objects, since the two interpreters may have different versions of NumPy:

    tensor   {"tensor": dtype, "shape": list, "data": bytes, "grad": bool}
    dtype    {"dtype": name}, place {"place": "cpu"}
    call     {"op": name, "args": [...], "cotangents": [(index of the output, tensor)], "seconds": limit}
    answer   {"outputs": [...], "args": [tensors after the call], "grads": [...]} or "error" in the place of the first,
             "grads_error" in that of the last
    None     no call: the next ones go to a new child; the answer is {}

There is an answer to each before the next is sent, so nothing unread is lost in the buffer of a child.
"""

import contextlib
import importlib
import os
import pickle
import signal
import sys

import numpy as np

BITS = {"bfloat16": "uint16", "float8_e4m3fn": "uint8", "float8_e5m2": "uint8"}  # what NumPy lacks travels as bits
FRESH = 77  # exit status of a child that is not needed any more


def main():
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what libraries print is no answer
    paddle = importlib.import_module("paddle")
    send(answers, {"version": paddle.__version__})
    while True:
        child = os.fork()
        if child == 0:
            serve(paddle, requests, answers)
            os._exit(0)
        status = os.waitpid(child, 0)[1]
        if status == 0:
            return
        if os.WIFEXITED(status) and os.WEXITSTATUS(status) == FRESH:
            send(answers, {})
            continue
        died = signal.Signals(os.WTERMSIG(status)) if os.WIFSIGNALED(status) else f"status {status}"
        send(answers, {"error": "no answer in time" if died == signal.SIGALRM else f"crashed: {getattr(died, 'name', died)}"})


def send(answers, value):
    pickle.dump(value, answers)
    answers.flush()


def serve(paddle, requests, answers):
    for name in (signal.SIGALRM, signal.SIGABRT, signal.SIGSEGV, signal.SIGFPE, signal.SIGBUS, signal.SIGILL):
        signal.signal(name, signal.SIG_DFL)  # Paddle's own handlers may wait for a lock for ever
    while True:
        try:
            request = pickle.load(requests)
        except EOFError:
            return
        if request is None:
            os._exit(FRESH)
        signal.alarm(request["seconds"])
        answer = answer_to(paddle, request)
        signal.alarm(0)
        send(answers, answer)


def answer_to(paddle, request):
    paddle.seed(0)
    tensors = []
    args = [decoded(paddle, value, tensors) for value in request["args"]]
    try:
        outputs = list(leaves([getattr(paddle._C_ops, request["op"])(*args)]))
        answer = {"outputs": [encoded(o) for o in outputs], "args": [encoded(t) for t in tensors]}
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}
    if request["cotangents"]:
        try:
            indices, cotangents = zip(*request["cotangents"])
            grads = paddle.grad(
                [outputs[i] for i in indices],
                [t for t in tensors if not t.stop_gradient],
                [decoded(paddle, c, []) for c in cotangents],
                allow_unused=True,
            )
            answer["grads"] = [encoded(g) for g in grads]
        except Exception as error:
            answer["grads_error"] = f"{type(error).__name__}: {error}"
    return answer


def leaves(value):
    if isinstance(value, (list, tuple)):
        for item in value:
            yield from leaves(item)
    else:
        yield value


def decoded(paddle, value, tensors):
    """An argument; the tensors in it are added to `tensors`."""
    if isinstance(value, (list, tuple)):
        return [decoded(paddle, v, tensors) for v in value]
    if not isinstance(value, dict):
        return value
    if "dtype" in value:
        return getattr(paddle, value["dtype"])
    if "place" in value:
        return paddle.CPUPlace()
    dtype = value["tensor"]
    made = paddle.to_tensor(np.ndarray(value["shape"], BITS.get(dtype, dtype), bytearray(value["data"])))
    made.stop_gradient = not value["grad"]
    tensors.append(made)
    return made


def encoded(tensor):
    if not hasattr(tensor, "numpy") or not (tensor._is_initialized() or 0 in tensor.shape):
        return None
    dtype = str(tensor.dtype).removeprefix("paddle.")
    array = np.ascontiguousarray(tensor.detach().numpy())
    return {"tensor": dtype, "shape": list(tensor.shape), "data": array.tobytes(), "grad": False}


if __name__ == "__main__":
    with contextlib.suppress(BrokenPipeError):
        main()
    sys.exit()
