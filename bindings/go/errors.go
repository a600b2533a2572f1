package mrtr

import (
	"encoding/json"
	"errors"
)

// ErrNoCgo says that the program was built without cgo, and so without the native library.
var ErrNoCgo = errors.New("mrtr: built without cgo: the native library is missing")

// Error is what the library reported. Compare with [errors.Is] and a [Code]: errors.Is(err, mrtr.CodeExpired).
type Error struct {
	// Code is the kind of failure. For a rejected requestState it is the true reason and stays with the host (S9).
	Code Code
	// Message is for people; it never holds secrets, states or answers.
	Message string
	// Key names the ask that the error is about, At is a JSON pointer to the spot. Both may be empty.
	Key, At string
	// Data is JSON that belongs to the error, if any.
	Data json.RawMessage
	// RPC is the JSON-RPC error object that belongs on the wire, nil if there is none. RPCCode and HTTPStatus go with it (B9).
	RPC        json.RawMessage
	RPCCode    int64
	HTTPStatus int
	// Raw is the result that was not understood.
	Raw json.RawMessage
	// Continuation is what [Client.Resume] takes to go on, empty if the call is over.
	Continuation string
}

// Error tells the code's name and the message.
func (e *Error) Error() string {
	name := e.Code.String()
	if e.Message == "" || e.Message == name {
		return "mrtr: " + name
	}
	return "mrtr: " + name + ": " + e.Message
}

// GoString is Error: what the error keeps of a result or a continuation is not printed.
func (e *Error) GoString() string { return e.Error() }

// Is reports whether target is this error's [Code].
func (e *Error) Is(target error) bool {
	code, ok := target.(Code)
	return ok && code == e.Code
}

// Error makes a Code a target for [errors.Is].
func (c Code) Error() string { return "mrtr: " + c.String() }
