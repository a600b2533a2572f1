//! Addresses of URL asks: what may be asked for, and what a user is told (B6, C3, C14, D2, D6).

use mrtr::json::{Limits, Raw, write};
use mrtr::protocol::url::{FLAGS, IP_LITERAL, MIXED_SCRIPT, NOT_HTTPS, PUNYCODE, USER_INFO};
use mrtr::protocol::{Ask, AuthorRules, Code, ReceiveRules, Warning};

fn ask(url: &str) -> String {
    let mut out =
        String::from(r#"{"method":"elicitation/create","params":{"mode":"url","message":"m""#);
    write::push_text_member(&mut out, &mut false, "url", url);
    out.push_str("}}");
    out
}

fn raw(text: &str) -> Raw<'_> {
    Raw::parse(text, &Limits::default()).expect("JSON")
}

/// Is the URL one that a server may ask for?
fn authored(url: &str, allow_http: bool) -> bool {
    let text = ask(url);
    let rules = AuthorRules {
        allow_http,
        ..AuthorRules::default()
    };
    match Ask::author(raw(&text), &rules) {
        Ok(_) => true,
        Err(error) => {
            assert_eq!(
                (error.code(), error.at()),
                (Code::BadUrl, Some("/url")),
                "{url}"
            );
            false
        }
    }
}

/// Flags and hosts that a client shows, unless it refuses the ask.
fn received(url: &str, allow_http: bool) -> Option<(u8, String, String)> {
    let text = ask(url);
    let rules = ReceiveRules {
        allow_http,
        ..ReceiveRules::default()
    };
    match Ask::receive(raw(&text), &rules) {
        Err(error) => {
            assert_eq!(error.code(), Code::InvalidResult);
            None
        }
        Ok((ask, _)) => {
            let address = ask.url().expect("a URL ask");
            assert_eq!(address.text(), url);
            Some((
                address.flags(),
                address.host_ascii().to_string(),
                address.host_unicode().to_string(),
            ))
        }
    }
}

#[test]
fn only_plain_https_is_authored() {
    for url in [
        "https://a.example",
        "https://a.example:8443/x?y=1#z",
        "HTTPS://A.example/",
        "https://münchen.example/",
        "https://[2001:db8::1]/",
    ] {
        assert!(authored(url, false), "{url}");
    }
    for url in [
        "",
        "/start",
        "a.example",
        "//a.example/",
        "https:",
        "https://",
        "https:///a.example",
        "https:a.example",
        "https:a.example/://b.example/",
        "https:me@a.example/://b.example/",
        "https://münchen.example/x y",
        "https://münchen.example/%zz",
        "https://a.example/\u{202e}gpj.exe",
        "https://a.example/\u{2066}x",
        "https://a.example/\u{2028}",
        "https:\\\\a.example",
        "https://a.example\\@b.example/",
        " https://a.example/",
        "https://a.example/x y",
        "https://a.example/\n",
        "https://a.example/\u{0}",
        "https://a.example/\u{85}",
        "https://me@a.example/",
        "https://me:pw@a.example/",
        "https://@a.example/",
        "https://a b.example/",
        "ftp://a.example/",
        "javascript:alert(1)",
        "data://a.example/",
        "mrtr://a.example/",
    ] {
        assert!(!authored(url, true), "{url}");
    }
    assert!(!authored("http://a.example/", false));
    assert!(authored("http://localhost:3000/x", true));
    let number = r#"{"method":"elicitation/create","params":{"mode":"url","message":"m","url":5}}"#;
    let error = Ask::author(raw(number), &AuthorRules::default()).expect_err("no string");
    assert_eq!(error.code(), Code::BadUrl);
}

#[test]
fn credentials_in_the_query_are_warned_of() {
    for (query, warned) in [
        ("api_key=1", true),
        ("page=2&accessToken=x", true),
        ("token=x", true),
        ("client_secret=x", true),
        ("pass%77ord=x", true),
        ("sig=x", true),
        ("page=2&state=a&code=b&client_id=c", false),
        ("tokenizer=a&max_tokens=1", false),
        ("q=password", false),
        ("", false),
    ] {
        let text = ask(&format!("https://a.example/?{query}"));
        let (_, warnings) = Ask::author(raw(&text), &AuthorRules::default()).expect("legal");
        assert_eq!(warnings == [Warning::CredentialInUrl], warned, "{query}");
    }
}

#[test]
fn what_a_client_is_told() {
    for (url, flags, ascii, unicode) in [
        ("https://a.example/x", 0, "a.example", "a.example"),
        ("https://A.Example/x", 0, "a.example", "a.example"),
        (
            "https://me:pw@a.example/",
            USER_INFO,
            "a.example",
            "a.example",
        ),
        (
            "https://a.example@b.example/",
            USER_INFO,
            "b.example",
            "b.example",
        ),
        ("https://a.example/@b", 0, "a.example", "a.example"),
        ("https://192.0.2.7/", IP_LITERAL, "192.0.2.7", "192.0.2.7"),
        ("https://3221225991/", IP_LITERAL, "192.0.2.7", "192.0.2.7"),
        (
            "https://[2001:DB8::7]:8443/",
            IP_LITERAL,
            "[2001:db8::7]",
            "[2001:db8::7]",
        ),
        (
            "https://münchen.example/",
            PUNYCODE,
            "xn--mnchen-3ya.example",
            "münchen.example",
        ),
        (
            "https://xn--mnchen-3ya.example/",
            PUNYCODE,
            "xn--mnchen-3ya.example",
            "münchen.example",
        ),
        (
            "https://xn--pypal-4ve.example/",
            PUNYCODE | MIXED_SCRIPT,
            "xn--pypal-4ve.example",
            "pаypal.example",
        ),
        // A label of one script beside labels of another is ordinary.
        (
            "https://пример.example/",
            PUNYCODE,
            "xn--e1afmkfd.example",
            "пример.example",
        ),
        ("https://пример1.example/", PUNYCODE, "", "пример1.example"),
        // Japanese and Korean write several scripts together.
        (
            "https://カタカナひらがな漢字.example/",
            PUNYCODE,
            "",
            "カタカナひらがな漢字.example",
        ),
        (
            "https://한국漢字.example/",
            PUNYCODE,
            "",
            "한국漢字.example",
        ),
        (
            "https://latin漢字.example/",
            PUNYCODE | MIXED_SCRIPT,
            "",
            "latin漢字.example",
        ),
        (
            "https://αb.example/",
            PUNYCODE | MIXED_SCRIPT,
            "",
            "αb.example",
        ),
    ] {
        let (got, got_ascii, got_unicode) = received(url, false).expect(url);
        assert_eq!((got, got_unicode.as_str()), (flags, unicode), "{url}");
        if !ascii.is_empty() {
            assert_eq!(got_ascii, ascii);
        }
        assert!(got_ascii.is_ascii());
    }
    assert_eq!(
        received("http://localhost/", true).expect("allowed").0,
        NOT_HTTPS
    );
}

#[test]
fn what_a_client_does_not_show() {
    for url in [
        "",
        "/x",
        "ftp://a.example/",
        "javascript:alert(1)",
        "https://a.example/\r\n",
        "https://a.example\\@b.example/",
        // The host is what comes before the "://", and so is the user-info.
        "https:a.example/://b.example/",
        "https:me@a.example/://b.example/",
        "http:a.example/://b.example/",
        // RFC 3987, 4.1: a URL shown backwards is another URL to the eye.
        "https://a.example/\u{202e}gpj.exe",
        "https://a.example/\u{200f}x",
        "https://a.example/\u{2067}x",
        "https://a.example/\u{2029}x",
    ] {
        assert_eq!(received(url, true), None, "{url}");
    }
    assert_eq!(received("http://a.example/", false), None);
}

#[test]
fn a_sign_that_looks_like_a_slash_does_not_end_the_host_for_the_eye() {
    for url in [
        "https://good.example\u{2044}x.evil.example/",
        "https://good.example\u{2215}x.evil.example/",
        "https://\u{2603}.example/",
    ] {
        let (flags, ascii, unicode) = received(url, false).expect(url);
        assert_eq!((flags & PUNYCODE, &unicode), (PUNYCODE, &ascii), "{url}");
    }
    // Words of scripts that need marks, joiners or a middle dot stay words.
    for host in [
        "हिन्दी.example",
        "نامه\u{200c}ای.example",
        "paral·lel.example",
    ] {
        let url = format!("https://{host}/");
        assert_eq!(received(&url, false).expect(host).2, host);
    }
}

#[test]
fn flags_have_names_and_bits_of_their_own() {
    assert_eq!(FLAGS.iter().fold(0, |sum, (bit, _)| sum | bit), 31);
    assert_eq!(
        FLAGS.iter().map(|(bit, _)| u32::from(*bit)).sum::<u32>(),
        31
    );
}
