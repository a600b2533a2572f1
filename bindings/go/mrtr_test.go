//go:build cgo

package mrtr_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"mrtr"
)

var key = bytes.Repeat([]byte{7}, 32)

const wire = `{"code":-32602,"message":"Invalid or expired requestState","data":{"reason":"invalid_request_state"}}`

func pay(amount string) mrtr.Request {
	return mrtr.Request{Method: "tools/call", Params: []byte(`{"name":"pay","arguments":{"amount":` + amount + `}}`), Principal: mrtr.Nobody()}
}

func must[T any](t *testing.T) func(value T, err error) T {
	return func(value T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

// failure is the library's error of a call that has to fail with a code.
func failure(t *testing.T, err error, code mrtr.Code) *mrtr.Error {
	t.Helper()
	var e *mrtr.Error
	if !errors.As(err, &e) || !errors.Is(err, code) {
		t.Fatalf("got %v, want %v", err, code)
	}
	return e
}

func same(t *testing.T, got, want string) {
	t.Helper()
	var a, b bytes.Buffer
	if json.Compact(&a, []byte(got)) != nil || json.Compact(&b, []byte(want)) != nil || a.String() != b.String() {
		t.Fatalf("got %s, want %s", got, want)
	}
}

func at(ms int64) time.Time { return time.UnixMilli(ms) }

// S3, S6.
func TestSealAndOpen(t *testing.T) {
	s := must[*mrtr.Sealer](t)(mrtr.NewSealer([][]byte{key}))
	defer s.Close()
	state := []byte("\x00half \xff done")
	first := must[string](t)(s.Seal(pay("30"), state, "", at(0)))
	second := must[string](t)(s.Seal(pay("30"), nil, first, at(5)))
	one := must[*mrtr.Opened](t)(s.Open(pay("3e1"), first, at(599_999)))
	two := must[*mrtr.Opened](t)(s.Open(pay("30"), second, at(6)))
	if !bytes.Equal(one.State, state) || one.Round != 1 || !one.Expires.Equal(at(600_000)) {
		t.Fatalf("%+v", one)
	}
	// The host's state stays until it is set anew (D13).
	if !bytes.Equal(two.State, state) || two.Round != 2 || two.FlowID != one.FlowID || two.TokenID == one.TokenID {
		t.Fatalf("%+v", two)
	}
}

// S9.
func TestRefusalsLookTheSame(t *testing.T) {
	s := must[*mrtr.Sealer](t)(mrtr.NewSealer([][]byte{key}))
	defer s.Close()
	token := must[string](t)(s.Seal(pay("30"), []byte("s"), "", at(0)))
	user := pay("30")
	user.Principal = mrtr.PrincipalOf("user-1")
	for _, c := range []struct {
		request mrtr.Request
		token   string
		at      int64
		code    mrtr.Code
	}{
		{pay("31"), token, 1, mrtr.CodeWrongRequest},
		{user, token, 1, mrtr.CodeWrongPrincipal},
		{pay("30"), token, 600_000, mrtr.CodeExpired},
		{pay("30"), token + "=", 1, mrtr.CodeMalformed},
		{pay("30"), "", 1, mrtr.CodeMalformed},
	} {
		_, err := s.Open(c.request, c.token, at(c.at))
		e := failure(t, err, c.code)
		same(t, string(e.RPC), wire)
		if c.token != "" && strings.Contains(e.Error(), c.token) {
			t.Fatal("the token is in the message")
		}
	}
}

// S4.
func TestPrincipalIsNeverAnAccident(t *testing.T) {
	s := must[*mrtr.Sealer](t)(mrtr.NewSealer([][]byte{key}))
	defer s.Close()
	if _, err := s.Seal(mrtr.Request{Method: "tools/call"}, nil, "", at(0)); err == nil {
		t.Fatal("a request without a principal was sealed")
	}
	none := pay("30")
	none.Principal = mrtr.PrincipalOf()
	_, err := s.Seal(none, nil, "", at(0))
	failure(t, err, mrtr.CodeConfigError)
}

// S1, S6, S7.
func TestConfig(t *testing.T) {
	for name, options := range map[string][]mrtr.SealerOption{
		"zero ttl":  {mrtr.WithTTL(0)},
		"negative":  {mrtr.WithTTL(-time.Second)},
		"too fine":  {mrtr.WithMaxAge(time.Microsecond)},
		"audience":  {mrtr.WithAudience("")},
		"no rounds": {mrtr.WithMaxTokenRounds(0)},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := mrtr.NewSealer([][]byte{key}, options...)
			failure(t, err, mrtr.CodeConfigError)
		})
	}
	for _, keys := range [][][]byte{nil, {key[:31]}, {key, key}} {
		_, err := mrtr.NewSealer(keys)
		failure(t, err, mrtr.CodeConfigError)
	}
}

// S7.
func TestRotationUnderLoad(t *testing.T) {
	other := bytes.Repeat([]byte{8}, 32)
	s := must[*mrtr.Sealer](t)(mrtr.NewSealer([][]byte{key, other}))
	defer s.Close()
	var work sync.WaitGroup
	for range 2 {
		work.Add(1)
		go func() {
			defer work.Done()
			for range 2000 {
				token, err := s.Seal(pay("30"), []byte("s"), "", time.Time{})
				if err == nil {
					_, err = s.Open(pay("30"), token, time.Time{})
				}
				if err != nil {
					t.Error(err)
					return
				}
			}
		}()
	}
	for i := range 200 {
		ring := [][]byte{key, other}
		if i%2 == 0 {
			ring = [][]byte{other, key}
		}
		if err := s.SetKeys(ring); err != nil {
			t.Fatal(err)
		}
	}
	work.Wait()
}

// F1.
func TestCloseTwiceAndUseAfterClose(t *testing.T) {
	s := must[*mrtr.Sealer](t)(mrtr.NewEphemeralSealer())
	server := must[*mrtr.Server](t)(mrtr.NewServer(mrtr.ServerOptions{Sealer: s}))
	x := must[*mrtr.Exchange](t)(server.Begin(pay("30"), time.Time{}))
	for range 2 {
		s.Close()
		server.Close()
	}
	if _, err := x.AskRoots("r"); errors.Is(err, mrtr.CodeStaleHandle) {
		t.Fatal("the exchange lost what it needs")
	}
	x.Close()
	_, err := x.Result()
	failure(t, err, mrtr.CodeStaleHandle)
	_, err = s.Seal(pay("30"), nil, "", time.Time{})
	failure(t, err, mrtr.CodeStaleHandle)
	_, err = server.Begin(pay("30"), time.Time{})
	failure(t, err, mrtr.CodeStaleHandle)
}

func TestCollectorFreesWhatWasForgotten(t *testing.T) {
	before := mrtr.LiveObjects()
	for range 100 {
		must[*mrtr.Sealer](t)(mrtr.NewEphemeralSealer())
	}
	for range 100 {
		runtime.GC()
		if mrtr.LiveObjects() <= before {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("%d objects are left", mrtr.LiveObjects()-before)
}

const capabilities = `"_meta":{"io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{},"url":{}}}}`
const nameForm = `{"type":"object","properties":{"n":{"type":"string"}},"required":["n"]}`

func request(more string) mrtr.Request {
	return mrtr.Request{Method: "tools/call", Params: []byte(`{"name":"deploy",` + capabilities + more + `}`), Principal: mrtr.Nobody()}
}

// X4, X6, X9.
func TestExchange(t *testing.T) {
	s := must[*mrtr.Sealer](t)(mrtr.NewSealer([][]byte{key}))
	defer s.Close()
	server := must[*mrtr.Server](t)(mrtr.NewServer(mrtr.ServerOptions{Sealer: s}))
	defer server.Close()
	serve := func(more string) (form, url mrtr.Answer, state []byte, result json.RawMessage) {
		x := must[*mrtr.Exchange](t)(server.Begin(request(more), time.Time{}))
		defer x.Close()
		state = must[[]byte](t)(x.State())
		form = must[mrtr.Answer](t)(x.AskForm("a", "Name?", []byte(nameForm)))
		url = must[mrtr.Answer](t)(x.AskURL("u", "Open this", "https://example.com/consent"))
		if err := x.SetState([]byte("step")); err != nil {
			t.Fatal(err)
		}
		if x.Pending() > 0 {
			result = must[json.RawMessage](t)(x.Result())
		}
		return form, url, state, result
	}
	form, url, state, result := serve("")
	if form.Status != mrtr.Missing || url.Status != mrtr.Missing || state != nil {
		t.Fatal(form, url, state)
	}
	token := must[json.RawMessage](t)(mrtr.Member(result, "requestState"))
	form, url, state, result = serve(`,"requestState":` + string(token) + `,"inputResponses":{"a":{"action":"accept","content":{"n":"\ud800","z":1}}}`)
	if string(form.Content) != `{"n":"\ud800"}` || url.Status != mrtr.Missing || url.Content != nil || string(state) != "step" {
		t.Fatal(form, url, state)
	}
	asks := must[json.RawMessage](t)(mrtr.Member(result, "inputRequests"))
	if first := must[json.RawMessage](t)(mrtr.Member(asks, "a")); first != nil {
		t.Fatal("an accepted answer is asked again")
	}
}

func TestBuildAndCheck(t *testing.T) {
	state := "mine"
	result, warnings, err := mrtr.BuildResult(mrtr.ResultOptions{Method: "tools/call", Asks: []mrtr.Ask{{Key: "r", Ask: []byte(`{"method":"roots/list"}`)}}, State: &state})
	if err != nil || len(warnings) != 0 {
		t.Fatal(err, warnings)
	}
	same(t, string(result), `{"resultType":"input_required","inputRequests":{"r":{"method":"roots/list"}},"requestState":"mine"}`)
	_, _, err = mrtr.BuildResult(mrtr.ResultOptions{Method: "tools/call"})
	failure(t, err, mrtr.CodeEmptyResult)
	_, _, err = mrtr.BuildResult(mrtr.ResultOptions{Method: "tools/call", Asks: []mrtr.Ask{{Key: "a", Ask: []byte(`{"method":"elicitation/create","params":{"message":"?","requestedSchema":{"type":"object","properties":{"v":{"type":"object"}}}}}`)}}})
	if e := failure(t, err, mrtr.CodeBadSchema); e.At != "/requestedSchema/properties/v/type" || e.Key != "a" {
		t.Fatalf("%+v", e)
	}
	header := "2026-07-28"
	e := failure(t, mrtr.CheckRequest(mrtr.RequestCheck{Method: "tools/list", Params: []byte("{}"), HeaderVersion: &header, Supported: []string{header}}), mrtr.CodeMissingMeta)
	if e.HTTPStatus != 400 || e.RPCCode != -32602 {
		t.Fatalf("%+v", e)
	}
}

func TestTextThatIsNoUnicode(t *testing.T) {
	s := must[*mrtr.Sealer](t)(mrtr.NewSealer([][]byte{key}))
	defer s.Close()
	_, err := s.Seal(mrtr.Request{Method: "tools/\xff", Principal: mrtr.Nobody()}, nil, "", time.Time{})
	failure(t, err, mrtr.CodeNotUtf8)
}

// X6.
func TestWhatWasDeclinedIsAskedAgainWhenItIsForgotten(t *testing.T) {
	s := must[*mrtr.Sealer](t)(mrtr.NewSealer([][]byte{key}))
	defer s.Close()
	server := must[*mrtr.Server](t)(mrtr.NewServer(mrtr.ServerOptions{Sealer: s}))
	defer server.Close()
	x := must[*mrtr.Exchange](t)(server.Begin(request(""), time.Time{}))
	defer x.Close()
	must[mrtr.Answer](t)(x.AskForm("a", "Name?", []byte(nameForm)))
	token := must[json.RawMessage](t)(mrtr.Member(must[json.RawMessage](t)(x.Result()), "requestState"))
	again := must[*mrtr.Exchange](t)(server.Begin(request(`,"requestState":`+string(token)+`,"inputResponses":{"a":{"action":"decline"}}`), time.Time{}))
	defer again.Close()
	if a := must[mrtr.Answer](t)(again.AskForm("a", "Name?", []byte(nameForm))); a.Status != mrtr.Declined || again.Pending() != 0 {
		t.Fatal(a)
	}
	if err := again.Forget("a"); err != nil {
		t.Fatal(err)
	}
	if a := must[mrtr.Answer](t)(again.AskForm("a", "Name?", []byte(nameForm))); a.Status != mrtr.Missing || again.Pending() != 1 {
		t.Fatal(a)
	}
}

// J4, S11.
func TestLimitsOfTokensAndOfTheGuard(t *testing.T) {
	s := must[*mrtr.Sealer](t)(mrtr.NewSealer([][]byte{key}, mrtr.WithSingleUse(), mrtr.WithGuardCapacity(1), mrtr.WithMaxTokenBytes(400)))
	defer s.Close()
	var tokens [2]string
	for i := range tokens {
		tokens[i] = must[string](t)(s.Seal(pay("30"), []byte("s"), "", time.Time{}))
	}
	must[*mrtr.Opened](t)(s.Open(pay("30"), tokens[0], time.Time{}))
	_, err := s.Open(pay("30"), tokens[1], time.Time{})
	failure(t, err, mrtr.CodeGuardFailed)
	_, err = s.Open(pay("30"), strings.Repeat("x", 401), time.Time{})
	failure(t, err, mrtr.CodeTooLarge)
}
