import Foundation
import XCTest

@testable import MRTR

final class RuntimeTests: XCTestCase {
    /// F4.
    func testFlowsSideBySide() throws {
        let client = try Client(ClientOptions())
        let runtime = try Runtime()
        for _ in 0..<5 { try runtime.start(try client.begin(method: "tools/call", params: Data(params.utf8))) }
        var over = 0
        while over < 5 {
            guard case .event(let flow, let event) = try runtime.next(milliseconds: 20_000) else { return XCTFail("nothing came") }
            if case .send(let leg) = event { try flow.deliver(leg: leg.leg, result: Data(finished.utf8)) }
            if case .done(let done) = event {
                XCTAssertNil(done.error)
                over += 1
            }
        }
        XCTAssertGreaterThanOrEqual(try runtime.descriptor(), 0)
        try runtime.wake()
        guard case .nothing = try runtime.next() else { return XCTFail("wake") }
    }

    /// C10, F4.
    func testTheEndHasTwoSteps() throws {
        let client = try Client(ClientOptions())
        let runtime = try Runtime()
        try runtime.start(try client.begin(method: "tools/call", params: Data(params.utf8)))
        try runtime.shutdown()
        assertFails(.wrongState) { try runtime.start(try client.begin(method: "tools/call", params: Data(params.utf8))) }
        var ends: [Code?] = []
        loop: while true {
            switch try runtime.next() {
            case .event(_, .done(let done)): ends.append(done.error?.code)
            case .event, .nothing: break
            case .drained: break loop
            }
        }
        XCTAssertEqual(ends, [.cancelled])
    }
}
