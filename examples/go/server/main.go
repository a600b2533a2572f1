// Command server is an MCP 2026-07-28 server on the standard library's HTTP and package mrtr: it books trips, and has the
// tools by which the official conformance suite tries multi round-trip requests.
//
//	server [-port N]      prints its address when it listens on this machine
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"mrtr"
)

func main() {
	port := flag.Int("port", 0, "port on the loopback interface; 0 takes a free one")
	flag.Parse()
	service, err := newService()
	if err != nil {
		log.Fatal(err)
	}
	listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", *port))
	if err != nil {
		log.Fatal(err)
	}
	server := &http.Server{Handler: service, ReadHeaderTimeout: 10 * time.Second}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	go func() {
		<-ctx.Done()
		_ = server.Shutdown(context.Background())
	}()
	fmt.Printf("listening on http://localhost:%d/mcp\n", listener.Addr().(*net.TCPAddr).Port)
	if err := server.Serve(listener); err != http.ErrServerClosed {
		log.Fatal(err)
	}
}

// service answers requests; refusing asks for a capability that is missing, filtering leaves such asks out.
type service struct{ refusing, filtering *mrtr.Server }

func newService() (*service, error) {
	sealer, err := mrtr.NewEphemeralSealer(mrtr.WithAudience("libmrtr-go-example"))
	if err != nil {
		return nil, err
	}
	refusing, err := mrtr.NewServer(mrtr.ServerOptions{Sealer: sealer})
	if err != nil {
		return nil, err
	}
	filtering, err := mrtr.NewServer(mrtr.ServerOptions{Sealer: sealer, Gate: mrtr.GateFilter})
	return &service{refusing, filtering}, err
}
