import CMRTR
import Foundation

extension Client {
    /// The capabilities to declare in `initialize` of a version of 2025, as JSON (L1).
    public func olderCapabilities(version: String) throws -> Data {
        let loan = Loan()
        var buffer = mrtr_buf()
        var error = mrtr_error()
        let text = loan.slice(version)
        try check(withExtendedLifetime((loan, self)) { mrtr_older_capabilities(mrtr_client(id: handle.id), text, &buffer, &error) }, error)
        return take(buffer)
    }

    /// A flow for a JSON-RPC request that a server of 2025 made; the `result` of its `Done` is the response to send (L1).
    public func incoming(_ message: Data, version: String, at now: UInt64 = Flow.systemClock) throws -> Flow {
        let loan = Loan()
        var out = mrtr_flow()
        var error = mrtr_error()
        let (m, v) = (loan.slice(message), loan.slice(version))
        let status = withExtendedLifetime((loan, self)) { mrtr_older_request(mrtr_client(id: handle.id), m, v, now, &out, &error) }
        try check(status, error)
        return Flow(out.id)
    }
}

extension Flow {
    /// A page that the -32042 of a 2025 server asked for is done; nil: the user says that all are (L2).
    public func complete(elicitationID: String?, at now: UInt64 = systemClock) throws {
        defer { wake() }
        let loan = Loan()
        var error = mrtr_error()
        let id = loan.slice(optional: elicitationID)
        let status = withExtendedLifetime((loan, self)) { mrtr_older_complete(mrtr_flow(id: handle.id), id, now, &error) }
        try check(status, error)
    }
}
