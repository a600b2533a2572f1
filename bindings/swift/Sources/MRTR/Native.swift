import CMRTR
import Foundation

/// Memory lent to the library for one call. C reads copies, so no Swift buffer has to be held open across the call.
final class Loan {
    private var blocks: [UnsafeMutableRawPointer] = []

    deinit {
        for block in blocks { block.deallocate() }
    }

    /// A text or blob; empty is not absent.
    func slice(_ data: some ContiguousBytes) -> mrtr_slice {
        data.withUnsafeBytes { bytes in
            let block = UnsafeMutableRawPointer.allocate(byteCount: max(bytes.count, 1), alignment: 1)
            if let base = bytes.baseAddress { block.copyMemory(from: base, byteCount: bytes.count) }
            blocks.append(block)
            return mrtr_slice(ptr: UnsafePointer(block.assumingMemoryBound(to: UInt8.self)), len: bytes.count)
        }
    }

    func slice(_ text: String) -> mrtr_slice { slice(Array(text.utf8)) }

    /// nil is absent.
    func slice(optional data: Data?) -> mrtr_slice { data.map { slice($0) } ?? mrtr_slice() }
    func slice(optional text: String?) -> mrtr_slice { text.map { slice($0) } ?? mrtr_slice() }

    func list<T>(_ items: [T]) -> UnsafePointer<T>? {
        guard !items.isEmpty else { return nil }
        let block = UnsafeMutablePointer<T>.allocate(capacity: items.count)
        block.initialize(from: items, count: items.count)
        blocks.append(UnsafeMutableRawPointer(block))
        return UnsafePointer(block)
    }

    func request(_ request: Request) -> mrtr_request {
        var out = mrtr_request()
        out.struct_size = UInt32(MemoryLayout<mrtr_request>.size)
        out.method = slice(request.method)
        out.params = slice(optional: request.params)
        out.capabilities = slice(optional: request.capabilities)
        switch request.principal {
        case .nobody:
            out.principal.kind = UInt32(MRTR_PRINCIPAL_NONE)
        case .parts(let parts):
            out.principal.kind = UInt32(MRTR_PRINCIPAL_PARTS)
            out.principal.parts = list(parts.map { slice($0) })
            out.principal.count = parts.count
        }
        return out
    }
}

/// A handle with one life.
final class Handle: Sendable {
    let id: UInt64
    private let free: @Sendable (UInt64) -> Void

    init(_ id: UInt64, free: @escaping @Sendable (UInt64) -> Void) {
        self.id = id
        self.free = free
    }

    deinit { free(id) }
}

/// A copy of what the library shows; nil where it left the member out.
func data(_ view: mrtr_slice) -> Data? {
    guard let base = view.ptr else { return nil }
    return Data(bytes: base, count: view.len)
}

func text(_ view: mrtr_slice) -> String? {
    data(view).map { String(decoding: $0, as: UTF8.self) }
}

/// Copies a buffer, then frees (and wipes) it.
func take(_ buffer: mrtr_buf) -> Data {
    var buffer = buffer
    let copy = buffer.ptr.map { Data(bytes: $0, count: buffer.len) } ?? Data()
    mrtr_buf_free(&buffer)
    return copy
}

func size<T>(_ type: T.Type) -> UInt32 { UInt32(MemoryLayout<T>.size) }

func names(_ view: mrtr_slice) -> [String] {
    data(view).flatMap { try? JSONDecoder().decode([String].self, from: $0) } ?? []
}

/// Throws what the library reported.
func check(_ status: mrtr_status, _ error: mrtr_error) throws {
    if status != 0 { throw MRTRError(status, error) }
}

func flag(_ value: Bool) -> UInt32 { value ? 1 : 0 }
