//! Numbers by exact decimal value (S5, D14).

use mrtr::json::Number;
use std::cmp::Ordering::{Equal, Less};

fn number(text: &str) -> Number<'_> {
    Number::parse(text).unwrap_or_else(|| panic!("{text} is no number"))
}

fn canonical(text: &str) -> String {
    let mut out = Vec::new();
    number(text).write_canonical(&mut out);
    String::from_utf8(out).unwrap()
}

#[test]
fn canonical_spelling() {
    let cases = [
        ("0", "0"),
        ("-0", "0"),
        ("0.00e99", "0"),
        ("-0e-9", "0"),
        ("1", "1e0"),
        ("1.0", "1e0"),
        ("1e0", "1e0"),
        ("10e-1", "1e0"),
        ("0.1e1", "1e0"),
        ("150", "15e1"),
        ("-0.5", "-5e-1"),
        ("1.50e3", "15e2"),
        ("100.001", "100001e-3"),
        ("0.00120", "12e-4"),
        ("1E+05", "1e5"),
        ("1e-005", "1e-5"),
        ("9007199254740993", "9007199254740993e0"),
        (
            "1e99999999999999999999999999999999999999999",
            "1e99999999999999999999999999999999999999999",
        ),
        (
            "10e99999999999999999999999999999999999999999",
            "1e100000000000000000000000000000000000000000",
        ),
        (
            "0.1e-99999999999999999999999999999999999999999",
            "1e-100000000000000000000000000000000000000000",
        ),
        (
            "10e-100000000000000000000000000000000000000000",
            "1e-99999999999999999999999999999999999999999",
        ),
        // Both sides of the border between the two forms of an exponent.
        (
            "10e999999999999999999999999999999",
            "1e1000000000000000000000000000000",
        ),
        (
            "0.1e1000000000000000000000000000000",
            "1e999999999999999999999999999999",
        ),
        (
            "0.1e-999999999999999999999999999999",
            "1e-1000000000000000000000000000000",
        ),
        (
            "10e-1000000000000000000000000000000",
            "1e-999999999999999999999999999999",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(canonical(text), expected, "{text}");
    }
}

#[test]
fn order_is_by_exact_value() {
    let rising = [
        "-1e99999999999999999999999999999999999999",
        "-1e99999999999999999999",
        "-1000000000000000000000000000001",
        "-1000000000000000000000000000000",
        "-2",
        "-1.5",
        "-1e-99999999999999999999999999999999999999",
        "-1e-99999999999999999999999999999999999999999",
        "0",
        "1e-99999999999999999999999999999999999999999",
        "1e-99999999999999999999",
        "0.1",
        "0.10000000000000000000000000001",
        "0.2",
        "1",
        "9",
        "10",
        "9007199254740992",
        "9007199254740993",
        "1000000000000000000000000000000",
        "1000000000000000000000000000001",
        "1e400",
        "1e999999999999999999999999999998",
        "1e999999999999999999999999999999",
        "1e1000000000000000000000000000000",
        "1e99999999999999999999999999999999999999",
    ];
    for (i, a) in rising.iter().enumerate() {
        for (j, b) in rising.iter().enumerate() {
            assert_eq!(number(a).compare(number(b)), i.cmp(&j), "{a} {b}");
        }
    }
    for (a, b) in [
        ("1", "1.0"),
        ("-0", "0.0"),
        ("1e2", "100"),
        ("12e-1", "1.2"),
        ("0e9", "-0e-9"),
    ] {
        assert_eq!(number(a).compare(number(b)), Equal, "{a} {b}");
    }
    assert_eq!(number("0.9e10").compare(number("1e10")), Less);
}

#[test]
fn integers() {
    for text in [
        "3",
        "3.0",
        "3e0",
        "30e-1",
        "-3",
        "0.0",
        "1e400",
        "-0",
        "1e99999999999999999999999999999999",
    ] {
        assert!(number(text).is_integer(), "{text}");
    }
    for text in [
        "3.5",
        "3e-1",
        "1e-400",
        "0.1",
        "1e-99999999999999999999999999999999",
    ] {
        assert!(!number(text).is_integer(), "{text}");
    }
    assert_eq!(number("1.0e2").to_u64(), Some(100));
    assert_eq!(number("-0").to_u64(), Some(0));
    assert_eq!(number("-1").to_u64(), None);
    assert_eq!(number("18446744073709551615").to_u64(), Some(u64::MAX));
    assert_eq!(number("18446744073709551616").to_u64(), None);
    assert_eq!(number("1844674407370955161.5e1").to_u64(), Some(u64::MAX));
    assert_eq!(number("1e19").to_u64(), Some(10_000_000_000_000_000_000));
    assert_eq!(number("99999999999999999999e20").to_u64(), None);
    assert_eq!(number("1e20").to_u64(), None);
    assert_eq!(number("1.5").to_u64(), None);
    assert_eq!(number("-9223372036854775808").to_i64(), Some(i64::MIN));
    assert_eq!(number("9223372036854775808").to_i64(), None);
    assert_eq!(number("-2.50e1").to_i64(), Some(-25));
    assert_eq!(number("1e9999999999").to_i64(), None);
}

#[test]
fn only_numbers_parse() {
    for text in ["", "1 2", "\"1\"", "true", "01", "1.", "NaN"] {
        assert!(Number::parse(text).is_none(), "{text}");
    }
    assert!(Number::parse(&"9".repeat(100_000)).is_some());
}
