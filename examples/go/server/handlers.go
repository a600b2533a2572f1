package main

import (
	"encoding/json"
	"fmt"

	"mrtr"
)

// handler serves one tool, prompt or resource; filter leaves out asks that the client did not declare.
type handler struct {
	filter bool
	run    func(x *mrtr.Exchange, arguments map[string]any) (json.RawMessage, error)
}

const (
	nameForm   = `{"type":"object","properties":{"name":{"type":"string","title":"Name"}},"required":["name"]}`
	okForm     = `{"type":"object","properties":{"ok":{"type":"boolean","title":"All right?"}},"required":["ok"]}`
	colourForm = `{"type":"object","properties":{"color":{"type":"string","title":"Colour"}},"required":["color"]}`
	topicForm  = `{"type":"object","properties":{"context":{"type":"string","title":"Topic"}},"required":["context"]}`
	sampling   = `{"messages":[{"role":"user","content":{"type":"text","text":"What is the capital of France?"}}],"maxTokens":100}`
	test       = "tools/call test_input_required_result_"
)

var handlers = map[string]handler{
	"tools/call book_trip": {run: bookTrip},
	"tools/call test_simple_text": {run: func(*mrtr.Exchange, map[string]any) (json.RawMessage, error) {
		return text("This is a simple text response for testing.")
	}},
	test + "elicitation":                            asking(func(x *mrtr.Exchange) error { return form(x, "user_name", "What is your name?", nameForm) }),
	test + "sampling":                               asking(func(x *mrtr.Exchange) error { _, err := x.AskSampling("capital", []byte(sampling)); return err }),
	test + "list_roots":                             asking(func(x *mrtr.Exchange) error { _, err := x.AskRoots("roots"); return err }),
	test + "request_state":                          asking(func(x *mrtr.Exchange) error { return form(x, "confirm", "Go on?", okForm) }),
	test + "tampered_state":                         asking(func(x *mrtr.Exchange) error { return form(x, "confirm", "Go on?", okForm) }),
	test + "multiple_inputs":                        asking(everything),
	test + "multi_round":                            {run: twoRounds},
	test + "capabilities":                           {filter: true, run: asking(everything).run},
	"tools/call test_missing_capability":            asking(func(x *mrtr.Exchange) error { _, err := x.AskSampling("capital", []byte(sampling)); return err }),
	"prompts/get test_input_required_result_prompt": {run: prompt},
}

func form(x *mrtr.Exchange, key, message, schema string) error {
	_, err := x.AskForm(key, message, []byte(schema))
	return err
}

func everything(x *mrtr.Exchange) error {
	if err := form(x, "user_name", "What is your name?", nameForm); err != nil {
		return err
	}
	if _, err := x.AskSampling("greeting", []byte(sampling)); err != nil {
		return err
	}
	_, err := x.AskRoots("roots")
	return err
}

// asking is a handler that needs some answers and then says that it has them.
func asking(ask func(*mrtr.Exchange) error) handler {
	return handler{run: func(x *mrtr.Exchange, _ map[string]any) (json.RawMessage, error) {
		if err := ask(x); err != nil {
			return nil, err
		}
		if x.Pending() > 0 {
			return x.Result()
		}
		return text("Thank you, that is everything.")
	}}
}

func twoRounds(x *mrtr.Exchange, _ map[string]any) (json.RawMessage, error) {
	if err := form(x, "step1", "What is your name?", nameForm); err != nil {
		return nil, err
	}
	if x.Pending() == 0 {
		if err := form(x, "step2", "Which colour do you like?", colourForm); err != nil {
			return nil, err
		}
	}
	if x.Pending() > 0 {
		return x.Result()
	}
	return text("Thank you, that is everything.")
}

func prompt(x *mrtr.Exchange, _ map[string]any) (json.RawMessage, error) {
	topic, err := x.AskForm("topic", "What is this about?", []byte(topicForm))
	if err != nil {
		return nil, err
	}
	if x.Pending() > 0 {
		return x.Result()
	}
	words := "Nothing was said about the topic."
	if topic.Accepted() {
		words = field(topic, "context")
	}
	return complete(map[string]any{"messages": []any{map[string]any{"role": "user", "content": map[string]any{"type": "text", "text": words}}}})
}

func complete(result map[string]any) (json.RawMessage, error) {
	result["resultType"] = "complete"
	return json.Marshal(result)
}

func text(words string) (json.RawMessage, error) {
	return complete(map[string]any{"content": []any{map[string]any{"type": "text", "text": words}}})
}

func field(answer mrtr.Answer, name string) string {
	var content map[string]any
	_ = json.Unmarshal(answer.Content, &content) // validated by the schema
	return fmt.Sprint(content[name])
}

const (
	accountForm = `{"type":"object","properties":{"account":{"type":"string","title":"Account","enum":["personal","business"]}},"required":["account"]}`
	seatForm    = `{"type":"object","properties":{"seat":{"type":"string","title":"Seat","oneOf":[{"const":"window","title":"By the window"},{"const":"aisle","title":"On the aisle"}]}},"required":["seat"]}`
	confirmForm = `{"type":"object","properties":{"confirm":{"type":"boolean","title":"Book this trip"}},"required":["confirm"]}`
)

// bookTrip asks for account and seat, then for the confirmation; the flow id is the booking number.
func bookTrip(x *mrtr.Exchange, arguments map[string]any) (json.RawMessage, error) {
	destination, _ := arguments["destination"].(string)
	if destination == "" {
		destination = "Lisbon"
	}
	account, err := x.AskForm("account", "Which account pays for the trip to "+destination+"?", []byte(accountForm))
	if err != nil {
		return nil, err
	}
	seat, err := x.AskForm("seat", "Where would you like to sit?", []byte(seatForm))
	if err != nil {
		return nil, err
	}
	if x.Pending() > 0 {
		return x.Result()
	}
	if !account.Accepted() || !seat.Accepted() {
		return text("Nothing was booked.")
	}
	trip := fmt.Sprintf("%s, %s seat, from the %s account", destination, field(seat, "seat"), field(account, "account"))
	confirm, err := x.AskForm("confirm", "Book "+trip+"?", []byte(confirmForm))
	if err != nil {
		return nil, err
	}
	if x.Pending() > 0 {
		return x.Result()
	}
	if !confirm.Accepted() || field(confirm, "confirm") != "true" {
		return text("Nothing was booked.")
	}
	info, err := x.Info()
	if err != nil {
		return nil, err
	}
	return text(fmt.Sprintf("Booked: %s. Booking number %x.", trip, info.FlowID))
}
