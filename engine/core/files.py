"""Files that are never half written."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from io import FileIO
from pathlib import Path

OWN_DATA = "PRONTUARIO_DATI"
"""The environment variable that names the folder of the user's own data files."""

LEFT_OUT = "PRONTUARIO_DATI_ESCLUSI"
"""Those of them that cannot be used, as `slug/folder/name` between path separators."""


ENGINE = Path(__file__).parents[1]


def slugs() -> tuple[str, ...]:
    """The titles that lie here, without importing any."""
    return tuple(sorted(path.parent.name for path in ENGINE.glob("*/scope.yaml")))


def replaceable(slug: str) -> tuple[str, ...]:
    """The data files of a title that a user may replace, as `slug/folder/name`."""
    data = ENGINE / slug / "data"
    files = (path.relative_to(data).as_posix() for path in data.rglob("*.yaml"))
    return tuple(sorted(f"{slug}/{name}" for name in files if not name.startswith("examples/")))


def our_file(name: str) -> Path:
    """The file of ours that `slug/folder/name` stands for."""
    slug, _, rest = name.partition("/")
    return ENGINE / slug / "data" / rest


def write_all(file: FileIO, content: bytes) -> None:
    """Write every byte: the system may take fewer at a time than it is given."""
    rest = memoryview(content)
    while rest:
        rest = rest[file.write(rest) or 0 :]


def write_atomically(path: Path, content: bytes) -> None:
    """Replace a file only once its new content is safely on disk; a link stays a link."""
    target = Path(os.path.realpath(path))
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=".", suffix=".tmp")
    try:
        with open(handle, "wb", buffering=0) as file:
            write_all(file, content)
            os.fsync(file.fileno())
        os.replace(name, target)
        _settle_folder(target.parent)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _settle_folder(folder: Path) -> None:
    """See the new name itself safely on the disk, where the system lets us."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
