// Command client calls a tool of an MCP server and answers what it asks: on the terminal, or from a file.
//
//	client [-answers FILE] [-trace] URL TOOL [ARGUMENTS as JSON]
//
// FILE is a JSON object: an ask's key to its content, or to "accept", "decline" or "cancel".
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"

	"examples/wire"
	"mrtr"
)

func main() {
	answers := flag.String("answers", "", "answer from this file")
	trace := flag.Bool("trace", false, "show each request and result")
	flag.Parse()
	if flag.NArg() < 2 {
		flag.Usage()
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	handler := onTerminal(bufio.NewScanner(os.Stdin))
	if *answers != "" {
		handler = fromFile(*answers)
	}
	if err := call(ctx, handler, *trace, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		var e *mrtr.Error
		if errors.As(err, &e) && e.RPC != nil {
			fmt.Fprintln(os.Stderr, "the server said", string(e.RPC))
		}
		os.Exit(1)
	}
}

func call(ctx context.Context, handler mrtr.Handler, trace bool, args []string) error {
	arguments := "{}"
	if len(args) > 2 {
		arguments = args[2]
	}
	show := func(direction string, text []byte) {
		if trace {
			fmt.Println(direction, string(text))
		}
	}
	options := mrtr.ClientOptions{Form: handler, URL: handler, ClientInfo: []byte(`{"name":"libmrtr-go-example","version":"0.1.0"}`)}
	session, err := wire.NewSession(args[0], options, show)
	if err != nil {
		return err
	}
	defer session.Close()
	if _, err := session.ListTools(ctx); err != nil {
		return err
	}
	result, err := session.CallTool(ctx, args[1], []byte(arguments))
	if err != nil {
		return err
	}
	var content struct {
		Content []struct {
			Text string `json:"text"`
		} `json:"content"`
	}
	if err := json.Unmarshal(result, &content); err != nil {
		return err
	}
	for _, block := range content.Content {
		fmt.Println(block.Text)
	}
	return nil
}

var words = map[string]mrtr.Reply{"accept": mrtr.AcceptURL(), "decline": mrtr.Decline(), "cancel": mrtr.Cancel()}

// fromFile answers from a file; what is not in it nobody was asked.
func fromFile(path string) mrtr.Handler {
	return func(_ context.Context, ask mrtr.ShowAsk) (mrtr.Reply, error) {
		text, err := os.ReadFile(path)
		if err != nil {
			return mrtr.Reply{}, err
		}
		answer, err := mrtr.Member(text, ask.Key)
		if err != nil {
			return mrtr.Reply{}, err
		}
		if answer == nil {
			return mrtr.Unavailable(), nil
		}
		fmt.Printf("   ? %s: %s %s\n   = %s\n", ask.Key, ask.Message, ask.URL, answer)
		var word string
		if json.Unmarshal(answer, &word) == nil {
			return words[word], nil
		}
		return mrtr.AcceptWith(answer), nil
	}
}

// onTerminal shows the server's words and takes the content of a form as one line of JSON.
func onTerminal(in *bufio.Scanner) mrtr.Handler {
	return func(_ context.Context, ask mrtr.ShowAsk) (mrtr.Reply, error) {
		fmt.Printf("\nThe server asks: %q\n", ask.Message)
		if ask.Kind == mrtr.KindURL {
			fmt.Printf("  open %s (host %s) yourself, then say accept; or decline, cancel: ", ask.URL, ask.HostASCII)
		} else {
			fmt.Printf("  schema %s\n  content as JSON, or decline, cancel: ", ask.Schema)
		}
		if !in.Scan() {
			return mrtr.Unavailable(), in.Err()
		}
		line := strings.TrimSpace(in.Text())
		if reply, ok := words[line]; ok && (line != "accept" || ask.Kind == mrtr.KindURL) {
			return reply, nil
		}
		return mrtr.AcceptWith([]byte(line)), nil
	}
}
