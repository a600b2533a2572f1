package main

import (
	"encoding/json"
	"slices"
	"time"

	"mrtr"
)

const complete = `{"content":[],"resultType":"complete"}`

// legacyStory is a call of a client of an older version, served by a handler in stages.
type legacyStory struct {
	c, seen          object
	call             *mrtr.Legacy
	now              time.Time
	answers          map[string][]object
	polls, rounds    int
	keys             []string
	sends, cancelled []uint32
	sent             [][2]json.RawMessage
	sleeps           []int64
}

func observeLegacy(c object) object {
	sealer := must(mrtr.NewSealer([][]byte{key}))
	server := must(mrtr.NewServer(mrtr.ServerOptions{Sealer: sealer, Gate: gates[get[string](c, "gate")]}))
	defer server.Close()
	peer := mrtr.Peer{
		Version: get[string](c, "version"), Capabilities: []byte(get[string](c, "caps")), BackChannel: get[bool](c, "backChannel"),
	}
	request := mrtr.Request{Method: get[string](c, "method"), Params: []byte(get[string](c, "params")), Principal: principal(c["principal"])}
	s := &legacyStory{
		c: c, seen: object{}, call: must(server.BeginLegacy(request, peer)), now: time.UnixMilli(0),
		answers: get[map[string][]object](c, "answers"), polls: get[int](c, "poll"),
	}
	defer s.call.Close()
	for {
		step := must(s.call.Next(s.now))
		switch step.Type {
		case mrtr.LegacyRun:
			s.handle()
		case mrtr.LegacySend:
			s.sent = append(s.sent, [2]json.RawMessage{text(step.Method), wire(step.Params)})
			s.sends = append(s.sends, step.Ask)
		case mrtr.LegacyCancel:
			s.cancelled = append(s.cancelled, step.Ask)
		case mrtr.LegacySleep:
			s.sleeps = append(s.sleeps, step.Until.Sub(s.now).Milliseconds())
			s.now = step.Until
		case mrtr.LegacyIdle:
			s.respond()
		case mrtr.LegacyDone:
			return s.end(step)
		}
	}
}

func (s *legacyStory) end(step mrtr.LegacyStep) object {
	if step.Result == nil || step.Refused != 0 {
		delete(s.seen, "done")
	}
	s.seen["result"], s.seen["rpc"], s.seen["sent"] = wire(step.Result), wire(step.RPC), text(s.sent)
	s.seen["cancelled"], s.seen["sleepsMs"], s.seen["rounds"] = text(s.cancelled), text(s.sleeps), text(s.rounds)
	if step.Refused != 0 {
		s.seen["refused"] = text(step.Refused.String())
	}
	return s.seen
}

func (s *legacyStory) handle() {
	s.rounds++
	result, err := s.serve()
	if e := failed(err); e != nil {
		must(0, s.call.Failed(e.RPC))
		return
	}
	must(0, s.call.Handled(result, s.now))
}

func (s *legacyStory) serve() (json.RawMessage, error) {
	exchange, err := s.call.Exchange(s.now)
	if err != nil {
		return nil, err
	}
	defer exchange.Close()
	if state := must(exchange.State()); state != nil {
		s.seen["state"] = wire(state)
	}
	if s.polls > 0 {
		s.polls--
		must(0, exchange.SetState([]byte("polling")))
		return exchange.Result()
	}
	told, status := object{}, map[string]string{}
	if err := run(exchange, get[[]object](s.c, "handler"), told, status); err != nil {
		return nil, err
	}
	s.keys = nil
	for _, stage := range get[[]object](s.c, "handler") {
		asked, _ := ordered(stage["asks"])
		for _, key := range asked {
			if slices.Contains([]string{"missing", "invalid", "stale"}, status[key]) {
				s.keys = append(s.keys, key)
			}
		}
	}
	if told.has("result") {
		return told["result"], nil
	}
	s.seen["done"] = told["done"]
	return []byte(complete), nil
}

// respond: nothing more to do, so the client answers what it was sent, or cancels.
func (s *legacyStory) respond() {
	sends, silent := s.sends, true
	s.sends = nil
	for at, ask := range sends {
		given := s.answers[s.keys[at]]
		s.answers[s.keys[at]] = given[1:]
		switch {
		case given[0].has("result"):
			silent = false
			must(0, s.call.Deliver(ask, []byte(get[string](given[0], "result"))))
		case given[0].has("error"):
			silent = false
			must(0, s.call.DeliverError(ask))
		}
	}
	if silent && !get[bool](s.c, "cancel") {
		panic("nothing is due any more")
	}
	if silent {
		must(0, s.call.Cancel())
	}
}
