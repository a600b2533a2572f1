package mrtr

import (
	"fmt"
	"runtime"
	"time"
)

// Cipher protects states.
type Cipher uint32

// The ciphers: two that hide the state, and one that only signs it, for debugging (S1).
const (
	AES256GCM        Cipher = 1
	ChaCha20Poly1305 Cipher = 2
	Signed           Cipher = 3
)

// Sealer seals and opens requestState (S1-S15). Safe for concurrent use.
type Sealer struct{ owned }

type sealerConfig struct {
	keys      [][]byte
	ephemeral bool
	audience  *string
	cipher    Cipher
	singleUse bool
	numbers   map[string]uint64
	hooks     hooks
	err       error
}

// SealerOption changes one option of a [Sealer]; what is not set has the library's default.
type SealerOption func(*sealerConfig)

func (c *sealerConfig) duration(name string, d time.Duration) {
	ms, err := millis(name, d)
	if err != nil && c.err == nil {
		c.err = err
	}
	c.numbers[name] = ms
}

// WithTTL is how long a token lives (S6). Default 10 minutes.
func WithTTL(d time.Duration) SealerOption {
	return func(c *sealerConfig) { c.duration("ttl", d) }
}

// WithSkew is how far in the future a token may have been issued. Default 1 minute.
func WithSkew(d time.Duration) SealerOption {
	return func(c *sealerConfig) { c.duration("skew", d) }
}

// WithMaxAge is how long a whole flow may take, sealed into its tokens. Default 1 hour.
func WithMaxAge(d time.Duration) SealerOption {
	return func(c *sealerConfig) { c.duration("maxAge", d) }
}

// WithMaxTokenRounds is how many rounds a flow may have, sealed into its tokens. Default 32.
func WithMaxTokenRounds(n uint32) SealerOption {
	return func(c *sealerConfig) { c.numbers["maxRounds"] = uint64(n) }
}

// WithMaxStateBytes limits the sealed plaintext (J4). Default 64 KiB.
func WithMaxStateBytes(n uint64) SealerOption {
	return func(c *sealerConfig) { c.numbers["maxStateBytes"] = n }
}

// WithMaxTokenBytes limits the tokens that are looked at (J4). Default 1 MiB.
func WithMaxTokenBytes(n uint64) SealerOption {
	return func(c *sealerConfig) { c.numbers["maxTokenBytes"] = n }
}

// WithGuardCapacity is how many tokens [WithSingleUse] remembers; when it is full, requests are refused. Default 65536.
func WithGuardCapacity(n uint64) SealerOption {
	return func(c *sealerConfig) { c.numbers["guardCapacity"] = n }
}

// WithAudience binds tokens to a service name.
func WithAudience(name string) SealerOption {
	return func(c *sealerConfig) { c.audience = &name }
}

// WithCipher selects the cipher. Default [AES256GCM].
func WithCipher(cipher Cipher) SealerOption {
	return func(c *sealerConfig) { c.cipher = cipher }
}

// WithSingleUse accepts each token once, remembered in this process (S11).
func WithSingleUse() SealerOption {
	return func(c *sealerConfig) { c.singleUse = true }
}

// NewSealer makes a sealer. The first key seals, every key opens; keys are secrets of at least 32 bytes (S7).
func NewSealer(keys [][]byte, options ...SealerOption) (*Sealer, error) {
	return newSealer(sealerConfig{keys: keys}, options)
}

// NewEphemeralSealer draws a key that dies with this process: only for a server of one process (S1).
func NewEphemeralSealer(options ...SealerOption) (*Sealer, error) {
	return newSealer(sealerConfig{ephemeral: true}, options)
}

func newSealer(config sealerConfig, options []SealerOption) (*Sealer, error) {
	config.cipher, config.numbers = AES256GCM, map[string]uint64{}
	for _, option := range options {
		option(&config)
	}
	if config.err != nil {
		return nil, config.err
	}
	id, err := nativeSealerNew(&config)
	if err != nil {
		return nil, err
	}
	s := &Sealer{}
	return own(s, &s.owned, id, nativeSealerFree), nil
}

// SetKeys replaces the key ring at once, for all goroutines. Rotate in three steps: old+new, new+old, new (S7).
func (s *Sealer) SetKeys(keys [][]byte) error {
	defer runtime.KeepAlive(s)
	return nativeSealerSetKeys(s.id, keys)
}

// Seal seals the host's state for a request; nil is none, an empty slice is an empty state (D13).
// previous is the token of the round before, whose flow goes on; empty for a new flow. The zero time is now.
func (s *Sealer) Seal(r Request, state []byte, previous string, at time.Time) (string, error) {
	defer runtime.KeepAlive(s)
	now, err := wall(at)
	if err != nil {
		return "", err
	}
	return nativeSealerSeal(s.id, &r, state, previous, now)
}

// Opened is a state that came back.
type Opened struct {
	// State is what the host put in; nil if nothing.
	State []byte
	// Round counts from 1.
	Round uint32
	// FlowID is the same in every round and cannot be guessed: an idempotency key. TokenID is this token's own.
	FlowID, TokenID [16]byte
	// Issued, Expires and FlowStart are the claims' times.
	Issued, Expires, FlowStart time.Time
}

// String tells no content.
func (o *Opened) String() string {
	return fmt.Sprintf("Opened(round %d, %d bytes)", o.Round, len(o.State))
}

// GoString is String.
func (o *Opened) GoString() string { return o.String() }

// Open opens a token that came back. A refusal is an [*Error] whose Code is the true reason and whose RPC says the same
// for every cause (S9).
func (s *Sealer) Open(r Request, token string, at time.Time) (*Opened, error) {
	defer runtime.KeepAlive(s)
	now, err := wall(at)
	if err != nil {
		return nil, err
	}
	return nativeSealerOpen(s.id, &r, token, now)
}

// Close frees the sealer; what was made with it lives on. More than once is fine.
func (s *Sealer) Close() error {
	s.close(nativeSealerFree)
	return nil
}
