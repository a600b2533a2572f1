//go:build cgo

package redisguard_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"mrtr"
	"mrtr/redisguard"

	"github.com/redis/go-redis/v9"
)

var (
	keys    = [][]byte{[]byte("kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk")}
	request = mrtr.Request{Method: "tools/call", Principal: mrtr.PrincipalOf("user")}
)

// start runs a Redis of our own on a free port of this machine, gone after the test.
func start(t *testing.T) (*redis.Client, string) {
	t.Helper()
	probe, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := probe.Addr().String()
	probe.Close()
	_, port, _ := net.SplitHostPort(address)
	server := exec.Command("redis-server", "--port", port, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--maxmemory-policy", "noeviction")
	if err := server.Start(); err != nil {
		t.Fatal("redis-server (Debian package redis-server): ", err)
	}
	t.Cleanup(func() { _ = server.Process.Kill(); _ = server.Wait() })
	client := redis.NewClient(&redis.Options{Addr: address, MaxRetries: -1})
	t.Cleanup(func() { client.Close() })
	for range 200 {
		if client.Ping(context.Background()).Err() == nil {
			return client, address
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatal("redis-server does not answer")
	return nil, ""
}

func sealer(t *testing.T, client *redis.Client, options ...mrtr.SealerOption) *mrtr.Sealer {
	t.Helper()
	s, err := mrtr.NewSealer(keys, append(options, mrtr.WithGuard(redisguard.New(client, redisguard.WithTimeout(5*time.Second))))...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// inMany opens one token in eight goroutines and says how many got in.
func inMany(t *testing.T, s *mrtr.Sealer, token string) (in int) {
	var lock sync.Mutex
	var group sync.WaitGroup
	for range 8 {
		group.Add(1)
		go func() {
			defer group.Done()
			_, err := s.Open(request, token, time.Time{})
			lock.Lock()
			defer lock.Unlock()
			if err == nil {
				in++
			} else if !errors.Is(err, mrtr.CodeReplayed) {
				t.Error(err)
			}
		}()
	}
	group.Wait()
	return in
}

// TestProcess is one of the processes of the next test; by itself it does nothing.
func TestProcess(t *testing.T) {
	address, token := os.Getenv("MRTR_TEST_REDIS"), os.Getenv("MRTR_TEST_TOKEN")
	if address == "" {
		return
	}
	s := sealer(t, redis.NewClient(&redis.Options{Addr: address}))
	fmt.Println("in", inMany(t, s, token))
}

func TestOfFourProcessesWithEightGoroutinesEachOneGetsIn(t *testing.T) {
	client, address := start(t)
	token, err := sealer(t, client).Seal(request, []byte("x"), "", time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	var lock sync.Mutex
	in, ended := 0, 0
	for range 4 {
		group.Add(1)
		go func() {
			defer group.Done()
			process := exec.Command(os.Args[0], "-test.run", "^TestProcess$", "-test.v")
			process.Env = append(os.Environ(), "MRTR_TEST_REDIS="+address, "MRTR_TEST_TOKEN="+token)
			said, err := process.Output()
			lock.Lock()
			defer lock.Unlock()
			if err != nil {
				t.Errorf("%v: %s", err, said)
			}
			for lines := bufio.NewScanner(strings.NewReader(string(said))); lines.Scan(); {
				if count, found := strings.CutPrefix(lines.Text(), "in "); found {
					n, _ := strconv.Atoi(count)
					in, ended = in+n, ended+1
				}
			}
		}()
	}
	group.Wait()
	if in != 1 || ended != 4 {
		t.Fatalf("%d of 32 got in, %d processes ended", in, ended)
	}
}

func TestAClaimLastsUntilExpiryAndSkew(t *testing.T) {
	client, _ := start(t)
	s := sealer(t, client, mrtr.WithTTL(5*time.Second), mrtr.WithSkew(time.Second))
	token, _ := s.Seal(request, nil, "", time.Time{})
	opened, err := s.Open(request, token, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	left := client.PTTL(context.Background(), fmt.Sprintf("mrtr:used:%x", opened.TokenID)).Val()
	if left <= 4*time.Second || left > 6*time.Second {
		t.Fatal(left)
	}
}

func TestWithoutRedisNobodyGetsIn(t *testing.T) {
	client, _ := start(t)
	var why error
	s := sealer(t, client, mrtr.WithOnHookError(func(err error) { why = err }))
	token, _ := s.Seal(request, nil, "", time.Time{})
	client.ShutdownNoSave(context.Background())
	_, err := s.Open(request, token, time.Time{})
	var refusal *mrtr.Error
	if !errors.Is(err, mrtr.CodeGuardFailed) || !errors.As(err, &refusal) || !strings.Contains(string(refusal.RPC), "invalid_request_state") {
		t.Fatal(err)
	}
	if why == nil || strings.Contains(string(refusal.RPC), why.Error()) {
		t.Fatal("the reason is the host's, and only the host's: ", why)
	}
}
