//! Answers to sampling and roots (X5, D3), and forms of many fields.

mod protocol_kit;

use mrtr::protocol::{Answer, Code};
use protocol_kit::answers::*;

#[test]
fn sampling_answers() {
    let text = r#"{"type":"text","text":"t"}"#;
    let tool = r#"{"type":"tool_use","id":"1","name":"n","input":{}}"#;
    let whole =
        |content: &str| format!(r#"{{"role":"assistant","content":{content},"model":"m"}}"#);
    let plain = sampling("");
    for content in [
        text,
        "[]",
        &format!("[{text},{text}]"),
        r#"{"type":"image","data":"aGk=","mimeType":"image/png","x":1}"#,
        r#"{"type":"audio","data":"aGk=","mimeType":"audio/wav"}"#,
    ] {
        let given = whole(content);
        assert_eq!(answer(&plain, &given), accepted(&given), "{content}");
        assert_eq!(
            entry(&plain, &given),
            Ok((given.clone(), false)),
            "{content}"
        );
    }
    for offered in [
        sampling(r#","tools":[]"#),
        sampling(r#","toolChoice":{"mode":"auto"}"#),
    ] {
        assert_eq!(
            answer(&offered, &whole(&format!("[{text},{tool}]"))),
            accepted(&whole(&format!("[{text},{tool}]")))
        );
        assert_eq!(answer(&offered, &whole(text)), accepted(&whole(text)));
    }
    let bad = [
        whole(&format!("[{tool}]")),
        whole(tool),
        whole("\"t\""),
        whole("null"),
        whole("7"),
        whole("[7]"),
        whole(r#"{"type":"text"}"#),
        whole(r#"{"type":"Text","text":"t"}"#),
        whole(r#"{"type":"video","data":"","mimeType":""}"#),
        whole(text).replace("assistant", "user"),
        whole(text).replace("assistant", "Assistant"),
        whole(text).replace("\"m\"", "7"),
        format!(r#"{{"role":"assistant","content":{text}}}"#),
        r#"{"role":"assistant","model":"m"}"#.to_string(),
        r#"{"action":"decline"}"#.to_string(),
        whole(text).replace("\"model\"", "\"role\":\"assistant\",\"model\""),
        "[]".to_string(),
    ];
    for given in bad {
        assert!(is_invalid(&answer(&plain, &given)), "{given}");
        assert_eq!(entry(&plain, &given), Err(Code::HandlerFailed), "{given}");
    }
    assert_eq!(answer(&plain, "null"), Answer::Missing);
}

#[test]
fn roots_answers() {
    for given in [
        r#"{"roots":[]}"#,
        r#"{"roots":[{"uri":"file:///home/user"}]}"#,
        r#"{"_meta":{},"roots":[{"name":"B","uri":"file:///b%20c/","x":[]}],"note":1}"#,
    ] {
        assert_eq!(answer(ROOTS, given), accepted(given));
        assert_eq!(entry(ROOTS, given), Ok((given.to_string(), false)));
    }
    for given in [
        "[]",
        "{}",
        r#"{"Roots":[]}"#,
        r#"{"roots":null}"#,
        r#"{"roots":{}}"#,
        r#"{"roots":[7]}"#,
        r#"{"roots":["file:///a"]}"#,
        r#"{"roots":[{"name":"n"}]}"#,
        r#"{"roots":[{"uri":5}]}"#,
        r#"{"roots":[{"uri":"https://a.example/"}]}"#,
        r#"{"roots":[{"uri":"file:relative"}]}"#,
        r#"{"roots":[{"uri":"file:///a\n"}]}"#,
        r#"{"roots":[{"uri":"file:///\ud800"}]}"#,
        r#"{"roots":[{"uri":"file:///a","name":7}]}"#,
        r#"{"roots":[{"uri":"file:///a"},{"uri":"/b"}]}"#,
        r#"{"roots":[],"roots":[]}"#,
        r#"{"action":"accept","content":{}}"#,
    ] {
        assert!(is_invalid(&answer(ROOTS, given)), "{given}");
        assert_eq!(entry(ROOTS, given), Err(Code::HandlerFailed), "{given}");
    }
}

/// Many fields and many choices cost time in proportion: names are hashed, not compared in pairs.
#[test]
fn long_forms_are_judged_like_short_ones() {
    let count = 20_000;
    let fields: Vec<_> = (0..count)
        .map(|i| format!(r#""f{i}":{{"type":"integer"}}"#))
        .collect();
    let content: Vec<_> = (0..count).map(|i| format!(r#""f{i}":{i}"#)).collect();
    let ask = form(&fields.join(","), &format!("\"f{}\"", count - 1));
    let content = format!("{{{}}}", content.join(","));
    assert_eq!(
        answer(
            &ask,
            &format!(r#"{{"action":"accept","content":{content}}}"#)
        ),
        accepted(&content)
    );
    let options: Vec<_> = (0..count).map(|i| format!("\"{i}\"")).collect();
    let property = format!(
        r#""type":"array","items":{{"type":"string","enum":[{}]}}"#,
        options.join(",")
    );
    assert!(fits(&property, &format!("[{}]", options.join(","))));
    assert!(!fits(&property, r#"["20000"]"#));
}
