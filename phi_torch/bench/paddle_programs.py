"""Run by Paddle's process: what a run of a program takes.

request  {"folder": with model.json, "feed": {name: (bytes, dtype, shape)}, "calls": n, "threads": n}
answer   {"seconds": [without oneDNN, with it if it can run the program]}
"""

import runpy
from pathlib import Path
from typing import Any

SIDE = runpy.run_path(str(Path(__file__).with_name("side.py")))
_PREDICTORS: dict[tuple[str, bool], Any] = {}
_REFUSED: set[str] = set()  # the programs that oneDNN's executor does not run


def _predictor(folder: str, threads: int, onednn: bool) -> Any:
    from paddle import inference

    if (folder, onednn) not in _PREDICTORS:
        config = inference.Config(f"{folder}/model.json", f"{folder}/model.pdiparams")
        config.disable_gpu()
        config.set_cpu_math_library_num_threads(threads)
        config.enable_mkldnn() if onednn else config.disable_mkldnn()
        config.disable_glog_info()
        _PREDICTORS[folder, onednn] = inference.create_predictor(config)
    return _PREDICTORS[folder, onednn]


def answer(paddle: Any, request: dict[str, Any]) -> dict[str, list[float]]:
    import numpy

    found = []
    for onednn in (False, True):
        if onednn and request["folder"] in _REFUSED:
            continue
        predictor = _predictor(request["folder"], request["threads"], onednn)
        for name, (data, dtype, shape) in request["feed"].items():
            predictor.get_input_handle(name).copy_from_cpu(numpy.frombuffer(data, dtype).reshape(shape))
        try:
            predictor.run()
        except NotImplementedError:
            if not onednn:
                raise
            _REFUSED.add(request["folder"])
            continue
        now = SIDE["clock"](request["threads"])
        begin = now()
        for _ in range(request["calls"]):
            predictor.run()
        found.append((now() - begin) / request["calls"])
    return {"seconds": found}
