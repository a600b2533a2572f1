//! Powers of ten of any size (S5).

use std::cmp::Ordering;
use std::io::Write;

/// An integer without bounds. Each value has one form: `Big` only from `SMALL` on.
#[derive(PartialEq, Eq)]
pub(super) enum Exponent {
    Small(i128),
    Big { negative: bool, digits: Vec<u8> },
}

/// Digits that fit `Small` whatever the shift.
const SMALL: usize = 30;
const BOUND: i128 = 10i128.pow(SMALL as u32);

impl Exponent {
    /// The written exponent plus `shift`, whose size is bounded by the length of a text.
    pub fn sum(written: &str, shift: i128) -> Exponent {
        let negative = written.starts_with('-');
        let digits = written
            .trim_start_matches(['+', '-'])
            .trim_start_matches('0');
        if digits.len() > SMALL {
            return Exponent::far(
                negative,
                digits.bytes().collect(),
                if negative { -shift } else { shift },
            );
        }
        let size = digits
            .bytes()
            .fold(0i128, |sum, d| sum * 10 + i128::from(d & 0xF));
        let sum = if negative { shift - size } else { shift + size };
        if sum.abs() < BOUND {
            return Exponent::Small(sum);
        }
        Exponent::Big {
            negative: sum < 0,
            digits: sum.unsigned_abs().to_string().into_bytes(),
        }
    }

    /// Adds `shift` to the size of an exponent that is far bigger than any shift.
    fn far(negative: bool, mut digits: Vec<u8>, shift: i128) -> Exponent {
        let mut carry = shift;
        for digit in digits.iter_mut().rev() {
            if carry == 0 {
                break;
            }
            let sum = i128::from(*digit & 0xF) + carry;
            *digit = b'0' + sum.rem_euclid(10) as u8;
            carry = sum.div_euclid(10);
        }
        if carry > 0 {
            digits.splice(0..0, carry.to_string().into_bytes());
        }
        let zeros = digits.iter().take_while(|d| **d == b'0').count();
        digits.drain(..zeros);
        if digits.len() > SMALL {
            return Exponent::Big { negative, digits };
        }
        let size = digits
            .iter()
            .fold(0i128, |sum, d| sum * 10 + i128::from(d & 0xF));
        Exponent::Small(if negative { -size } else { size })
    }

    pub fn is_negative(&self) -> bool {
        match self {
            Exponent::Small(value) => *value < 0,
            Exponent::Big { negative, .. } => *negative,
        }
    }

    pub fn write(&self, out: &mut Vec<u8>) {
        match self {
            Exponent::Small(value @ 0..=9) => out.push(b'0' + *value as u8),
            Exponent::Small(value @ -9..=-1) => {
                out.extend_from_slice(&[b'-', b'0' + -*value as u8])
            }
            // Into a vector it cannot fail.
            Exponent::Small(value) => drop(write!(out, "{value}")),
            Exponent::Big { negative, digits } => {
                if *negative {
                    out.push(b'-');
                }
                out.extend_from_slice(digits);
            }
        }
    }
}

impl Ord for Exponent {
    fn cmp(&self, other: &Self) -> Ordering {
        use Exponent::{Big, Small};
        let by_size = |a: &Vec<u8>, b: &Vec<u8>| a.len().cmp(&b.len()).then_with(|| a.cmp(b));
        match (self, other) {
            (Small(a), Small(b)) => a.cmp(b),
            (
                Big {
                    negative: false,
                    digits: a,
                },
                Big {
                    negative: false,
                    digits: b,
                },
            ) => by_size(a, b),
            (
                Big {
                    negative: true,
                    digits: a,
                },
                Big {
                    negative: true,
                    digits: b,
                },
            ) => by_size(b, a),
            (Small(_), Big { negative, .. }) => {
                if *negative {
                    Ordering::Greater
                } else {
                    Ordering::Less
                }
            }
            (Big { negative, .. }, _) => {
                if *negative {
                    Ordering::Less
                } else {
                    Ordering::Greater
                }
            }
        }
    }
}

impl PartialOrd for Exponent {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
