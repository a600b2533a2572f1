// Case driver on the Go package: one case per line in, one observation per line out.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"mrtr"
)

// object is a JSON object whose values stay as text.
type object map[string]json.RawMessage

func (o object) has(name string) bool { _, ok := o[name]; return ok }

// get reads a member into a Go value; the zero value if it is absent.
func get[T any](o object, name string) T {
	var value T
	if text, ok := o[name]; ok {
		if err := json.Unmarshal(text, &value); err != nil {
			panic(fmt.Sprintf("%s: %v", name, err))
		}
	}
	return value
}

var kinds = map[string]func(object) object{"client": observeClient, "state": observeState, "server": observeServer, "build": observeBuild, "legacy": observeLegacy}

func text(value any) json.RawMessage {
	out, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return out
}

// wire is JSON text that stands in a string of the observation, with what is no character as an escape.
func wire(raw []byte) json.RawMessage {
	if raw == nil {
		return json.RawMessage("null")
	}
	return text(string(raw))
}

func observe(c object) (seen object) {
	defer func() {
		if caught := recover(); caught != nil {
			seen = object{"failed": text(fmt.Sprint(caught))}
		}
		seen["name"] = c["name"]
	}()
	kind, ok := kinds[get[string](c, "kind")]
	if !ok || c.has("era") && get[string](c, "era") != "2026-07-28" && get[string](c, "kind") != "client" {
		return object{"unsupported": text(true)}
	}
	return kind(c)
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func failed(err error) *mrtr.Error {
	var e *mrtr.Error
	if err == nil {
		return nil
	}
	if !errors.As(err, &e) {
		panic(err)
	}
	return e
}

func principal(raw json.RawMessage) mrtr.Principal {
	var parts []string
	var one string
	switch {
	case string(raw) == "null":
		return mrtr.Nobody()
	case json.Unmarshal(raw, &one) == nil:
		return mrtr.PrincipalOf(one)
	}
	must(0, json.Unmarshal(raw, &parts))
	return mrtr.PrincipalOf(parts...)
}

func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := bufio.NewWriter(os.Stdout)
	for {
		line, err := in.ReadBytes('\n')
		if len(line) > 1 {
			var c object
			must(0, json.Unmarshal(line, &c))
			out.Write(append(text(observe(c)), '\n'))
			out.Flush()
		}
		if err == io.EOF {
			return
		}
		must(0, err)
	}
}
