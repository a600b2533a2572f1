"""The rules of tidy.py catch what they are for."""
import licences
import tidy


def faults(name, text):
    return list(tidy.faults_of(name, text))


def test_arrows():
    assert not faults("src/server/a.rs", "use crate::{json::{Raw, Str}, state::Sealer};\nuse crate::protocol::Code;")
    assert len(faults("src/client/a.rs", "use crate::state::Sealer;")) == 1
    assert len(faults("src/client/a.rs", "use crate::{\n    json::{Raw, state},\n    server::Server,\n};")) == 1
    assert faults("src/json.rs", "fn f() { crate::protocol::x() }") == ["src/json.rs:1: the room json must not use protocol"]
    assert not faults("src/json/a.rs", "// crate::protocol is above us")


def test_unsafe_length_and_words():
    assert faults("src/json/a.rs", "fn f() { unsafe { g() } }")
    assert not faults("src/ffi/abi/a.rs", "fn f() { unsafe { g() } }")
    assert not faults("src/json/a.rs", "// unsafe { } stands elsewhere")
    assert faults("src/json/a.rs", "x\n" * 401)
    assert faults("src/json/a.rs", "// TO" + "DO later")
    assert faults("README.md", "see iss" + "ue 3")


def test_licence_expressions():
    allow = {"MIT", "Apache-2.0 WITH LLVM-exception"}
    assert licences.allowed("MIT OR GPL-3.0", allow) and licences.allowed("MIT/Apache-2.0", allow)
    assert licences.allowed("(GPL-3.0 OR Apache-2.0 WITH LLVM-exception) AND MIT", allow)
    assert not licences.allowed("MIT AND GPL-3.0", allow) and not licences.allowed("Apache-2.0", allow)
