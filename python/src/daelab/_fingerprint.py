"""What a class computes by, as a hash: the key of its runs holds it, so that nothing stale is reused.

Compiled code is hashed, not text: it is what runs, also where a file was edited after it was imported, and there is
always some, in a notebook as in a shell. With it go the values it closes over, its defaults, and the functions,
classes and values that it names, so far as they are not of Python or of an installed package: of these the version."""

from __future__ import annotations

import builtins
import dis
import hashlib
import os
import pickle
import sys
import sysconfig
import types
import uuid
from collections.abc import Iterator
from typing import Any

import numpy as np

_session = uuid.uuid4().hex
_places = ("stdlib", "platstdlib", "purelib", "platlib")
_installed = (os.path.dirname(__file__), *{sysconfig.get_path(key) for key in _places})
_not_code = {"__dict__", "__weakref__", "__doc__", "__module__", "__qualname__", "__firstlineno__"}
_slots = (types.GetSetDescriptorType, types.MemberDescriptorType)
_not_code |= {"__static_attributes__", "__annotations__", "__dataclass_fields__", "__dataclass_params__"}


def fingerprint(thing: Any) -> str:
    """32 hex digits for a class or a function."""
    return hashlib.sha256("\n".join(_Walk().parts(thing)).encode("utf-8", "surrogatepass")).hexdigest()[:32]


class _Walk:
    def __init__(self) -> None:
        self.seen: dict[int, int] = {}
        self.kept: list[Any] = []  # so that no id is given twice

    def parts(self, value: Any) -> Iterator[str]:
        """A line for each thing that the value consists of."""
        if value is None or value is ... or isinstance(value, (bool, int, float, complex, str, bytes)):
            yield f"{type(value).__name__} {value!r}"
            return
        if id(value) in self.seen:
            yield f"again {self.seen[id(value)]}"
            return
        self.seen[id(value)] = len(self.seen)
        self.kept.append(value)
        yield from self._compound(value)

    def _compound(self, value: Any) -> Iterator[str]:
        if isinstance(value, (tuple, list)):
            yield f"{type(value).__name__} {len(value)}"
            for entry in value:
                yield from self.parts(entry)
        elif isinstance(value, (set, frozenset)):
            yield "set " + repr(sorted(map(repr, value)))
        elif isinstance(value, dict):
            yield f"dict {len(value)}"
            for key, entry in value.items():
                yield f"key {key!r}"
                yield from self.parts(entry)
        elif isinstance(value, np.ndarray) and value.dtype != object:
            yield f"array {value.dtype} {value.shape} {hashlib.sha256(value.tobytes()).hexdigest()}"
        elif isinstance(value, types.ModuleType):
            yield from self._module(value)
        elif isinstance(value, types.CodeType):
            yield from self._code(value, {})
        elif isinstance(value, type):
            yield from self._class(value)
        else:
            yield from self._callable(value)

    def _callable(self, value: Any) -> Iterator[str]:
        if isinstance(value, types.FunctionType):
            yield from self._function(value)
        elif isinstance(value, (staticmethod, classmethod, types.MethodType)):
            yield str(type(value))
            yield from self.parts(value.__func__)
        elif isinstance(value, property):
            yield "property"
            yield from self.parts([value.fget, value.fset, value.fdel])
        elif isinstance(value, (types.BuiltinFunctionType, np.ufunc)):
            yield f"built-in {getattr(value, '__module__', None)} {getattr(value, '__name__', '')}"
        else:
            yield from self._object(value)

    def _function(self, function: types.FunctionType) -> Iterator[str]:
        if _is_file_of_packages(function.__code__.co_filename):
            yield _installed_name(function.__module__, function.__qualname__)
            return
        yield "function"
        yield from self._code(function.__code__, function.__globals__)
        yield from self.parts([function.__defaults__, function.__kwdefaults__])
        for cell in function.__closure__ or ():
            try:
                yield from self.parts(cell.cell_contents)
            except ValueError:  # nothing in it yet
                yield "empty cell"

    def _code(self, code: types.CodeType, names: dict[str, Any]) -> Iterator[str]:
        yield f"code {code.co_code.hex()} {code.co_argcount} {code.co_kwonlyargcount} {code.co_flags}"
        yield f"names {code.co_names!r} {code.co_varnames!r} {code.co_freevars!r} {code.co_cellvars!r}"
        for constant in code.co_consts:
            if isinstance(constant, types.CodeType):
                yield from self._code(constant, names)
            else:
                yield from self.parts(constant)
        for name in _global_names(code):
            if name in names:
                yield f"global {name}"
                yield from self.parts(names[name])

    def _class(self, cls: type) -> Iterator[str]:
        for base in cls.__mro__:
            if _is_installed_class(base):
                yield _installed_name(base.__module__, base.__qualname__)
                continue
            yield f"class {base.__name__}"
            for name, value in sorted(vars(base).items()):
                if name not in _not_code and not isinstance(value, _slots):
                    yield f"member {name}"
                    yield from self.parts(value)

    def _module(self, module: types.ModuleType) -> Iterator[str]:
        if _is_installed(module.__name__):
            yield _installed_name(module.__name__, "")
            return
        yield f"module {module.__name__}"
        for name, value in sorted(vars(module).items()):
            if not name.startswith("__"):
                yield f"member {name}"
                yield from self.parts(value)

    def _object(self, value: Any) -> Iterator[str]:
        """What is none of these: its class and its attributes, or its bytes; else nobody knows what is in it, and
        another session does not take it for the same."""
        inner = getattr(value, "__wrapped__", None) or getattr(value, "py_func", None)  # of functools, of Numba
        yield f"object {type(value).__module__} {type(value).__qualname__}"
        if inner is not None:
            yield from self.parts(inner)
            return
        if not _is_installed_class(type(value)) and hasattr(value, "__dict__"):
            yield from self.parts(type(value))
            yield from self.parts(vars(value))
            return
        try:
            yield hashlib.sha256(pickle.dumps(value)).hexdigest()
        except Exception:
            yield f"unreadable {_session} {id(value)}"


def _global_names(code: types.CodeType) -> list[str]:
    return sorted({x.argval for x in dis.get_instructions(code) if x.opname in ("LOAD_GLOBAL", "LOAD_NAME")})


def _is_installed(module: str | None) -> bool:
    """Whether a module is of Python, of daelab, or of an installed package, which its version names."""
    package = (module or "").partition(".")[0]
    if package == "__main__":  # a notebook, or what `python -m package` runs
        return False
    if package in ("builtins", "daelab") or package in sys.stdlib_module_names:
        return True
    known = sys.modules.get(module or "")
    return known is not None and _is_file_of_packages(getattr(known, "__file__", None) or "")


def _is_installed_class(cls: type) -> bool:
    """What is executed without a name for its module says that it is of builtins, or nothing."""
    if cls.__module__ == "builtins":
        return getattr(builtins, cls.__qualname__, None) is cls
    return _is_installed(cls.__module__)


def _is_file_of_packages(path: str) -> bool:
    return path.startswith(_installed) or "/site-packages/" in path or "/dist-packages/" in path


def _installed_name(module: str | None, name: str) -> str:
    package = sys.modules.get((module or "").partition(".")[0])
    version = getattr(package, "__version__", sys.version.split()[0])
    return f"installed {module} {name} {version}"
