// Case driver on the Swift package: one case per line in, one observation per line out.
import Foundation
import MRTR

func observation(_ story: Case) -> [String: Any] {
    guard story.string("era") ?? "2026-07-28" == "2026-07-28" || story.string("kind") == "client" else { return ["unsupported": true] }
    do {
        switch story.string("kind") {
        case "client": return try observeClient(story)
        case "state": return try observeState(story)
        case "server": return try observeServer(story)
        case "legacy": return try observeLegacy(story)
        case "build": return try observeBuild(story)
        default: return ["unsupported": true]
        }
    } catch { return ["failed": String(describing: error)] }
}

while let line = readLine(strippingNewline: true) {
    guard !line.isEmpty else { continue }
    let story = try Case(text: Data(line.utf8))
    var seen = observation(story)
    seen["name"] = story.string("name")
    FileHandle.standardOutput.write(printed(seen) + Data("\n".utf8))
}
