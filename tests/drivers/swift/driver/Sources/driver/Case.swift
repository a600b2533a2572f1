import Foundation

struct Unreadable: Error, CustomStringConvertible {
    let description: String
}

/// A JSON object of a case, its members as texts in their order. Names are bytes: Swift's strings would take names that
/// differ only in how an accent is composed for one and the same.
struct Case {
    let members: [(name: Data, value: Data)]

    init(text: Data) throws { members = try parts(of: text).map { ($0.name ?? Data(), $0.value) } }

    static var none: Case { Case(members: []) }
    private init(members: [(name: Data, value: Data)]) { self.members = members }

    func raw(_ name: String) -> Data? { members.first { $0.name == Data(name.utf8) }?.value }
    func has(_ name: String) -> Bool { raw(name) != nil }

    private func decoded<T: Decodable>(_ name: String, _ type: T.Type) -> T? {
        raw(name).flatMap { try? JSONDecoder().decode(T.self, from: $0) }
    }

    func string(_ name: String) -> String? { decoded(name, String.self) }
    func number(_ name: String) -> Double? { decoded(name, Double.self) }
    func int(_ name: String) -> Int64? { decoded(name, Int64.self) }
    func uint(_ name: String) -> UInt64? { decoded(name, UInt64.self) }
    func uint32(_ name: String) -> UInt32? { decoded(name, UInt32.self) }
    func flag(_ name: String) -> Bool { decoded(name, Bool.self) ?? false }
    func data(_ name: String) -> Data? { string(name).map { Data($0.utf8) } }
    func strings(_ name: String) -> [String] { decoded(name, [String].self) ?? [] }

    func object(_ name: String) throws -> Case? {
        guard let value = raw(name), value.first == UInt8(ascii: "{") else { return nil }
        return try Case(text: value)
    }

    func array(_ name: String) throws -> [Data] { try raw(name).map { try parts(of: $0).map(\.value) } ?? [] }
    func objects(_ name: String) throws -> [Case] { try array(name).map { try Case(text: $0) } }

    /// Members whose values are texts, in their order.
    func texts(_ name: String) throws -> [(key: Data, value: Data)] {
        try (object(name) ?? .none).members.map { ($0.name, Data(try decodedText($0.value).utf8)) }
    }
}

func decodedText(_ raw: Data) throws -> String { try JSONDecoder().decode(String.self, from: raw) }

/// The elements of an array or the members of an object, as texts.
func parts(of text: Data) throws -> [(name: Data?, value: Data)] {
    var out: [(name: Data?, value: Data)] = []
    var depth = 0, start = text.startIndex, name: Data?, inString = false, escaped = false
    func close(at end: Data.Index) {
        let value = text[start..<end].trimmed
        if !value.isEmpty { out.append((name, value)) }
        name = nil
    }
    for index in text.indices {
        let byte = text[index]
        if inString {
            inString = escaped || byte != UInt8(ascii: "\"")
            escaped = !escaped && byte == UInt8(ascii: "\\")
            continue
        }
        switch byte {
        case UInt8(ascii: "\""): inString = true
        case UInt8(ascii: "["), UInt8(ascii: "{"):
            depth += 1
            if depth == 1 { start = index + 1 }
        case UInt8(ascii: "]"), UInt8(ascii: "}"):
            depth -= 1
            if depth == 0 { close(at: index) }
        case UInt8(ascii: ",") where depth == 1:
            close(at: index)
            start = index + 1
        case UInt8(ascii: ":") where depth == 1:
            name = Data(try decodedText(text[start..<index].trimmed).utf8)
            start = index + 1
        default: break
        }
    }
    return out
}

extension Data {
    var trimmed: Data {
        let space: Set<UInt8> = [9, 10, 13, 32]
        guard let first = firstIndex(where: { !space.contains($0) }), let last = lastIndex(where: { !space.contains($0) }) else { return Data() }
        return Data(self[first...last])
    }

    var utf8: String { String(decoding: self, as: UTF8.self) }
}

func text(_ data: Data?) -> Any { data?.utf8 ?? NSNull() }

func hex(_ text: String) -> Data {
    let digits = Array(text)
    return Data(stride(from: 0, to: digits.count - 1, by: 2).compactMap { UInt8(String(digits[$0...($0 + 1)]), radix: 16) })
}
