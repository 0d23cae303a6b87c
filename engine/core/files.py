"""Files that are never half written."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

OWN_DATA = "PRONTUARIO_DATI"
"""The environment variable that names the folder of the user's own data files."""

LEFT_OUT = "PRONTUARIO_DATI_ESCLUSI"
"""Those of them that cannot be used, as `slug/folder/name` between path separators."""


ENGINE = Path(__file__).parents[1]


def replaceable(slug: str) -> tuple[str, ...]:
    """The data files of a title that a user may replace, as `slug/folder/name`."""
    data = ENGINE / slug / "data"
    files = (path.relative_to(data).as_posix() for path in data.rglob("*.yaml"))
    return tuple(sorted(f"{slug}/{name}" for name in files if not name.startswith("examples/")))


def our_file(name: str) -> Path:
    """The file of ours that `slug/folder/name` stands for."""
    slug, _, rest = name.partition("/")
    return ENGINE / slug / "data" / rest


def write_atomically(path: Path, content: bytes) -> None:
    """Replace a file only once its new content is safely on disk."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
