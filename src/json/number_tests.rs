use super::Number;

fn floor(text: &str) -> Option<i64> {
    Number::parse(text).expect("a number").floor()
}

#[test]
fn the_integer_below() {
    for (text, below) in [
        ("0", 0),
        ("-0.0", 0),
        ("7", 7),
        ("1.8", 1),
        ("-1.8", -2),
        ("0.3", 0),
        ("-0.003", -1),
        ("1234.5e-2", 12),
        ("1.2345e2", 123),
        ("-5e-99999999999999999999999999999999999999", -1),
        ("999999999999999999.5", 999_999_999_999_999_999),
    ] {
        assert_eq!(floor(text), Some(below), "{text}");
    }
    assert_eq!(floor("1e40"), None);
    assert_eq!(floor("1234567890123456789.5"), None);
}
