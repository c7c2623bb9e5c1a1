"""Write the JSON Schemas that travel in the wheel; with ``--check`` say whether they are up to date."""

from __future__ import annotations

import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from pi_ask.schema import SCHEMAS, json_schema


def main() -> int:
    """Write or check every schema and return the exit code."""
    stale = []
    for name in SCHEMAS:
        path = ROOT / "resources" / "schemas" / f"{name}.json"
        made = json_schema(name)
        if path.exists() and json.loads(path.read_bytes()) == made:
            continue
        stale.append(name)
        if "--check" not in sys.argv[1:]:
            path.parent.mkdir(exist_ok=True)
            path.write_text(json.dumps(made, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    print(f"changed: {', '.join(stale)}" if stale else "up to date")
    return int(bool(stale) and "--check" in sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
