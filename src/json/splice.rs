//! Members taken out of an object and put into it, the rest byte for byte (J1, J5).

use super::{Raw, skip, write};

/// The object with every member named in `drop` left out (exact decoded names, all occurrences) and the members
/// `add` (name, JSON text) at its end. What stays keeps its bytes, line breaks between tokens apart.
///
/// A value that is no object is treated as `{}`.
pub fn splice(object: Raw<'_>, drop: &[&str], add: &[(&str, &str)]) -> String {
    let added: usize = add
        .iter()
        .map(|(name, raw)| name.len() + raw.len() + 8)
        .sum();
    let mut out = String::with_capacity(object.text().len() + added);
    let mut first = true;
    out.push('{');
    push_kept(&mut out, &mut first, object, drop);
    for (name, raw) in add {
        write::push_member(&mut out, &mut first, name, raw);
    }
    out.push('}');
    out
}

/// Appends what lies between the separators of each member that stays, white space and all.
fn push_kept(out: &mut String, first: &mut bool, object: Raw<'_>, drop: &[&str]) {
    let Some(mut members) = object.members() else {
        return;
    };
    let text = object.text();
    let mut from = 1;
    while let Some((name, end)) = members.next_with_end() {
        let to = skip::space(text.as_bytes(), end);
        if !drop.iter().any(|d| name.is(d)) {
            write::push_comma(out, first);
            write::push_line(out, text.get(from..to).unwrap_or(""));
        }
        from = to + 1;
    }
}
