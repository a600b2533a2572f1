//! B5, D10: which fields ask for a secret, on a corpus of field names and labels in ten languages.

use mrtr::json::{Limits, Raw, write};
use mrtr::protocol::{Ask, AuthorRules, Code};
use std::collections::BTreeMap;

const CORPUS: &str = include_str!("data/secret_fields.txt");

/// Lines that may be judged wrong: the title `Pin` of a place on a map looks like any other PIN.
const MOST_WRONG: usize = 1;

struct Line {
    secret: bool,
    language: String,
    parts: [String; 3],
}

fn corpus() -> Vec<Line> {
    let lines = CORPUS
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty());
    let read = |line: &str| {
        let mut columns = line.split('|').map(str::to_string);
        let mut next = || columns.next().expect("five columns");
        let secret = match next().as_str() {
            "secret" => true,
            "plain" => false,
            other => panic!("verdict {other}"),
        };
        Line {
            secret,
            language: next(),
            parts: [next(), next(), next()],
        }
    };
    lines.map(read).collect()
}

/// A form ask with one string field of this name, title and description.
fn ask(parts: &[String; 3], kind: &str) -> String {
    let mut out = String::from(
        r#"{"method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":{"#,
    );
    write::push_string(&mut out, &parts[0]);
    out.push_str(&format!(r#":{{"type":{kind}"#));
    for (word, text) in ["title", "description"].iter().zip(&parts[1..]) {
        if !text.is_empty() {
            write::push_text_member(&mut out, &mut false, word, text);
        }
    }
    out.push_str("}}}}}");
    out
}

fn refused(text: &str, allow: &[&str]) -> bool {
    let raw = Raw::parse(text, &Limits::default()).expect("JSON");
    let rules = AuthorRules {
        allow_secret: allow,
        ..AuthorRules::default()
    };
    match Ask::author(raw, &rules) {
        Ok(_) => false,
        Err(error) => {
            assert_eq!(error.code(), Code::SecretField);
            true
        }
    }
}

#[test]
fn the_corpus_is_judged_right() {
    let mut wrong = Vec::new();
    let mut figures: BTreeMap<String, [usize; 4]> = BTreeMap::new();
    for line in corpus() {
        let found = refused(&ask(&line.parts, "\"string\""), &[]);
        let counts = figures.entry(line.language.clone()).or_default();
        counts[usize::from(!line.secret)] += 1;
        if found != line.secret {
            counts[2 + usize::from(!line.secret)] += 1;
            wrong.push(format!(
                "{} taken for {}: {:?}",
                line.language,
                if found { "a secret" } else { "plain" },
                line.parts
            ));
        }
    }
    println!("language: secrets, plain fields, misses, false alarms");
    for (language, counts) in &figures {
        println!("{language}: {counts:?}");
    }
    assert!(
        wrong.len() <= MOST_WRONG,
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

fn password_of(kind: &str) -> String {
    ask(&["password".into(), String::new(), String::new()], kind)
}

#[test]
fn only_what_can_hold_a_secret_asks_for_one() {
    assert!(refused(&password_of("\"integer\""), &[]));
    assert!(refused(&password_of("\"string\""), &[]));
    assert!(!refused(&password_of("\"boolean\""), &[]));
    assert!(!refused(
        &password_of(r#""string","enum":["keep","change"]"#),
        &[]
    ));
}

#[test]
fn an_exception_holds_for_one_exact_name() {
    let text = password_of("\"string\"");
    assert!(!refused(&text, &["password"]));
    assert!(!refused(&text, &["x", "password"]));
    assert!(refused(&text, &["Password"]));
    assert!(refused(&text, &["passwor"]));
}

#[test]
fn accents_may_be_separate_characters_and_letters_escaped() {
    let spelled = |title: &str| ask(&["v".into(), title.into(), String::new()], "\"string\"");
    assert!(refused(&spelled("Su contrasen\u{303}a"), &[]));
    assert!(refused(
        &spelled("pass").replace("pass", r"p\u0061ssword"),
        &[]
    ));
}

#[test]
fn the_corpus_is_large_and_even() {
    let lines = corpus();
    let secrets = lines.iter().filter(|line| line.secret).count();
    assert!(lines.len() >= 150);
    assert!(
        secrets * 5 >= lines.len() * 2 && secrets * 5 <= lines.len() * 3,
        "{secrets} of {}",
        lines.len()
    );
    let languages: std::collections::BTreeSet<_> =
        lines.iter().map(|line| &line.language).collect();
    assert_eq!(languages.len(), 10);
}
