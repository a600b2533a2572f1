// Package mrtr gives Go programs the multi round-trip pattern of MCP 2026-07-28, both halves.
//
// A server asks for missing input instead of failing a call ([Sealer], [Server], [Exchange]); a client resumes the call
// until it is complete ([Client], [Flow]). JSON goes in and out as text ([encoding/json.RawMessage]): numbers, escapes
// and member order survive, because nothing is printed anew.
//
// The package wraps the native library libmrtr, found by pkg-config. Built without cgo every constructor returns
// [ErrNoCgo]. Every other failure is an [*Error]. Objects are freed by Close, and by the collector if that was forgotten.
package mrtr
