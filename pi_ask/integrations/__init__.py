"""Adapters that put a person between an agent kit and what its agent is about to do; each is imported on its own."""
