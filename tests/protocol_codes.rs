//! Error codes and the error type (B9, S9).

use mrtr::json::{Fault, Key};
use mrtr::protocol::{Code, Error, Rpc};

#[test]
fn names_and_numbers() {
    let fixed = [
        (Code::NullArgument, "null_argument", 101),
        (Code::BadJson, "bad_json", 201),
        (Code::DuplicateKey, "duplicate_key", 301),
        (Code::MissingCapability, "missing_capability", 311),
        (Code::ConfigError, "config_error", 400),
        (Code::NoRandom, "no_random", 413),
        (Code::NothingPending, "nothing_pending", 506),
        (Code::Lost, "lost", 613),
    ];
    for (code, name, number) in fixed {
        assert_eq!((code.name(), code.number()), (name, number));
        assert_eq!(Code::from_name(name), Some(code));
        assert_eq!(Code::from_number(number), Some(code));
    }
    assert!(Code::from_number(0).is_none() && Code::from_name("").is_none());
    assert!(Code::ALL.is_sorted(), "by number");
}

#[test]
fn wire_codes_and_statuses() {
    let table = [
        (Code::MissingMeta, -32602, 400),
        (Code::HeaderMismatch, -32020, 400),
        (Code::MissingCapability, -32021, 400),
        (Code::UnsupportedVersion, -32022, 400),
        (Code::MethodNotFound, -32601, 404),
        (Code::Tampered, -32602, 200),
        (Code::InvalidParams, -32602, 200),
        (Code::MethodNotAllowed, -32603, 200),
        (Code::NoRandom, -32603, 200),
    ];
    for (code, rpc, http) in table {
        let error = Error::on_wire(code, "m");
        assert_eq!(
            (error.rpc().unwrap().code, error.http_status()),
            (rpc, http),
            "{code}"
        );
        assert!(Error::new(code, "m").rpc().is_none());
    }
}

#[test]
fn faults_become_errors() {
    let error = Error::from(Fault::Duplicate {
        at: "/a/0".into(),
        name: Key::from("k"),
    });
    assert_eq!((error.code(), error.at()), (Code::BadJson, Some("/a/0")));
    let error = Error::from(Fault::TooLarge {
        limit: "message",
        size: 5,
        max: 4,
    });
    assert_eq!(error.code(), Code::TooLarge);
    for part in ["message", "5", "4"] {
        assert!(error.message().contains(part));
    }
    assert_eq!(
        Error::from(Fault::TooMany {
            limit: "asks",
            size: 65,
            max: 64
        })
        .code(),
        Code::TooMany
    );
    assert_eq!(
        Error::from(Fault::Syntax {
            offset: 3,
            what: "x"
        })
        .code(),
        Code::BadJson
    );
}

#[test]
fn nothing_kept_is_shown() {
    let rpc = Rpc {
        code: -32602,
        message: "no".into(),
        data: Some("\"hunter2\"".into()),
    };
    assert_eq!(
        rpc.to_json(),
        r#"{"code":-32602,"message":"no","data":"hunter2"}"#
    );
    let bare = Rpc {
        code: 1,
        message: "a\"\n".into(),
        data: None,
    };
    assert_eq!(bare.to_json(), r#"{"code":1,"message":"a\"\n"}"#);
    let error = Error::new(Code::InvalidResult, "bad")
        .with_raw("hunter2".into())
        .with_data("\"hunter2\"".into())
        .with_key(Key::from("a"))
        .with_at("/x".into())
        .with_rpc(rpc);
    let shown = format!("{error} {error:?}");
    assert!(!shown.contains("hunter2") && shown.contains("invalid_result") && shown.contains("/x"));
    assert_eq!(
        (error.raw(), error.key()),
        (Some("hunter2"), Some(&Key::from("a")))
    );
    assert_eq!(size_of::<Error>(), size_of::<usize>());
}
