import CMRTR
import Foundation

/// What the library reported.
public struct MRTRError: Error, Sendable, CustomStringConvertible, CustomReflectable {
    /// The kind of failure. For a rejected `requestState` it is the true reason and stays with the host (S9).
    public let code: Code
    /// For people; never holds secrets, states or answers.
    public let message: String
    /// The ask that the error is about, and a JSON pointer to the spot.
    public var key: String?
    public var at: String?
    /// JSON that belongs to the error.
    public var data: Data?
    /// The JSON-RPC error object that belongs on the wire, with its code and HTTP status (B9).
    public var rpc: Data?
    public var rpcCode: Int64?
    public var httpStatus = 200
    /// The result that was not understood.
    public var raw: Data?
    /// What `Client.resume` takes to go on; nil if the call is over.
    public var continuation: String?

    public var description: String {
        message.isEmpty || message == code.name ? "mrtr: \(code.name)" : "mrtr: \(code.name): \(message)"
    }

    public var customMirror: Mirror { Mirror(self, children: [:]) }

    init(code: Code, message: String) {
        self.code = code
        self.message = message
    }

    init(_ status: mrtr_status, _ error: mrtr_error) {
        var info = mrtr_error_info()
        info.struct_size = size(mrtr_error_info.self)
        guard error.id != 0, mrtr_error_get(error, &info) == 0 else {
            self.init(code: Code(rawValue: status), message: "")
            return
        }
        self.init(code: Code(rawValue: info.code), message: MRTR.text(info.message) ?? "")
        key = MRTR.text(info.key)
        at = MRTR.text(info.at)
        data = MRTR.data(info.data)
        if info.has_rpc != 0 {
            rpc = MRTR.data(info.rpc)
            rpcCode = info.rpc_code
        }
        httpStatus = Int(info.http_status)
        mrtr_buf_free(&info.storage)
        _ = mrtr_error_free(error)
    }
}

extension Code {
    /// Its name in the list of error codes.
    public var name: String { description }
}
