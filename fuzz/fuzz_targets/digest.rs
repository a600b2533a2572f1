//! Any JSON value: serde_json's reading of it, written anew, has the same canonical form (S5).
#![no_main]

use libfuzzer_sys::fuzz_target;
use mrtr::json::{Canonical, Fault, Limits, Raw, canonicalize, request_digest};

fuzz_target!(|text: &str| {
    let Ok(raw) = Raw::parse(text, &Limits::default()) else {
        return;
    };
    let mut ours = Canonical::new();
    match canonicalize(raw, &mut ours) {
        Ok(()) => {}
        Err(Fault::Duplicate { .. }) => {
            return assert!(request_digest("tools/call", None, Some(raw)).is_err());
        }
        Err(other) => panic!("{other}"),
    }
    assert!(request_digest("tools/call", None, Some(raw)).is_ok());
    let mut again = Canonical::new();
    canonicalize(raw, &mut again).expect("the same value");
    assert_eq!(ours.bytes(), again.bytes());
    // Numbers become doubles there, so only values without any are compared; lone surrogates it refuses.
    let Ok(value) = serde_json::from_str::<serde_json::Value>(text) else {
        return;
    };
    if has_number(&value) {
        return;
    }
    let other = value.to_string();
    let other = Raw::parse(&other, &Limits::default()).expect("written by serde_json");
    canonicalize(other, &mut again).expect("written by serde_json");
    assert_eq!(ours.bytes(), again.bytes());
});

fn has_number(value: &serde_json::Value) -> bool {
    match value {
        serde_json::Value::Number(_) => true,
        serde_json::Value::Array(items) => items.iter().any(has_number),
        serde_json::Value::Object(members) => members.values().any(has_number),
        _ => false,
    }
}
