"""The desktop surface of pi-ask: a PySide6 window and tray in the same process."""
