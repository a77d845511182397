"""The operator descriptions; installed as `phi_torch.yaml`."""

if __name__ == "yaml":
    # The checkout root is on sys.path, where this folder hides PyYAML: hand the name over to it.
    import importlib.machinery
    import importlib.util
    import os
    import sys

    _root = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
    _path = [entry for entry in sys.path if os.path.realpath(entry or os.curdir) != _root]
    _spec = importlib.machinery.PathFinder.find_spec("yaml", _path)
    if _spec is None or _spec.loader is None:
        raise ModuleNotFoundError("No module named 'yaml': install PyYAML", name="yaml")
    _module = importlib.util.module_from_spec(_spec)
    sys.modules["yaml"] = _module
    _spec.loader.exec_module(_module)
