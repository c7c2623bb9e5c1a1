"""Widgets: they draw a view and emit an action; they keep nothing."""
