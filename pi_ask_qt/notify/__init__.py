"""Telling a person that a form waits: best effort, once for each form, and withdrawn when it ends."""
