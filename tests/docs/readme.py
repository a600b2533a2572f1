#!/usr/bin/env python3
"""Runs the quick starts of README.md: each must print just what stands below it.

    readme.py LANGUAGE…        of c, cpp, python, go, swift
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PREFIX = ROOT / "target/prefix"  # what scripts/prefix.sh installs
LIBRARY = PREFIX / "lib"
BLOCK = re.compile(r"```(\w+)\n((?:(?!```).)*)```\n```text\n(.*?)```", re.S)
STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", f"-I{PREFIX}/include"]


def compiled(compiler: str, standard: str, suffix: str, source: str, folder: Path) -> list[str]:
    (folder / f"start.{suffix}").write_text(source)
    subprocess.run([compiler, standard, *STRICT, str(folder / f"start.{suffix}"), f"-L{LIBRARY}", "-lmrtr", "-o", str(folder / "start")], check=True)
    return [str(folder / "start")]


def command(language: str, source: str, folder: Path) -> tuple[list[str], Path]:
    if language == "c":
        return compiled("cc", "-std=c99", "c", source, folder), folder
    if language == "cpp":
        return compiled("c++", "-std=c++17", "cpp", source, folder), folder
    if language == "python":
        (folder / "start.py").write_text(source)
        return [sys.executable, str(folder / "start.py")], folder
    if language == "go":
        (folder / "main.go").write_text(source)
        (folder / "go.mod").write_text(f"module start\n\ngo 1.24\n\nrequire mrtr v0.0.0\n\nreplace mrtr => {ROOT}/bindings/go\n")
        return ["go", "run", "."], folder
    if language == "swift":
        return swift_package(source)
    raise SystemExit(f"readme: no way to run {language}")


def swift_package(source: str) -> tuple[list[str], Path]:
    """Inside the tree, because the Swift root sees nothing else."""
    folder = ROOT / "target/readme"
    (folder / "Sources/start").mkdir(parents=True, exist_ok=True)
    (folder / "Sources/start/main.swift").write_text(source)
    (folder / "Package.swift").write_text(
        """// swift-tools-version: 6.0
import PackageDescription
let package = Package(
    name: "start",
    dependencies: [.package(path: "../../bindings/swift")],
    targets: [.executableTarget(name: "start", dependencies: [.product(name: "MRTR", package: "swift")])],
    swiftLanguageModes: [.v6])
"""
    )
    return [str(ROOT / "scripts/swift-run"), "swift", "run", "--quiet", "start"], folder


def main() -> int:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    starts = {language: (source, wanted) for language, source, wanted in BLOCK.findall(text)}
    environment = {
        **os.environ,
        "LD_LIBRARY_PATH": str(LIBRARY),
        "PKG_CONFIG_PATH": str(LIBRARY / "pkgconfig"),
        "MRTR_LIBRARY": str(LIBRARY / "libmrtr.so"),
        "PYTHONPATH": str(ROOT / "bindings/python/src"),
    }
    failed = 0
    for language in sys.argv[1:]:
        source, wanted = starts[language]
        with tempfile.TemporaryDirectory() as folder:
            program, where = command(language, source, Path(folder))
            done = subprocess.run(program, cwd=where, env=environment, capture_output=True, text=True, timeout=600)
        if done.returncode or done.stdout != wanted:
            failed += 1
            print(f"{language}: ended with {done.returncode}\n  wanted {wanted!r}\n  got    {done.stdout!r}\n{done.stderr[-800:]}")
    print(f"{len(sys.argv) - 1 - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
