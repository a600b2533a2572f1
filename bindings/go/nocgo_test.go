//go:build !cgo

package mrtr_test

import (
	"errors"
	"testing"

	"mrtr"
)

func TestWithoutCgoEveryConstructorSaysSo(t *testing.T) {
	_, sealer := mrtr.NewEphemeralSealer()
	_, server := mrtr.NewServer(mrtr.ServerOptions{})
	_, client := mrtr.NewClient(mrtr.ClientOptions{})
	_, _, built := mrtr.BuildResult(mrtr.ResultOptions{})
	_, many := mrtr.NewRuntime()
	for _, err := range []error{sealer, server, client, built, many} {
		if !errors.Is(err, mrtr.ErrNoCgo) {
			t.Fatal(err)
		}
	}
}
