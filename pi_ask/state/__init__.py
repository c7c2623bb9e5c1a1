"""Pure state: no asyncio, no clock, no files, no logging."""
