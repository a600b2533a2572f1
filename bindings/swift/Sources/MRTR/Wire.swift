import CMRTR
import Foundation

/// The HTTP headers of a request of this era (E1): version, method, target, and what the tool marks of its arguments. `params` are those
/// of the leg to send, `tool` is the tool's definition from `tools/list`, if it is known.
public func requestHeaders(method: String, params: Data, tool: Data? = nil) throws -> [(name: String, value: String)] {
    let loan = Loan()
    var lines = mrtr_buf()
    var error = mrtr_error()
    let (m, p, t) = (loan.slice(method), loan.slice(params), loan.slice(optional: tool))
    try check(withExtendedLifetime(loan) { mrtr_wire_headers(m, p, t, &lines, &error) }, error)
    return String(decoding: take(lines), as: UTF8.self).components(separatedBy: "\r\n").compactMap { line in
        line.range(of: ": ").map { (String(line[..<$0.lowerBound]), String(line[$0.upperBound...])) }
    }
}

/// Throws `Code.invalidTool` if a tool marks parameters for headers in a way that the protocol forbids: leave it out (E1).
public func checkTool(_ tool: Data) throws {
    let loan = Loan()
    var error = mrtr_error()
    let text = loan.slice(tool)
    try check(withExtendedLifetime(loan) { mrtr_wire_check_tool(text, &error) }, error)
}

/// The version to retry with, once, after the error object `rpc` (-32022): the first of `spoken` that the server serves (E1).
public func retryVersion(after rpc: Data, spoken: [String]) throws -> String? {
    let loan = Loan()
    var version = mrtr_slice()
    var error = mrtr_error()
    let (object, own) = (loan.slice(rpc), loan.list(spoken.map { loan.slice($0) }))
    return try withExtendedLifetime(loan) {
        try check(mrtr_wire_retry_version(object, own, spoken.count, &version, &error), error)
        return text(version)
    }
}
