"""Configuration: its models and defaults, the file, the keymaps."""
