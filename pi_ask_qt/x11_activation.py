"""Activation on X11: a window tells the window manager which act of the person it comes from, and when that was.

Sources: the Startup Notification Protocol and the Extended Window Manager Hints of freedesktop.org.
"""

from __future__ import annotations

import ctypes
import re
from ctypes import POINTER, Structure, c_char_p, c_int, c_uint8, c_uint16, c_uint32, c_void_p
from functools import cache
from typing import Any

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

_STARTUP_ID = b"_NET_STARTUP_ID"
_ACTIVE_WINDOW = b"_NET_ACTIVE_WINDOW"
_WINDOW_MANAGER = b"_NET_SUPPORTING_WM_CHECK"
_UTF8_STRING = b"UTF8_STRING"
_REPLACE = 0
_BITS_OF_TEXT = 8
_CLIENT_MESSAGE = 33
_SUBSTRUCTURE = (1 << 19) | (1 << 20)  # who redirects the root's children: the window manager
_APPLICATION = 1
_TIME = re.compile(r"_TIME(\d{1,10})$")
_MAX_TIME = 2**32 - 1


class _Screen(Structure):
    _fields_ = (("root", c_uint32),)


class _Screens(Structure):
    _fields_ = (("data", POINTER(_Screen)), ("rem", c_int), ("index", c_int))


class _Atom(Structure):
    _fields_ = (("type", c_uint8), ("pad", c_uint8), ("sequence", c_uint16), ("length", c_uint32), ("atom", c_uint32))


class _Message(Structure):
    _fields_ = (
        ("type", c_uint8),
        ("format", c_uint8),
        ("sequence", c_uint16),
        ("window", c_uint32),
        ("kind", c_uint32),
        ("data", c_uint32 * 5),
    )


class _Property(Structure):
    _fields_ = (("start", c_uint8 * 8), ("kind", c_uint32))


def is_unmanaged() -> bool:
    """Return whether this is an X server without a window manager."""
    connection = _connection()
    if connection is None:
        return False
    wanted = _atom(connection, _WINDOW_MANAGER)
    cookie = _xcb().xcb_get_property(connection, 0, _root(connection), wanted, 0, 0, 1)
    reply = _xcb().xcb_get_property_reply(connection, cookie, None)
    kind = int(reply.contents.kind)
    _libc().free(reply)
    return kind == 0


def time_of(token: str) -> int | None:
    """Return the time of the person's act in a startup id, in milliseconds of the X server; ``None``: it has none."""
    found = _TIME.search(token)
    time = int(found[1]) if found else 0
    return time if 0 < time <= _MAX_TIME else None


def announce(window: QWidget, token: str) -> None:
    """Say, before a window is shown, that it is what was started under ``token``."""
    connection = _connection()
    if connection is None or "\0" in token:
        return
    text = token.encode("utf-8", "replace")
    atoms = _atom(connection, _STARTUP_ID), _atom(connection, _UTF8_STRING)
    _xcb().xcb_change_property(
        connection, _REPLACE, int(window.winId()), *atoms, _BITS_OF_TEXT, len(text), c_char_p(text)
    )


def activate(window: QWidget, token: str) -> None:
    """Ask for the front, with the time of the person's act."""
    connection, time = _connection(), time_of(token)
    if connection is None or time is None:
        return
    data = (c_uint32 * 5)(_APPLICATION, time)
    message = _Message(_CLIENT_MESSAGE, 32, 0, int(window.winId()), _atom(connection, _ACTIVE_WINDOW), data)
    _xcb().xcb_send_event(connection, 0, _root(connection), _SUBSTRUCTURE, ctypes.byref(message))
    _xcb().xcb_flush(connection)


def _connection() -> c_void_p | None:
    """Return Qt's own connection to the X server, ``None`` where it draws elsewhere."""
    if QGuiApplication.platformName() != "xcb":
        return None
    app: Any = QGuiApplication.instance()
    return c_void_p(app.nativeInterface().connection())


def _root(connection: c_void_p) -> int:
    return int(_xcb().xcb_setup_roots_iterator(_xcb().xcb_get_setup(connection)).data.contents.root)


def _atom(connection: c_void_p, name: bytes) -> int:
    cookie = _xcb().xcb_intern_atom(connection, 0, len(name), name)
    reply = _xcb().xcb_intern_atom_reply(connection, cookie, None)
    atom = int(reply.contents.atom)
    _libc().free(reply)
    return atom


@cache
def _libc() -> ctypes.CDLL:
    libc = ctypes.CDLL(None)
    libc.free.argtypes = (c_void_p,)
    return libc


@cache
def _xcb() -> ctypes.CDLL:
    """Return the library that Qt's connection is of; it is loaded already."""
    xcb = ctypes.CDLL("libxcb.so.1")
    xcb.xcb_intern_atom.argtypes = (c_void_p, c_uint8, c_uint16, c_char_p)
    xcb.xcb_intern_atom.restype = c_uint32
    xcb.xcb_intern_atom_reply.argtypes = (c_void_p, c_uint32, c_void_p)
    xcb.xcb_intern_atom_reply.restype = POINTER(_Atom)
    xcb.xcb_change_property.argtypes = (
        *(c_void_p, c_uint8, c_uint32, c_uint32, c_uint32, c_uint8, c_uint32),
        c_char_p,
    )
    xcb.xcb_get_property.argtypes = (c_void_p, c_uint8, *(c_uint32,) * 5)
    xcb.xcb_get_property.restype = c_uint32
    xcb.xcb_get_property_reply.argtypes = (c_void_p, c_uint32, c_void_p)
    xcb.xcb_get_property_reply.restype = POINTER(_Property)
    xcb.xcb_get_setup.argtypes = (c_void_p,)
    xcb.xcb_get_setup.restype = c_void_p
    xcb.xcb_setup_roots_iterator.argtypes = (c_void_p,)
    xcb.xcb_setup_roots_iterator.restype = _Screens
    xcb.xcb_send_event.argtypes = (c_void_p, c_uint8, c_uint32, c_uint32, c_void_p)
    xcb.xcb_flush.argtypes = (c_void_p,)
    return xcb
