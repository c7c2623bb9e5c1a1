"""A client of the session bus: the few parts of D-Bus that a program needs to call a service and to hear it."""
