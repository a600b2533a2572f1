import Foundation
import XCTest

@testable import MRTR

private let waiting = #"{"resultType":"input_required","requestState":"s"}"#
private let pages = """
    {"code":-32042,"message":"open","data":{"elicitations":[{"mode":"url","message":"Pay","url":"https://pay.example/1","elicitationId":"e1"}]}}
    """

/// Keeps what listeners hear, from any thread.
private final class Heard: @unchecked Sendable {
    private let lock = NSLock()
    private var kept: [String] = []
    func add(_ text: String) { lock.withLock { kept.append(text) } }
    var all: [String] { lock.withLock { kept } }
}

/// What one call may have of its own (C7, C12, C15), and calls that hear of something while they sleep (C10, L2).
final class CallTests: XCTestCase {
    func testOptionsOfOneCall() async throws {
        var options = ClientOptions()
        options.form = { _ in .value(Data(#"{"n":"x"}"#.utf8)) }
        options.continuationKeys = [key]
        let client = try Client(options)
        let stories: [(Code, String?, (inout ClientOptions) -> Void)] = [
            (.inputRequired, asking, { $0.manual = true }),
            (.legTimeout, nil, { $0.legTimeout = .milliseconds(20) }),
            (.flowTimeout, nil, { $0.flowTimeout = .milliseconds(20) }),
            (.roundsExceeded, asking, { $0.maxRounds = 0 }),
            (.pollBudgetExceeded, waiting, { $0.pollBudget = .milliseconds(1) }),
        ]
        for (code, result, change) in stories {
            var own = client.options
            change(&own)
            do {
                _ = try await client.call(method: "tools/call", params: Data(params.utf8), options: own) { _ in
                    if let result { return Data(result.utf8) }
                    try await Task.sleep(nanoseconds: 60_000_000_000)
                    return Data()
                }
                XCTFail("the call was completed")
            } catch let error as MRTRError {
                XCTAssertEqual(error.code, code)
                if code == .inputRequired { XCTAssertEqual(error.continuation?.hasPrefix("mrtrs1."), true) }
            }
        }
        let script = Script(asking, finished)
        let result = try await client.call(method: "tools/call", params: Data(params.utf8)) { await script.next($0) }
        XCTAssertEqual(result.rounds, 1)
    }

    func testACallTellsOfRoundsProgressAndNotes() async throws {
        let heard = Heard()
        var options = ClientOptions()
        options.form = { _ in .decline }
        options.onRound = { heard.add("round \($0)") }
        let client = try Client(options)
        options.onProgress = { heard.add("at \($0)") }
        options.onNote = { _ in heard.add("note") }
        let script = Script(asking, #"{"content":[]}"#)
        let given = Data(#"{"name":"x","_meta":{"progressToken":1}}"#.utf8)
        _ = try await client.call(method: "tools/call", params: given, options: options) { leg in
            for value in [3.0, 1, 5] { leg.progress(value + Double(10 * leg.request.leg)) }
            return await script.next(leg)
        }
        XCTAssertEqual(heard.all, ["at 13.0", "at 15.0", "round 1", "at 23.0", "at 25.0", "note"])
    }

    func testASleepingCallWakes() async throws {
        var options = ClientOptions()
        options.url = { _ in .accept }
        options.protocolVersion = "2025-11-25"
        options.jitter = false
        options.pacingInitial = .seconds(60)
        options.pacingMax = .seconds(60)
        let client = try Client(options)
        let began = Date()
        let flow = try client.begin(method: "tools/call", params: Data(params.utf8))
        let done = Task {
            try await Task.sleep(nanoseconds: 50_000_000)
            try flow.complete(elicitationID: "e1")
        }
        let result = try await client.drive(flow) { leg in
            if leg.request.leg == 1 { throw RPCError(object: Data(pages.utf8)) }
            return Data(finished.utf8)
        }
        try await done.value
        XCTAssertEqual(result.json, Data(finished.utf8))

        let sleeps = try client.begin(method: "tools/call", params: Data(params.utf8))
        let cancels = Task {
            try await Task.sleep(nanoseconds: 50_000_000)
            try sleeps.cancel()
        }
        do {
            _ = try await client.drive(sleeps) { _ in Data(waiting.utf8) }
            XCTFail("the call was completed")
        } catch let error as MRTRError {
            XCTAssertEqual(error.code, .cancelled)
        }
        try await cancels.value
        XCTAssertLessThan(Date().timeIntervalSince(began), 20)
    }
}
