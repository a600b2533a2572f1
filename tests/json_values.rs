//! JSON room: grammar, navigation, names, duplicates, limits, splicing (J1-J5).

use mrtr::json::{Fault, Key, Kind, Limits, Raw, splice};

fn raw(text: &str) -> Raw<'_> {
    Raw::parse(text, &Limits::default()).unwrap_or_else(|e| panic!("{text}: {e}"))
}

fn fault(text: &str) -> Fault {
    match Raw::parse(text, &Limits::default()) {
        Ok(_) => panic!("{text} was taken"),
        Err(fault) => fault,
    }
}

#[test]
fn kinds_and_scalars() {
    let cases = [
        ("null", Kind::Null),
        (" true ", Kind::Bool),
        ("false", Kind::Bool),
        ("-0.0e+00", Kind::Number),
        ("\"\"", Kind::String),
        ("[]", Kind::Array),
        ("\n{ }\t", Kind::Object),
    ];
    for (text, kind) in cases {
        assert_eq!(raw(text).kind(), kind, "{text}");
        assert_eq!(raw(text).text(), text.trim());
    }
    assert_eq!(raw("true").as_bool(), Some(true));
    assert_eq!(raw("false").as_bool(), Some(false));
    assert_eq!(raw("1").as_bool(), None);
}

#[test]
fn grammar_faults_name_the_spot() {
    let cases = [
        ("", 0),
        ("  ", 2),
        ("nul", 0),
        ("True", 0),
        ("01", 1),
        ("1.", 2),
        ("1e", 2),
        ("-", 1),
        ("+1", 0),
        (".5", 0),
        ("[1,]", 3),
        ("[1 2]", 3),
        ("{\"a\":1,}", 7),
        ("{\"a\" 1}", 5),
        ("{a:1}", 1),
        ("[", 1),
        ("{\"a\":1", 6),
        ("\"\\x\"", 1),
        ("\"\\u12g4\"", 1),
        ("\"\u{1}\"", 1),
        ("\"ab", 3),
        ("1 1", 2),
        ("[}", 1),
        ("\u{feff}1", 0),
        ("NaN", 0),
        ("'a'", 0),
        ("[1]]", 3),
        ("\"\\ud80\"", 1),
        ("{\"a\":}", 5),
        ("\"\\", 1),
    ];
    for (text, at) in cases {
        match fault(text) {
            Fault::Syntax { offset, .. } => assert_eq!(offset, at, "{text}"),
            other => panic!("{text}: {other}"),
        }
    }
    let bytes = Raw::parse_bytes(b"\"a\xff\"", &Limits::default());
    assert_eq!(
        bytes,
        Err(Fault::Syntax {
            offset: 2,
            what: "not UTF-8"
        })
    );
}

#[test]
fn depth_counts_the_root_as_one() {
    let nested = |n: usize| "[".repeat(n) + &"]".repeat(n);
    assert!(Raw::parse(&nested(64), &Limits::default()).is_ok());
    assert_eq!(
        fault(&nested(65)),
        Fault::TooLarge {
            limit: "depth",
            size: 65,
            max: 64
        }
    );
    // Far beyond any stack, and beyond the first word of the nesting bits.
    assert_eq!(
        fault(&nested(1_000_000)),
        Fault::TooLarge {
            limit: "depth",
            size: 65,
            max: 64
        }
    );
    let deep = Limits {
        depth: usize::MAX,
        message_bytes: usize::MAX,
        ..Limits::default()
    };
    for n in [63, 64, 65, 127, 128, 129, 1_000_000] {
        assert!(Raw::parse(&nested(n), &deep).is_ok(), "{n}");
        let mixed = "[{\"a\":".repeat(n) + "1" + &"}]".repeat(n);
        assert!(Raw::parse(&mixed, &deep).is_ok(), "{n}");
        let crossed = "[{\"a\":".repeat(n) + "1" + &"]}".repeat(n);
        assert!(Raw::parse(&crossed, &deep).is_err(), "{n}");
    }
    let top = nested(1_000_000);
    let inner = Raw::parse(&top, &deep)
        .unwrap()
        .elements()
        .unwrap()
        .next()
        .unwrap();
    assert_eq!(inner.text().len(), 1_999_998);
}

#[test]
fn size_is_checked_first() {
    let limits = Limits {
        message_bytes: 3,
        ..Limits::default()
    };
    let expected = Err(Fault::TooLarge {
        limit: "message",
        size: 4,
        max: 3,
    });
    assert_eq!(Raw::parse("    ", &limits), expected);
    assert_eq!(Raw::parse_bytes(b"\xff\xff\xff\xff", &limits), expected);
}

#[test]
fn members_keep_order_and_text() {
    let text = r#" { "b" : 3.0 , "a":[1,{"x":"]}"}], "\u0061":1e400,"":"\/\u00e9\ud800" } "#;
    let seen: Vec<_> = raw(text)
        .members()
        .unwrap()
        .map(|(n, v)| (n.token(), v.text()))
        .collect();
    let expected = [
        ("\"b\"", "3.0"),
        ("\"a\"", r#"[1,{"x":"]}"}]"#),
        (r#""\u0061""#, "1e400"),
        ("\"\"", r#""\/\u00e9\ud800""#),
    ];
    assert_eq!(seen, expected);
    let elements: Vec<_> = raw("[ 1 ,[ ], {} , \"a,]\" ]")
        .elements()
        .unwrap()
        .map(Raw::text)
        .collect();
    assert_eq!(elements, ["1", "[ ]", "{}", "\"a,]\""]);
    assert_eq!(raw("[]").elements().unwrap().count(), 0);
    assert_eq!(raw("{ }").members().unwrap().count(), 0);
    assert!(raw("[]").members().is_none() && raw("{}").elements().is_none());
}

#[test]
fn duplicates_go_by_decoded_name() {
    let twice = |text: &str, name: Key| {
        let expected = Fault::Duplicate {
            at: String::new(),
            name,
        };
        assert_eq!(raw(text).object().unwrap_err(), expected, "{text}");
    };
    twice(r#"{"a":1,"a":1}"#, "a".into());
    twice(r#"{"a":1,"b":2,"\u0061":1}"#, "a".into());
    twice(r#"{"😀":1,"\ud83d\ude00":1}"#, "😀".into());
    twice(r#"{"":1,"":2}"#, "".into());
    twice(
        r#"{"\ud800":1,"\uD800":2}"#,
        Key::from_wtf8(&[0xED, 0xA0, 0x80]).unwrap(),
    );
    for n in [7, 8, 9, 15, 16, 17, 500] {
        let many: Vec<String> = (0..n).map(|i| format!("\"k{i}\":{i}")).collect();
        let text = format!("{{{}}}", many.join(","));
        let object = raw(&text).object().unwrap();
        assert_eq!(object.len(), n);
        assert_eq!(
            object.get(&format!("k{}", n - 1)).unwrap().text(),
            (n - 1).to_string()
        );
        assert!(object.get("k").is_none());
        twice(
            &format!("{{{},\"k\\u0030\":0}}", many.join(",")),
            "k0".into(),
        );
    }
    // Same name at other places, other case, other normal form, NUL.
    let text = r#"{"a":{"a":1},"A":1,"é":1,"e\u0301":1,"\u0000":1,"\\u0061":1,"__proto__":1}"#;
    let object = raw(text).object().unwrap();
    assert_eq!(object.len(), 7);
    assert!(object.get("\\u0061").is_some() && object.get("\0").is_some());
    assert!(raw("[1]").object().is_err());
}

#[test]
fn names_of_64_kib() {
    let long = "n".repeat(64 << 10);
    let text = format!("{{\"{long}\":1,\"{long}x\":2}}");
    let object = raw(&text).object().unwrap();
    assert_eq!(object.get(&long).unwrap().text(), "1");
    assert_eq!(
        object
            .get_key(&Key::from(format!("{long}x").as_str()))
            .unwrap()
            .text(),
        "2"
    );
}

#[test]
fn strings_decode_to_wtf8() {
    let cases: [(&str, &[u8]); 9] = [
        (r#""\ud83d\ude00""#, "😀".as_bytes()),
        (r#""\ud83d""#, &[0xED, 0xA0, 0xBD]),
        (r#""\ude00\ud83d""#, &[0xED, 0xB8, 0x80, 0xED, 0xA0, 0xBD]),
        (
            r#""\ud83d\ud83d\ude00""#,
            &[0xED, 0xA0, 0xBD, 0xF0, 0x9F, 0x98, 0x80],
        ),
        (r#""\ud83dx""#, &[0xED, 0xA0, 0xBD, b'x']),
        (r#""\"\\\/\b\f\n\r\t""#, b"\"\\/\x08\x0c\n\r\t"),
        (r#""\u0000""#, b"\0"),
        (r#""a\u00e9é""#, "aéé".as_bytes()),
        (r#""""#, b""),
    ];
    for (token, bytes) in cases {
        let string = raw(token).string().unwrap();
        assert_eq!(&*string.bytes(), bytes, "{token}");
        assert_eq!(string.bytes_len(), bytes.len());
        assert_eq!(
            string.text().as_deref(),
            std::str::from_utf8(bytes).ok(),
            "{token}"
        );
        let key = string.key();
        assert_eq!(Key::from_wtf8(bytes).as_ref(), Some(&key));
        let mut again = String::new();
        key.write_json(&mut again);
        assert!(raw(&again).string().unwrap().same(string), "{again}");
    }
    assert_eq!(
        raw(r#""\ud83d\ude00é\ud800""#)
            .string()
            .unwrap()
            .code_points(),
        3
    );
    let is = |token: &str, name: &str| raw(token).string().unwrap().is(name);
    assert!(is(r#""a\/b""#, "a/b") && is(r#""\\""#, "\\") && is(r#""\u0061""#, "a"));
    assert!(
        !is(r#""\n""#, "\\n")
            && !is(r#""a""#, "A")
            && !is(r#""ab""#, "a")
            && !is(r#""\ud800""#, "\u{fffd}")
    );
}

#[test]
fn wtf8_keys_are_checked() {
    // A pair in two halves is one code point in WTF-8; other bad UTF-8 is none at all.
    let bad: [&[u8]; 5] = [
        &[0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80],
        &[0xFF],
        &[0xED, 0xA0],
        &[0xC0, 0x80],
        &[b'a', 0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80],
    ];
    for bytes in bad {
        assert!(Key::from_wtf8(bytes).is_none(), "{bytes:x?}");
    }
    let apart = [0xED, 0xA0, 0xBD, b'x', 0xED, 0xB8, 0x80];
    assert!(Key::from_wtf8(&apart).is_some());
    assert_eq!(Key::from("a\u{1b}\"").to_string(), r#""a\u{1b}\"""#);
    assert!(Key::from("x".repeat(65536).as_str()).to_string().len() < 200);
}

#[test]
fn splicing_keeps_every_byte_that_stays() {
    let text = "{ \"a\" : 3.0 ,\"requestState\":\"x\",\r\n \"b\":[1,\n2] , \"request\\u0053tate\":1,\"RequestState\":1 }";
    assert_eq!(
        splice(
            raw(text),
            &["requestState", "inputResponses"],
            &[("requestState", "\"y\""), ("n", "{\n}")]
        ),
        "{ \"a\" : 3.0 , \"b\":[1,2] ,\"RequestState\":1 ,\"requestState\":\"y\",\"n\":{}}"
    );
    assert_eq!(splice(raw("{}"), &["a"], &[]), "{}");
    assert_eq!(splice(raw("{\"a\":1}"), &["a"], &[]), "{}");
    assert_eq!(splice(raw("{\"a\":1}"), &["a"], &[("b", "1")]), "{\"b\":1}");
    assert_eq!(splice(raw("{\"b\":1,\"a\":1}"), &["a"], &[]), "{\"b\":1}");
    assert_eq!(splice(raw("{\"a\":1,\"b\":1}"), &["a"], &[]), "{\"b\":1}");
    assert_eq!(splice(raw("{ }"), &[], &[("\"", "1")]), "{\"\\\"\":1}");
}

#[test]
fn one_line_drops_only_breaks_between_tokens() {
    assert_eq!(raw("{\r\n \"a\\n\" :\n1\t}").one_line(), "{ \"a\\n\" :1\t}");
    assert!(matches!(
        raw("[1, 2]").one_line(),
        std::borrow::Cow::Borrowed("[1, 2]")
    ));
}

#[test]
fn debug_shows_no_content() {
    let shown = format!(
        "{:?} {:?}",
        raw("{\"secret\":\"hunter2\"}"),
        raw("\"hunter2\"").string()
    );
    assert!(
        !shown.contains("hunter2") && !shown.contains("secret"),
        "{shown}"
    );
}
