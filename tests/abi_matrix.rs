//! Every function of the header with every wrong handle and pointer (F1, F2): null, stale, of another kind, of another copy of the
//! library. The calls are generated from the header as a C program, so that none is left out; it runs under valgrind where there is one.

mod abi_kit;

use abi_kit::{Function, built, functions, root};
use std::{env, fmt::Write, fs, path::Path, process::Command};

/// Pointers that may be NULL, by function and parameter.
const OPTIONAL: [(&str, &str); 11] = [
    ("mrtr_exchange_ask", "answer"),
    ("mrtr_exchange_ask_form", "answer"),
    ("mrtr_exchange_ask_url", "answer"),
    ("mrtr_exchange_ask_sampling", "answer"),
    ("mrtr_exchange_ask_roots", "answer"),
    ("mrtr_flow_begin", "options"),
    ("mrtr_flow_step", "until_ms"),
    ("mrtr_flow_step", "done"),
    ("mrtr_runtime_new", "options"),
    ("mrtr_runtime_new", "callbacks"),
    ("mrtr_buf_free", "buf"),
];
const KINDS: [&str; 10] = [
    "error", "sealer", "server", "exchange", "client", "flow", "form", "runtime", "queue", "legacy",
];
const WRONG: [(&str, &str); 5] = [
    ("none", "MRTR_NULL_ARGUMENT"),
    ("stale", "MRTR_STALE_HANDLE"),
    ("other_kind", "MRTR_WRONG_HANDLE"),
    ("foreign", "SOME_HANDLE_ERROR"),
    ("made_up", "SOME_HANDLE_ERROR"),
];

/// The name of the variable for an out-parameter or a struct that goes in.
fn variable(kind: &str) -> Option<String> {
    let pointed = kind.strip_suffix('*')?.trim();
    match pointed.strip_prefix("const ") {
        Some("mrtr_slice") => Some("texts".into()),
        Some(input) => Some(format!("&{}_in", input.strip_prefix("mrtr_")?)),
        None if pointed.ends_with("_options")
            || pointed == "mrtr_request_check"
            || pointed == "mrtr_field"
            || pointed == "mrtr_discovery"
            || pointed.ends_with("_callbacks") =>
        {
            Some(format!("&{}_in", pointed.strip_prefix("mrtr_")?))
        }
        None => Some(format!(
            "&{}_out",
            pointed.trim_start_matches("mrtr_").trim_end_matches("_t")
        )),
    }
}

fn handle(kind: &str) -> Option<&str> {
    kind.strip_prefix("mrtr_")
        .filter(|kind| KINDS.contains(kind))
}

/// A good argument for a parameter.
fn good(kind: &str, name: &str) -> String {
    if let Some(kind) = handle(kind) {
        return format!("good.{kind}");
    }
    match (kind, name) {
        ("mrtr_error *", "err") => "&err".into(),
        ("mrtr_slice", _) => "a_text".into(),
        ("mrtr_room", _) => "a_room".into(),
        ("uint32_t", "size") => "4".into(),
        ("uint32_t", "abi") => "MRTR_ABI".into(),
        ("uint32_t" | "uint64_t" | "mrtr_status", _) => "1".into(),
        ("size_t", _) => "1".into(),
        ("double", _) => "0.5".into(),
        _ => variable(kind).unwrap_or_else(|| panic!("no argument for {kind} {name}")),
    }
}

/// A call with one argument replaced.
fn call(function: &Function, replaced: usize, by: &str) -> String {
    let arguments = function.parameters.iter().enumerate();
    let arguments: Vec<String> = arguments
        .map(|(at, (kind, name))| {
            if at == replaced {
                by.to_string()
            } else {
                good(kind, name)
            }
        })
        .collect();
    format!("{}({})", function.name, arguments.join(", "))
}

/// Checks that after a failure nothing is set.
fn empty(function: &Function, replaced: usize, what: &str, out: &mut String) {
    for (at, (kind, name)) in function.parameters.iter().enumerate() {
        let (Some(variable), true) = (variable(kind), at != replaced && name != "err") else {
            continue;
        };
        let Some(variable) = variable
            .strip_prefix('&')
            .filter(|name| name.ends_with("_out"))
        else {
            continue;
        };
        let condition = match variable {
            "buf_out" | "slice_out" => format!("{variable}.ptr == NULL && {variable}.len == 0"),
            "int32_out" | "uint32_out" | "uint64_out" | "size_out" => format!("{variable} == 0"),
            _ if handle(kind.trim_end_matches('*').trim()).is_some() => {
                format!("{variable}.id == 0")
            }
            "version_info_out" => "version_info_out.version.ptr == NULL".into(),
            "sealer_counters_out" => "sealer_counters_out.sealed == 0".into(),
            "exchange_info_out" => "exchange_info_out.first_seen_ms == 0".into(),
            _ => format!(
                "{variable}.storage.ptr == NULL && {variable}.struct_size == sizeof {variable}"
            ),
        };
        let _ = writeln!(out, "    expect_empty({condition}, \"{what}\");");
    }
}

/// One call that has to fail with a status and leave nothing behind.
fn failing(function: &Function, replaced: usize, by: &str, want: &str, out: &mut String) {
    let call = call(function, replaced, by);
    let what = call.replace('"', "'");
    let _ = writeln!(out, "    prepare();");
    match function.returns.as_str() {
        "mrtr_status" => {
            let _ = writeln!(out, "    expect_status({call}, {want}, \"{what}\");");
            if function.parameters.iter().any(|(_, name)| name == "err") {
                let _ = writeln!(
                    out,
                    "    expect_status(mrtr_error_code(err), {want}, \"error of {what}\"); OK(mrtr_error_free(err));"
                );
            }
        }
        "uint32_t" => {
            let _ = writeln!(out, "    expect_empty({call} == 0, \"{what}\");");
        }
        _ => {
            let _ = writeln!(out, "    {call};");
        }
    }
    empty(function, replaced, &what, out);
}

fn cases_of(function: &Function, out: &mut String) {
    let frees = function.name.ends_with("_free");
    for (at, (kind, name)) in function.parameters.iter().enumerate() {
        if let Some(kind) = handle(kind) {
            for (which, want) in WRONG {
                let value = match which {
                    "none" if frees => continue,
                    "none" => format!("none_of.{kind}"),
                    // The word of a handle of another kind in the struct of this one.
                    "other_kind" => {
                        let other = if kind == "sealer" { "client" } else { "sealer" };
                        format!("(mrtr_{kind}){{good.{other}.id}}")
                    }
                    which => format!("{which}.{kind}"),
                };
                failing(function, at, &value, want, out);
            }
        } else if kind == "mrtr_slice" && function.returns == "mrtr_status" {
            failing(function, at, "no_bytes", "MRTR_NULL_ARGUMENT", out);
        } else if kind.ends_with('*') && name != "err" {
            let optional =
                OPTIONAL.contains(&(&*function.name, &**name)) || function.returns == "void";
            if optional {
                let _ = writeln!(
                    out,
                    "    prepare(); if (!{frees}) {{ {}; mrtr_error_free(err); forget(); }}",
                    call(function, at, "NULL"),
                    frees = u8::from(frees && function.returns != "void")
                );
            } else {
                failing(function, at, "NULL", "MRTR_NULL_ARGUMENT", out);
            }
        }
    }
    // Nothing at all: every argument is 0.
    let zeros: Vec<String> = function
        .parameters
        .iter()
        .map(|(kind, _)| zero(kind))
        .collect();
    let _ = writeln!(
        out,
        "    prepare(); (void){}({});",
        function.name,
        zeros.join(", ")
    );
}

fn zero(kind: &str) -> String {
    match kind {
        _ if kind.ends_with('*') => "NULL".into(),
        "mrtr_slice" => "none()".into(),
        _ if kind.starts_with("mrtr_") && kind != "mrtr_status" => format!("({kind}){{0}}"),
        _ => "0".into(),
    }
}

fn program(functions: &[Function]) -> String {
    let mut out = String::from("#include \"matrix.h\"\n");
    out.push_str(
        "\n/* Gives back what a call that was allowed has made. */\nstatic void forget(void) {\n    mrtr_flow_free(flow_out.id == 77 ? none_of.flow : flow_out);\n    mrtr_runtime_free(runtime_out.id == 77 ? none_of.runtime : runtime_out);\n    if (event_out.storage.cap != 0x5555555555555555u) mrtr_buf_free(&event_out.storage);\n}\n",
    );
    for function in functions {
        let _ = writeln!(out, "\nstatic void test_{}(void) {{", function.name);
        cases_of(function, &mut out);
        out.push_str("}\n");
    }
    out.push_str("\nint main(int count, char **arguments) {\n    void *copy;\n    (void)count;\n    good = make();\n    stale = make();\n    drop(stale);\n");
    out.push_str("    copy = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);\n    if (!copy) { fprintf(stderr, \"%s\\n\", dlerror()); return 1; }\n");
    out.push_str("    library = copy;\n    CHECK(CALL(mrtr_live_objects) != &mrtr_live_objects);\n    foreign = make();\n    library = NULL;\n");
    for kind in KINDS {
        let _ = writeln!(
            out,
            "    made_up.{kind}.id = good.{kind}.id ^ 0x0000000100000000u;"
        );
    }
    for function in functions {
        let _ = writeln!(out, "    test_{}();", function.name);
    }
    out.push_str("    library = copy;\n    drop(foreign);\n    library = NULL;\n    drop(good);\n    return finish(\"matrix\");\n}\n");
    out
}

fn run(command: &mut Command) {
    let shown = format!("{command:?}");
    // The library that was just copied, not another one that the search path of the test runner leads to.
    let output = command
        .env_remove("LD_LIBRARY_PATH")
        .output()
        .unwrap_or_else(|error| panic!("{shown}: {error}"));
    let said = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{shown}\n{said}");
    println!("{said}");
}

#[test]
fn every_function_survives_wrong_handles_and_pointers() {
    let functions = functions();
    assert!(
        functions.len() > 50,
        "only {} functions were found in the header",
        functions.len()
    );
    let work = Path::new(env!("CARGO_TARGET_TMPDIR")).join("matrix");
    fs::create_dir_all(&work).expect("a folder to work in");
    let (first, second) = (work.join("libmrtr.so.0"), work.join("copy.so"));
    for copy in [&first, &second] {
        fs::copy(built("libmrtr.so"), copy).expect("the library was built");
    }
    let (source, binary) = (work.join("matrix.c"), work.join("matrix"));
    fs::write(&source, program(&functions)).expect("the program is written");
    let compiler = env::var("CC").unwrap_or_else(|_| "cc".into());
    run(Command::new(compiler)
        .args([
            "-std=gnu11",
            "-g",
            "-Wall",
            "-Wno-unused-value",
            "-Wno-unused-variable",
            "-Wno-unused-function",
        ])
        .args([
            "-I",
            &root().join("include").to_string_lossy(),
            "-I",
            &root().join("tests/c").to_string_lossy(),
        ])
        .arg("-o")
        .args([&binary, &source, &first])
        .arg(format!("-Wl,-rpath,{}", work.display()))
        .arg("-ldl"));
    let valgrind = Command::new("valgrind").arg("--version").output().is_ok();
    let mut command = if valgrind {
        Command::new("valgrind")
    } else {
        Command::new(&binary)
    };
    if valgrind {
        command.args(["--quiet", "--error-exitcode=9", "--leak-check=full"]);
        command
            .args([
                "--show-leak-kinds=definite,indirect",
                "--errors-for-leak-kinds=definite,indirect",
            ])
            .arg(&binary);
    }
    run(command.arg(&second));
}
