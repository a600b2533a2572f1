//! A text whose places were written down reads like one whose were not, whatever is in it; what stands twice is found by both (J2).

use mrtr::json::{
    Canonical, Fault, Index, Limits, Raw, canonicalize, params_digest_with, read_params_digest,
    request_digest, unique,
};
use proptest::prelude::*;
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use std::collections::HashSet;
use std::fmt;

/// Does any object name a member twice? By the reader of another library.
struct Twice(bool);

impl<'de> Deserialize<'de> for Twice {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Twice, D::Error> {
        from.deserialize_any(Looking)
    }
}

struct Looking;

impl<'de> Visitor<'de> for Looking {
    type Value = Twice;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }
    fn visit_unit<E>(self) -> Result<Twice, E> {
        Ok(Twice(false))
    }
    fn visit_bool<E>(self, _: bool) -> Result<Twice, E> {
        Ok(Twice(false))
    }
    fn visit_u64<E>(self, _: u64) -> Result<Twice, E> {
        Ok(Twice(false))
    }
    fn visit_str<E>(self, _: &str) -> Result<Twice, E> {
        Ok(Twice(false))
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Twice, A::Error> {
        let mut found = false;
        while let Some(Twice(inner)) = list.next_element()? {
            found |= inner;
        }
        Ok(Twice(found))
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Twice, A::Error> {
        let (mut found, mut seen) = (false, HashSet::new());
        while let Some((name, Twice(inner))) = map.next_entry::<String, Twice>()? {
            found |= inner | !seen.insert(name);
        }
        Ok(Twice(found))
    }
}

fn space() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["", "", "", " ", "\n", "\t\r "])
}

/// Few names, each spelled in several ways; some are the start of another.
fn name() -> impl Strategy<Value = String> {
    let named = prop::sample::select(vec![
        r#""""#,
        r#""a""#,
        r#""\u0061""#,
        r#""a\u0000""#,
        r#""\u0061\u0000""#,
        r#""aaaaaaaa""#,
        r#""aaaaaaaa\u0000""#,
        r#""aaaaaaa\u0061\u0000""#,
        r#""/""#,
        r#""\/""#,
        r#""~}],{[:""#,
        r#""\"}\\""#,
        r#""arguments""#,
        r#""argument\u0073""#,
        r#""name""#,
        r#""n\u0061me""#,
        r#""😀""#,
        r#""\ud83d\ude00""#,
    ]);
    prop_oneof![
        named.prop_map(String::from),
        (0..400u16).prop_map(|n| format!("\"k{n}\"")),
    ]
}

fn text() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        prop::sample::select(vec!["null", "true", "7", "[]", "{}", "{ }", "[\n]"])
            .prop_map(String::from),
        name(),
        "[a-c]{0,18}".prop_map(|text| format!("\"{text}\"")),
    ];
    leaf.prop_recursive(5, 60, 20, |inner| {
        let inner = (space(), inner, space())
            .prop_map(|(a, value, b)| format!("{a}{value}{b}"))
            .boxed();
        let member = (space(), name(), space(), inner.clone())
            .prop_map(|(a, name, b, value)| format!("{a}{name}{b}:{value}"))
            .boxed();
        prop_oneof![
            prop::collection::vec(inner, 0..5).prop_map(|list| format!("[{}]", list.join(","))),
            prop::collection::vec(member.clone(), 0..4)
                .prop_map(|list| format!("{{{}}}", list.join(","))),
            prop::collection::vec(member, 12..20)
                .prop_map(|list| format!("{{{}}}", list.join(","))),
        ]
    })
}

/// Everything that can be read of both is the same.
fn same(indexed: Raw<'_>, plain: Raw<'_>) {
    assert_eq!(indexed, plain);
    assert_eq!(unique(indexed), unique(plain));
    match (indexed.object(), plain.object()) {
        (Ok(a), Ok(b)) => {
            assert_eq!((a.len(), a.iter().len()), (b.len(), b.iter().count()));
            for ((name, value), (other, _)) in a.iter().zip(b.iter()) {
                assert_eq!(name.token(), other.token());
                assert_eq!(a.get_key(&name.key()), Some(value));
                assert_eq!(b.get_key(&name.key()), Some(value));
            }
        }
        (a, b) => assert_eq!(a.err(), b.err()),
    }
    let (a, b) = (indexed.members(), plain.members());
    assert_eq!(
        a.clone().into_iter().flatten().count(),
        b.clone().into_iter().flatten().count()
    );
    let (a, b) = (a.into_iter().flatten(), b.into_iter().flatten());
    a.zip(b).for_each(|((_, a), (_, b))| same(a, b));
    let (a, b) = (indexed.elements(), plain.elements());
    assert_eq!(
        a.clone().into_iter().flatten().count(),
        b.clone().into_iter().flatten().count()
    );
    let (a, b) = (a.into_iter().flatten(), b.into_iter().flatten());
    a.zip(b).for_each(|(a, b)| same(a, b));
}

/// The digest of params, put together from their members.
fn digest_of_parts(params: Raw<'_>) -> Option<[u8; 32]> {
    let (mut name, mut arguments) = (None, None);
    for (own, value) in params.members()? {
        let place = match own.text()?.as_ref() {
            "name" => &mut name,
            "arguments" => &mut arguments,
            _ => continue,
        };
        if place.replace(value).is_some() {
            return None;
        }
    }
    let name = name.filter(|name: &Raw<'_>| !name.is_null());
    if name.is_some_and(|name| name.string().is_none()) {
        return None;
    }
    request_digest("m", name.and_then(Raw::string), arguments).ok()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 400 } else { 20_000 }))]

    #[test]
    fn what_was_written_down_is_what_stands_there(text in text()) {
        let limits = Limits::default();
        let plain = Raw::parse(&text, &limits).expect("JSON");
        let index = Index::read(&text, &limits).expect("JSON");
        let Twice(twice) = serde_json::from_str(&text).expect("JSON");
        prop_assert_eq!(unique(plain).is_err(), twice, "{}", text);
        prop_assert_eq!(canonicalize(plain, &mut Canonical::new()).is_err(), twice, "{}", text);
        same(index.root(&text), plain);
        let text = text.trim_ascii();
        for cut in (0..text.len()).filter(|cut| text.is_char_boundary(*cut)) {
            let (a, b) = (Index::read(&text[..cut], &limits), Raw::parse(&text[..cut], &limits));
            prop_assert_eq!(a.map(drop), b.map(drop));
        }
    }

    #[test]
    fn params_have_the_digest_of_their_parts(members in prop::collection::vec((name(), text()), 0..4)) {
        let members: Vec<_> = members.iter().map(|(name, value)| format!("{name}:{value}")).collect();
        let text = format!("{{{}}}", members.join(","));
        let limits = Limits::default();
        let params = Raw::parse(&text, &limits).expect("JSON");
        let want = digest_of_parts(params);
        let whole = params_digest_with(&mut Canonical::new(), "m", Some("name"), Some(params));
        prop_assert_eq!(whole.ok().flatten(), want, "{}", text);
        let read = read_params_digest(&mut Canonical::new(), "m", Some("name"), &text, &limits);
        prop_assert_eq!(read.expect("JSON"), want, "{}", text);
    }
}

/// The order of names is that of their bytes, the start of a name before the name, at every length (S5).
#[test]
fn names_that_begin_alike_keep_their_order() {
    let mut names: Vec<Vec<u8>> = Vec::new();
    for len in 0..=20usize {
        for zeros in [0, 1, 2, 9] {
            names.push([vec![b'a'; len], vec![0; zeros]].concat());
            names.push([vec![b'a'; len], vec![0; zeros], vec![b'b']].concat());
        }
    }
    names.sort();
    names.dedup();
    let mut want = vec![b'o'];
    for name in &names {
        want.extend([b'k', name.len() as u8]);
        want.extend(name);
        want.push(b'n');
    }
    want.push(b'e');
    for turn in 0..names.len() {
        let mut order = names.clone();
        order.rotate_left(turn);
        if turn % 2 == 1 {
            order.reverse();
        }
        let member = |name: &Vec<u8>| {
            let name = std::str::from_utf8(name).expect("ASCII");
            format!("\"{}\":null", name.replace('\0', "\\u0000"))
        };
        let text: Vec<_> = order.iter().map(member).collect();
        let text = format!("{{{}}}", text.join(","));
        let raw = Raw::parse(&text, &Limits::default()).expect("JSON");
        let mut scratch = Canonical::new();
        canonicalize(raw, &mut scratch).expect("names differ");
        assert_eq!(scratch.bytes(), want, "{turn}");
    }
}

/// On both sides of the bound up to which places and names are written down.
#[test]
fn more_than_is_written_down_reads_the_same() {
    let limits = Limits::default();
    let check = |text: &str, at: Option<&str>| {
        let index = Index::read(text, &limits).expect("JSON");
        let (indexed, plain) = (index.root(text), Raw::parse(text, &limits).expect("JSON"));
        assert_eq!(indexed, plain);
        assert_eq!(
            indexed.elements().into_iter().flatten().count(),
            plain.elements().into_iter().flatten().count()
        );
        for raw in [indexed, plain] {
            let found = match unique(raw) {
                Ok(()) => None,
                Err(Fault::Duplicate { at, .. }) => Some(at),
                Err(other) => panic!("{other}"),
            };
            assert_eq!(found.as_deref(), at);
        }
        if plain.is_object() {
            assert_eq!(indexed.object().is_ok(), at != Some(""));
            assert_eq!(
                indexed.members().into_iter().flatten().count(),
                plain.members().into_iter().flatten().count()
            );
        }
    };
    for all in [65_535, 65_536, 65_537, 65_538] {
        // With the array around them and the object behind them there are so many.
        let many = "[],".repeat(all - 2);
        check(&format!("[{many}{{\"a\":1}}]"), None);
        let at = format!("/{}", all - 2);
        check(&format!("[{many}{{\"a\":1,\"\\u0061\":1}}]"), Some(&at));
        let names: Vec<_> = (1..all).map(|n| format!("\"k{n}\":0")).collect();
        let names = names.join(",");
        check(&format!("{{{names},\"x\":0}}"), None);
        check(&format!("{{{names},\"k\\u0031\":0}}"), Some(""));
        check(&format!("[{{{names}}},{{\"a\":1,\"a\":2}}]"), Some("/1"));
    }
}
