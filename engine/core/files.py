"""Files that are never half written."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

OWN_DATA = "PRONTUARIO_DATI"
"""The environment variable that names the folder of the user's own data files."""


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
