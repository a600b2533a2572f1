//go:build cgo

package mrtr

/*
#include <mrtr.h>
*/
import "C"

import (
	"encoding/json"
	"unsafe"
)

// unless is absent for the zero value.
func (p *pins) unless(s string) C.mrtr_slice {
	if s == "" {
		return C.mrtr_slice{}
	}
	return p.text(s)
}

func (p *pins) field(f *Field) C.mrtr_field {
	var o C.mrtr_field
	C.mrtr_field_init(&o, C.uint32_t(unsafe.Sizeof(o)), C.MRTR_ABI)
	o.name, o.kind, o.required = p.text(f.Name), C.uint32_t(f.Kind), flag(f.Required)
	o.title, o.description, o.format = p.unless(f.Title), p.unless(f.Description), p.unless(f.Format)
	o.minimum, o.maximum = p.unless(string(f.Minimum)), p.unless(string(f.Maximum))
	if f.MinCount != nil {
		o.min_count = C.uint64_t(*f.MinCount)
	}
	if f.MaxCount != nil {
		o.max_count = C.uint64_t(*f.MaxCount)
	}
	choices := make([]C.mrtr_choice, len(f.Choices))
	for i, choice := range f.Choices {
		choices[i] = C.mrtr_choice{value: p.text(choice.Value), title: p.unless(choice.Title)}
	}
	if len(choices) > 0 {
		p.Pin(&choices[0])
		o.choices, o.choice_count = &choices[0], C.size_t(len(choices))
	}
	if f.Default != nil {
		// One more, so that an empty list has an address: it is a default, and no list is none.
		o.defaults, o.default_count = p.texts(append(append([]string{}, f.Default...), ""))
		o.default_count--
	}
	return o
}

func nativeFormSchema(fields []Field) (json.RawMessage, error) {
	var form C.mrtr_form
	var err C.mrtr_error
	if status := C.mrtr_form_new(&form, &err); status != 0 {
		return nil, lift(status, err)
	}
	defer C.mrtr_form_free(form)
	for i := range fields {
		if err := nativeFormAdd(form, &fields[i]); err != nil {
			return nil, err
		}
	}
	var schema C.mrtr_buf
	if status := C.mrtr_form_schema(form, &schema, &err); status != 0 {
		return nil, lift(status, err)
	}
	return take(&schema), nil
}

func nativeFormAdd(form C.mrtr_form, field *Field) error {
	var p pins
	defer p.Unpin()
	o := p.field(field)
	var err C.mrtr_error
	return failure(C.mrtr_form_add(form, &o, &err), err)
}
