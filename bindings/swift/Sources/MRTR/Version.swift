import CMRTR

/// The native library's version and its ABI numbers.
public struct Version: Sendable {
    public let text: String
    public let abiMajor: UInt32
    public let abiLevel: UInt32
}

/// Which native library is loaded.
public func mrtrVersion() throws -> Version {
    var info = mrtr_version_info()
    info.struct_size = size(mrtr_version_info.self)
    try check(mrtr_version(&info), mrtr_error())
    return Version(text: text(info.version) ?? "", abiMajor: info.abi_major, abiLevel: info.abi_level)
}

/// How many objects of the library are alive in this process; for leak tests.
public func mrtrLiveObjects() -> UInt64 { mrtr_live_objects() }
