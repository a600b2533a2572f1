"""Builds the native library with cargo and puts it beside the package, so that one wheel holds both."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py

HERE = Path(__file__).resolve().parent
CRATE = HERE.parent.parent
NAME = {"darwin": "libmrtr.dylib", "win32": "mrtr.dll"}.get(sys.platform, "libmrtr.so")


def native_library() -> Path:
    """MRTR_LIBRARY names a finished library; without it cargo builds one from the crate this package lies in."""
    given = os.environ.get("MRTR_LIBRARY")
    if given:
        return Path(given)
    if not (CRATE / "Cargo.toml").is_file():
        raise SystemExit("mrtr: the Rust crate is not beside this package; set MRTR_LIBRARY to a built libmrtr")
    if shutil.which("cargo") is None:
        raise SystemExit("mrtr: cargo is missing; install Rust or set MRTR_LIBRARY to a built libmrtr")
    subprocess.run(["cargo", "rustc", "--release", "--lib", "--locked", "--crate-type", "cdylib", "--manifest-path", str(CRATE / "Cargo.toml")], check=True)
    target = Path(os.environ.get("CARGO_TARGET_DIR", CRATE / "target"))
    return target / "release" / NAME


class BuildWithLibrary(build_py):
    def run(self) -> None:
        super().run()
        if not getattr(self, "editable_mode", False):
            package = Path(self.build_lib) / "mrtr"
            package.mkdir(parents=True, exist_ok=True)
            shutil.copy2(native_library(), package / NAME)
        else:
            shutil.copy2(native_library(), HERE / "src" / "mrtr" / NAME)


class AnyPython(bdist_wheel):
    """ctypes needs no CPython ABI: the wheel fits every Python 3 of this platform."""

    def get_tag(self) -> tuple[str, str, str]:
        return ("py3", "none", super().get_tag()[2])


class WithNativeCode(Distribution):
    def has_ext_modules(self) -> bool:
        return True


setup(distclass=WithNativeCode, cmdclass={"build_py": BuildWithLibrary, "bdist_wheel": AnyPython})
