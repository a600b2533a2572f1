package main

import (
	"bytes"
	"encoding/json"
	"strings"

	"mrtr"
)

var key = func() []byte {
	out := make([]byte, 32)
	for i := range out {
		out[i] = byte(i)
	}
	return out
}()

var gates = map[string]mrtr.Gate{"": mrtr.GateRefuse, "refuse": mrtr.GateRefuse, "filter": mrtr.GateFilter}

// ordered is a JSON object of texts in the order of its text.
func ordered(raw json.RawMessage) (keys []string, values map[string]string) {
	values = map[string]string{}
	if raw == nil {
		return nil, values
	}
	in := json.NewDecoder(bytes.NewReader(raw))
	must(in.Token())
	for in.More() {
		name := must(in.Token()).(string)
		var value json.RawMessage
		must(0, in.Decode(&value))
		keys = append(keys, name)
		values[name] = string(value)
	}
	return keys, values
}

func observeServer(c object) object {
	options := get[object](c, "options")
	serverOptions := mrtr.ServerOptions{Gate: gates[get[string](options, "gate")], MaxAsks: get[uint64](options, "maxAsks")}
	if !get[bool](options, "noSealer") {
		var limits []mrtr.SealerOption
		if options.has("maxRounds") {
			limits = append(limits, mrtr.WithMaxTokenRounds(get[uint32](options, "maxRounds")))
		}
		if options.has("maxStateBytes") {
			limits = append(limits, mrtr.WithMaxStateBytes(get[uint64](options, "maxStateBytes")))
		}
		serverOptions.Sealer = must(mrtr.NewSealer([][]byte{key}, limits...))
	}
	server := must(mrtr.NewServer(serverOptions))
	defer server.Close()
	legs, token, handler := []object{}, "null", get[[]object](c, "handler")
	for _, leg := range get[[]object](c, "legs") {
		if leg.has("handler") {
			handler = get[[]object](leg, "handler")
		}
		seen := serve(server, c, leg, handler, token)
		if result := seen["result"]; result != nil {
			delete(seen, "result")
			asks := must(mrtr.Member(result, "inputRequests"))
			state := must(mrtr.Member(result, "requestState"))
			keys, _ := ordered(asks)
			seen["asks"], seen["token"] = text(append([]string{}, keys...)), text(state != nil)
			token = "null"
			if state != nil {
				token = string(state)
				seen["requestState"] = state // for another driver, which the next leg may go to
			}
		}
		legs = append(legs, seen)
	}
	return object{"legs": text(legs)}
}

// paramsOf is the params text with the retry fields and, where it has none, the capabilities spliced in.
func paramsOf(c, leg object, token string) string {
	params := get[string](c, "params")
	if leg.has("params") {
		params = get[string](leg, "params")
	}
	params = strings.TrimSpace(params)
	caps := `"io.modelcontextprotocol/clientCapabilities":` + get[string](c, "caps")
	var extra []string
	if at := strings.Index(params, `"_meta"`); at < 0 {
		extra = append(extra, `"_meta":{`+caps+`}`)
	} else {
		at += strings.Index(params[at:], "{") + 1
		comma := ","
		if strings.HasPrefix(strings.TrimSpace(params[at:]), "}") {
			comma = ""
		}
		params = params[:at] + caps + comma + params[at:]
	}
	if leg.has("answers") {
		extra = append(extra, `"inputResponses":`+get[string](leg, "answers"))
	}
	switch sent := get[string](leg, "token"); {
	case leg.has("tokenJson"):
		extra = append(extra, `"requestState":`+get[string](leg, "tokenJson"))
	case sent == "echo":
		extra = append(extra, `"requestState":`+token)
	case leg.has("token") && sent != "none":
		extra = append(extra, `"requestState":`+string(text(sent)))
	}
	body := strings.TrimSpace(params[:len(params)-1])
	if len(extra) > 0 && !strings.HasSuffix(body, "{") {
		body += ","
	}
	return body + strings.Join(extra, ",") + "}"
}

func serve(server *mrtr.Server, c, leg object, handler []object, token string) object {
	seen, status := object{"token": text(false)}, map[string]string{}
	who := c["principal"]
	if leg.has("principal") {
		who = leg["principal"]
	}
	request := mrtr.Request{Method: get[string](c, "method"), Params: []byte(paramsOf(c, leg, token)), Principal: principal(who)}
	exchange, err := server.Begin(request, moment(leg))
	if err == nil {
		defer exchange.Close()
		if state := must(exchange.State()); state != nil {
			seen["state"] = text(string(state))
		}
		err = run(exchange, handler, seen, status)
	}
	seen["status"] = text(status)
	if e := failed(err); e != nil {
		code, reason, data := errorOf(e)
		seen["error"], seen["data"] = text(object{"code": code, "reason": reason}), data
	}
	return seen
}

func run(exchange *mrtr.Exchange, handler []object, seen object, status map[string]string) error {
	done := map[string]string{}
	for _, stage := range handler {
		if stage.has("state") {
			if err := exchange.SetState([]byte(get[string](stage, "state"))); err != nil {
				return err
			}
		}
		keys, asks := ordered(stage["asks"])
		settled := true
		for _, key := range keys {
			var ask string
			must(0, json.Unmarshal([]byte(asks[key]), &ask))
			answer, err := exchange.Ask(key, []byte(ask))
			if err != nil {
				return err
			}
			status[key] = answer.Status.String()
			switch answer.Status {
			case mrtr.Accepted:
				done[key] = string(answer.Content)
				if strings.Contains(ask, `"mode":"url"`) {
					done[key] = "accepted"
				}
			case mrtr.Declined, mrtr.Cancelled, mrtr.Unaskable:
				done[key] = answer.Status.String()
			default:
				settled = false
			}
		}
		if !settled {
			result, err := exchange.Result()
			seen["result"] = result
			return err
		}
	}
	seen["done"] = text(done)
	return nil
}

func errorOf(e *mrtr.Error) (code, reason, data json.RawMessage) {
	null := json.RawMessage("null")
	if e.RPC == nil {
		return null, text(e.Code.String()), null
	}
	reason, data = null, null
	if raw := must(mrtr.Member(e.RPC, "data")); raw != nil {
		data = wire(raw)
		if why, err := mrtr.Member(raw, "reason"); err == nil && why != nil {
			reason = why
		}
	}
	return text(e.RPCCode), reason, data
}

func observeBuild(c object) object {
	options := mrtr.ResultOptions{
		Method: get[string](c, "method"), Gate: gates[get[string](c, "gate")], AllowHTTP: get[bool](c, "allowHttp"),
		AllowSecret: get[[]string](c, "allowSecret"),
	}
	for _, pair := range get[[][2]string](c, "asks") {
		options.Asks = append(options.Asks, mrtr.Ask{Key: pair[0], Ask: []byte(pair[1])})
	}
	if c.has("state") {
		state := get[string](c, "state")
		options.State = &state
	}
	if c.has("caps") {
		options.Capabilities = []byte(get[string](c, "caps"))
	}
	result, warnings, err := mrtr.BuildResult(options)
	e := failed(err)
	if e == nil {
		return object{"result": wire(result), "warnings": text(append([]string{}, warnings...))}
	}
	seen := object{"error": text(e.Code.String()), "at": text(nil), "key": text(nil)}
	if e.At != "" {
		seen["at"] = text(e.At)
	}
	if e.Key != "" {
		seen["key"] = text(e.Key)
	}
	if e.RPC != nil {
		code, _, data := errorOf(e)
		seen["rpc"] = text(object{"code": code, "data": data})
	}
	return seen
}
