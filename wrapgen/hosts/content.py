"""The bytes of a settings file: with our entries, and as they were before us. PURE."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from wrapgen.errors import ConfigError
from wrapgen.hosts import jsontext, settings
from wrapgen.hosts.jsontext import JsonTextError
from wrapgen.vault.disk import digest

if TYPE_CHECKING:
    from wrapgen.hosts.places import HostFiles
    from wrapgen.hosts.record import InstallRecord
    from wrapgen.hosts.settings import Wanted

_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Content:
    """What is in the settings of a host and scope, or should.

    Every method raises `ConfigError`, with the line, when the settings are broken.
    """

    places: HostFiles  # whose settings

    def merged(self, data: bytes | None, wanted: Wanted) -> bytes:
        """The settings with our entries.

        Args:
            data: the settings, None when there are none.
        """
        text, bom = self._text(data or b"")
        try:
            merged = settings.merge(text, wanted)
        except JsonTextError as error:
            raise self._broken(error) from None
        return data if data is not None and merged == text else bom + merged.encode("utf-8")

    def former(self, data: bytes | None, remembered: tuple[InstallRecord, bytes] | None) -> bytes | None:
        """The settings without us: as they were before, if nobody has changed them since; else without our entries.

        Args:
            data: the settings, None when there are none.
            remembered: what the last installation wrote down, and what it found.

        Returns:
            None when there were none, and nobody else has put anything in.
        """
        if data is None:
            return None
        if remembered is None:
            return self._stripped(data, None)
        record, before = remembered
        if digest(data) == record.installed:
            return before if record.existed else None
        stripped = self._stripped(data, before if record.existed else None)
        return None if not record.existed and self._holds_nothing(stripped) else stripped

    def _stripped(self, data: bytes, before: bytes | None) -> bytes:
        text, bom = self._text(data)
        if not text.strip():
            return data
        try:
            former = None if before is None else self._text(before)[0]
            return bom + settings.without(text, self.places.host, former).encode("utf-8")
        except JsonTextError as error:
            raise self._broken(error) from None

    def _holds_nothing(self, data: bytes) -> bool:
        return not jsontext.parse(self._text(data)[0], comments=self.places.host.comments).children

    def _text(self, data: bytes) -> tuple[str, bytes]:
        """The settings as text, and their byte order mark."""
        bom = _BOM if data.startswith(_BOM) else b""
        raw = data[len(bom) :]
        try:
            return raw.decode("utf-8"), bom
        except UnicodeDecodeError as error:
            line = raw[: error.start].count(b"\n") + 1
            raise self._broken(JsonTextError("is not UTF-8", line)) from None

    def _broken(self, error: JsonTextError) -> ConfigError:
        return ConfigError(
            f"{error.what}; nothing was written",
            where=f"{self.places.settings}:{error.line}",
            next_step=f"Fix it ({self.places.host.title} needs it too) and run again.",
        )
