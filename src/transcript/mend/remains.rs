//! What is left of a session header that is none any more: cut at either end, with a hole in it, or with its type damaged.
//!
//! Only members that read whole count. A text that lost its beginning is read from the first quote from which all of the
//! rest is members: a quote that ends a string leads to no name, so what is inside of a string is never taken for one.

use crate::model::mend::HeaderFields;
use crate::model::transcript::Kind;
use crate::store::identity::identity;
use crate::store::lexer::Lexer;
use crate::store::parse::BOM;
use crate::units::json_text::unescape;

use super::fields::Fields;

/// Most quotes from which a text that lost its beginning is read.
const TRIES: usize = 256;

/// A member: its name, and its value as it stands.
type Member = (Vec<u8>, Vec<u8>);

/// What is left of a header in a text that is no header. `in_front`: it stands where the header has to, so that members
/// which nothing but a header has are proof enough; elsewhere its type has to say it.
pub fn of(text: &[u8], in_front: bool) -> Option<HeaderFields> {
    let members = members(text);
    let raw = |name: &str| members.iter().rev().find(|(n, _)| n == name.as_bytes()).map(|(_, value)| &**value);
    let string = |name: &str| raw(name).and_then(between_quotes).map(unescape);
    let kind = raw("type").and_then(between_quotes);
    let says_so = kind == Some(b"session");
    let looks_so = in_front
        && kind.is_none_or(|kind| Kind::of(kind) == Kind::Unknown)
        && (string("cwd").is_some() || string("parentSession").is_some())
        && !members.iter().any(|(name, _)| is_of_an_entry(name));
    if !says_so && !looks_so {
        return None;
    }
    let version = raw("version").and_then(|value| Fields::of(&[b"{\"version\":", value, b"}"].concat()).version);
    let known = |name: &[u8]| matches!(name, b"type" | b"version" | b"id" | b"timestamp" | b"cwd" | b"parentSession");
    let mut more: Vec<(String, String)> = Vec::new();
    for (name, value) in members.iter().filter(|(name, _)| !known(name)) {
        // What is no text cannot be written again.
        if let (Ok(name), Ok(value)) = (String::from_utf8(name.clone()), String::from_utf8(value.clone())) {
            more.retain(|(n, _)| *n != name);
            more.push((name, value));
        }
    }
    Some(HeaderFields {
        id: string("id").filter(|id| !id.trim().is_empty()),
        timestamp: string("timestamp"),
        cwd: string("cwd"),
        parent: string("parentSession"),
        version,
        more,
    })
}

/// Members that entries have and headers never.
fn is_of_an_entry(name: &[u8]) -> bool {
    matches!(name, b"parentId" | b"message" | b"customType")
}

fn between_quotes(value: &[u8]) -> Option<&[u8]> {
    value.strip_prefix(b"\"")?.strip_suffix(b"\"")
}

/// The members that read whole, from the front and then from the back.
fn members(text: &[u8]) -> Vec<Member> {
    let text = text.strip_prefix(BOM).unwrap_or(text).trim_ascii();
    if u32::try_from(text.len() + 1).is_err() {
        return Vec::new();
    }
    let (mut members, mut bad) = if text.starts_with(b"{") { read(text, 0) } else { (Vec::new(), Some(0)) };
    let Some(fault) = bad.take() else { return members };
    // Room for the brace that is not there.
    let mut rest = vec![b' '];
    rest.extend_from_slice(&text[fault..]);
    for quote in memchr::memchr_iter(b'"', &rest.clone()).take(TRIES) {
        let was = std::mem::replace(&mut rest[quote - 1], b'{');
        let (found, bad) = read(&rest, quote - 1);
        rest[quote - 1] = was;
        if bad.is_none() {
            // An entry that was glued behind the header is none of it.
            if !found.iter().any(|(name, _)| is_of_an_entry(name)) {
                members.extend(found);
            }
            break;
        }
    }
    members
}

/// Reads members from a brace on; also where it stopped, if not at the end of an object that ends the text. A member counts
/// if what follows it can follow one.
fn read(text: &[u8], brace: usize) -> (Vec<Member>, Option<usize>) {
    let mut members: Vec<Member> = Vec::new();
    let mut lexer = Lexer::new(text, brace);
    let mut whole = brace;
    let done = lexer.members(|lexer, name| {
        let start = lexer.pos();
        lexer.value()?;
        let end = lexer.pos();
        let after = text[end..].trim_ascii_start().first();
        // A number at the end may have had more digits.
        let cut = after.is_none() && !matches!(text[end - 1], b'"' | b'}' | b']');
        if matches!(after, None | Some(b',' | b'}')) && !cut {
            members.push((identity(name, text).into_owned(), text[start..end].to_vec()));
            whole = end;
        }
        Ok(())
    });
    let ended = done.is_ok() && text[lexer.pos()..].trim_ascii_start().is_empty();
    (members, (!ended).then_some(whole))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = r#"{"type":"session","version":3,"id":"s","timestamp":"2026-05-01T08:00:00.000Z","cwd":"/w/\"proj\",\"cwd\":\"no","parentSession":"/p.jsonl","title":{"a":[1.50]}}"#;

    fn whole() -> HeaderFields {
        of(HEADER.as_bytes(), false).unwrap()
    }

    #[test]
    fn wherever_the_front_is_cut_the_members_behind_it_are_read() {
        let whole = whole();
        assert_eq!(whole.cwd.as_deref(), Some(r#"/w/"proj","cwd":"no"#));
        assert_eq!(whole.more, [("title".to_owned(), r#"{"a":[1.50]}"#.to_owned())]);
        let begins = |name: &str| HEADER.find(&format!("\"{name}\":")).unwrap();
        for cut in 1..=begins("parentSession") {
            let left = of(&HEADER.as_bytes()[cut..], true).unwrap_or_else(|| panic!("nothing at {cut}"));
            let want = |name: &str, value: &Option<String>| value.clone().filter(|_| cut <= begins(name));
            assert_eq!(left.version, whole.version.filter(|_| cut <= begins("version")), "{cut}");
            assert_eq!(left.id, want("id", &whole.id), "{cut}");
            assert_eq!(left.timestamp, want("timestamp", &whole.timestamp), "{cut}");
            assert_eq!(left.cwd, want("cwd", &whole.cwd), "{cut}");
            assert_eq!((&left.parent, &left.more), (&whole.parent, &whole.more), "{cut}");
        }
    }

    #[test]
    fn wherever_the_end_is_cut_and_around_a_hole_nothing_is_made_up() {
        let whole = whole();
        let sane = |left: HeaderFields, at: usize| {
            for (got, want) in [
                (&left.id, &whole.id),
                (&left.timestamp, &whole.timestamp),
                (&left.cwd, &whole.cwd),
                (&left.parent, &whole.parent),
            ] {
                assert!(got.is_none() || got == want, "{got:?} at {at}");
            }
            assert!(left.version.is_none() || left.version == whole.version, "{at}");
        };
        for cut in 20..HEADER.len() {
            sane(of(&HEADER.as_bytes()[..cut], true).unwrap(), cut);
            // A hole of garbage.
            let mut holed = HEADER.as_bytes().to_vec();
            holed[cut] = 1;
            sane(of(&holed, true).unwrap(), cut);
        }
        let mut holed = HEADER.as_bytes().to_vec();
        holed[30] = 1;
        assert_eq!(of(&holed, true).unwrap().parent, whole.parent);
    }

    #[test]
    fn an_entry_glued_behind_a_torn_header_gives_it_nothing() {
        let text = br#"{"type":"session","version":3,"ti{"type":"{"message","id":"s1","parentId":"e0","timestamp":"2026-05-01T08:00:01.000Z","message":{}}"#;
        let left = of(text, true).unwrap();
        assert_eq!((left.version, left.id, left.timestamp, left.more), (Some(3), None, None, Vec::new()));
    }

    #[test]
    fn entries_are_no_headers() {
        for text in [
            r#"{"type":"message","id":"a","cwd":"/w","message":{}}"#,
            r#""parentId":"b","cwd":"/w"}"#,
            r#""timestamp":"2026-05-01T08:00:00.000Z","provider":"x"}"#,
            r#"{"type":"custom","customType":"x","cwd":"/w"}"#,
            "nothing",
            "",
        ] {
            assert_eq!(of(text.as_bytes(), true), None, "{text}");
        }
        let changed = HEADER.replace("session\"", "sessi\"");
        assert_eq!(of(changed.as_bytes(), false), None);
        assert_eq!(of(changed.as_bytes(), true), Some(whole()));
    }
}
