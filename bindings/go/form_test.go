//go:build cgo

package mrtr

import (
	"errors"
	"testing"
)

func TestForm(t *testing.T) {
	most := uint64(2)
	form := Form{
		{Name: "mail", Kind: FieldText, Title: "E-mail", Format: "email", Required: true},
		{Name: "seats", Kind: FieldInteger, Minimum: "1", Maximum: "9", Default: []string{"2"}},
		{Name: "bags", Kind: FieldMultiSelect, Choices: []Choice{{Value: "x"}, {Value: "y", Title: "Y"}}, MaxCount: &most, Default: []string{}},
	}
	schema, err := form.Schema()
	if err != nil {
		t.Fatal(err)
	}
	want := `{"type":"object","properties":{"mail":{"type":"string","title":"E-mail","format":"email"},` +
		`"seats":{"type":"integer","minimum":1,"maximum":9,"default":2},` +
		`"bags":{"type":"array","maxItems":2,"items":{"type":"string","anyOf":[{"const":"x","title":"x"},{"const":"y","title":"Y"}]},"default":[]}},` +
		`"required":["mail"]}`
	if string(schema) != want {
		t.Fatalf("got %s", schema)
	}
	_, err = Form{{Name: "n", Kind: FieldNumber, Minimum: "one"}}.Schema()
	var failure *Error
	if !errors.As(err, &failure) || failure.At != "/requestedSchema/properties/n/minimum" {
		t.Fatalf("got %v", err)
	}
}
