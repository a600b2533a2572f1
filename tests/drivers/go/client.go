package main

import (
	"encoding/json"
	"sort"
	"strings"
	"time"

	"mrtr"
)

// The order of things that are due at one time.
const (
	peer = iota
	answers
	cancel
)

type thing struct {
	at   uint64
	rank int
	act  func() error
}

// story is a flow under a fake clock that jumps to the next due thing.
type story struct {
	c      object
	now    uint64
	due    []thing
	client *mrtr.Client
	flow   *mrtr.Flow
	given  map[string][]object
	asking map[string]bool
	resume object

	sent           []string
	shown, stopped []string
	cancelled      []uint32
	gaps           []uint64
	progress       []float64
	rounds         int
	flags          map[string][]string
	again          map[string]bool
	declared       string
}

func observeClient(c object) object {
	s := &story{c: c, given: get[map[string][]object](c, "answers"), asking: map[string]bool{}, flags: map[string][]string{}, again: map[string]bool{}}
	s.resume = get[object](c, "resume")
	done, err := s.tell()
	if err != nil {
		e := failed(err)
		done = &mrtr.Done{Err: e}
	}
	if done == nil {
		return object{"failed": text("nothing is due any more and the flow has not ended")}
	}
	return s.observation(done)
}

func (s *story) makeClient() (*mrtr.Client, error) {
	o := get[object](s.c, "options")
	registered := strings.Join(get[[]string](s.c, "handlers"), " ") + " "
	options := mrtr.ClientOptions{
		NoJitter: !get[bool](o, "jitter"), Manual: get[bool](o, "manual"), Strict: get[bool](o, "strict"), AllowHTTP: get[bool](o, "allowHttp"),
		StateOnlyCounts: get[bool](o, "stateOnlyCounts"), ResetOnProgress: get[bool](o, "resetOnProgress"), CancelIfUnavailable: get[bool](o, "cancelIfUnavailable"),
		ProtocolVersion: get[string](s.c, "era"),
		MaxAsks:         get[uint64](o, "maxAsks"), MaxTokenBytes: get[uint64](o, "maxTokenBytes"), MaxMessageBytes: get[uint64](o, "maxMessageBytes"),
	}
	for name, need := range map[string]mrtr.Needs{
		"elicitation.form ": mrtr.NeedForm, "elicitation.url ": mrtr.NeedURL, "sampling ": mrtr.NeedSampling,
		"sampling.tools ": mrtr.NeedSampling | mrtr.NeedSamplingTools, "roots ": mrtr.NeedRoots,
	} {
		if strings.Contains(registered, name) {
			options.Declare |= need
		}
	}
	for name, field := range map[string]*time.Duration{
		"legTimeoutMs": &options.LegTimeout, "inputTimeoutMs": &options.InputTimeout, "flowTimeoutMs": &options.FlowTimeout,
		"pollBudgetMs": &options.PollBudget, "pacingInitialMs": &options.PacingInitial, "pacingMaxMs": &options.PacingMax,
	} {
		*field = milliseconds(o, name)
	}
	if o.has("maxRounds") {
		rounds := get[uint32](o, "maxRounds")
		options.MaxRounds = &rounds
	}
	if o.has("serial") {
		options.Order = map[bool]mrtr.Order{true: mrtr.OrderSerial, false: mrtr.OrderConcurrent}[get[bool](o, "serial")]
	}
	return mrtr.NewClient(options)
}

func (s *story) begin() (*mrtr.Flow, error) {
	if s.c.has("request") {
		return s.client.Incoming([]byte(get[string](s.c, "request")), get[string](s.c, "era"), 0)
	}
	call := get[object](s.c, "call")
	return s.client.Begin(get[string](call, "method"), []byte(get[string](call, "params")), 0)
}

func (s *story) tell() (*mrtr.Done, error) {
	var err error
	if s.client, err = s.makeClient(); err != nil {
		return nil, err
	}
	s.declared = string(must(s.client.Capabilities()))
	if s.flow, err = s.begin(); err != nil {
		return nil, err
	}
	for _, page := range get[[][2]json.RawMessage](s.c, "completed") {
		var at uint64
		var id *string
		must(0, json.Unmarshal(page[0], &at))
		must(0, json.Unmarshal(page[1], &id))
		s.plan(at, cancel, func() error { return s.flow.Complete(id, s.now) })
	}
	if s.c.has("cancelAtMs") {
		s.plan(get[uint64](s.c, "cancelAtMs"), cancel, func() error { return s.flow.Cancel(s.now) })
	}
	for {
		timer, done, err := s.drain()
		if err != nil || done != nil {
			return done, err
		}
		if moved, err := s.step(timer); err != nil || !moved {
			return nil, err
		}
	}
}

// drain takes events until the flow waits; it tells the time that it waits for.
func (s *story) drain() (*uint64, *mrtr.Done, error) {
	for {
		event, err := s.flow.Next(s.now)
		if err != nil {
			return nil, nil, err
		}
		switch event := event.(type) {
		case mrtr.Done:
			return nil, &event, nil
		case mrtr.Sleep:
			moved, err := s.moveOn()
			if err != nil {
				return nil, nil, err
			}
			if !moved {
				return event.UntilMS, nil, nil
			}
		default:
			s.take(event)
		}
	}
}

func (s *story) take(event mrtr.Event) {
	switch event := event.(type) {
	case mrtr.Send:
		s.sent = append(s.sent, string(event.Params))
		if event.PacedMS > 0 {
			s.gaps = append(s.gaps, event.PacedMS)
		}
		s.planLeg(event.Leg)
	case mrtr.ShowAsk:
		s.show(event)
	case mrtr.StopAsk:
		s.stopped = append(s.stopped, event.Key)
		delete(s.asking, event.Key)
	case mrtr.CancelLeg:
		s.cancelled = append(s.cancelled, event.Leg)
	case mrtr.Round:
		s.rounds++
	case mrtr.Progress:
		s.progress = append(s.progress, event.Value)
	}
}

func (s *story) plan(at uint64, rank int, act func() error) {
	s.due = append(s.due, thing{at, rank, act})
}

func (s *story) planLeg(leg uint32) {
	legs := get[[]object](s.c, "legs")
	if len(s.sent) > len(legs) {
		return
	}
	fate := legs[len(s.sent)-1]
	for _, step := range get[[][2]float64](fate, "progress") {
		s.plan(s.now+uint64(step[0]), peer, func() error { return s.flow.Progress(leg, step[1], s.now) })
	}
	at := s.now + get[uint64](fate, "afterMs")
	switch {
	case fate.has("result"):
		s.plan(at, peer, func() error { return s.flow.Deliver(leg, []byte(get[string](fate, "result")), s.now) })
	case fate.has("error"):
		s.plan(at, peer, func() error { return s.flow.DeliverError(leg, []byte(get[string](fate, "error")), s.now) })
	case fate.has("lost"):
		s.plan(at, peer, func() error { return s.flow.Lost(leg, s.now) })
	}
}

var flagNames = []struct {
	bit  mrtr.URLFlags
	name string
}{{mrtr.URLNotHTTPS, "not_https"}, {mrtr.URLUserInfo, "user_info"}, {mrtr.URLIPLiteral, "ip_literal"}, {mrtr.URLPunycode, "punycode"}, {mrtr.URLMixedScript, "mixed_script"}}

func (s *story) show(ask mrtr.ShowAsk) {
	s.shown = append(s.shown, ask.Key)
	s.asking[ask.Key] = true
	if ask.Kind == mrtr.KindURL {
		s.flags[ask.Key] = []string{}
		for _, flag := range flagNames {
			if ask.Flags&flag.bit != 0 {
				s.flags[ask.Key] = append(s.flags[ask.Key], flag.name)
			}
		}
	}
	if ask.PreviouslyDeclined {
		s.again[ask.Key] = true
	}
	if list := s.given[ask.Key]; len(list) > 0 && !list[0].has("never") {
		s.plan(s.now+get[uint64](list[0], "afterMs"), answers, func() error { return s.answer(ask.Key) })
	}
}

func (s *story) answer(key string) error {
	if !s.asking[key] {
		return nil // stopped before it was given: it stays at the head of the list
	}
	delete(s.asking, key)
	said := s.given[key][0]
	s.given[key] = s.given[key][1:]
	switch {
	case said.has("value"):
		return s.flow.Answer(key, []byte(get[string](said, "value")), s.now)
	case said.has("decline"):
		return s.flow.Decline(key, s.now)
	case said.has("cancel"):
		return s.flow.CancelAsk(key, s.now)
	case said.has("refuse"):
		return s.flow.Refuse(key, s.now)
	case said.has("unavailable"):
		return s.flow.Unavailable(key, s.now)
	}
	return s.flow.Fail(key, get[string](said, "fail"), s.now)
}

// step jumps to the next due thing and does it; a planned thing comes before a timer of the same time.
func (s *story) step(timer *uint64) (bool, error) {
	sort.SliceStable(s.due, func(i, j int) bool {
		return s.due[i].at < s.due[j].at || s.due[i].at == s.due[j].at && s.due[i].rank < s.due[j].rank
	})
	if len(s.due) > 0 && (timer == nil || s.due[0].at <= *timer) {
		next := s.due[0]
		s.due = s.due[1:]
		s.now = max(s.now, next.at)
		return true, next.act()
	}
	if timer == nil {
		return false, nil
	}
	s.now = max(s.now, *timer)
	return true, nil
}

// moveOn exports the flow, drops it and goes on from the text with a new client, once its leg's asks were shown.
func (s *story) moveOn() (bool, error) {
	if s.resume == nil || len(s.sent) != get[int](s.resume, "afterLeg") || len(s.asking) == 0 {
		return false, nil
	}
	resume := s.resume
	s.resume = nil
	saved := must(s.flow.Save())
	s.flow.Close()
	s.client.Close()
	kept := s.due[:0]
	for _, item := range s.due {
		if item.rank == cancel {
			kept = append(kept, item)
		}
	}
	s.due = kept
	clear(s.asking)
	var err error
	if s.client, err = s.makeClient(); err != nil {
		return false, err
	}
	if s.flow, err = s.client.Resume(saved[:len(saved)-get[int](resume, "truncate")], s.now); err != nil {
		return false, err
	}
	if resume.has("answerKey") {
		err = s.flow.Answer(get[string](resume, "answerKey"), []byte("{}"), s.now)
	}
	return true, err
}

func list[T any](items []T) json.RawMessage { return text(append([]T{}, items...)) }

func (s *story) observation(done *mrtr.Done) object {
	seen := object{
		"end": text("complete"), "legs": text(len(s.sent)), "sent": list(s.sent), "shown": list(s.shown), "stopped": list(s.stopped),
		"cancelledLegs": list(s.cancelled), "key": text(nil), "result": wire(done.Result), "endMs": text(s.now), "gapsMs": list(s.gaps),
		"continuation": text(false), "flags": text(s.flags), "progress": list(s.progress), "rounds": text(s.rounds), "declared": text(s.declared),
		"again": text(s.again),
	}
	if e := done.Err; e != nil {
		seen["end"], seen["continuation"] = text(e.Code.String()), text(e.Continuation != "")
		if e.Key != "" {
			seen["key"] = text(e.Key)
		}
	}
	return seen
}
