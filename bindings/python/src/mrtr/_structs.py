"""The structs and callbacks of ``include/mrtr.h`` as ctypes sees them. A test holds them against the header."""

from __future__ import annotations

from ctypes import CFUNCTYPE, POINTER, Structure, c_char_p, c_double, c_int32, c_int64, c_size_t, c_uint8, c_uint32, c_uint64, c_void_p
from typing import Any

__all__ = [
    "AnswerOut", "AskArg", "Buf", "CHANGE", "CLAIM", "ChoiceArg", "DiscoveryArg", "HeaderArg", "LegacyStepOut", "PeerArg", "ClientOptions", "CountersOut", "ErrorInfo", "EventOut",
    "ExchangeInfoOut", "FieldArg", "FlowCallbacks", "Handle", "ISSUED", "IssuedIn", "OpenedOut", "PrincipalArg", "REFUSED", "Request", "RequestCheck",
    "ResultOptions", "ResultOut", "Room", "RuntimeOptions", "SealerCallbacks", "SealerOptions", "ServerCallbacks", "ServerOptions", "Slice", "VersionInfo", "View",
]  # fmt: skip

Handle = c_uint64  # a one-field struct in C, which every calling convention in use passes as the integer it holds


def _all(kind: Any, *names: str) -> list[Any]:
    return [(name, kind) for name in names]


class Slice(Structure):
    _fields_ = [("ptr", c_char_p), ("len", c_size_t)]


class Room(Structure):
    """Memory of ours that the library writes into."""

    _fields_ = [("ptr", c_void_p), ("len", c_size_t)]


class View(Structure):
    """A slice that the library handed out: read by pointer and length, never as C text."""

    _fields_ = [("ptr", c_void_p), ("len", c_size_t)]


class Buf(Structure):
    _fields_ = [("ptr", c_void_p), ("len", c_size_t), ("cap", c_size_t)]


class VersionInfo(Structure):
    _fields_ = [
        *_all(c_uint32, "struct_size", "abi_major", "abi_level", "version_major", "version_minor", "version_patch"),
        ("version", View),
    ]


class ErrorInfo(Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("code", c_int32),
        ("rpc_code", c_int64),
        *_all(c_uint32, "http_status", "has_rpc"),
        *_all(View, "name", "message", "key", "at", "data", "rpc"),
        ("storage", Buf),
    ]


class PrincipalArg(Structure):
    _fields_ = [("kind", c_uint32), ("reserved", c_uint32), ("parts", POINTER(Slice)), ("count", c_size_t)]


class Request(Structure):
    _fields_ = [("struct_size", c_uint32), ("reserved", c_uint32), ("method", Slice), ("params", Slice), ("principal", PrincipalArg), ("capabilities", Slice)]


class SealerOptions(Structure):
    _fields_ = [
        *_all(c_uint32, "struct_size", "abi", "cipher", "ephemeral"),
        ("keys", POINTER(Slice)),
        ("key_count", c_size_t),
        *_all(c_uint64, "ttl_ms", "skew_ms", "max_age_ms"),
        *_all(c_uint32, "max_rounds", "single_use"),
        *_all(c_uint64, "max_state_bytes", "max_token_bytes"),
        ("audience", Slice),
        ("guard_capacity", c_uint64),
        ("callbacks", c_void_p),
    ]


class SealerCallbacks(Structure):
    _fields_ = [
        *_all(c_uint32, "struct_size", "abi"),
        ("user_data", c_void_p),
        *_all(c_void_p, "claim", "seal", "unseal", "refused", "destroy"),
    ]


class CountersOut(Structure):
    _fields_ = [
        *_all(c_uint32, "struct_size", "reserved"),
        *_all(c_uint64, "sealed", "sealed_bytes", "opened", "opened_bytes", "refused"),
        *_all(c_uint64, "wrong_type", "too_large", "malformed", "unknown_key", "tampered", "not_yet_valid", "expired"),
        *_all(c_uint64, "flow_expired", "too_many_rounds", "wrong_audience", "wrong_principal", "wrong_request", "replayed", "guard_failed"),
    ]


class OpenedOut(Structure):
    _fields_ = [
        *_all(c_uint32, "struct_size", "round", "has_state", "reserved"),
        *_all(c_uint8 * 16, "token_id", "flow_id"),
        *_all(c_uint64, "issued_ms", "expires_ms", "flow_start_ms"),
        ("state", View),
        ("storage", Buf),
    ]


class AskArg(Structure):
    _fields_ = [("key", Slice), ("ask", Slice)]


class ChoiceArg(Structure):
    _fields_ = [("value", Slice), ("title", Slice)]


class FieldArg(Structure):
    _fields_ = [
        *_all(c_uint32, "struct_size", "abi"),
        ("name", Slice),
        *_all(c_uint32, "kind", "required"),
        *_all(Slice, "title", "description", "format"),
        *_all(c_uint64, "min_count", "max_count"),
        *_all(Slice, "minimum", "maximum"),
        ("choices", POINTER(ChoiceArg)),
        ("choice_count", c_size_t),
        ("defaults", POINTER(Slice)),
        ("default_count", c_size_t),
    ]


class ResultOptions(Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("abi", c_uint32),
        ("method", Slice),
        ("asks", POINTER(AskArg)),
        ("ask_count", c_size_t),
        ("state", Slice),
        ("capabilities", Slice),
        ("gate", c_uint32),
        ("allow_http", c_uint32),
        ("allow_secret", POINTER(Slice)),
        ("allow_secret_count", c_size_t),
        ("max_asks", c_uint64),
        ("max_message_bytes", c_uint64),
    ]


class ResultOut(Structure):
    _fields_ = [("struct_size", c_uint32), ("warning_count", c_uint32), ("json", View), ("warnings", View), ("storage", Buf)]


class IssuedIn(Structure):
    _fields_ = [
        *_all(c_uint32, "struct_size", "round"),
        ("flow_id", c_uint8 * 16),
        ("expires_ms", c_uint64),
        ("method", View),
        ("keys", POINTER(View)),
        ("key_count", c_size_t),
    ]


class ServerCallbacks(Structure):
    _fields_ = [*_all(c_uint32, "struct_size", "abi"), *_all(c_void_p, "user_data", "issued", "destroy")]


class ServerOptions(Structure):
    _fields_ = [
        *_all(c_uint32, "struct_size", "abi"),
        ("sealer", Handle),
        *_all(c_uint32, "gate", "allow_http"),
        *_all(c_uint64, "max_message_bytes", "max_depth", "max_asks", "max_answers", "max_key_bytes"),
        ("allow_secret", POINTER(Slice)),
        ("allow_secret_count", c_size_t),
        ("callbacks", c_void_p),
    ]


class AnswerOut(Structure):
    _fields_ = [("struct_size", c_uint32), ("status", c_uint32), ("content", View), ("reasons", View), ("warnings", View), ("storage", Buf)]


class ExchangeInfoOut(Structure):
    _fields_ = [
        *_all(c_uint32, "struct_size", "round", "has_token", "reserved"),
        ("flow_id", c_uint8 * 16),
        ("first_seen_ms", c_uint64),
        ("expires_ms", c_uint64),
    ]


class HeaderArg(Structure):
    _fields_ = [("name", Slice), ("value", Slice)]


class PeerArg(Structure):
    _fields_ = [*_all(c_uint32, "struct_size", "back_channel"), *_all(Slice, "version", "capabilities")]


class DiscoveryArg(Structure):
    _fields_ = [
        *_all(c_uint32, "struct_size", "abi"),
        ("supported", POINTER(Slice)),
        ("supported_count", c_size_t),
        *_all(Slice, "capabilities", "server_info", "instructions"),
        ("ttl_ms", c_uint64),
        ("cache_scope", Slice),
    ]


class LegacyStepOut(Structure):
    _fields_ = [
        *_all(c_uint32, "struct_size", "type", "ask"),
        ("refused", c_int32),
        ("until_ms", c_uint64),
        *_all(View, "method", "params", "result", "rpc"),
        ("storage", Buf),
    ]


class RequestCheck(Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("abi", c_uint32),
        ("method", Slice),
        ("params", Slice),
        ("header_version", Slice),
        ("supported", POINTER(Slice)),
        ("supported_count", c_size_t),
        ("methods", POINTER(Slice)),
        ("method_count", c_size_t),
        ("headers", POINTER(HeaderArg)),
        ("header_count", c_size_t),
        ("input_schema", Slice),
    ]


class ClientOptions(Structure):
    _fields_ = [
        *_all(c_uint32, "struct_size", "abi", "handlers", "max_rounds"),
        *_all(c_uint64, "leg_timeout_ms", "input_timeout_ms", "flow_timeout_ms"),
        *_all(c_uint64, "poll_budget_ms", "pacing_initial_ms", "pacing_max_ms"),
        *_all(c_uint32, "jitter", "manual", "order", "strict", "allow_http"),
        *_all(c_uint32, "state_only_counts", "reset_on_progress", "cancel_if_unavailable"),
        *_all(c_uint64, "max_message_bytes", "max_depth", "max_asks", "max_key_bytes", "max_token_bytes"),
        *_all(Slice, "protocol_version", "client_info"),
        ("continuation_keys", POINTER(Slice)),
        ("continuation_key_count", c_size_t),
        ("label", Slice),
        ("result_types", POINTER(Slice)),
        ("result_type_count", c_size_t),
        *_all(c_uint32, "trace", "reserved"),
    ]


class EventOut(Structure):
    _fields_ = [
        *_all(c_uint32, "struct_size", "type", "leg", "round"),
        *_all(c_uint64, "id", "until_ms", "paced_ms"),
        *_all(c_uint32, "kind", "url_flags", "previously_declined"),
        ("end", c_int32),
        *_all(c_uint32, "pacing", "cacheable"),
        ("progress", c_double),
        *_all(View, "method", "params", "key", "ask", "message", "schema", "url", "host_ascii", "host_unicode"),
        *_all(View, "result", "rpc_error", "continuation", "text"),
        ("storage", Buf),
        *_all(View, "label", "call_method", "call_target", "server_name", "server_shown", "server_version", "secret_fields"),
    ]


class FlowCallbacks(Structure):
    _fields_ = [
        *_all(c_uint32, "struct_size", "abi"),
        ("user_data", c_void_p),
        *_all(c_void_p, "event", "send", "cancel_leg", "ask", "stop_ask", "round", "progress", "note", "done", "destroy"),
    ]


class RuntimeOptions(Structure):
    _fields_ = [*_all(c_uint32, "struct_size", "abi"), ("name", Slice)]


#: What `SealerCallbacks` points to. They may be called on any thread, several at once.
CLAIM = CFUNCTYPE(None, c_void_p, c_void_p, c_uint64, c_uint64, POINTER(c_uint32))
CHANGE = CFUNCTYPE(None, c_void_p, View, POINTER(Buf))
REFUSED = CFUNCTYPE(None, c_void_p, c_int32)
#: What `ServerCallbacks` points to, likewise.
ISSUED = CFUNCTYPE(None, c_void_p, POINTER(IssuedIn))
