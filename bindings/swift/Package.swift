// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "MRTR",
    platforms: [.macOS(.v13), .iOS(.v16)],
    products: [.library(name: "MRTR", targets: ["MRTR"])],
    targets: [
        .systemLibrary(name: "CMRTR", pkgConfig: "mrtr"),
        .target(name: "MRTR", dependencies: ["CMRTR"]),
        .testTarget(name: "MRTRTests", dependencies: ["MRTR"]),
    ],
    swiftLanguageModes: [.v6]
)
