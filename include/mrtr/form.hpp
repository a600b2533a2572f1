// Forms written field by field, for hosts that would rather not write JSON.
#ifndef MRTR_FORM_HPP
#define MRTR_FORM_HPP

#include <initializer_list>

#include "base.hpp"

namespace mrtr {

/// A field of a Form. Made by kind, then told what it needs: Field::text("mail").title("E-mail").format("email").required().
/// Texts are copied. What does not go with the kind is refused when the field is added.
class Field {
public:
    static Field text(std::string_view name) { return Field(name, MRTR_FIELD_TEXT); }
    static Field number(std::string_view name) { return Field(name, MRTR_FIELD_NUMBER); }
    static Field integer(std::string_view name) { return Field(name, MRTR_FIELD_INTEGER); }
    static Field boolean(std::string_view name) { return Field(name, MRTR_FIELD_BOOLEAN); }
    /// One of the choices.
    static Field select(std::string_view name) { return Field(name, MRTR_FIELD_SELECT); }
    /// Several of the choices.
    static Field multi_select(std::string_view name) { return Field(name, MRTR_FIELD_MULTI_SELECT); }

    Field &title(std::string_view text) { return put(title_, text); }
    Field &description(std::string_view text) { return put(description_, text); }
    /// Of a text: email, uri, date or date-time.
    Field &format(std::string_view name) { return put(format_, name); }
    Field &required(bool yes = true) { return required_ = yes, *this; }
    /// Least and greatest length of a text in code points, or number of selections.
    Field &count(std::uint64_t least, std::uint64_t most = no_limit) { return least_ = least, most_ = most, *this; }
    /// Bounds of a number, as text such as "0.5", so that they are exact.
    Field &minimum(std::string_view number) { return put(minimum_, number); }
    Field &maximum(std::string_view number) { return put(maximum_, number); }
    /// A value to choose, and what the user sees in its place.
    Field &choice(std::string_view value, std::optional<std::string_view> title = std::nullopt) {
        choices_.push_back({std::string(value), title ? std::optional<std::string>(*title) : std::nullopt});
        return *this;
    }
    /// What stands in for an absent value: a text, a number as text, "true" or "false".
    Field &fallback(std::string_view value) { return fallback(std::vector<std::string_view>{value}); }
    /// The same for a multi-select.
    Field &fallback(const std::vector<std::string_view> &values) {
        defaults_.emplace(values.begin(), values.end());
        return *this;
    }

private:
    friend class Form;
    using Maybe = std::optional<std::string>;
    struct Choice {
        std::string value;
        Maybe title;
    };

    Field(std::string_view name, std::uint32_t kind) : name_(name), kind_(kind) {}
    Field &put(Maybe &into, std::string_view text) { return into = std::string(text), *this; }
    static mrtr_slice slice(const Maybe &maybe) {
        return maybe ? detail::text(std::string_view(*maybe)) : mrtr_slice{nullptr, 0};
    }

    std::string name_;
    std::uint32_t kind_;
    bool required_ = false;
    Maybe title_, description_, format_, minimum_, maximum_;
    std::uint64_t least_ = 0, most_ = no_limit;
    std::vector<Choice> choices_;
    std::optional<std::vector<std::string>> defaults_;
};

/// A form being written; one without fields asks only to confirm. Give it to Exchange::ask_form().
class Form : public Handle<mrtr_form, mrtr_form_free> {
public:
    Form() { detail::call(mrtr_form_new, out()); }
    Form(std::initializer_list<Field> fields) : Form() {
        for (const Field &field : fields) add(field);
    }

    /// Adds a field; fields are shown in this order. Throws bad_schema with the JSON pointer to the spot.
    Form &add(const Field &field) {
        std::vector<mrtr_choice> choices;
        for (const Field::Choice &choice : field.choices_) {
            choices.push_back({detail::text(std::string_view(choice.value)), Field::slice(choice.title)});
        }
        std::vector<mrtr_slice> defaults;
        if (field.defaults_) {
            for (const std::string &value : *field.defaults_) defaults.push_back(detail::text(std::string_view(value)));
        }
        static constexpr mrtr_slice none{nullptr, 0};
        mrtr_field raw{};
        mrtr_field_init(&raw, static_cast<std::uint32_t>(sizeof raw), MRTR_ABI);
        raw.name = detail::text(std::string_view(field.name_));
        raw.kind = field.kind_;
        raw.required = field.required_ ? 1 : 0;
        raw.title = Field::slice(field.title_);
        raw.description = Field::slice(field.description_);
        raw.format = Field::slice(field.format_);
        raw.min_count = field.least_;
        raw.max_count = field.most_;
        raw.minimum = Field::slice(field.minimum_);
        raw.maximum = Field::slice(field.maximum_);
        raw.choices = choices.empty() ? nullptr : choices.data();
        raw.choice_count = choices.size();
        // An empty list is a default, no list is none.
        if (field.defaults_) raw.defaults = defaults.empty() ? &none : defaults.data();
        raw.default_count = defaults.size();
        detail::call(mrtr_form_add, get(), &raw);
        return *this;
    }

    /// The JSON text of the `requestedSchema`.
    std::string schema() const {
        detail::Buffer json;
        detail::call(mrtr_form_schema, get(), &json.value);
        return json.take();
    }
};

}  // namespace mrtr

#endif
