// Package redisguard claims tokens in Redis, so that each opens once over any number of processes (S11).
//
// It is a module of its own, so that the package mrtr needs nothing but itself.
package redisguard

import (
	"context"
	"encoding/hex"
	"time"

	"github.com/redis/go-redis/v9"
)

// Guard is an mrtr.Guard: SET prefix+id 1 NX PX ms, which Redis does in one step. When Redis does not answer, requests are
// refused (closed) as mrtr.CodeGuardFailed; mrtr.WithOnHookError hears why.
//
// Make the client with MaxRetries: -1. A claim that was made, but whose answer got lost, would be taken for a second use when it is
// tried again.
//
// The store must not drop keys before their time: maxmemory-policy noeviction, and no failover to a replica that may lag.
type Guard struct {
	client  redis.Cmdable
	prefix  string
	timeout time.Duration
}

// Option changes one option of a [Guard].
type Option func(*Guard)

// WithPrefix is what stands in front of the ids in the store. Default "mrtr:used:".
func WithPrefix(prefix string) Option { return func(g *Guard) { g.prefix = prefix } }

// WithTimeout is how long a request waits for the store. Default 1 second.
func WithTimeout(timeout time.Duration) Option { return func(g *Guard) { g.timeout = timeout } }

// New makes a guard on a client: mrtr.NewSealer(keys, mrtr.WithGuard(redisguard.New(client))).
func New(client redis.Cmdable, options ...Option) *Guard {
	g := &Guard{client: client, prefix: "mrtr:used:", timeout: time.Second}
	for _, option := range options {
		option(g)
	}
	return g
}

// Claim claims an id for as long as it can come back, told in milliseconds from now on: Redis has a clock of its own.
func (g *Guard) Claim(tokenID [16]byte, until, now time.Time) (bool, error) {
	ctx, cancel := context.WithTimeout(context.Background(), g.timeout)
	defer cancel()
	keep := max(until.Sub(now), time.Millisecond)
	return g.client.SetNX(ctx, g.prefix+hex.EncodeToString(tokenID[:]), 1, keep).Result()
}
