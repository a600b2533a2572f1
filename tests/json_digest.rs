//! The canonical form and the request digest (S5, D14).

use mrtr::json::{
    Canonical, Fault, Limits, Raw, canonicalize, params_digest_with, request_digest, sha256,
};

fn raw(text: &str) -> Raw<'_> {
    Raw::parse(text, &Limits::default()).unwrap()
}

fn form(text: &str) -> Vec<u8> {
    let mut scratch = Canonical::new();
    canonicalize(raw(text), &mut scratch).unwrap();
    scratch.bytes().to_vec()
}

#[test]
fn by_hand() {
    let cases: [(&str, &[u8]); 12] = [
        ("null", b"n"),
        ("true", b"t"),
        ("false", b"f"),
        ("1.50", b"d15e-1;"),
        ("-0", b"d0;"),
        ("\"\\u0061b\"", b"s\x02ab"),
        ("[]", b"ae"),
        ("{}", b"oe"),
        ("[1,[\"\"]]", b"ad1e0;as\x00ee"),
        ("{\"b\":1,\"a\":null}", b"ok\x01ank\x01bd1e0;e"),
        (
            "{\"b\":{\"d\":[],\"c\":2},\"a\":{}}",
            b"ok\x01aoek\x01bok\x01cd2e0;k\x01daeee",
        ),
        ("[null,{\"\":true}]", b"anok\x00tee"),
    ];
    for (text, bytes) in cases {
        assert_eq!(form(text), bytes, "{text}");
    }
    let long = format!("\"{}\"", "x".repeat(300));
    assert!(form(&long).starts_with(b"s\xAC\x02xxx"));
}

#[test]
fn names_sort_by_decoded_bytes() {
    // U+FFFF sorts before an emoji by bytes, after it by UTF-16 units.
    let a = form(r#"{"\ud83d\ude00":1,"\uffff":2,"a\u0000":3,"a":4}"#);
    let b = form("{\"a\":4,\"a\\u0000\":3,\"\u{ffff}\":2,\"😀\":1}");
    assert_eq!(a, b);
    assert!(a.starts_with(b"ok\x01ad4e0;k\x02a\x00"));
}

#[test]
fn duplicates_name_their_object() {
    let cases = [
        (r#"{"a":1,"\u0061":2}"#, "", "a"),
        (
            r#"{"x":[0,{"b":{},"a/~":{"k":1,"l":1,"k":2}}]}"#,
            "/x/1/a~1~0",
            "k",
        ),
        (r#"[[],[{"z":1,"z":1}]]"#, "/1/0", "z"),
        (r#"{"b":1,"a":{"":1,"":1},"c":1}"#, "/a", ""),
    ];
    for (text, at, name) in cases {
        let fault = canonicalize(raw(text), &mut Canonical::new()).unwrap_err();
        assert_eq!(
            fault,
            Fault::Duplicate {
                at: at.into(),
                name: name.into()
            },
            "{text}"
        );
    }
    assert!(request_digest("tools/call", None, Some(raw(r#"{"a":{"b":1,"b":1}}"#))).is_err());
}

#[test]
fn scratch_is_clean_after_a_fault() {
    let mut scratch = Canonical::new();
    assert!(canonicalize(raw(r#"[{"a":{"b":1,"b":2}}]"#), &mut scratch).is_err());
    canonicalize(raw(r#"{"b":1,"a":2}"#), &mut scratch).unwrap();
    assert_eq!(scratch.bytes(), form(r#"{"a":2,"b":1}"#));
}

#[test]
fn request_layout() {
    let digest = |args: Option<&str>| {
        let name = raw("\"book\"").string();
        request_digest("tools/call", name, args.map(raw)).unwrap()
    };
    let expected = sha256(b"mrtr request 1\ns\x0atools/calls\x04bookoe");
    assert_eq!(digest(None), expected);
    assert_eq!(digest(Some("null")), expected);
    assert_eq!(digest(Some("{ }")), expected);
    assert_ne!(digest(Some("[]")), expected);
    let none = request_digest("tools/call", None, None).unwrap();
    assert_eq!(none, sha256(b"mrtr request 1\ns\x0atools/callnoe"));
    let other = request_digest("prompts/get", raw("\"book\"").string(), None).unwrap();
    assert_ne!(other, expected);
}

/// The published vectors, `docs/vectors/arguments-digest.json`.
mod vectors {
    use super::*;
    use mrtr::json::Object;
    use std::fmt::Write;

    fn hex(bytes: &[u8]) -> String {
        bytes.iter().fold(String::new(), |mut out, byte| {
            let _ = write!(out, "{byte:02x}");
            out
        })
    }

    fn each(part: &str, mut check: impl FnMut(&str, &dyn Fn(&str) -> Option<String>)) {
        let text = include_str!("../docs/vectors/arguments-digest.json");
        let all = raw(text).object().unwrap();
        let list: Vec<Object<'_>> = all
            .get(part)
            .unwrap()
            .elements()
            .unwrap()
            .map(|raw| raw.object().unwrap())
            .collect();
        assert!(!list.is_empty());
        for vector in list {
            let field = |name: &str| {
                vector
                    .get(name)
                    .unwrap()
                    .string()
                    .map(|s| s.text().unwrap().into_owned())
            };
            check(&field("name").unwrap(), &field);
        }
    }

    #[test]
    fn canonical() {
        each("canonical", |name, field| {
            let bytes = form(&field("text").unwrap());
            assert_eq!(hex(&bytes), field("canonical").unwrap(), "{name}");
            assert_eq!(hex(&sha256(&bytes)), field("sha256").unwrap(), "{name}");
        });
    }

    #[test]
    fn requests() {
        each("requests", |name, field| {
            let (target, arguments) = (field("target"), field("arguments"));
            let target = target.as_deref().map(|text| raw(text).string().unwrap());
            let digest = request_digest(
                &field("method").unwrap(),
                target,
                arguments.as_deref().map(raw),
            );
            assert_eq!(hex(&digest.unwrap()), field("sha256").unwrap(), "{name}");
        });
    }

    #[test]
    fn refused() {
        each("refused", |vector, field| {
            let text = field("text").unwrap();
            let fault = canonicalize(raw(&text), &mut Canonical::new()).unwrap_err();
            let (at, name) = (
                field("at").unwrap(),
                field("member").unwrap().as_str().into(),
            );
            assert_eq!(fault, Fault::Duplicate { at, name }, "{vector}");
        });
    }
}

#[test]
fn whole_params_give_the_digest_of_their_parts_in_any_order() {
    let name = raw(r#""book""#).string();
    let arguments = raw(r#"{"a":[1,{"bb":"x"}],"long name of a member":true}"#);
    let whole = |member: Option<&str>, text: &str| {
        let mut scratch = Canonical::new();
        params_digest_with(&mut scratch, "m", member, Some(raw(text)))
    };
    let want = request_digest("m", name, Some(arguments)).expect("is one");
    for params in [
        r#"{"name":"book","arguments":{"long name of a member":true,"a":[1.0,{"bb":"x"}]},"_meta":{"arguments":1}}"#,
        r#"{ "arguments" : {"a":[1,{"bb":"x"}],"long name of a member":true} , "name" : "book" }"#,
        r#"{"x":[{"y":"]}"}],"n\u0061me":"book","arguments":{"a":[1e0,{"bb":"x"}],"long name of a member":true}}"#,
    ] {
        assert_eq!(
            whole(Some("name"), params).ok(),
            Some(Some(want)),
            "{params}"
        );
    }
    let none = request_digest("m", name, None).expect("is one");
    for params in [
        r#"{"name":"book"}"#,
        r#"{"name":"book","arguments":null}"#,
        r#"{"name":"book","arguments":null,"z":1}"#,
        r#"{"arguments":{},"name":"book"}"#,
    ] {
        assert_eq!(
            whole(Some("name"), params).ok(),
            Some(Some(none)),
            "{params}"
        );
    }
    let unnamed = request_digest("m", None, Some(arguments)).expect("is one");
    let params = r#"{"name":"book","arguments":{"a":[1,{"bb":"x"}],"long name of a member":true}}"#;
    assert_eq!(whole(None, params).ok(), Some(Some(unnamed)));
    for twice in [
        r#"{"name":"a","name":"a"}"#,
        r#"{"name":"a","arguments":{},"arguments":{}}"#,
        r#"{"arguments":{},"name":"a","arguments":{}}"#,
        r#"{"name":"a","arguments":{},"name":"a"}"#,
        r#"{"name":"a","arguments":{"x":1,"x":2}}"#,
        "[]",
    ] {
        assert!(whole(Some("name"), twice).is_err(), "{twice}");
    }
}

#[test]
fn a_target_that_is_no_string_gives_no_digest() {
    for params in [
        r#"{"name":5,"arguments":{}}"#,
        r#"{"arguments":{},"name":{}}"#,
    ] {
        let digest =
            params_digest_with(&mut Canonical::new(), "m", Some("name"), Some(raw(params)));
        assert_eq!(digest, Ok(None), "{params}");
    }
}
