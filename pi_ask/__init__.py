"""The in-process ask contract: forms, flows, events and results, without a toolkit."""
