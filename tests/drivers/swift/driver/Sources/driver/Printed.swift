import Foundation

/// An object whose names are told apart by their bytes, in the order they were set.
struct Named {
    private(set) var members: [(name: Data, value: Any)] = []

    subscript(name: String) -> Any? {
        get { members.first { $0.name == Data(name.utf8) }?.value }
        set {
            members.removeAll { $0.name == Data(name.utf8) }
            if let newValue { members.append((Data(name.utf8), newValue)) }
        }
    }

}

/// JSON of an observation.
func printed(_ value: Any) -> Data {
    switch value {
    case let named as Named:
        return joined("{", named.members.map { printed($0.name.utf8) + Data(":".utf8) + printed($0.value) }, "}")
    case let object as [String: Any]:
        return joined("{", object.map { printed($0.key) + Data(":".utf8) + printed($0.value) }, "}")
    case let list as [Any]:
        return joined("[", list.map(printed), "]")
    default:
        return (try? JSONSerialization.data(withJSONObject: value, options: [.fragmentsAllowed, .withoutEscapingSlashes])) ?? Data("null".utf8)
    }
}

private func joined(_ open: String, _ items: [Data], _ close: String) -> Data {
    Data(open.utf8) + Data(items.joined(separator: Data(",".utf8))) + Data(close.utf8)
}
