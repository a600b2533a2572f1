//! Where each field of each struct lies on 64-bit machines, held against `abi/layout.txt` (F7).
#![cfg(target_pointer_width = "64")]

mod abi_kit;

use abi_kit::{read, root, structs};
use mrtr::ffi::abi;
use std::{env, fmt::Write, fs, path::Path, process::Command};

/// A program that says where everything is.
fn program() -> String {
    let mut out = String::from(
        "#include \"mrtr.h\"\n#include <stdio.h>\n#define SAY(name) printf(#name \" %zu\\n\", sizeof(name))\n#define AT(name, field) printf(#name \".\" #field \" %zu\\n\", offsetof(name, field))\nint main(void) {\n",
    );
    for (name, fields) in structs() {
        let _ = writeln!(out, "    SAY({name});");
        for field in fields {
            let _ = writeln!(out, "    AT({name}, {field});");
        }
    }
    out.push_str("    return 0;\n}\n");
    out
}

fn lines(text: &str) -> Vec<&str> {
    text.lines().filter(|line| !line.starts_with('#')).collect()
}

#[test]
fn structs_lie_as_they_always_did() {
    let work = Path::new(env!("CARGO_TARGET_TMPDIR")).join("layout");
    fs::create_dir_all(&work).expect("a folder to work in");
    let (source, binary) = (work.join("layout.c"), work.join("layout"));
    fs::write(&source, program()).expect("the program is written");
    let compiler = env::var("CC").unwrap_or_else(|_| "cc".into());
    let include = root().join("include");
    let status = Command::new(compiler)
        .arg("-I")
        .arg(include)
        .arg("-o")
        .args([&binary, &source])
        .status();
    assert!(status.expect("a C compiler").success());
    let said = Command::new(&binary).output().expect("it runs");
    let said = String::from_utf8_lossy(&said.stdout).into_owned();
    let listed = read("abi/layout.txt");
    let (said, listed) = (lines(&said), lines(&listed));
    let gone: Vec<_> = listed.iter().filter(|line| !said.contains(line)).collect();
    let fresh: Vec<_> = said.iter().filter(|line| !listed.contains(line)).collect();
    assert!(
        gone.is_empty(),
        "fields that moved or went: {gone:#?}, now {fresh:#?}"
    );
    assert!(
        fresh.is_empty(),
        "to be added to abi/layout.txt: {fresh:#?}"
    );
}

/// The Rust structs are those of the header.
#[test]
fn rust_and_c_agree() {
    let listed = read("abi/layout.txt");
    let size = |name: &str| {
        let line = lines(&listed)
            .into_iter()
            .find_map(|line| line.strip_prefix(&format!("{name} ")));
        line.and_then(|size| size.parse::<usize>().ok())
            .expect(name)
    };
    let mut seen = 0;
    macro_rules! same {
        ($($noun:ident::$name:ident)*) => { $(
            assert_eq!(size(stringify!($name)), size_of::<abi::$noun::$name>(), stringify!($name));
            seen += 1;
        )* };
    }
    same! {
        slice::mrtr_slice slice::mrtr_room buf::mrtr_buf error::mrtr_error error::mrtr_error_info version::mrtr_version_info ask::mrtr_ask
        request::mrtr_principal request::mrtr_request request::mrtr_request_check sealer::mrtr_sealer sealer::mrtr_sealer_options
        sealer::mrtr_opened sealer_callbacks::mrtr_sealer_callbacks counters::mrtr_sealer_counters result::mrtr_result_options result::mrtr_result server::mrtr_server server::mrtr_server_options server_callbacks::mrtr_server_callbacks server_callbacks::mrtr_issued
        exchange::mrtr_exchange answer::mrtr_answer exchange::mrtr_exchange_info client::mrtr_client client::mrtr_client_options
        event::mrtr_event flow::mrtr_flow callbacks::mrtr_flow_callbacks form::mrtr_form form::mrtr_choice form::mrtr_field
        runtime::mrtr_runtime runtime::mrtr_runtime_options queue::mrtr_queue
        request::mrtr_header peer::mrtr_peer discovery::mrtr_discovery legacy::mrtr_legacy legacy::mrtr_legacy_step
    }
    assert_eq!(
        seen,
        structs().len(),
        "a struct of the header is not looked at"
    );
}
