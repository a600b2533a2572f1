//! Properties of the JSON room, with serde_json as the oracle for grammar and decoding (J1-J5, S5).

use mrtr::json::{Canonical, Key, Limits, Number, Raw, canonicalize, splice};
use proptest::prelude::*;
use serde_json::value::RawValue;
use std::cmp::Ordering;
use std::fmt::Write;

fn parse(text: &str) -> Option<Raw<'_>> {
    Raw::parse(text, &Limits::default()).ok()
}

fn form(text: &str) -> Option<Vec<u8>> {
    let mut scratch = Canonical::new();
    canonicalize(parse(text)?, &mut scratch).ok()?;
    Some(scratch.bytes().to_vec())
}

/// A value as we mean it; strings are code units.
#[derive(Debug, Clone, PartialEq)]
enum Tree {
    Word(&'static str),
    Number(i64, i8),
    String(Vec<u16>),
    Array(Vec<Tree>),
    Object(Vec<(Vec<u16>, Tree)>),
}

fn units() -> impl Strategy<Value = Vec<u16>> {
    let unit = prop_oneof![
        4 => b'a'..=b'c',
        1 => Just(b'"'),
        1 => Just(b'\\'),
    ]
    .prop_map(u16::from);
    let odd = prop_oneof![
        Just(0),
        Just(0x1F),
        Just(0xE9),
        Just(0x2028),
        0xD83Cu16..0xD83E,
        0xDE00u16..0xDE02
    ];
    prop::collection::vec(prop_oneof![3 => unit, 1 => odd], 0..12)
}

fn tree() -> impl Strategy<Value = Tree> {
    let leaf = prop_oneof![
        prop::sample::select(vec!["null", "true", "false"]).prop_map(Tree::Word),
        (-999i64..999, -3i8..3).prop_map(|(digits, power)| Tree::Number(digits, power)),
        units().prop_map(Tree::String),
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        let members = prop::collection::vec((units(), inner.clone()), 0..6);
        prop_oneof![
            prop::collection::vec(inner, 0..6).prop_map(Tree::Array),
            members.prop_map(|mut members| {
                members.sort_by(|a, b| a.0.cmp(&b.0));
                members.dedup_by(|a, b| a.0 == b.0);
                Tree::Object(members)
            }),
        ]
    })
}

/// Choices of a writer: any bytes will do.
struct Choice<'a>(std::iter::Cycle<std::slice::Iter<'a, u8>>);

impl Choice<'_> {
    fn of(&mut self, count: usize) -> usize {
        usize::from(*self.0.next().unwrap()) % count
    }
}

fn write_tree(tree: &Tree, choice: &mut Choice<'_>, out: &mut String) {
    let space = [" ", "", "\n", "", "\r\n\t", ""];
    out.push_str(space[choice.of(6)]);
    match tree {
        Tree::Word(word) => out.push_str(word),
        Tree::Number(digits, power) => write_number(*digits, *power, choice, out),
        Tree::String(units) => write_units(units, choice, out),
        Tree::Array(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                out.push_str(if at > 0 { "," } else { "" });
                write_tree(item, choice, out);
            }
            out.push_str(space[choice.of(6)]);
            out.push(']');
        }
        Tree::Object(members) => {
            let turn = if members.is_empty() {
                0
            } else {
                choice.of(members.len())
            };
            out.push('{');
            for at in 0..members.len() {
                let (name, value) = &members[(at + turn) % members.len()];
                out.push_str(if at > 0 { "," } else { "" });
                out.push_str(space[choice.of(6)]);
                write_units(name, choice, out);
                out.push_str(space[choice.of(6)]);
                out.push(':');
                write_tree(value, choice, out);
            }
            out.push_str(space[choice.of(6)]);
            out.push('}');
        }
    }
    out.push_str(space[choice.of(6)]);
}

fn write_number(digits: i64, power: i8, choice: &mut Choice<'_>, out: &mut String) {
    let _ = match choice.of(4) {
        _ if digits == 0 => write!(out, "{}", ["0", "-0", "0.00", "0e5"][choice.of(4)]),
        0 => write!(out, "{digits}000.00E{}", power - 3),
        1 => write!(out, "{digits}0e{}", power - 1),
        2 if power == 0 => write!(out, "{digits}.0e+00"),
        _ => write!(out, "{digits}e{power}"),
    };
}

fn write_units(units: &[u16], choice: &mut Choice<'_>, out: &mut String) {
    out.push('"');
    for decoded in char::decode_utf16(units.iter().copied()) {
        let plain = match decoded {
            Ok(c) if c >= ' ' && c != '"' && c != '\\' => Some(c),
            _ => None,
        };
        match plain {
            Some(c) if choice.of(3) > 0 => out.push(c),
            _ => {
                let mut buffer = [0; 2];
                let units = match &decoded {
                    Ok(c) => &*c.encode_utf16(&mut buffer),
                    Err(lone) => {
                        buffer[0] = lone.unpaired_surrogate();
                        &buffer[..1]
                    }
                };
                for unit in units {
                    let _ = if choice.of(2) == 0 {
                        write!(out, "\\u{unit:04x}")
                    } else {
                        write!(out, "\\u{unit:04X}")
                    };
                }
            }
        }
    }
    out.push('"');
}

/// WTF-8 by way of the oracle.
fn oracle_bytes(token: &str) -> Vec<u8> {
    use serde::de::{Deserializer, Visitor};
    struct Bytes;
    impl Visitor<'_> for Bytes {
        type Value = Vec<u8>;
        fn expecting(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
            f.write_str("a string")
        }
        fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Vec<u8>, E> {
            Ok(bytes.to_vec())
        }
    }
    serde_json::Deserializer::from_str(token)
        .deserialize_bytes(Bytes)
        .unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 300 } else { 20_000 }))]

    #[test]
    fn grammar_agrees_with_the_oracle(text in r#"[\[\]{}",:\\ u019.eE+\-tfn]{0,12}"#) {
        let oracle = serde_json::from_str::<&RawValue>(&text);
        prop_assert_eq!(parse(&text).map(Raw::text), oracle.ok().map(|raw| raw.get().trim_end()));
    }

    #[test]
    fn broken_values_agree_with_the_oracle(t in tree(), c in any::<[u8; 9]>(), at in any::<prop::sample::Index>(), with in "[\\[\\]{}\",:\\\\ u01.e\u{1}é]?") {
        let mut text = String::new();
        write_tree(&t, &mut Choice(c.iter().cycle()), &mut text);
        let mut chars: Vec<char> = text.chars().collect();
        let spot = at.index(chars.len());
        chars.splice(spot..=spot, with.chars());
        let broken: String = chars.into_iter().collect();
        prop_assert_eq!(parse(&broken).is_some(), serde_json::from_str::<&RawValue>(&broken).is_ok(), "{}", broken);
    }

    #[test]
    fn bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
        if let Ok(raw) = Raw::parse_bytes(&bytes, &Limits::default()) {
            let _ = canonicalize(raw, &mut Canonical::new());
        }
    }

    #[test]
    fn strings_decode_like_the_oracle(u in units(), c in any::<[u8; 9]>()) {
        let mut token = String::new();
        write_units(&u, &mut Choice(c.iter().cycle()), &mut token);
        let string = parse(&token).unwrap().string().unwrap();
        let bytes = oracle_bytes(&token);
        prop_assert_eq!(&*string.bytes(), &*bytes);
        prop_assert_eq!(string.bytes_len(), bytes.len());
        prop_assert_eq!(string.code_points(), char::decode_utf16(u.iter().copied()).count());
        let key = Key::from_wtf8(&bytes).unwrap();
        prop_assert_eq!(&key, &string.key());
        let mut again = String::new();
        key.write_json(&mut again);
        prop_assert!(parse(&again).unwrap().string().unwrap().same(string));
        if let Ok(text) = std::str::from_utf8(&bytes) {
            prop_assert!(string.is(text));
            prop_assert_eq!(serde_json::from_str::<String>(&again).unwrap(), text);
        }
    }

    #[test]
    fn names_are_the_same_exactly_when_they_decode_alike(a in units(), b in units(), c in any::<[u8; 9]>()) {
        let mut choice = Choice(c.iter().cycle());
        for other in [&a, &b] {
            let (mut left, mut right) = (String::new(), String::new());
            write_units(&a, &mut choice, &mut left);
            write_units(other, &mut choice, &mut right);
            let (l, r) = (parse(&left).unwrap().string().unwrap(), parse(&right).unwrap().string().unwrap());
            prop_assert_eq!(l.same(r), &a == other);
            let text = format!("{{{left}:1,{right}:2}}");
            prop_assert_eq!(parse(&text).unwrap().object().is_err(), &a == other);
            prop_assert_eq!(form(&text).is_none(), &a == other);
        }
    }

    #[test]
    fn equal_values_have_one_form(t in tree(), c in any::<[u8; 9]>(), d in any::<[u8; 7]>()) {
        let (mut a, mut b) = (String::new(), String::new());
        write_tree(&t, &mut Choice(c.iter().cycle()), &mut a);
        write_tree(&t, &mut Choice(d.iter().cycle()), &mut b);
        prop_assert!(form(&a).is_some(), "{}", a);
        prop_assert_eq!(form(&a), form(&b), "{} {}", a, b);
        let line = parse(&a).unwrap().one_line();
        prop_assert!(!line.contains(['\n', '\r']));
        prop_assert_eq!(form(&line), form(&a));
    }

    #[test]
    fn other_values_have_another_form(t in tree(), u in tree()) {
        let same = normal(&t) == normal(&u);
        let (mut a, mut b) = (String::new(), String::new());
        write_tree(&t, &mut Choice([1].iter().cycle()), &mut a);
        write_tree(&u, &mut Choice([1].iter().cycle()), &mut b);
        prop_assert_eq!(form(&a) == form(&b), same, "{} {}", a, b);
    }

    #[test]
    fn numbers_compare_like_scaled_integers(a in -1_000_000i64..1_000_000, x in -9i8..9, b in -1_000_000i64..1_000_000, y in -9i8..9) {
        let (left, right) = (format!("{a}e{x}"), format!("{b}.0E{y}"));
        let (l, r) = (Number::parse(&left).unwrap(), Number::parse(&right).unwrap());
        let scaled = |digits: i64, power: i8| i128::from(digits) * 10i128.pow((power + 9) as u32);
        let expected = scaled(a, x).cmp(&scaled(b, y));
        prop_assert_eq!(l.compare(r), expected);
        let (mut p, mut q) = (Vec::new(), Vec::new());
        l.write_canonical(&mut p);
        r.write_canonical(&mut q);
        prop_assert_eq!(p == q, expected == Ordering::Equal);
        let whole = scaled(a, x) % 1_000_000_000 == 0;
        prop_assert_eq!(l.is_integer(), whole);
        let value = whole.then(|| scaled(a, x) / 1_000_000_000);
        prop_assert_eq!(l.to_i64().map(i128::from), value);
        prop_assert_eq!(l.to_u64().map(i128::from), value.filter(|v| *v >= 0));
        // The canonical spelling is a number of the same value.
        let again = String::from_utf8(p).unwrap();
        prop_assert_eq!(Number::parse(&again).unwrap().compare(l), Ordering::Equal);
    }

    #[test]
    fn far_exponents_add_up(digits in "[1-9][0-9]{0,6}", zeros in 0usize..40, power in "-?[1-9][0-9]{0,45}") {
        // Zeros moved from the digits into the exponent leave the value alone.
        let long = format!("{digits}{}e{power}", "0".repeat(zeros));
        let fraction = format!("0.{}{digits}e{power}", "0".repeat(zeros));
        let (mut a, mut b) = (Vec::new(), Vec::new());
        Number::parse(&long).unwrap().write_canonical(&mut a);
        let short = format!("{digits}e{}", decimal_sum(&power, zeros as i64));
        Number::parse(&short).unwrap().write_canonical(&mut b);
        prop_assert_eq!(String::from_utf8_lossy(&a), String::from_utf8_lossy(&b));
        let down = format!("{digits}e{}", decimal_sum(&power, -((zeros + digits.len()) as i64)));
        prop_assert_eq!(Number::parse(&fraction).unwrap().compare(Number::parse(&down).unwrap()), Ordering::Equal);
        prop_assert_eq!(Number::parse(&long).unwrap().compare(Number::parse(&down).unwrap()), Ordering::Greater);
    }

    #[test]
    fn splicing_keeps_the_rest(members in prop::collection::vec(("[a-c]", "[0-9]{1,3}"), 0..8), drop in "[a-c]", c in any::<[u8; 9]>()) {
        let mut choice = Choice(c.iter().cycle());
        let mut text = String::from("{");
        for (at, (name, value)) in members.iter().enumerate() {
            text.push_str(if at > 0 { "," } else { "" });
            text.push_str(["", " ", "\n"][choice.of(3)]);
            write_units(&name.encode_utf16().collect::<Vec<_>>(), &mut choice, &mut text);
            let _ = write!(text, ":{}", if value.starts_with('0') { "0" } else { value });
        }
        text.push('}');
        let out = splice(parse(&text).unwrap(), &[&drop], &[("new", "[\n]")]);
        let seen: Vec<_> = parse(&out).unwrap().members().unwrap().map(|(n, v)| (n.token(), v.text())).collect();
        let mut expected: Vec<_> = parse(&text).unwrap().members().unwrap().filter(|(n, _)| !n.is(&drop)).map(|(n, v)| (n.token(), v.text())).collect();
        expected.push(("\"new\"", "[]"));
        prop_assert_eq!(seen, expected);
        prop_assert!(!out.contains('\n'));
    }
}

/// Numbers by value and members in order, so that equal values are equal trees.
fn normal(tree: &Tree) -> Tree {
    match tree {
        Tree::Number(0, _) => Tree::Number(0, 0),
        Tree::Number(digits, power) if digits % 10 == 0 => {
            normal(&Tree::Number(digits / 10, power + 1))
        }
        Tree::Array(items) => Tree::Array(items.iter().map(normal).collect()),
        Tree::Object(members) => Tree::Object(
            members
                .iter()
                .map(|(name, value)| (name.clone(), normal(value)))
                .collect(),
        ),
        other => other.clone(),
    }
}

/// Schoolbook addition of a small number to a decimal text.
fn decimal_sum(text: &str, add: i64) -> String {
    let negative = text.starts_with('-');
    let mut digits: Vec<i64> = text
        .trim_start_matches('-')
        .bytes()
        .rev()
        .map(|b| i64::from(b - b'0'))
        .collect();
    digits.resize(60, 0);
    let mut carry = if negative { -add } else { add };
    for digit in &mut digits {
        let sum = *digit + carry;
        *digit = sum.rem_euclid(10);
        carry = sum.div_euclid(10);
    }
    if carry < 0 {
        // Ten's complement: the sign turned.
        let mut carry = 1;
        for digit in &mut digits {
            let sum = 9 - *digit + carry;
            *digit = sum % 10;
            carry = sum / 10;
        }
    }
    let sign = if negative != (carry < 0) { "-" } else { "" };
    let text: String = digits.iter().rev().map(|d| d.to_string()).collect();
    let text = text.trim_start_matches('0');
    if text.is_empty() {
        "0".into()
    } else {
        format!("{sign}{text}")
    }
}
