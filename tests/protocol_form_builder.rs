//! Forms written field by field (B4): the text that comes out, and the spots of what is refused.

use mrtr::protocol::{Choice, Code, FieldKind, FieldSpec, FormBuilder};

fn choice<'a>(value: &'a str, title: &'a str) -> Choice<'a> {
    Choice {
        value,
        title: Some(title).filter(|title| !title.is_empty()),
    }
}

fn schema(fields: &[FieldSpec<'_>]) -> String {
    let mut form = FormBuilder::default();
    for field in fields {
        form.add(field)
            .unwrap_or_else(|error| panic!("{}: {error}", field.name));
    }
    form.schema()
}

/// Code and pointer of what the last field is refused with.
fn refusal(field: &FieldSpec<'_>) -> (Code, String) {
    let mut form = FormBuilder::default();
    let before = form.schema();
    let error = form.add(field).expect_err("the field is refused");
    assert_eq!(
        form.schema(),
        before,
        "a refused field leaves the form as it was"
    );
    (error.code(), error.at().unwrap_or("").to_owned())
}

#[test]
fn no_fields_make_a_form_to_confirm() {
    assert_eq!(schema(&[]), r#"{"type":"object","properties":{}}"#);
}

#[test]
fn every_kind_is_written_with_all_that_goes_with_it() {
    let (one, several) = (["b"], ["x", "y"]);
    let choices = [choice("a", "A \"quoted\""), choice("b", "")];
    let plain = [choice("x", ""), choice("y", "")];
    let fields = [
        FieldSpec {
            title: Some("E-mail"),
            description: Some("Where to"),
            format: Some("email"),
            min_count: 3,
            max_count: Some(40),
            default: Some(&["a@b.example"]),
            required: true,
            ..FieldSpec::new("mail", FieldKind::Text)
        },
        FieldSpec {
            minimum: Some("-0.5"),
            maximum: Some("1e400"),
            default: Some(&["1.50"]),
            ..FieldSpec::new("share", FieldKind::Number)
        },
        FieldSpec {
            minimum: Some("1"),
            maximum: Some("9007199254740993"),
            required: true,
            ..FieldSpec::new("seats", FieldKind::Integer)
        },
        FieldSpec {
            default: Some(&["true"]),
            ..FieldSpec::new("news", FieldKind::Boolean)
        },
        FieldSpec {
            choices: &choices,
            default: Some(&one),
            ..FieldSpec::new("row", FieldKind::Select)
        },
        FieldSpec {
            choices: &plain,
            min_count: 1,
            max_count: Some(2),
            default: Some(&several),
            ..FieldSpec::new("bags", FieldKind::MultiSelect)
        },
    ];
    let expected = concat!(
        r#"{"type":"object","properties":{"#,
        r#""mail":{"type":"string","title":"E-mail","description":"Where to","format":"email","minLength":3,"maxLength":40,"default":"a@b.example"},"#,
        r#""share":{"type":"number","minimum":-0.5,"maximum":1e400,"default":1.50},"#,
        r#""seats":{"type":"integer","minimum":1,"maximum":9007199254740993},"#,
        r#""news":{"type":"boolean","default":true},"#,
        r#""row":{"type":"string","oneOf":[{"const":"a","title":"A \"quoted\""},{"const":"b","title":"b"}],"default":"b"},"#,
        r#""bags":{"type":"array","minItems":1,"maxItems":2,"items":{"type":"string","enum":["x","y"]},"default":["x","y"]}"#,
        r#"},"required":["mail","seats"]}"#
    );
    assert_eq!(schema(&fields), expected);
}

#[test]
fn titled_selections_and_an_empty_default_list() {
    let choices = [choice("x", "X")];
    let field = FieldSpec {
        choices: &choices,
        default: Some(&[]),
        ..FieldSpec::new("bags", FieldKind::MultiSelect)
    };
    assert_eq!(
        schema(&[field]),
        r#"{"type":"object","properties":{"bags":{"type":"array","items":{"type":"string","anyOf":[{"const":"x","title":"X"}]},"default":[]}}}"#
    );
}

#[test]
fn what_breaks_a_rule_is_refused_at_its_spot() {
    let choices = [choice("a", "")];
    let spec = FieldSpec::new;
    let at = |field: &FieldSpec<'_>| {
        let (code, at) = refusal(field);
        assert_eq!(code, Code::BadSchema, "{at}");
        at.strip_prefix("/requestedSchema/properties/")
            .unwrap_or(&at)
            .to_owned()
    };
    let text = spec("a/b", FieldKind::Text);
    let number = spec("n", FieldKind::Number);
    let format = Some("colour");
    assert_eq!(at(&FieldSpec { format, ..text }), "a~1b/format");
    let (min_count, max_count) = (3, Some(2));
    assert_eq!(
        at(&FieldSpec {
            min_count,
            max_count,
            ..text
        }),
        "a~1b"
    );
    let minimum = Some("one");
    assert_eq!(at(&FieldSpec { minimum, ..number }), "n/minimum");
    let minimum = Some("1,\"x\":2");
    assert_eq!(at(&FieldSpec { minimum, ..number }), "n/minimum");
    let minimum = Some("1");
    assert_eq!(at(&FieldSpec { minimum, ..text }), "a~1b/minimum");
    assert_eq!(
        at(&FieldSpec {
            min_count: 1,
            ..number
        }),
        "n"
    );
    let choices = choices.as_slice();
    assert_eq!(at(&FieldSpec { choices, ..number }), "n");
    assert_eq!(at(&spec("s", FieldKind::Select)), "s");
    assert_eq!(at(&spec("m", FieldKind::MultiSelect)), "m/items");
    let select = FieldSpec {
        choices,
        ..spec("s", FieldKind::Select)
    };
    let boolean = spec("b", FieldKind::Boolean);
    for (field, default) in [
        (number, ["x"].as_slice()),
        (boolean, &["yes"]),
        (text, &["a", "b"]),
        (text, &[]),
        (select, &["z"]),
    ] {
        let default = Some(default);
        assert!(at(&FieldSpec { default, ..field }).ends_with("/default"));
    }
}

#[test]
fn a_name_stands_once() {
    let mut form = FormBuilder::default();
    let field = FieldSpec::new("n", FieldKind::Text);
    form.add(&field).expect("the first one");
    let error = form.add(&field).expect_err("the second one");
    assert_eq!(error.at(), Some("/requestedSchema/properties/n"));
    assert_eq!(
        form.schema(),
        r#"{"type":"object","properties":{"n":{"type":"string"}}}"#
    );
}
