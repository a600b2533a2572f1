//! Numbers by their exact decimal value, of any length and any exponent (S5, D14).

use super::exponent::Exponent;
use super::{Kind, Limits, Raw};
use std::cmp::Ordering;

/// A number as it stands in the text. Nothing is rounded: `1`, `1.0` and `1e0` are equal, 10^30 and 10^30+1 are not.
#[derive(Debug, Clone, Copy)]
pub struct Number<'a>(&'a str);

impl<'a> Number<'a> {
    #[inline]
    pub(super) fn trusted(text: &'a str) -> Number<'a> {
        Number(text)
    }

    /// The number in `text`, if it is one JSON number and nothing else.
    pub fn parse(text: &'a str) -> Option<Number<'a>> {
        let limits = Limits {
            message_bytes: usize::MAX,
            ..Limits::default()
        };
        let raw = Raw::parse(text, &limits).ok()?;
        if raw.kind() == Kind::Number {
            raw.number()
        } else {
            None
        }
    }

    /// The token, exactly as it came.
    #[inline]
    pub fn text(self) -> &'a str {
        self.0
    }

    /// The value of few plain digits, which most numbers are.
    #[inline]
    fn plain(self) -> Option<u64> {
        let digits = self.0.as_bytes();
        (digits.len() <= 18 && digits.iter().all(u8::is_ascii_digit)).then(|| {
            digits
                .iter()
                .fold(0, |sum, digit| sum * 10 + u64::from(digit & 0xF))
        })
    }

    /// Orders by exact value; `-0` equals `0` (D14).
    pub fn compare(self, other: Number<'_>) -> Ordering {
        if let (Some(a), Some(b)) = (self.plain(), other.plain()) {
            return a.cmp(&b);
        }
        let (a, b) = (Decimal::of(self.0), Decimal::of(other.0));
        match (a.sign(), b.sign()) {
            (1, 1) => a.compare_size(&b),
            (-1, -1) => b.compare_size(&a),
            (x, y) => x.cmp(&y),
        }
    }

    /// Has it no fraction? `3.0` and `1e2` have none.
    pub fn is_integer(self) -> bool {
        if self.plain().is_some() {
            return true;
        }
        let d = Decimal::of(self.0);
        d.is_zero() || !d.exponent().is_negative()
    }

    /// The value, if it is an integer that fits; any spelling.
    pub fn to_u64(self) -> Option<u64> {
        if let Some(value) = self.plain() {
            return Some(value);
        }
        let d = Decimal::of(self.0);
        if d.sign() < 0 {
            None
        } else {
            u64::try_from(d.magnitude()?).ok()
        }
    }

    /// The value, if it is an integer that fits; any spelling.
    pub fn to_i64(self) -> Option<i64> {
        let d = Decimal::of(self.0);
        let size = i128::try_from(d.magnitude()?).ok()?;
        i64::try_from(if d.sign() < 0 { -size } else { size }).ok()
    }

    /// The greatest integer that is not above it, if the digits of its whole part are at most 18.
    pub(crate) fn floor(self) -> Option<i64> {
        let d = Decimal::of(self.0);
        if self.is_integer() {
            return self.to_i64();
        }
        let whole = match d.exponent() {
            Exponent::Small(power) => power.saturating_add(d.len() as i128).max(0),
            Exponent::Big { .. } => 0, // not an integer, hence a very small number
        };
        let whole = usize::try_from(whole).ok().filter(|whole| *whole <= 18)?;
        let size = d
            .digits()
            .take(whole)
            .fold(0i64, |sum, digit| sum * 10 + i64::from(digit & 0xF));
        Some(if d.negative { -size - 1 } else { size })
    }

    /// Appends the one canonical spelling: `0`, or an optional `-`, the significant digits without zeros at either
    /// end, `e`, and the power of ten (S5): `150` is `15e1`, `-0.5` is `-5e-1`, `1` is `1e0`.
    pub fn write_canonical(self, out: &mut Vec<u8>) {
        if let [b'1'..=b'9', ..] = self.0.as_bytes()
            && self.0.bytes().all(|b| b.is_ascii_digit())
        {
            return write_whole(self.0.as_bytes(), out);
        }
        let d = Decimal::of(self.0);
        if d.is_zero() {
            return out.push(b'0');
        }
        if d.negative {
            out.push(b'-');
        }
        out.extend_from_slice(d.high);
        out.extend_from_slice(d.low);
        out.push(b'e');
        d.exponent().write(out);
    }
}

/// What stands before and behind the first such byte.
#[inline]
fn cut(bytes: &[u8], at: impl Fn(u8) -> bool) -> (&[u8], &[u8]) {
    let before = bytes.iter().take_while(|b| !at(**b)).count();
    let (head, rest) = bytes.split_at_checked(before).unwrap_or((bytes, &[]));
    (head, rest.get(1..).unwrap_or(&[]))
}

#[inline]
fn after_zeros(mut digits: &[u8]) -> &[u8] {
    while let [b'0', rest @ ..] = digits {
        digits = rest;
    }
    digits
}

#[inline]
fn before_zeros(mut digits: &[u8]) -> &[u8] {
    while let [rest @ .., b'0'] = digits {
        digits = rest;
    }
    digits
}

/// The canonical spelling of plain digits, which most numbers are.
fn write_whole(digits: &[u8], out: &mut Vec<u8>) {
    let significant = before_zeros(digits);
    out.extend_from_slice(significant);
    out.push(b'e');
    Exponent::Small((digits.len() - significant.len()) as i128).write(out);
}

/// A number taken apart: its digits without zeros at either end, in two pieces, and its exponent.
struct Decimal<'a> {
    negative: bool,
    high: &'a [u8],
    low: &'a [u8],
    /// The written exponent with sign.
    written: &'a str,
    /// What to add to it to get the power of ten of the last digit.
    shift: i128,
}

impl<'a> Decimal<'a> {
    fn of(text: &'a str) -> Decimal<'a> {
        let bytes = text.as_bytes();
        let (negative, unsigned) = match bytes {
            [b'-', rest @ ..] => (true, rest),
            _ => (false, bytes),
        };
        let (mantissa, written) = cut(unsigned, |b| matches!(b, b'e' | b'E'));
        let (whole, fraction) = cut(mantissa, |b| b == b'.');
        let written = text.get(text.len() - written.len()..).unwrap_or("");
        let mut high = after_zeros(whole);
        let mut low = before_zeros(fraction);
        let mut shift = -(low.len() as i128);
        if low.is_empty() {
            let trimmed = before_zeros(high);
            shift = (high.len() - trimmed.len()) as i128;
            high = trimmed;
        }
        if high.is_empty() {
            low = after_zeros(low);
        }
        Decimal {
            negative,
            high,
            low,
            written,
            shift,
        }
    }

    #[inline]
    fn is_zero(&self) -> bool {
        self.high.is_empty() && self.low.is_empty()
    }

    #[inline]
    fn sign(&self) -> i8 {
        if self.is_zero() {
            0
        } else if self.negative {
            -1
        } else {
            1
        }
    }

    #[inline]
    fn len(&self) -> usize {
        self.high.len() + self.low.len()
    }

    fn digits(&self) -> impl Iterator<Item = &'a u8> + use<'a> {
        self.high.iter().chain(self.low)
    }

    /// Power of ten of the last digit.
    fn exponent(&self) -> Exponent {
        Exponent::sum(self.written, self.shift)
    }

    /// Orders two that are not zero, signs aside.
    fn compare_size(&self, other: &Decimal<'_>) -> Ordering {
        // Seen as 0.DIGITS x 10^n, the power decides first, then the digits as text.
        let power = |d: &Decimal<'_>| Exponent::sum(d.written, d.shift + d.len() as i128);
        power(self)
            .cmp(&power(other))
            .then_with(|| self.digits().cmp(other.digits()))
    }

    /// The value without sign, if it is an integer of at most 20 digits.
    fn magnitude(&self) -> Option<u128> {
        if self.is_zero() {
            return Some(0);
        }
        let Exponent::Small(zeros @ 0..=20) = self.exponent() else {
            return None;
        };
        if self.len() > 20 {
            return None;
        }
        let digits = self
            .digits()
            .fold(0u128, |sum, d| sum * 10 + u128::from(d & 0xF));
        digits.checked_mul(10u128.checked_pow(u32::try_from(zeros).ok()?)?)
    }
}

#[cfg(test)]
#[path = "number_tests.rs"]
mod tests;
