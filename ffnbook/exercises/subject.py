"""The subject ``s`` of a test: the learner's functions and values, wherever they live.

``s.gelu(x)`` calls the learner's function with a copy of ``x`` and returns plain values;
``s.value("n_params")`` reads a variable.  :class:`Local` does it in this process (the
notebook's instant check, and the reference); the grader's own subject does it across a
sandbox's wall with the same methods.
"""

from __future__ import annotations

from dataclasses import dataclass

from ffnbook.exercises import calling, values
from ffnbook.exercises.judge import Fault


@dataclass(frozen=True)
class Call:
    """What was asked of the learner's code last."""

    name: str
    args: tuple = ()
    kwargs: dict | None = None

    def __str__(self) -> str:
        named = [f"{key}={values.describe(value)}" for key, value in (self.kwargs or {}).items()]
        return f"{self.name}({', '.join([*map(values.describe, self.args), *named])})"


class Remote(values.Opaque):
    """An object of the learner's that cannot cross (a class instance): call it, or its methods."""

    def __init__(self, subject: Subject, opaque: values.Opaque):
        super().__init__(opaque.type_name, opaque.handle)
        object.__setattr__(self, "_subject", subject)

    def __call__(self, *args: object, **kwargs: object) -> object:
        return self._subject.request(self.type_name, self.handle, None, args, kwargs)

    def __getattr__(self, attribute: str):
        if attribute.startswith("_"):
            raise AttributeError(attribute)
        name = f"{self.type_name}.{attribute}"
        return lambda *args, **kwargs: self._subject.request(name, self.handle, attribute, args, kwargs)


class Subject:
    """What local and sandboxed subjects have in common."""

    def __init__(self) -> None:
        self.last: Call | None = None
        self.result: object = None
        self.warnings: list = []
        self.changed: list = []

    def __getattr__(self, name: str):
        if name.startswith("_"):
            raise AttributeError(name)
        return lambda *args, **kwargs: self.request(name, None, None, args, kwargs)

    def request(self, name: str, handle: int | None, attribute: str | None, args: tuple, kwargs: dict) -> object:
        """Call a function by name, or a kept object (or its method) by handle."""
        self.last, self.warnings, self.changed, self.result = Call(name, args, kwargs), [], [], None
        result = self._call(name, handle, attribute, args, kwargs)
        self.result = result
        if isinstance(result, values.Opaque) and result.handle is not None:
            return Remote(self, result)
        return result

    def value(self, name: str) -> object:
        """The learner's variable ``name``."""
        self.last, self.result = None, None
        self.result = self._value(name)
        return self.result


class Local(Subject):
    """Names found in a namespace of this process."""

    def __init__(self, namespace: dict):
        super().__init__()
        self._namespace, self._kept = namespace, []

    def _value(self, name: str) -> object:
        return self._cross(self._find(name))

    def _find(self, name: str) -> object:
        if name not in self._namespace:
            raise Fault("missing", name=name)
        return self._namespace[name]

    def _call(self, name, handle, attribute, args, kwargs) -> object:
        function = self._find(name) if handle is None else self._kept[handle]
        if calling.is_stub(function):
            raise Fault("unanswered", name=name)
        sent = [self._copy(arg) for arg in args]
        named = {key: self._copy(value) for key, value in kwargs.items()}
        try:
            if attribute:
                function = getattr(function, attribute)
            result, self.warnings, self.changed = calling.call(function, sent, named)
        except (Exception, SystemExit) as error:  # not the reader's own Stop
            status, facts = calling.explain(error)
            raise Fault(status, name=name, **facts) from None
        return self._cross(result)

    def _copy(self, value: object) -> object:
        if isinstance(value, Remote):
            return self._kept[value.handle]
        arrays: list = []
        return values.decode(values.encode(value, arrays), arrays)

    def _cross(self, value: object) -> object:
        arrays: list = []
        return values.decode(values.encode(value, arrays, self._keep), arrays)

    def _keep(self, value: object) -> int:
        self._kept.append(value)
        return len(self._kept) - 1
