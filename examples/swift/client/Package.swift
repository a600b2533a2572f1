// swift-tools-version: 6.0
import PackageDescription

let mrtr = Target.Dependency.product(name: "MRTR", package: "swift")

let package = Package(
    name: "client",
    platforms: [.macOS(.v13)],
    dependencies: [.package(path: "../../../bindings/swift")],
    targets: [
        .target(name: "wire", dependencies: [mrtr]),
        .executableTarget(name: "client", dependencies: [mrtr, "wire"]),
        .executableTarget(name: "conformance", dependencies: [mrtr, "wire"]),
    ],
    swiftLanguageModes: [.v6]
)
