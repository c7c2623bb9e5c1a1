"""The resident: one process that holds the core for every agent of this user, and what its clients say to it."""

from pi_ask_qt.resident.asks import AskService
from pi_ask_qt.resident.limits import Limits
from pi_ask_qt.resident.lock import ResidentError, ResidentRunningError
from pi_ask_qt.resident.server import ResidentServer
from pi_ask_qt.resident.session import Peer, Session

__all__ = ["AskService", "Limits", "Peer", "ResidentError", "ResidentRunningError", "ResidentServer", "Session"]
