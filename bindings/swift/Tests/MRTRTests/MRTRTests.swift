import Foundation
import XCTest

@testable import MRTR

let key = Data(repeating: 7, count: 32)
let nameForm = #"{"type":"object","properties":{"n":{"type":"string"}},"required":["n"]}"#
let asking =
    #"{"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create","params":{"message":"Name?","requestedSchema":\#(nameForm)}}},"requestState":"S\u00e91"}"#
let finished = #"{"resultType":"complete","content":[],"n":1e400}"#
let params = #"{"name":"copy","arguments":{"big":123456789012345678901234567890,"x":3.0}}"#

func pay(_ amount: String = "30", _ principal: Principal = .nobody) -> Request {
    Request(method: "tools/call", params: Data(#"{"name":"pay","arguments":{"amount":\#(amount)}}"#.utf8), principal: principal)
}

func at(_ ms: Double) -> Date { Date(timeIntervalSince1970: ms / 1000) }

func assertFails(_ code: Code, _ body: () throws -> Void, line: UInt = #line) {
    XCTAssertThrowsError(try body(), line: line) { XCTAssertEqual(($0 as? MRTRError)?.code, code, "\($0)", line: line) }
}

final class SealerTests: XCTestCase {
    /// S3, S6.
    func testSealAndOpen() throws {
        let sealer = try Sealer(keys: [key])
        let state = Data([0, 255, 10])
        let first = try sealer.seal(pay(), state: state, at: at(0))
        let second = try sealer.seal(pay(), state: nil, previous: first, at: at(5))
        let one = try sealer.open(pay("3e1"), token: first, at: at(599_999))
        let two = try sealer.open(pay(), token: second, at: at(6))
        XCTAssertEqual(one.state, state)
        XCTAssertEqual(one.round, 1)
        XCTAssertEqual(two.state, state)  // stays until it is set anew (D13)
        XCTAssertEqual(two.round, 2)
        XCTAssertEqual(two.flowID, one.flowID)
        XCTAssertNotEqual(two.tokenID, one.tokenID)
    }

    /// S9.
    func testRefusalsLookTheSame() throws {
        let sealer = try Sealer(keys: [key])
        let token = try sealer.seal(pay(), state: Data(), at: at(0))
        let wire = #"{"code":-32602,"message":"Invalid or expired requestState","data":{"reason":"invalid_request_state"}}"#
        let attempts: [(Request, String, Double, Code)] = [
            (pay("31"), token, 1, .wrongRequest), (pay("30", .user("u")), token, 1, .wrongPrincipal), (pay(), token, 600_000, .expired),
            (pay(), token + "=", 1, .malformed), (pay(), "", 1, .malformed),
        ]
        for (request, text, time, code) in attempts {
            XCTAssertThrowsError(try sealer.open(request, token: text, at: at(time))) { error in
                let error = error as? MRTRError
                XCTAssertEqual(error?.code, code)
                XCTAssertEqual(error?.rpc.map { String(decoding: $0, as: UTF8.self) }, wire)
            }
        }
    }

    func testBadOptions() {
        assertFails(.configError) { _ = try Sealer(keys: []) }
        assertFails(.configError) { _ = try Sealer(keys: [key, key]) }
        assertFails(.configError) { _ = try Sealer(keys: [key.dropLast()]) }
        for wrong in [Duration.zero, .seconds(-1), .microseconds(5), .seconds(Int64.max)] {
            var options = SealerOptions()
            options.ttl = wrong
            assertFails(.configError) { _ = try Sealer(keys: [key], options: options) }
        }
    }

    func testFreedWithItsLastReference() throws {
        let before = mrtrLiveObjects()
        for _ in 0..<100 { _ = try Sealer.ephemeral() }
        XCTAssertEqual(mrtrLiveObjects(), before)
    }
}

final class ExchangeTests: XCTestCase {
    let capabilities = #""_meta":{"io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{},"url":{}}}}"#

    func request(_ more: String = "") -> Request {
        Request(method: "tools/call", params: Data(#"{"name":"deploy",\#(capabilities)\#(more)}"#.utf8), principal: .nobody)
    }

    /// X4, X6, X9.
    func testAskedAgainForWhatIsMissing() throws {
        let server = try Server(sealer: try Sealer(keys: [key]))
        let x = try server.begin(request())
        XCTAssertEqual(try x.askForm("a", message: "Name?", schema: Data(nameForm.utf8)).status, .missing)
        XCTAssertEqual(try x.askURL("u", message: "Open", url: "https://example.com/").status, .missing)
        try x.setState(Data("step".utf8))
        let token = String(decoding: try XCTUnwrap(member(of: x.result(), "requestState")), as: UTF8.self)
        let retry = try server.begin(
            request(#","requestState":\#(token),"inputResponses":{"a":{"action":"accept","content":{"n":"\ud800","z":1}}}"#))
        XCTAssertEqual(try retry.state(), Data("step".utf8))
        let answer = try retry.askForm("a", message: "Name?", schema: Data(nameForm.utf8))
        XCTAssertEqual(answer.content, Data(#"{"n":"\ud800"}"#.utf8))
        XCTAssertEqual(try retry.askURL("u", message: "Open", url: "https://example.com/").status, .missing)
        XCTAssertEqual(retry.pending, 1)
    }

    /// X6.
    func testWhatWasDeclinedIsAskedAgainWhenItIsForgotten() throws {
        let server = try Server(sealer: try Sealer(keys: [key]))
        let x = try server.begin(request())
        _ = try x.askForm("a", message: "Name?", schema: Data(nameForm.utf8))
        let token = String(decoding: try XCTUnwrap(member(of: x.result(), "requestState")), as: UTF8.self)
        let retry = try server.begin(request(#","requestState":\#(token),"inputResponses":{"a":{"action":"decline"}}"#))
        XCTAssertEqual(try retry.askForm("a", message: "Name?", schema: Data(nameForm.utf8)).status, .declined)
        try retry.forget("a")
        XCTAssertEqual(try retry.askForm("a", message: "Name?", schema: Data(nameForm.utf8)).status, .missing)
    }

    /// J4, S11.
    func testLimitsOfTokensAndOfTheGuard() throws {
        var options = SealerOptions()
        options.singleUse = true
        options.guardCapacity = 1
        options.maxTokenBytes = 400
        let sealer = try Sealer(keys: [key], options: options)
        let tokens = [try sealer.seal(pay(), state: nil), try sealer.seal(pay(), state: nil)]
        _ = try sealer.open(pay(), token: tokens[0])
        assertFails(.guardFailed) { _ = try sealer.open(pay(), token: tokens[1]) }
        assertFails(.tooLarge) { _ = try sealer.open(pay(), token: String(repeating: "x", count: 401)) }
    }

    func testBadSchemaNamesTheSpot() throws {
        let x = try Server(sealer: nil).begin(request())
        XCTAssertThrowsError(try x.askForm("a", message: "?", schema: Data(#"{"type":"object","properties":{"v":{"type":"object"}}}"#.utf8))) {
            XCTAssertEqual(($0 as? MRTRError)?.at, "/requestedSchema/properties/v/type")
            XCTAssertEqual(($0 as? MRTRError)?.key, "a")
        }
    }

    func testBuildAndCheck() throws {
        var builder = ResultBuilder(method: "tools/call")
        assertFails(.emptyResult) { _ = try builder.build() }
        builder.asks = [("r", Data(#"{"method":"roots/list"}"#.utf8))]
        XCTAssertEqual(
            String(decoding: try builder.build().result, as: UTF8.self), #"{"resultType":"input_required","inputRequests":{"r":{"method":"roots/list"}}}"#)
        assertFails(.missingMeta) { try checkRequest(method: "tools/list", params: Data("{}".utf8), headerVersion: "2026-07-28") }
    }
}

actor Script {
    var results: [Data]
    var sent: [String] = []
    init(_ results: String...) { self.results = results.map { Data($0.utf8) } }
    func next(_ leg: Leg) -> Data {
        sent.append(String(decoding: leg.request.params, as: UTF8.self))
        return results.removeFirst()
    }
}

final class ClientTests: XCTestCase {
    func call(_ handler: Handler?, _ script: Script) async throws -> CallResult {
        var options = ClientOptions()
        options.form = handler
        return try await Client(options).call(method: "tools/call", params: Data(params.utf8)) { await script.next($0) }
    }

    func ends(_ code: Code, _ handler: Handler?) async {
        let script = Script(asking, finished)
        do {
            _ = try await call(handler, script)
            XCTFail("the call was completed")
        } catch {
            XCTAssertEqual((error as? MRTRError)?.code, code, "\(error)")
            XCTAssertNotNil((error as? MRTRError)?.continuation)
        }
        let legs = await script.sent.count
        XCTAssertEqual(legs, 1)
    }

    /// J1, C4, C18.
    func testRound() async throws {
        let script = Script(asking, finished)
        let result = try await call({ _ in .value(Data(#"{"n":"\ud800"}"#.utf8)) }, script)
        XCTAssertEqual(result.json, Data(finished.utf8))
        XCTAssertEqual(result.rounds, 1)
        XCTAssertFalse(result.cacheable)
        let retry = await script.sent[1]
        for part in [#""big":123456789012345678901234567890,"x":3.0"#, #""requestState":"S\u00e91""#, #""content":{"n":"\ud800"}"#] {
            XCTAssertTrue(retry.contains(part), retry)
        }
    }

    /// C8, C9.
    func testWhatIsNoAnswerIsNeverSent() async {
        struct NoWindow: Error {}
        await ends(.refused) { _ in .refuse }
        await ends(.unavailable) { _ in .unavailable }
        await ends(.handlerFailed) { _ in throw NoWindow() }
        await ends(.handlerFailed) { _ in .value(Data(#"{"n":3}"#.utf8)) }
        await ends(.handlerFailed) { _ in .value(Data([0xff])) }
        await ends(.inputRequired, nil)
    }

    /// C10.
    func testCancelBeforeTheStartAndInTheMiddle() async throws {
        var options = ClientOptions()
        options.form = { _ in
            try await Task.sleep(nanoseconds: 60_000_000_000)
            return .accept
        }
        let client = try Client(options)
        for wait in [0, 50_000_000] as [UInt64] {
            let task = Task {
                try await client.call(method: "tools/call", params: Data(params.utf8)) { _ in Data(asking.utf8) }
            }
            if wait > 0 { try await Task.sleep(nanoseconds: wait) }
            task.cancel()
            let result = await task.result
            XCTAssertThrowsError(try result.get()) { XCTAssertEqual(($0 as? MRTRError)?.code, .cancelled) }
        }
    }

    func testNothingThatIsPrintedTellsContent() async throws {
        let script = Script(#"{"resultType":"complete","content":"hunter2"}"#)
        let result = try await call(nil, script)
        let sealer = try Sealer(keys: [key])
        let opened = try sealer.open(pay(), token: sealer.seal(pay(), state: Data("hunter2".utf8)))
        let things: [Any] = [result, opened, Reply.value(Data("hunter2".utf8))]
        for thing in things {
            var dumped = ""
            dump(thing, to: &dumped)
            for text in [String(describing: thing), String(reflecting: thing), dumped] {
                XCTAssertFalse(text.contains("hunter2") || text.contains("104"), text)
            }
        }
    }

    /// C10, C11.
    func testStepsAndSave() throws {
        var options = ClientOptions()
        options.declare = .form
        let client = try Client(options)
        let flow = try client.begin(method: "tools/call", params: Data(params.utf8), at: 0)
        guard case .send(let leg) = try flow.next(at: 0) else { return XCTFail("no leg") }
        XCTAssertEqual(leg.deadline, 60_000)
        try flow.deliver(leg: leg.leg, result: Data(asking.utf8), at: 5)
        guard case .round(1) = try flow.next(at: 5), case .ask(let ask) = try flow.next(at: 5) else { return XCTFail("no ask") }
        XCTAssertEqual(ask.key, "a")
        assertFails(.configError) { try flow.reply("zz", .accept, at: 6) }
        let saved = try flow.save()
        try flow.cancel(at: 7)
        guard case .stopAsk("a") = try flow.next(at: 7), case .done(let done) = try flow.next(at: 7) else { return XCTFail("no end") }
        XCTAssertEqual(done.error?.code, .cancelled)
        XCTAssertNoThrow(try client.resume(saved, at: 0))
        assertFails(.configError) { _ = try client.resume(String(saved.dropLast()), at: 0) }
    }

    func testForm() throws {
        var seats = Field("seats", .integer, required: true)
        seats.minimum = "1"
        var bags = Field("bags", .multiSelect)
        bags.choices = [("x", nil), ("y", "Y")]
        bags.maxCount = 2
        bags.fallback = []
        let schema = try Form([seats, bags]).schema()
        XCTAssertEqual(
            String(decoding: schema, as: UTF8.self),
            #"{"type":"object","properties":{"seats":{"type":"integer","minimum":1},"#
                + #""bags":{"type":"array","maxItems":2,"items":{"type":"string","anyOf":[{"const":"x","title":"x"},"#
                + #"{"const":"y","title":"Y"}]},"default":[]}},"required":["seats"]}"#)
        seats.minimum = "one"
        XCTAssertThrowsError(try Form([seats]).schema()) {
            XCTAssertEqual(($0 as? MRTRError)?.at, "/requestedSchema/properties/seats/minimum")
        }
    }
}
