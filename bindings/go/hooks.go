package mrtr

import (
	"fmt"
	"runtime"
	"time"
)

// Guard is a claim-once store that any number of processes share (S11).
//
// Claim is true if the id was not claimed before and is now, until the given time at least; false if it was. It is atomic over
// all who share the store: of many claims of one id at once exactly one is true. An error, or a panic, refuses the token as
// [CodeGuardFailed]. Both times are those of the call, so until-now is how long to keep the id.
type Guard interface {
	Claim(tokenID [16]byte, until, now time.Time) (bool, error)
}

// Crypto is the host's own protection of bytes, in place of keys: a key service, say (S13). Unseal must authenticate.
// An error of Seal is [CodeCryptoFailed], one of Unseal refuses the token as [CodeTampered].
type Crypto interface {
	Seal(plain []byte) ([]byte, error)
	Unseal(sealed []byte) ([]byte, error)
}

// hooks is what a host does for its sealer; called on whatever goroutine seals or opens, many at once.
type hooks struct {
	guard   Guard
	crypto  Crypto
	refused func(Code)
	failed  func(error)
}

// WithGuard accepts each token once, over all processes that share the guard's store.
func WithGuard(guard Guard) SealerOption {
	return func(c *sealerConfig) { c.hooks.guard = guard }
}

// WithCrypto protects states by the host's own crypto; then there are no keys. Claims stay the library's.
func WithCrypto(crypto Crypto) SealerOption {
	return func(c *sealerConfig) { c.hooks.crypto = crypto }
}

// WithOnRefused hears the reason of every refused token, and nothing else.
func WithOnRefused(hear func(reason Code)) SealerOption {
	return func(c *sealerConfig) { c.hooks.refused = hear }
}

// WithOnHookError hears why a [Guard] or a [Crypto] failed: what the code of the refusal does not tell.
func WithOnHookError(hear func(error)) SealerOption {
	return func(c *sealerConfig) { c.hooks.failed = hear }
}

func (h *hooks) any() bool { return h.guard != nil || h.crypto != nil || h.refused != nil }

// safely keeps a panic from crossing the library; work that failed has set nothing.
func (h *hooks) safely(work func() error) {
	defer func() {
		if r := recover(); r != nil {
			h.tell(fmt.Errorf("mrtr: a hook panicked: %v", r))
		}
	}()
	if err := work(); err != nil {
		h.tell(err)
	}
}

func (h *hooks) tell(err error) {
	if h.failed != nil {
		defer func() { _ = recover() }() // an observer decides nothing, so its faults change nothing
		h.failed(err)
	}
}

// Counters are numbers of a [Sealer] since it was made; never content.
type Counters struct {
	Sealed, SealedBytes, Opened, OpenedBytes, Refused uint64
	// Reasons has the refusals by their code.
	Reasons map[Code]uint64
}

// Counters tells what was sealed, opened and refused so far, also by servers that use the sealer.
func (s *Sealer) Counters() (Counters, error) {
	defer runtime.KeepAlive(s)
	return nativeSealerCounters(s.id)
}
