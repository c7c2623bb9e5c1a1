"""What is to be drawn, as frozen data built by pure functions: no Qt, no asyncio."""
