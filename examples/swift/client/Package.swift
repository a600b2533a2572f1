// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "client",
    platforms: [.macOS(.v13)],
    dependencies: [.package(path: "../../../bindings/swift")],
    targets: [.executableTarget(name: "client", dependencies: [.product(name: "MRTR", package: "swift")])],
    swiftLanguageModes: [.v6]
)
