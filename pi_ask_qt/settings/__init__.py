"""The settings dialog, and watching the file behind it."""
