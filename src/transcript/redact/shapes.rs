//! Shapes of keys and tokens: a prefix that nothing else begins with and enough characters of the right kind behind it; a
//! few are a whole pattern.

use std::sync::LazyLock;

use memchr::memmem::Finder;

/// Characters of a token.
#[derive(Debug, Clone, Copy)]
enum Set {
    /// Letters, digits, `_` and `-`.
    Word,
    /// The same and `.`.
    Dotted,
    /// Capital letters and digits.
    Upper,
    /// Letters and digits.
    Plain,
    /// Digits in base 16.
    Hex,
    /// Letters, digits, `_`, `-` and `=`.
    Padded,
}

/// Letters, digits, `_` and `-`.
pub fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

impl Set {
    fn has(self, byte: u8) -> bool {
        match self {
            Self::Word => is_word(byte),
            Self::Dotted => is_word(byte) || byte == b'.',
            Self::Upper => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
            Self::Plain => byte.is_ascii_alphanumeric(),
            Self::Hex => byte.is_ascii_hexdigit(),
            Self::Padded => is_word(byte) || byte == b'=',
        }
    }
}

/// Prefix, least characters behind it, their kind.
type Shape = (&'static str, usize, Set);

/// What is known; the first that fits is taken.
static SHAPES: [Shape; 60] = [
    ("sk-ant-", 16, Set::Word),
    ("sk-proj-", 16, Set::Word),
    ("sk-svcacct-", 16, Set::Word),
    ("sk-or-v1-", 16, Set::Word),
    ("sk-", 16, Set::Word),
    ("sk_live_", 16, Set::Word),
    ("sk_test_", 16, Set::Word),
    ("rk_live_", 16, Set::Word),
    ("whsec_", 16, Set::Word),
    ("ghp_", 30, Set::Word),
    ("gho_", 30, Set::Word),
    ("ghu_", 30, Set::Word),
    ("ghs_", 30, Set::Word),
    ("ghr_", 30, Set::Word),
    ("github_pat_", 22, Set::Word),
    ("glpat-", 20, Set::Dotted),
    ("xoxb-", 10, Set::Word),
    ("xoxp-", 10, Set::Word),
    ("xoxa-", 10, Set::Word),
    ("xoxr-", 10, Set::Word),
    ("xoxs-", 10, Set::Word),
    ("xapp-", 10, Set::Word),
    ("AKIA", 16, Set::Upper),
    ("ASIA", 16, Set::Upper),
    ("AIza", 30, Set::Word),
    ("ya29.", 20, Set::Dotted),
    ("npm_", 30, Set::Word),
    ("pypi-", 30, Set::Word),
    ("hf_", 30, Set::Word),
    ("gsk_", 20, Set::Word),
    ("xai-", 20, Set::Word),
    ("pplx-", 20, Set::Word),
    ("tvly-", 16, Set::Word),
    ("r8_", 30, Set::Word),
    ("SG.", 40, Set::Dotted),
    ("shpat_", 30, Set::Word),
    ("dop_v1_", 40, Set::Word),
    ("dckr_pat_", 20, Set::Word),
    ("hvs.", 20, Set::Dotted),
    ("glsa_", 30, Set::Word),
    ("nvapi-", 30, Set::Word),
    ("lin_api_", 30, Set::Word),
    ("AGE-SECRET-KEY-1", 40, Set::Upper),
    ("secret_", 40, Set::Plain),
    ("ntn_", 40, Set::Plain),
    ("figd_", 30, Set::Word),
    ("dapi", 32, Set::Hex),
    ("NRAK-", 20, Set::Upper),
    ("key-", 32, Set::Hex),
    ("sq0csp-", 30, Set::Word),
    ("sq0atp-", 20, Set::Word),
    ("ATATT3x", 30, Set::Padded),
    ("tskey-", 16, Set::Word),
    ("dp.pt.", 30, Set::Plain),
    ("dp.st.", 30, Set::Dotted),
    ("SK", 32, Set::Hex),
    ("GOCSPX-", 20, Set::Word),
    ("sbp_", 40, Set::Hex),
    ("PMAK-", 30, Set::Word),
    ("eyJ", 40, Set::Dotted),
];

/// Pairs of bytes, as a set of bits.
struct Pairs([u64; 1 << 10]);

impl Pairs {
    /// Those at `at` in each prefix; of one that is shorter, all that there may be.
    const fn of_shapes(at: usize) -> Self {
        let mut pairs = [0; 1 << 10];
        let mut ix = 0;
        while ix < SHAPES.len() {
            let prefix = SHAPES[ix].0.as_bytes();
            let mut second = 0;
            while second < 256 {
                if at + 1 >= prefix.len() || prefix[at + 1] as usize == second {
                    let pair = (prefix[at] as usize) << 8 | second;
                    pairs[pair >> 6] |= 1 << (pair & 63);
                }
                second += 1;
            }
            ix += 1;
        }
        Self(pairs)
    }

    fn has(&self, first: u8, second: u8) -> bool {
        let pair = usize::from(first) << 8 | usize::from(second);
        self.0[pair >> 6] >> (pair & 63) & 1 == 1
    }
}

/// How they begin: few words have one of the first pairs and one of the next.
static FIRST: Pairs = Pairs::of_shapes(0);
static NEXT: Pairs = Pairs::of_shapes(1);

/// Least bytes of a prefix that is also known behind other characters of a word: `x_ghp_...`.
const TELLING: usize = 4;
/// Most bytes of such a word before the prefix; in anything longer it is there by chance.
const GLUE: usize = 64;

/// Places in addresses behind which a secret stands.
const HOOKS: [&str; 3] = ["hooks.slack.com/services/", "discord.com/api/webhooks/", "discordapp.com/api/webhooks/"];

// What is looked for in every string, most of which are short: made once.
static HOOK: LazyLock<[Finder<'static>; HOOKS.len()]> = LazyLock::new(|| HOOKS.map(Finder::new));
static ADDRESS: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("://"));
static ARMOUR: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("BEGIN "));
static PUTTY: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("Private-Lines: "));

/// A secret that begins with the word at `at`.
pub fn at_word(text: &[u8], at: usize) -> Option<(usize, usize)> {
    known(text, at)
        .map(|(_, span)| span)
        .or_else(|| telegram(text, at))
        .or_else(|| discord(text, at))
        .or_else(|| bearer(text, at))
}

/// Whether a text may begin with a shape. It is asked at every byte.
#[inline]
pub fn may_begin(text: &[u8]) -> bool {
    matches!(text, [first, second, third, ..] if FIRST.has(*first, *second) && NEXT.has(*second, *third))
}

/// A secret that begins at `at`, inside of a word.
pub fn in_word(text: &[u8], at: usize) -> Option<(usize, usize)> {
    let ((prefix, _, set), span) = known(text, at)?;
    let tail = &text[at + prefix.len()..span.1];
    let has = |kind: fn(&u8) -> bool| tail.iter().any(kind);
    let uniform = matches!(set, Set::Upper) || tail.iter().all(u8::is_ascii_hexdigit);
    // Words joined by dashes are no key.
    let drawn = has(u8::is_ascii_digit) && (uniform || has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase));
    let glue = text[..at].iter().rev().take(GLUE + 1).take_while(|b| is_word(**b)).count();
    // `cache-key-` stands before any hash.
    (prefix.len() >= TELLING && *prefix != "key-" && drawn && glue <= GLUE).then_some(span)
}

/// The shape that begins at `at`, and how far it goes.
fn known(text: &[u8], at: usize) -> Option<(&'static Shape, (usize, usize))> {
    let rest = &text[at..];
    if !may_begin(rest) {
        return None;
    }
    SHAPES.iter().find_map(|shape| {
        let (prefix, least, set) = shape;
        let behind = rest.strip_prefix(prefix.as_bytes())?;
        let len = behind.iter().take_while(|b| set.has(**b)).count();
        // A full stop at the end is one of the sentence.
        let trimmed = behind[..len].iter().rev().take_while(|b| **b == b'.').count();
        (len >= *least).then_some((shape, (at, at + prefix.len() + len - trimmed)))
    })
}

/// `123456789:AA...`, the token of a Telegram bot; in an address `bot` stands before it.
fn telegram(text: &[u8], at: usize) -> Option<(usize, usize)> {
    let at = if text[at..].starts_with(b"bot") { at + 3 } else { at };
    let rest = &text[at..];
    let digits = rest.iter().take(12).take_while(|b| b.is_ascii_digit()).count();
    let behind = rest.get(digits..)?.strip_prefix(b":").filter(|_| (8..=11).contains(&digits))?;
    let len = behind.iter().take(64).take_while(|b| is_word(**b)).count();
    (len >= 33).then_some((at, at + digits + 1 + len))
}

/// The token of a Discord bot: its number in base64, a time and a signature, with full stops between them.
fn discord(text: &[u8], at: usize) -> Option<(usize, usize)> {
    let rest = &text[at..];
    let run = |from: usize| rest.get(from..).map_or(0, |t| t.iter().take(64).take_while(|b| is_word(**b)).count());
    let first = run(0);
    // The number is one of 17 to 20 decimal digits: base64 of a digit begins with one of these.
    if !matches!(rest.first(), Some(b'M' | b'N' | b'O')) || !(23..=28).contains(&first) {
        return None;
    }
    let dot = |at: usize| rest.get(at) == Some(&b'.');
    let (second, third) = (run(first + 1), run(first + 8));
    (dot(first) && second == 6 && dot(first + 7) && (27..=45).contains(&third)).then_some((at, at + first + 8 + third))
}

/// The secret part of addresses that whoever knows them may post to.
pub fn webhooks(text: &[u8], found: &mut Vec<(usize, usize)>) {
    for (finder, place) in HOOK.iter().zip(HOOKS) {
        for at in finder.find_iter(text) {
            let from = at + place.len();
            let len = text[from..].iter().take(512).take_while(|b| is_word(**b) || **b == b'/').count();
            found.extend((len >= 16).then_some((from, from + len)));
        }
    }
}

fn bearer(text: &[u8], at: usize) -> Option<(usize, usize)> {
    let rest = &text[at..];
    let scheme = ["bearer ", "basic "]
        .iter()
        .find(|s| rest.get(..s.len()).is_some_and(|head| head.eq_ignore_ascii_case(s.as_bytes())))?;
    let behind = &rest[scheme.len()..];
    let token = |b: &&u8| Set::Dotted.has(**b) || matches!(**b, b'~' | b'+' | b'/' | b'=');
    let len = behind.iter().take_while(token).count();
    // Words of a sentence have no digit.
    let digit = behind[..len].iter().any(u8::is_ascii_digit);
    (len >= 12 && digit).then_some((at + scheme.len(), at + scheme.len() + len))
}

/// Name and password in an address.
pub fn userinfo(text: &[u8], found: &mut Vec<(usize, usize)>) {
    for at in ADDRESS.find_iter(text) {
        let from = at + 3;
        let end = |b: &u8| matches!(b, b'/' | b'?' | b'#' | b'"' | b'\'' | b'\\' | b'<' | b'>' | b'`') || *b <= b' ';
        let authority = text[from..].iter().position(end).map_or(text.len(), |n| from + n);
        let host = memchr::memrchr(b'@', &text[from..authority]).map(|n| from + n);
        let Some(host) = host else { continue };
        let secret = match memchr::memchr(b':', &text[from..host]) {
            Some(n) => (from + n + 1, host),
            // A token in the place of the name; a name alone is no secret.
            None if host - from >= 8 && text[from..host].iter().any(u8::is_ascii_digit) => (from, host),
            None => continue,
        };
        found.extend((secret.0 < secret.1).then_some(secret));
    }
}

/// Private keys in the armour of PEM and of SSH2, and in the files of PuTTY.
pub fn private_keys(text: &[u8], found: &mut Vec<(usize, usize)>) {
    for at in ARMOUR.find_iter(text) {
        let head = &text[at..text.len().min(at + 80)];
        let Some(from) = dashes_before(text, at).filter(|_| memchr::memmem::find(head, b"PRIVATE KEY").is_some())
        else {
            continue;
        };
        let ends = memchr::memmem::find_iter(&text[at..], b"END ").map(|n| at + n);
        let end = ends.filter(|end| dashes_before(text, *end).is_some()).find_map(|end| {
            let behind = end + memchr::memmem::find(&text[end..], b"----")?;
            Some(behind + text[behind..].iter().take_while(|b| **b == b'-').count())
        });
        found.push((from, end.unwrap_or(text.len())));
    }
    for at in PUTTY.find_iter(text) {
        let lines = &text[at + PUTTY.needle().len()..];
        let count =
            lines.iter().take(4).take_while(|b| b.is_ascii_digit()).fold(0, |n, b| n * 10 + usize::from(b - b'0'));
        // The line itself, so many more, and that of the checksum.
        let len = memchr::memchr_iter(b'\n', lines).nth(count + 1).unwrap_or(lines.len());
        let from = text.len() - lines.len();
        found.extend((count > 0).then_some((from, from + len)));
    }
}

/// Where the dashes begin that stand before `at`, of which there are at least four.
fn dashes_before(text: &[u8], at: usize) -> Option<usize> {
    let line = text[..at].strip_suffix(b" ").unwrap_or(&text[..at]);
    let dashes = line.iter().rev().take_while(|b| **b == b'-').count();
    (dashes >= 4).then_some(line.len() - dashes)
}
