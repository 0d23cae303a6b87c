"""`python -m app` and the command `prontuario`."""

from __future__ import annotations

import os.path
import sys

if __name__ == "__main__" and not sys.flags.safe_path:
    # `python -m` puts the current folder first, and any file there could pass for one of ours
    sys.path[:1] = []
    sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from app.cli.verbs import main

if __name__ == "__main__":
    sys.exit(main())
