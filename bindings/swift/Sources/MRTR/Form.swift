import CMRTR
import Foundation

/// A field of a `Form`. What does not go with its kind is refused.
public struct Field: Sendable {
    /// What a field takes (B4).
    public enum Kind: UInt32, Sendable {
        case text = 1
        case number, integer, boolean, select, multiSelect
    }

    public var name: String
    public var kind: Kind
    public var required = false
    /// What the user sees in place of the name, and beside it.
    public var title: String?
    public var description: String?
    /// Of a text: email, uri, date or date-time.
    public var format: String?
    /// Bounds of the length of a text in code points, or of the number of selections.
    public var minCount: UInt64 = 0
    public var maxCount: UInt64?
    /// Bounds of a number, as text, so that they are exact.
    public var minimum: String?
    public var maximum: String?
    /// Values to choose; without a title the user sees the value.
    public var choices: [(value: String, title: String?)] = []
    /// What stands in for an absent value: one text, number, `true` or `false`; any number of texts for a multi-select.
    public var fallback: [String]?

    public init(_ name: String, _ kind: Kind, required: Bool = false, title: String? = nil) {
        self.name = name
        self.kind = kind
        self.required = required
        self.title = title
    }
}

/// A form, field by field, shown in this order. Without any it asks only to confirm.
public struct Form: Sendable {
    public var fields: [Field]

    public init(_ fields: [Field] = []) { self.fields = fields }

    /// The JSON text that `Exchange.askForm` takes. A field that breaks a rule throws with `at` (B4).
    public func schema() throws -> Data {
        var out = mrtr_form()
        var error = mrtr_error()
        try check(mrtr_form_new(&out, &error), error)
        defer { _ = mrtr_form_free(out) }
        for field in fields {
            let loan = Loan()
            var raw = loan.field(field)
            try check(withExtendedLifetime(loan) { mrtr_form_add(out, &raw, &error) }, error)
        }
        var buffer = mrtr_buf()
        try check(mrtr_form_schema(out, &buffer, &error), error)
        return take(buffer)
    }
}

extension Loan {
    func field(_ field: Field) -> mrtr_field {
        var out = mrtr_field()
        mrtr_field_init(&out, size(mrtr_field.self), UInt32(MRTR_ABI))
        out.name = slice(field.name)
        out.kind = field.kind.rawValue
        out.required = flag(field.required)
        out.title = slice(optional: field.title)
        out.description = slice(optional: field.description)
        out.format = slice(optional: field.format)
        out.min_count = field.minCount
        if let most = field.maxCount { out.max_count = most }
        out.minimum = slice(optional: field.minimum)
        out.maximum = slice(optional: field.maximum)
        out.choices = list(field.choices.map { mrtr_choice(value: slice($0.value), title: slice(optional: $0.title)) })
        out.choice_count = field.choices.count
        if let fallback = field.fallback {
            // One more, so that an empty list has an address: it is a default, and no list is none.
            out.defaults = list((fallback + [""]).map { slice($0) })
            out.default_count = fallback.count
        }
        return out
    }
}
