"""`Plugin`: one plugin in this process, its record and what it has made so far.

The registry owns them and holds its lock around every call. A plugin goes forward only
(found, ready, loaded) or stops in a failed state, which every later ask repeats.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Any

from trivet.contract.backend import Backend
from trivet.contract.guard import prepare
from trivet.contract.spec import BackendSpec, DecoratorSpec
from trivet.contract.version import CONTRACT_VERSION
from trivet.errors import BackendSpecError, BrokenBackendError, TrivetError
from trivet.plugins.boundary import boundary
from trivet.plugins.load import load_class, load_spec
from trivet.plugins.probe import probe
from trivet.plugins.refusal import Refusal, failure
from trivet.plugins.states import Record, State
from trivet.plugins.validate import validate_backend

__all__ = ["Plugin"]

Options = tuple[tuple[str, str | int], ...]


class Plugin:
    """Loads what its record describes, once, and remembers how that went."""

    __slots__ = ("_busy", "_class", "_spec", "instances", "record")

    def __init__(self, record: Record, cls: type[Backend[Any]] | None = None) -> None:
        self.record = record
        self.instances: dict[Backend[Any] | None, Backend[Any]] = {}
        """A backend's one instance, under `None`; a decorator's by what they wrap."""
        self._class = cls
        self._spec: BackendSpec | DecoratorSpec | None = None
        self._busy = False

    def choose(self) -> None:
        """The user asked for this distribution by name: it is shadowed no longer."""
        if self.record.state is State.SHADOWED:
            self.record = self.record._replace(state=State.FOUND, reason="", remedy="")

    def probe(self) -> Record:
        """Load the light module and ask its probe; the record says how that went."""
        if self.record.state is State.FOUND and not self._busy:
            try:
                with self._step():
                    self._probe()
            except Refusal as refusal:
                self._stop(refusal)
        return self.record

    def instance(
        self, inner: Backend[Any] | None = None, options: Options = ()
    ) -> Backend[Any]:
        """The backend itself, or for a decorator the one that wraps `inner`.

        Raises the `BackendError` that says why there is none.
        """
        made = self.instances.get(inner)
        if made is not None and not options:
            return made
        self._load()
        self._check(options)
        try:
            with self._step():
                made = self._create(inner, options)
        except Refusal as refusal:
            # What a decorator does to one inner backend says nothing about the others.
            stop = self._stop if inner is None else self._stopped
            record = stop(refusal)
            raise failure(record) from record.error
        if not options:  # those with options are kept by what they wrap
            self.instances[inner] = made
        return made

    def _check(self, options: Options) -> None:
        try:
            if options:
                self._class.settled(**dict(options))  # type: ignore[union-attr]
        except (TypeError, TrivetError) as error:
            shown = ", ".join(f"{key}={value}" for key, value in options)
            raise BackendSpecError(
                f"{self.record.label} does not take {shown}: {error}"
            ) from error

    def _load(self) -> None:
        try:
            if self.record.state.usable and self._class is None:
                with self._step():
                    spec = self._probe()
                    self._class = load_class(self.record, spec)
        except Refusal as refusal:
            self._stop(refusal)
        if not self.record.state.usable:
            raise failure(self.record) from self.record.error

    def _probe(self) -> BackendSpec | DecoratorSpec:
        if self._spec is None:
            spec = load_spec(self.record)
            contract = ".".join(map(str, spec.contract))
            self.record = self.record._replace(contract=contract, aliases=spec.aliases)
            devices = probe(self.record, spec)
            self._spec = spec
            self.record = self.record._replace(
                state=State.READY,
                reason=_note(spec, contract),
                devices=devices,
            )
        return self._spec

    def _create(self, inner: Backend[Any] | None, options: Options) -> Backend[Any]:
        assert self._class is not None  # _load has seen to it
        name = self.record.name
        arguments: tuple[Backend[Any], ...] = ()
        if inner is not None:
            name, arguments = f"{name}({inner.name})", (inner,)
        with boundary(self.record, self._class.__module__):
            made = self._class(*arguments, **dict(options))
        validate_backend(self.record, made, made.name if options else name)
        prepare(made)
        if inner is None:
            self.record = self.record._replace(devices=made.devices())
        return made

    @contextmanager
    def _step(self) -> Iterator[None]:
        """Time a step, and stop a plugin that asks for itself before it is there."""
        if self._busy:
            raise BrokenBackendError(
                f"{self.record.label} failed to load: it asks for itself while it is "
                "being loaded. Move that call out of its import and its constructor."
            )
        self._busy = True
        start = perf_counter()
        try:
            yield
        finally:
            self._busy = False
            seconds = self.record.seconds + perf_counter() - start
            self.record = self.record._replace(seconds=seconds)

    def _stop(self, refusal: Refusal) -> Record:
        self.record = self._stopped(refusal)
        return self.record

    def _stopped(self, refusal: Refusal) -> Record:
        return self.record._replace(
            state=refusal.state,
            reason=refusal.reason,
            remedy=refusal.remedy,
            error=refusal.__cause__,
        )


def _note(spec: BackendSpec | DecoratorSpec, contract: str) -> str:
    if tuple(spec.contract) <= CONTRACT_VERSION:
        return ""
    return (
        f"it is written for contract {contract}; what that has beyond "
        f"{CONTRACT_VERSION} is not used"
    )
