"""What the sub-commands do, a module each, imported when it is called."""
