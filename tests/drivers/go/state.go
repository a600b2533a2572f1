package main

import (
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"mrtr"
)

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

func milliseconds(o object, name string) time.Duration {
	return time.Duration(get[float64](o, name) * float64(time.Millisecond))
}

func sealer(o object) (*mrtr.Sealer, error) {
	var options []mrtr.SealerOption
	for name, option := range map[string]func(time.Duration) mrtr.SealerOption{"ttlMs": mrtr.WithTTL, "skewMs": mrtr.WithSkew, "maxAgeMs": mrtr.WithMaxAge} {
		if o.has(name) {
			options = append(options, option(milliseconds(o, name)))
		}
	}
	if o.has("maxRounds") {
		options = append(options, mrtr.WithMaxTokenRounds(get[uint32](o, "maxRounds")))
	}
	if o.has("maxStateBytes") {
		options = append(options, mrtr.WithMaxStateBytes(get[uint64](o, "maxStateBytes")))
	}
	if o.has("audience") {
		options = append(options, mrtr.WithAudience(get[string](o, "audience")))
	}
	if get[bool](o, "singleUse") {
		options = append(options, mrtr.WithSingleUse())
	}
	ciphers := map[string]mrtr.Cipher{"aes256gcm": mrtr.AES256GCM, "chacha20poly1305": mrtr.ChaCha20Poly1305, "signed": mrtr.Signed}
	if o.has("cipher") {
		options = append(options, mrtr.WithCipher(ciphers[get[string](o, "cipher")]))
	}
	if get[bool](o, "ephemeral") {
		return mrtr.NewEphemeralSealer(options...)
	}
	var keys [][]byte
	for _, key := range get[[]string](o, "keys") {
		keys = append(keys, must(hex.DecodeString(key)))
	}
	return mrtr.NewSealer(keys, options...)
}

func moment(o object) time.Time { return time.UnixMilli(get[int64](o, "atMs")) }

func requestOf(o object) mrtr.Request {
	return mrtr.Request{Method: get[string](o, "method"), Params: []byte(get[string](o, "params")), Principal: principal(o["principal"])}
}

func observeState(c object) object {
	sealers, tokens := map[string]*mrtr.Sealer{}, map[string]string{}
	for name, options := range get[map[string]object](c, "sealers") {
		sealers[name] = must(sealer(options))
	}
	steps := []object{}
	for _, step := range get[[]object](c, "steps") {
		switch {
		case step.has("config"):
			made, err := sealer(get[object](step, "config"))
			if err == nil {
				made.Close()
			}
			steps = append(steps, outcome(err))
		case step.has("seal"):
			steps = append(steps, seal(step, sealers, tokens))
		default:
			steps = append(steps, open(get[object](step, "open"), sealers, tokens))
		}
	}
	for _, s := range sealers {
		s.Close()
	}
	return object{"steps": text(steps)}
}

func outcome(err error) object {
	if e := failed(err); e != nil {
		return object{"outcome": text(e.Code.String())}
	}
	return object{"outcome": text("ok")}
}

func seal(step object, sealers map[string]*mrtr.Sealer, tokens map[string]string) object {
	said := get[object](step, "seal")
	var state []byte
	if said.has("stateHex") {
		state = append([]byte{}, must(hex.DecodeString(get[string](said, "stateHex")))...)
	} else if said.has("state") && string(said["state"]) != "null" {
		state = []byte(get[string](said, "state"))
	}
	previous := tokens[get[string](said, "next")]
	if said.has("next") && previous == "" {
		return object{"outcome": text("no_token")}
	}
	token, err := sealers[get[string](said, "by")].Seal(requestOf(said), state, previous, moment(said))
	if err == nil && step.has("as") {
		tokens[get[string](step, "as")] = token
	}
	return outcome(err)
}

func open(said object, sealers map[string]*mrtr.Sealer, tokens map[string]string) object {
	token, known := tokens[get[string](said, "token")]
	if said.has("token") && !known {
		return object{"outcome": text("no_token")}
	}
	once := func(variant string) object {
		opened, err := sealers[get[string](said, "by")].Open(requestOf(said), variant, moment(said))
		if e := failed(err); e != nil {
			return object{"outcome": text(e.Code.String()), "rpc": wire(e.RPC)}
		}
		seen := object{"outcome": text("ok"), "round": text(opened.Round), "state": text(nil)}
		if opened.State != nil && utf8.Valid(opened.State) {
			seen["state"] = text(string(opened.State))
		} else if opened.State != nil {
			delete(seen, "state")
			seen["stateHex"] = text(hex.EncodeToString(opened.State))
		}
		return seen
	}
	edit := get[object](said, "edit")
	variants := variantsOf(edit, token)
	if variants == nil {
		return once(edited(edit, token))
	}
	refused, wires := true, []string{}
	for _, variant := range variants {
		seen := once(variant)
		refused = refused && get[string](seen, "outcome") != "ok"
		if text := get[string](seen, "rpc"); !slices.Contains(wires, text) {
			wires = append(wires, text)
		}
	}
	return object{"outcome": text(map[bool]string{true: "refused", false: "accepted"}[refused]), "rpc": text(wires)}
}

func edited(edit object, token string) string {
	switch {
	case edit.has("append"):
		return token + get[string](edit, "append")
	case edit.has("insertAt"):
		parts := get[[]json.RawMessage](edit, "insertAt")
		var at int
		var what string
		must(0, json.Unmarshal(parts[0], &at))
		must(0, json.Unmarshal(parts[1], &what))
		return token[:at] + what + token[at:]
	case edit.has("prefix"):
		return get[string](edit, "prefix") + token[strings.Index(token, ".")+1:]
	case edit.has("text"):
		return get[string](edit, "text")
	}
	return token
}

func variantsOf(edit object, token string) (out []string) {
	switch {
	case edit.has("eachLastChar"):
		for _, other := range alphabet {
			if last := len(token) - 1; byte(other) != token[last] {
				out = append(out, token[:last]+string(other))
			}
		}
	case edit.has("eachLength"):
		for length := range token {
			out = append(out, token[:length])
		}
	case edit.has("eachBit"):
		for at := range token {
			for bit := range 7 {
				out = append(out, token[:at]+string(rune(token[at]^(1<<bit)))+token[at+1:])
			}
		}
	}
	return out
}
