import Foundation
import XCTest

@testable import MRTR

private struct Down: Error {}

private final class Store: TokenGuard, @unchecked Sendable {
    private let lock = NSLock()
    private var seen: Set<Data> = []
    var failing = false

    func claim(tokenID: Data, until: Date, now: Date) throws -> Bool {
        try lock.withLock {
            if failing { throw Down() }
            return until > now && seen.insert(tokenID).inserted
        }
    }
}

private struct Turn: StateCrypto {
    func seal(_ plain: Data) throws -> Data { Data(plain.map { $0 ^ 0x55 }) }
    func unseal(_ sealed: Data) throws -> Data { Data(sealed.map { $0 ^ 0x55 }) }
}

private final class Heard: @unchecked Sendable {
    private let lock = NSLock()
    private var all: [Code] = []
    private var errors = 0
    func add(_ code: Code) { lock.withLock { all.append(code) } }
    func fail() { lock.withLock { errors += 1 } }
    var codes: [Code] { lock.withLock { all } }
    var failures: Int { lock.withLock { errors } }
}

private final class Told: @unchecked Sendable {
    private let lock = NSLock()
    private var issued: [Issued] = []
    func add(_ one: Issued) { lock.withLock { issued.append(one) } }
    var all: [Issued] { lock.withLock { issued } }
}

final class HookTests: XCTestCase {
    private let key = Data(repeating: 7, count: 32)
    private let request = Request(method: "tools/call", params: nil, principal: .user("ada"))

    private func code(_ work: () throws -> Void) -> Code? {
        do { try work() } catch let error as MRTRError { return error.code } catch {}
        return nil
    }

    func testOfManyThreadsWithOneTokenOneGetsIn() throws {
        let (store, heard) = (Store(), Heard())
        var options = SealerOptions()
        options.hooks.tokenGuard = store
        options.hooks.onRefused = { heard.add($0) }
        options.hooks.onHookError = { _ in heard.fail() }
        let sealer = try Sealer(keys: [key], options: options)
        let token = try sealer.seal(request, state: Data([1]))
        let request = self.request
        DispatchQueue.concurrentPerform(iterations: 8) { _ in _ = try? sealer.open(request, token: token) }
        XCTAssertEqual(heard.codes, Array(repeating: Code.replayed, count: 7))
        let counters = try sealer.counters()
        XCTAssertEqual([counters.sealed, counters.opened, counters.refused, counters.reasons[.replayed]], [1, 1, 7, 7])
        XCTAssertEqual(counters.sealedBytes, UInt64(token.utf8.count))

        store.failing = true
        let second = try sealer.seal(request, state: nil)
        XCTAssertEqual(code { _ = try sealer.open(request, token: second) }, .guardFailed)
        XCTAssertEqual(heard.failures, 1)
    }

    func testOwnCryptoKeepsOurClaims() throws {
        var options = SealerOptions()
        options.hooks.crypto = Turn()
        XCTAssertEqual(code { _ = try Sealer(keys: [key], options: options) }, .configError)
        let sealer = try Sealer(keys: [], options: options)
        let start = Date(timeIntervalSince1970: 1000)
        let token = try sealer.seal(request, state: Data([1, 2]), at: start)
        XCTAssertEqual(try sealer.open(request, token: token, at: start).state, Data([1, 2]))
        XCTAssertEqual(code { _ = try sealer.open(request, token: token, at: start + 600) }, .expired)
    }

    func testHooksEndWithTheSealer() throws {
        weak var alive: Store?
        func once() throws {
            let store = Store()
            alive = store
            var options = SealerOptions()
            options.hooks.tokenGuard = store
            _ = try Sealer(keys: [key], options: options)
        }
        try once()
        XCTAssertNil(alive)
    }

    func testAsksThatWentOutAreTold() throws {
        let heard = Told()
        var options = ServerOptions()
        options.onIssued = { heard.add($0) }
        let server = try Server(sealer: Sealer(keys: [key]), options: options)
        var able = request
        able.capabilities = Data(#"{"roots":{}}"#.utf8)
        let exchange = try server.begin(able, at: Date(timeIntervalSince1970: 1))
        for key in ["b", "a"] { _ = try exchange.askRoots(key) }
        _ = try exchange.result()
        let told = try XCTUnwrap(heard.all.first)
        XCTAssertEqual(heard.all.count, 1)
        XCTAssertEqual(told.flowID, try exchange.info().flowID)
        XCTAssertEqual(told.round, 1)
        XCTAssertEqual(told.method, "tools/call")
        XCTAssertEqual(told.keys, ["b", "a"])
        XCTAssertEqual(told.expires, Date(timeIntervalSince1970: 601))
    }

    func testGateway() throws {
        let back = try Gateway.unwrap(Gateway.wrap(backend: "büro:7", state: "v1.😀"))
        XCTAssertEqual(back?.backend, "büro:7")
        XCTAssertEqual(back?.state, "v1.😀")
        XCTAssertNil(try Gateway.unwrap(Data()))
        let key = try Gateway.prefix(backend: "a:b", key: "c")
        XCTAssertEqual(key, "3:a:b:c")
        XCTAssertEqual(try Gateway.split(key)?.backend, "a:b")
        XCTAssertEqual(try Gateway.split(key)?.key, "c")
        XCTAssertNil(try Gateway.split("region"))
    }

    func testAGatewayPassesOnWhatIsTheBackends() throws {
        let asks = Data(#"{"resultType":"input_required","inputRequests":{"k":{}},"requestState":"S"}"#.utf8)
        let state = try Gateway.state(backend: "a", result: asks)
        XCTAssertNotNil(state)
        XCTAssertNil(try Gateway.state(backend: "a", result: Data(#"{"resultType":"complete"}"#.utf8)))
        XCTAssertEqual(
            try Gateway.result(backend: "a", result: asks, state: "T"),
            Data(#"{"resultType":"input_required","inputRequests":{"1:a:k":{}},"requestState":"T"}"#.utf8))
        let sent = Data(#"{"_meta":{"x":1.0},"inputResponses":{"1:a:k":{},"k":{}},"requestState":"T"}"#.utf8)
        XCTAssertEqual(
            try Gateway.params(backend: "a", params: sent, hostState: state),
            Data(#"{"_meta":{"x":1.0},"inputResponses":{"k":{}},"requestState":"S"}"#.utf8))
        assertFails(.badArgument) { _ = try Gateway.params(backend: "b", params: sent, hostState: state) }
    }
}
