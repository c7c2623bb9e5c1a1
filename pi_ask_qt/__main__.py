"""``python -m pi_ask_qt`` is the command ``pi-ask``."""

import sys

from pi_ask_qt.start import main

if __name__ == "__main__":
    sys.exit(main())
