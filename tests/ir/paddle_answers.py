"""Run by Paddle's process: what a program that was saved gives.

request  {"prefix": path without suffix, "feed": {name: (bytes, dtype, shape)}}; the answer is {"outputs": [(bytes, dtype, shape)]}
"""


def answer(paddle, request):
    import numpy

    paddle.enable_static()
    executor = paddle.static.Executor(paddle.CPUPlace())
    with paddle.static.scope_guard(paddle.static.Scope()):
        program, names, fetches = paddle.static.load_inference_model(request["prefix"], executor)
        feed = {name: numpy.frombuffer(data, dtype).reshape(shape) for name, (data, dtype, shape) in request["feed"].items()}
        assert sorted(names) == sorted(feed), names
        found = [numpy.asarray(value) for value in executor.run(program, feed=feed, fetch_list=fetches)]
    return {"outputs": [(value.tobytes(), str(value.dtype), value.shape) for value in found]}
