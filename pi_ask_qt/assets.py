"""Finding what travels in ``resources``, from a wheel, an editable install and a checkout."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def resource(*names: str) -> Path:
    """Return the path of a resource.

    Raises:
        FileNotFoundError: there is none with this name.
    """
    for root in (_PACKAGE / "resources", _PACKAGE.parent / "resources"):
        path = root.joinpath(*names)
        if path.exists():
            return path
    raise FileNotFoundError(f"the resource {'/'.join(names)} is missing; install pi-ask again")
