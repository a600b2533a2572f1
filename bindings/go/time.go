package mrtr

import (
	"fmt"
	"math"
	"time"
)

const (
	systemClock = math.MaxUint64
	noLimit     = math.MaxUint64
)

// millis is a duration in whole milliseconds; what does not fit is refused, never rounded.
func millis(name string, d time.Duration) (uint64, error) {
	if d < 0 || d%time.Millisecond != 0 {
		return 0, &Error{Code: CodeConfigError, Message: fmt.Sprintf("%s: %v is no whole number of milliseconds", name, d)}
	}
	return uint64(d / time.Millisecond), nil
}

// wall is Unix time; the zero time is the system's clock.
func wall(t time.Time) (uint64, error) {
	if t.IsZero() {
		return systemClock, nil
	}
	ms := t.UnixMilli()
	if ms < 0 {
		return 0, &Error{Code: CodeBadArgument, Message: "a time before 1970"}
	}
	return uint64(ms), nil
}
