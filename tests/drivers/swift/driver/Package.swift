// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "driver",
    platforms: [.macOS(.v13)],
    dependencies: [.package(path: "../../../../bindings/swift")],
    targets: [.executableTarget(name: "driver", dependencies: [.product(name: "MRTR", package: "swift")])],
    swiftLanguageModes: [.v6]
)
