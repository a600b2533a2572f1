// Command conformance is the client under the official suite: conformance URL, with the scenario in MCP_CONFORMANCE_SCENARIO.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"examples/wire"
	"mrtr"
)

var scenarios = map[string]func(context.Context, *wire.Session) error{
	"sep-2322-client-request-state": requestState,
	"request-metadata":              listTools,
	"http-standard-headers":         callAll,
	"http-custom-headers":           callListed,
	"http-invalid-tool-headers":     callValid,
	"tools_call":                    addNumbers,
	"json-schema-ref-no-deref":      listTools,
}

func main() {
	if err := run(os.Args[len(os.Args)-1], os.Getenv("MCP_CONFORMANCE_SCENARIO")); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(url, name string) error {
	scenario := scenarios[name]
	if scenario == nil {
		return fmt.Errorf("unknown scenario %q", name)
	}
	session, err := wire.NewSession(url, mrtr.ClientOptions{
		Form:            consent,
		Sampling:        fixed(`{"role":"assistant","content":{"type":"text","text":"yes"},"model":"none"}`),
		Roots:           fixed(`{"roots":[]}`),
		ClientInfo:      []byte(`{"name":"libmrtr-go","version":"0.1.0"}`),
		ProtocolVersion: os.Getenv("MCP_CONFORMANCE_PROTOCOL_VERSION"),
	}, nil)
	if err != nil {
		return err
	}
	defer session.Close()
	return scenario(context.Background(), session)
}

func fixed(result string) mrtr.Handler {
	return func(context.Context, mrtr.ShowAsk) (mrtr.Reply, error) { return mrtr.AcceptWith([]byte(result)), nil }
}

// consent says yes to every boolean, and a word to every text: the suite asks for a confirmation.
func consent(_ context.Context, ask mrtr.ShowAsk) (mrtr.Reply, error) {
	var schema struct {
		Properties map[string]struct {
			Type string `json:"type"`
		} `json:"properties"`
	}
	if err := json.Unmarshal(ask.Schema, &schema); err != nil {
		return mrtr.Reply{}, err
	}
	values := map[string]any{"boolean": true, "string": "yes", "integer": 1, "number": 1}
	content := map[string]any{}
	for name, field := range schema.Properties {
		content[name] = values[field.Type]
	}
	text, err := json.Marshal(content)
	return mrtr.AcceptWith(text), err
}

func requestState(ctx context.Context, session *wire.Session) error {
	for _, tool := range []string{"test_mrtr_echo_state", "test_mrtr_no_state", "test_mrtr_unrelated", "test_mrtr_no_result_type"} {
		if _, err := session.CallTool(ctx, tool, []byte("{}")); err != nil {
			return err
		}
	}
	return nil
}

func listTools(ctx context.Context, session *wire.Session) error {
	_, err := session.ListTools(ctx)
	return err
}

// callAll uses each method whose headers name what it is about.
func callAll(ctx context.Context, session *wire.Session) error {
	if err := callEach(ctx, session, "{}"); err != nil {
		return err
	}
	if err := useEach(ctx, session, "resources/list", "resources", "resources/read", "uri"); err != nil {
		return err
	}
	return useEach(ctx, session, "prompts/list", "prompts", "prompts/get", "name")
}

func useEach(ctx context.Context, session *wire.Session, list, member, use, by string) error {
	text, err := session.Call(ctx, list, []byte("{}"))
	if err != nil {
		return err
	}
	var page map[string]json.RawMessage
	var items []map[string]json.RawMessage
	if err := json.Unmarshal(text, &page); err != nil {
		return err
	}
	if err := json.Unmarshal(page[member], &items); err != nil {
		return err
	}
	for _, item := range items {
		if _, err := session.Call(ctx, use, []byte(`{"`+by+`":`+string(item[by])+`}`)); err != nil {
			return err
		}
	}
	return nil
}

// callListed makes the calls that the suite wants.
func callListed(ctx context.Context, session *wire.Session) error {
	var wanted struct {
		ToolCalls []struct {
			Name      string          `json:"name"`
			Arguments json.RawMessage `json:"arguments"`
		} `json:"toolCalls"`
	}
	if err := json.Unmarshal([]byte(os.Getenv("MCP_CONFORMANCE_CONTEXT")), &wanted); err != nil {
		return err
	}
	if err := listTools(ctx, session); err != nil {
		return err
	}
	for _, call := range wanted.ToolCalls {
		if _, err := session.CallTool(ctx, call.Name, call.Arguments); err != nil {
			return err
		}
	}
	return nil
}

// callValid calls all tools that are not refused for what they want in headers.
func callValid(ctx context.Context, session *wire.Session) error {
	return callEach(ctx, session, `{"region":"us-west1"}`)
}

func callEach(ctx context.Context, session *wire.Session, arguments string) error {
	names, err := session.ListTools(ctx)
	if err != nil {
		return err
	}
	for _, name := range names {
		if _, err := session.CallTool(ctx, name, []byte(arguments)); err != nil {
			return err
		}
	}
	return nil
}

func addNumbers(ctx context.Context, session *wire.Session) error {
	if err := listTools(ctx, session); err != nil {
		return err
	}
	_, err := session.CallTool(ctx, "add_numbers", []byte(`{"a":5,"b":3}`))
	return err
}
