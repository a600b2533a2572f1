"""The C ABI as ctypes sees it: one table of signatures, and the few moves every call needs.

The structs are in ``_structs``. A test holds both against ``include/mrtr.h``: every function, every size and offset.
"""

from __future__ import annotations

import ctypes
import os
import sys
from ctypes import POINTER, byref, c_double, c_int32, c_size_t, c_uint32, c_uint64
from pathlib import Path
from typing import Any

from ._errors import MrtrError, take_failure
from ._structs import *

ABI = 0x00000001
NOW = 0xFFFFFFFFFFFFFFFF
NO_LIMIT = 0xFFFFFFFFFFFFFFFF
SMALL_BUFFER = 113
#: tampered, guard_failed, crypto_failed: behind these may stand an exception of the host's own code.
HOST_FAILED = (403, 414, 415)

_H = Handle
_S = Slice
_E = POINTER(Handle)
_OUT = POINTER(Handle)
_B = POINTER(Buf)
_U32 = POINTER(c_uint32)
_U64 = POINTER(c_uint64)

# name -> (argument types, result type); what is not named here fails at import, not at the first call.
SIGNATURES: dict[str, tuple[list[Any], Any]] = {
    "mrtr_buf_free": ([_B], None),
    "mrtr_version": ([POINTER(VersionInfo)], c_int32),
    "mrtr_has_feature": ([_S], c_uint32),
    "mrtr_live_objects": ([], c_uint64),
    "mrtr_monotonic_ms": ([], c_uint64),
    "mrtr_error_get": ([_H, POINTER(ErrorInfo)], c_int32),
    "mrtr_error_code": ([_H], c_int32),
    "mrtr_error_free": ([_H], c_int32),
    "mrtr_code_name": ([c_int32], View),
    "mrtr_json_member": ([_S, _S, POINTER(View), _E], c_int32),
    "mrtr_field_init": ([POINTER(FieldArg), c_uint32, c_uint32], None),
    "mrtr_form_new": ([_OUT, _E], c_int32),
    "mrtr_form_add": ([_H, POINTER(FieldArg), _E], c_int32),
    "mrtr_form_schema": ([_H, _B, _E], c_int32),
    "mrtr_form_free": ([_H], c_int32),
    "mrtr_wire_headers": ([_S, _S, _S, _B, _E], c_int32),
    "mrtr_wire_check_tool": ([_S, _E], c_int32),
    "mrtr_wire_retry_version": ([_S, POINTER(Slice), c_size_t, POINTER(View), _E], c_int32),
    "mrtr_sealer_options_init": ([POINTER(SealerOptions), c_uint32, c_uint32], None),
    "mrtr_sealer_new": ([POINTER(SealerOptions), _OUT, _E], c_int32),
    "mrtr_sealer_set_keys": ([_H, POINTER(Slice), c_size_t, _E], c_int32),
    "mrtr_sealer_seal": ([_H, POINTER(Request), _S, _S, c_uint64, _B, _E], c_int32),
    "mrtr_sealer_open": ([_H, POINTER(Request), _S, c_uint64, POINTER(OpenedOut), _E], c_int32),
    "mrtr_sealer_seal_into": ([_H, POINTER(Request), _S, _S, c_uint64, Room, POINTER(c_size_t), _E], c_int32),
    "mrtr_sealer_open_into": ([_H, POINTER(Request), _S, c_uint64, Room, POINTER(OpenedOut), _E], c_int32),
    "mrtr_sealer_free": ([_H], c_int32),
    "mrtr_sealer_callbacks_init": ([POINTER(SealerCallbacks), c_uint32, c_uint32], None),
    "mrtr_sealer_get_counters": ([_H, POINTER(CountersOut), _E], c_int32),
    "mrtr_server_callbacks_init": ([POINTER(ServerCallbacks), c_uint32, c_uint32], None),
    "mrtr_buf_copy": ([_S, _B, _E], c_int32),
    "mrtr_gateway_wrap": ([_S, _S, _B, _E], c_int32),
    "mrtr_gateway_unwrap": ([_S, POINTER(View), POINTER(View), _E], c_int32),
    "mrtr_gateway_prefix": ([_S, _S, _B, _E], c_int32),
    "mrtr_gateway_params": ([_S, _S, _S, _B, _E], c_int32),
    "mrtr_gateway_state": ([_S, _S, POINTER(c_uint32), _B, _E], c_int32),
    "mrtr_gateway_result": ([_S, _S, _S, _B, _E], c_int32),
    "mrtr_gateway_split": ([_S, POINTER(View), POINTER(View), _E], c_int32),
    "mrtr_result_options_init": ([POINTER(ResultOptions), c_uint32, c_uint32], None),
    "mrtr_result_build": ([POINTER(ResultOptions), POINTER(ResultOut), _E], c_int32),
    "mrtr_result_complete": ([_S, _B, _E], c_int32),
    "mrtr_discovery_init": ([POINTER(DiscoveryArg), c_uint32, c_uint32], None),
    "mrtr_discovery_result": ([POINTER(DiscoveryArg), _B, _E], c_int32),
    "mrtr_peer_can_ask": ([POINTER(PeerArg), _S, c_uint32, _U32, _E], c_int32),
    "mrtr_legacy_begin": ([_H, POINTER(Request), POINTER(PeerArg), _OUT, _E], c_int32),
    "mrtr_legacy_next": ([_H, c_uint64, POINTER(LegacyStepOut), _E], c_int32),
    "mrtr_legacy_exchange": ([_H, c_uint64, _OUT, _E], c_int32),
    "mrtr_legacy_handled": ([_H, _S, c_uint64, _E], c_int32),
    "mrtr_legacy_failed": ([_H, _S, _E], c_int32),
    "mrtr_legacy_deliver": ([_H, c_uint32, _S, _E], c_int32),
    "mrtr_legacy_deliver_error": ([_H, c_uint32, _E], c_int32),
    "mrtr_legacy_cancel": ([_H, _E], c_int32),
    "mrtr_legacy_free": ([_H], c_int32),
    "mrtr_server_options_init": ([POINTER(ServerOptions), c_uint32, c_uint32], None),
    "mrtr_server_new": ([POINTER(ServerOptions), _OUT, _E], c_int32),
    "mrtr_server_free": ([_H], c_int32),
    "mrtr_exchange_begin": ([_H, POINTER(Request), c_uint64, _OUT, _E], c_int32),
    "mrtr_exchange_ask": ([_H, _S, _S, POINTER(AnswerOut), _E], c_int32),
    "mrtr_exchange_ask_form": ([_H, _S, _S, _S, POINTER(AnswerOut), _E], c_int32),
    "mrtr_exchange_ask_url": ([_H, _S, _S, _S, POINTER(AnswerOut), _E], c_int32),
    "mrtr_exchange_ask_sampling": ([_H, _S, _S, POINTER(AnswerOut), _E], c_int32),
    "mrtr_exchange_ask_roots": ([_H, _S, POINTER(AnswerOut), _E], c_int32),
    "mrtr_exchange_pending": ([_H], c_uint32),
    "mrtr_exchange_can_ask": ([_H, c_uint32, _U32, _E], c_int32),
    "mrtr_exchange_require": ([_H, _E], c_int32),
    "mrtr_exchange_forget": ([_H, _S, _E], c_int32),
    "mrtr_exchange_state": ([_H, _U32, _B, _E], c_int32),
    "mrtr_exchange_set_state": ([_H, _S, _E], c_int32),
    "mrtr_exchange_get_info": ([_H, POINTER(ExchangeInfoOut), _E], c_int32),
    "mrtr_exchange_result": ([_H, _B, _E], c_int32),
    "mrtr_exchange_free": ([_H], c_int32),
    "mrtr_request_check_init": ([POINTER(RequestCheck), c_uint32, c_uint32], None),
    "mrtr_request_check_run": ([POINTER(RequestCheck), _E], c_int32),
    "mrtr_client_options_init": ([POINTER(ClientOptions), c_uint32, c_uint32], None),
    "mrtr_client_new": ([POINTER(ClientOptions), _OUT, _E], c_int32),
    "mrtr_client_capabilities": ([_H, _B, _E], c_int32),
    "mrtr_client_free": ([_H], c_int32),
    "mrtr_flow_begin": ([_H, _S, _S, POINTER(ClientOptions), c_uint64, _OUT, _E], c_int32),
    "mrtr_flow_resume": ([_H, _S, c_uint64, _OUT, _E], c_int32),
    "mrtr_flow_next": ([_H, c_uint64, POINTER(EventOut), _E], c_int32),
    "mrtr_flow_open_ask": ([_H, c_size_t, POINTER(EventOut), _E], c_int32),
    "mrtr_flow_deliver": ([_H, c_uint32, _S, c_uint64, _E], c_int32),
    "mrtr_flow_deliver_error": ([_H, c_uint32, _S, c_uint64, _E], c_int32),
    "mrtr_flow_lost": ([_H, c_uint32, c_uint64, _E], c_int32),
    "mrtr_flow_progress": ([_H, c_uint32, c_double, c_uint64, _E], c_int32),
    "mrtr_flow_answer": ([_H, _S, _S, c_uint64, _E], c_int32),
    "mrtr_flow_decline": ([_H, _S, c_uint64, _E], c_int32),
    "mrtr_flow_cancel_ask": ([_H, _S, c_uint64, _E], c_int32),
    "mrtr_flow_refuse": ([_H, _S, c_uint64, _E], c_int32),
    "mrtr_flow_unavailable": ([_H, _S, c_uint64, _E], c_int32),
    "mrtr_flow_fail": ([_H, _S, _S, c_uint64, _E], c_int32),
    "mrtr_flow_cancel": ([_H, c_uint64, _E], c_int32),
    "mrtr_flow_save": ([_H, _B, _E], c_int32),
    "mrtr_flow_free": ([_H], c_int32),
    "mrtr_trace_write": ([_H, c_uint32, _B, _E], c_int32),
    "mrtr_older_capabilities": ([_H, _S, _B, _E], c_int32),
    "mrtr_older_request": ([_H, _S, _S, c_uint64, _OUT, _E], c_int32),
    "mrtr_older_complete": ([_H, _S, c_uint64, _E], c_int32),
    "mrtr_flow_callbacks_init": ([POINTER(FlowCallbacks), c_uint32, c_uint32], None),
    "mrtr_flow_set_callbacks": ([_H, POINTER(FlowCallbacks), _E], c_int32),
    "mrtr_flow_step": ([_H, c_uint64, _U64, _U32, _E], c_int32),
    "mrtr_queue_next": ([_H, c_uint64, _OUT, POINTER(EventOut), _E], c_int32),
    "mrtr_queue_wake": ([_H, _E], c_int32),
    "mrtr_queue_fd": ([_H, POINTER(c_int32), _E], c_int32),
    "mrtr_queue_free": ([_H], c_int32),
    "mrtr_runtime_options_init": ([POINTER(RuntimeOptions), c_uint32, c_uint32], None),
    "mrtr_runtime_new": ([POINTER(RuntimeOptions), POINTER(FlowCallbacks), _OUT, _E], c_int32),
    "mrtr_runtime_start": ([_H, _H, _E], c_int32),
    "mrtr_runtime_queue": ([_H, _OUT, _E], c_int32),
    "mrtr_runtime_close": ([_H, _E], c_int32),
    "mrtr_runtime_wait": ([_H, c_uint64, _U32, _E], c_int32),
    "mrtr_runtime_free": ([_H], c_int32),
}


def _library_path() -> Path:
    """The library beside this file; MRTR_LIBRARY names another one (tests, system packages)."""
    given = os.environ.get("MRTR_LIBRARY")
    if given:
        return Path(given)
    name = {"darwin": "libmrtr.dylib", "win32": "mrtr.dll"}.get(sys.platform, "libmrtr.so")
    return Path(__file__).resolve().parent / name


def _load() -> ctypes.CDLL:
    path = _library_path()
    try:
        loaded = ctypes.CDLL(str(path))
    except OSError as why:
        raise ImportError(f"mrtr: cannot load the native library {path.name}: {why}; reinstall the package or set MRTR_LIBRARY") from why
    for name, (arguments, result) in SIGNATURES.items():
        function = getattr(loaded, name)
        function.argtypes = arguments
        function.restype = result
    return loaded


lib = _load()
ABSENT = Slice(None, 0)


def bare(name: str) -> Any:
    """A function without the table's types, for what every leg goes through: a type costs a tenth of a microsecond per argument.

    Give it values that are C's already (`c_uint64`, `byref`, structs), None for a null pointer, a whole number where C has 32 bits;
    and as many as the table says: a test counts them.
    """
    function = lib[name]
    function.restype = SIGNATURES[name][1]
    return function


buf_free = bare("mrtr_buf_free")


def text(value: str | bytes) -> bytes:
    """UTF-8 of a text; bytes pass as they are, so that raw JSON never goes through a printer (J1)."""
    if isinstance(value, bytes):
        return value
    return value.encode("utf-8")


def key_bytes(value: str) -> bytes:
    """An ask's key: WTF-8, because a JSON key may hold a lone surrogate (J3)."""
    return value.encode("utf-8", "surrogatepass")


def slice_of(data: bytes | None) -> Slice:
    """Borrowed for the call: the struct keeps the bytes alive. None is absent, b"" is empty."""
    return ABSENT if data is None else Slice(data, len(data))


def text_slice(value: str | bytes) -> Slice:
    """A text as an argument."""
    data = text(value)
    return Slice(data, len(data))


def optional_slice(value: str | bytes | None) -> Slice:
    """The same for a text that may be left out: None is absent, "" is empty."""
    return ABSENT if value is None else text_slice(value)


def key_slice(key: str) -> Slice:
    """An ask's key as an argument."""
    data = key.encode("utf-8", "surrogatepass")
    return Slice(data, len(data))


def slices_of(items: list[bytes]) -> Any:
    return (Slice * len(items))(*[Slice(item, len(item)) for item in items])


def read(view: View) -> bytes | None:
    """A view's bytes; None where the library left the member out."""
    if not view.ptr:
        return None
    return ctypes.string_at(view.ptr, view.len)


def read_text(view: View) -> str | None:
    data = read(view)
    return None if data is None else data.decode("utf-8", "surrogatepass")


def take(buf: Buf) -> bytes:
    """The buffer's bytes; the buffer itself is freed (and wiped) here."""
    at, size = buf.ptr, buf.len
    if at is None:
        return b""
    data = ctypes.string_at(at, size)
    buf_free(byref(buf))
    return data


def check(status: int, error: Any) -> None:
    """Raises what the library reported. `error` is the c_uint64 handed in as the last argument."""
    if status != 0:
        raise lift(status, error)


def lift(status: int, error: Any) -> MrtrError:
    info = ErrorInfo(struct_size=ctypes.sizeof(ErrorInfo))
    if error.value == 0 or lib.mrtr_error_get(error, byref(info)) != 0:
        name = read_text(lib.mrtr_code_name(status)) or "unknown"
        return MrtrError(status, name, name)
    try:
        error_of_ours = MrtrError(
            info.code,
            read_text(info.name) or "unknown",
            read_text(info.message) or "",
            key=read_text(info.key),
            at=read_text(info.at),
            data=read_text(info.data),
            rpc=read_text(info.rpc) if info.has_rpc else None,
            rpc_code=info.rpc_code if info.has_rpc else None,
            http_status=info.http_status,
        )
        if info.code in HOST_FAILED:
            error_of_ours.__cause__ = take_failure()
        return error_of_ours
    finally:
        lib.mrtr_buf_free(byref(info.storage))
        lib.mrtr_error_free(error)
