"""Asyncio without a surface: bus, abort tokens, flows, negotiation, extensions, the tool itself."""
