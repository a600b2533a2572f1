//go:build cgo

package mrtr_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"mrtr"
)

// store claims in this process, as a host might write it.
type store struct {
	seen sync.Map
	last atomic.Int64 // how long the last id was to be kept
}

func (s *store) Claim(id [16]byte, until, now time.Time) (bool, error) {
	s.last.Store(until.Sub(now).Milliseconds())
	_, used := s.seen.LoadOrStore(id, true)
	return !used, nil
}

type guardFunc func() (bool, error)

func (g guardFunc) Claim([16]byte, time.Time, time.Time) (bool, error) { return g() }

func TestOfManyGoroutinesWithOneTokenOneGetsIn(t *testing.T) {
	guard, refused := &store{}, atomic.Int64{}
	s := must[*mrtr.Sealer](t)(mrtr.NewSealer([][]byte{key}, mrtr.WithGuard(guard), mrtr.WithOnRefused(func(c mrtr.Code) {
		if c == mrtr.CodeReplayed {
			refused.Add(1)
		}
	})))
	defer s.Close()
	token := must[string](t)(s.Seal(pay("30"), []byte("x"), "", at(1000)))
	var in atomic.Int64
	var group sync.WaitGroup
	for range 8 {
		group.Add(1)
		go func() {
			defer group.Done()
			if _, err := s.Open(pay("30"), token, at(2000)); err == nil {
				in.Add(1)
			} else if !errors.Is(err, mrtr.CodeReplayed) {
				t.Error(err)
			}
		}()
	}
	group.Wait()
	if in.Load() != 1 || refused.Load() != 7 || guard.last.Load() != 1000+600_000+60_000-2000 {
		t.Fatal(in.Load(), refused.Load(), guard.last.Load())
	}
	counters := must[mrtr.Counters](t)(s.Counters())
	if counters.Sealed != 1 || counters.Opened != 1 || counters.Refused != 7 || counters.Reasons[mrtr.CodeReplayed] != 7 || counters.SealedBytes != uint64(len(token)) {
		t.Fatalf("%+v", counters)
	}
}

func TestAGuardThatFailsRefuses(t *testing.T) {
	down := errors.New("store is down")
	for _, guard := range []guardFunc{func() (bool, error) { return true, down }, func() (bool, error) { panic(down) }} {
		var heard error
		s := must[*mrtr.Sealer](t)(mrtr.NewSealer([][]byte{key}, mrtr.WithGuard(guard), mrtr.WithOnHookError(func(err error) { heard = err })))
		token := must[string](t)(s.Seal(pay("30"), nil, "", at(0)))
		_, err := s.Open(pay("30"), token, at(1))
		same(t, string(failure(t, err, mrtr.CodeGuardFailed).RPC), wire)
		if heard == nil {
			t.Fatal("the host did not hear why")
		}
		s.Close()
	}
}

type turn struct{}

func flip(in []byte) ([]byte, error) {
	if len(in) == 0 {
		return nil, errors.New("nothing there")
	}
	out := make([]byte, len(in))
	for i, b := range in {
		out[i] = b ^ 0x55
	}
	return out, nil
}
func (turn) Seal(plain []byte) ([]byte, error)    { return flip(plain) }
func (turn) Unseal(sealed []byte) ([]byte, error) { return flip(sealed) }

func TestOwnCryptoKeepsOurClaims(t *testing.T) {
	s := must[*mrtr.Sealer](t)(mrtr.NewSealer(nil, mrtr.WithCrypto(turn{})))
	defer s.Close()
	token := must[string](t)(s.Seal(pay("30"), []byte("x"), "", at(0)))
	if opened := must[*mrtr.Opened](t)(s.Open(pay("30"), token, at(1))); !bytes.Equal(opened.State, []byte("x")) {
		t.Fatal(opened.State)
	}
	_, err := s.Open(pay("30"), token, at(600_000))
	failure(t, err, mrtr.CodeExpired)
	_, err = s.Open(pay("30"), "mrtr1.AAAAAAAAAAA", at(1))
	failure(t, err, mrtr.CodeTampered)
	_, err = mrtr.NewSealer([][]byte{key}, mrtr.WithCrypto(turn{}))
	failure(t, err, mrtr.CodeConfigError)
	_, err = mrtr.NewSealer([][]byte{key}, mrtr.WithGuard(&store{}), mrtr.WithSingleUse())
	failure(t, err, mrtr.CodeBadArgument)
}

func TestHooksEndWithTheSealer(t *testing.T) {
	gone := make(chan bool, 1)
	guard := &store{}
	runtime.AddCleanup(guard, func(gone chan bool) { gone <- true }, gone)
	s := must[*mrtr.Sealer](t)(mrtr.NewSealer([][]byte{key}, mrtr.WithGuard(guard)))
	s.Close()
	guard = nil
	for range 50 {
		runtime.GC()
		select {
		case <-gone:
			return
		case <-time.After(20 * time.Millisecond):
		}
	}
	t.Fatal("the guard is still held")
}

func TestAsksThatWentOutAreTold(t *testing.T) {
	s := must[*mrtr.Sealer](t)(mrtr.NewSealer([][]byte{key}))
	defer s.Close()
	var heard []mrtr.Issued
	server := must[*mrtr.Server](t)(mrtr.NewServer(mrtr.ServerOptions{Sealer: s, OnIssued: func(issued mrtr.Issued) {
		heard = append(heard, issued)
		panic("a fault of the host")
	}}))
	defer server.Close()
	request := pay("30")
	request.Capabilities = []byte(`{"roots":{}}`)
	x := must[*mrtr.Exchange](t)(server.Begin(request, at(1000)))
	defer x.Close()
	for _, key := range []string{"b", "a"} {
		must[mrtr.Answer](t)(x.AskRoots(key))
	}
	result := must[json.RawMessage](t)(x.Result())
	info := must[mrtr.ExchangeInfo](t)(x.Info())
	want := mrtr.Issued{FlowID: info.FlowID, Round: 1, Method: "tools/call", Keys: []string{"b", "a"}, Expires: at(601_000)}
	if len(heard) != 1 || !reflect.DeepEqual(heard[0], want) || !bytes.Contains(result, []byte("requestState")) {
		t.Fatalf("%+v\n%+v\n%s", heard, want, result)
	}
	_, err := mrtr.NewServer(mrtr.ServerOptions{Sealer: s, Gate: 9, OnIssued: func(mrtr.Issued) {}})
	failure(t, err, mrtr.CodeBadArgument)
}

func TestGateway(t *testing.T) {
	for _, state := range []string{"", "v1.x", "é 😀\x00"} {
		backend, back, ok := mrtr.UnwrapState(must[[]byte](t)(mrtr.WrapState("büro:7", state)))
		if backend != "büro:7" || back != state || !ok {
			t.Fatal(backend, back, ok)
		}
	}
	if _, _, ok := mrtr.UnwrapState(nil); ok {
		t.Fatal("nothing is no state of ours")
	}
	both := must[string](t)(mrtr.PrefixKey("a:b", "c"))
	if backend, own, ok := mrtr.SplitKey(both); both != "3:a:b:c" || backend != "a:b" || own != "c" || !ok {
		t.Fatal(both, backend, own, ok)
	}
	if _, _, ok := mrtr.SplitKey("region"); ok {
		t.Fatal("a key of the gateway's own")
	}
	_, err := mrtr.WrapState("\xff", "x")
	failure(t, err, mrtr.CodeNotUtf8)
}

func TestAGatewayPassesOnWhatIsTheBackends(t *testing.T) {
	asks := []byte(`{"resultType":"input_required","inputRequests":{"k":{}},"requestState":"S"}`)
	state := must[[]byte](t)(mrtr.GatewayState("a", asks))
	if none := must[[]byte](t)(mrtr.GatewayState("a", []byte(`{"resultType":"complete"}`))); none != nil || state == nil {
		t.Fatal(state, none)
	}
	back := must[json.RawMessage](t)(mrtr.GatewayResult("a", asks, "T"))
	if string(back) != `{"resultType":"input_required","inputRequests":{"1:a:k":{}},"requestState":"T"}` {
		t.Fatal(string(back))
	}
	sent := []byte(`{"_meta":{"x":1.0},"inputResponses":{"1:a:k":{},"k":{}},"requestState":"T"}`)
	passed := must[json.RawMessage](t)(mrtr.GatewayParams("a", sent, state))
	if string(passed) != `{"_meta":{"x":1.0},"inputResponses":{"k":{}},"requestState":"S"}` {
		t.Fatal(string(passed))
	}
	_, err := mrtr.GatewayParams("b", sent, state)
	failure(t, err, mrtr.CodeBadArgument)
}
