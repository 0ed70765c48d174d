"""Classes of fields that never change. Private."""

from __future__ import annotations

from typing import Any, ClassVar, Self, dataclass_transform


@dataclass_transform(frozen_default=True)
class Frozen:
    """A class with its annotated names as fields, like a frozen dataclass.

    A dataclass writes and compiles its methods at every import, and the command line imports a
    dozen of such classes before the first row: that would take all of its time besides NumPy's.
    This class shares its methods among all. Objects take longer to make, so classes with an object
    for each text don't derive from it.

    A class with `__post_init__` checks its fields there.
    """

    _fields: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls, **_: bool) -> None:  # `kw_only=True` is for type checkers
        cls._fields = tuple(dict.fromkeys((*cls._fields, *cls.__annotations__)))

    def __init__(self, *values: Any, **given: Any) -> None:
        if len(values) > len(self._fields):
            raise TypeError(
                f"{type(self).__name__} takes at most {len(self._fields)} values; got {len(values)}"
            )
        mine = vars(self)
        mine.update(zip(self._fields, values, strict=False))
        for name, value in given.items():
            if name not in self._fields:
                known = ", ".join(self._fields)
                raise TypeError(f"{type(self).__name__} has no {name!r}; known: {known}")
            if name in mine:
                raise TypeError(f"{type(self).__name__} got {name!r} twice: by place and by name")
            mine[name] = value
        for name in self._fields:
            if name not in mine:
                if not hasattr(type(self), name):
                    raise TypeError(f"{type(self).__name__} needs {name!r}, which was not given")
                mine[name] = getattr(type(self), name)
        if check := getattr(self, "__post_init__", None):
            check()

    def replaced(self, **changes: Any) -> Self:
        """Return a copy with some fields changed."""
        return type(self)(**{**self.field_values(), **changes})

    def field_values(self) -> dict[str, Any]:
        """Return the value of each field, by its name."""
        mine = vars(self)
        return {name: mine[name] for name in self._fields}

    def __getstate__(self) -> dict[str, Any]:
        """Return the state of pickles and copies: the fields, without cached values."""
        return self.field_values()

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(
            f"a {type(self).__name__} can't be changed: make a new one with another {name!r}"
        )

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a {type(self).__name__} can't be changed, so {name!r} stays")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Frozen) or type(other) is not type(self):
            return NotImplemented
        return self.field_values() == other.field_values()

    def __hash__(self) -> int:
        return hash(tuple(self.field_values().values()))

    def __repr__(self) -> str:
        said = ", ".join(f"{name}={value!r}" for name, value in self.field_values().items())
        return f"{type(self).__name__}({said})"
