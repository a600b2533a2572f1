package mrtr

// Version of the native library.
type Version struct {
	Text               string
	ABIMajor, ABILevel uint32
}

// LibraryVersion tells which native library is loaded.
func LibraryVersion() (Version, error) { return nativeVersion() }

// HasFeature tells whether the library was built with a feature, such as "runtime".
func HasFeature(name string) bool { return nativeHasFeature(name) }

// LiveObjects counts the library's objects in this process; for leak tests.
func LiveObjects() uint64 { return nativeLiveObjects() }
