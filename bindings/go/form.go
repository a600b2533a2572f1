package mrtr

import "encoding/json"

// FieldKind is what a field of a [Form] takes.
type FieldKind uint32

// The kinds of fields (B4).
const (
	FieldText        FieldKind = 1
	FieldNumber      FieldKind = 2
	FieldInteger     FieldKind = 3
	FieldBoolean     FieldKind = 4
	FieldSelect      FieldKind = 5
	FieldMultiSelect FieldKind = 6
)

// Choice is a value to choose, and what the user sees in its place; no title = the value.
type Choice struct{ Value, Title string }

// Field of a [Form]. What does not go with its kind is refused.
type Field struct {
	Name     string
	Kind     FieldKind
	Required bool
	// Title and Description are what the user sees; empty for none.
	Title, Description string
	// Format of a text: email, uri, date or date-time.
	Format string
	// MinCount and MaxCount bound the length of a text in code points, or the number of selections; nil for none.
	MinCount, MaxCount *uint64
	// Minimum and Maximum bound a number, exactly: json.Number("0.5"); empty for none.
	Minimum, Maximum json.Number
	Choices          []Choice
	// Default stands in for an absent value: one text, number, true or false; any number of texts for a multi-select; nil for none.
	Default []string
}

// Form is the schema of a form ask, field by field; fields are shown in this order. Without any it asks only to confirm.
type Form []Field

// Schema is the JSON text that [Exchange.AskForm] takes. A field that breaks a rule is an [*Error] with At (B4).
func (f Form) Schema() (json.RawMessage, error) { return nativeFormSchema(f) }
