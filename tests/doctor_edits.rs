//! Generated JSON5 documents through every migration of the doctor, and the token reader against the `json5` crate.
//!
//! Each document holds the example of one rule between noise of every kind: all tokens of JSON5, comments wherever one may
//! stand, byte order mark, CRLF and other line ends, deep nesting, odd numbers. What must hold: the edited text has the value
//! that the migration makes, the noise keeps its bytes, no comment is lost, and a second run changes no byte.

#![expect(clippy::unwrap_used, reason = "a failed step of a test is a failed test")]

use clawkeep::config::edit::{tree, verify};
use clawkeep::config::parse;
use clawkeep::doctor::registry::RULES;
use clawkeep::doctor::rule::{Migrate, Notes};
use serde_json::{Map, Value};

/// Documents for each rule.
const DOCUMENTS: u64 = 500;

/// A small generator of numbers: the same documents every time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 11).unwrap() % sides
    }

    fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.roll(of.len())]
    }
}

/// Writes values in every way that JSON5 allows.
struct Scribe<'d> {
    dice: &'d mut Dice,
    eol: &'static str,
    comments: usize,
}

impl Scribe<'_> {
    /// White space and comments, or nothing.
    fn gap(&mut self, lines: bool) -> String {
        let mut out = String::new();
        for _ in 0..self.dice.roll(3) {
            match self.dice.roll(if lines { 8 } else { 6 }) {
                0 => out.push(' '),
                1 => out.push_str(self.dice.pick(&["\t", "\u{a0}", "\u{b}", "\u{c}", "\u{2003}", "\u{feff}"])),
                2 => out.push_str(&format!("/* {} \" ' {{ [ // */", self.next_comment())),
                6 => out.push_str(&format!("// {} }} ] */ \"{}", self.next_comment(), self.eol)),
                7 => out.push_str(self.eol),
                _ => {}
            }
        }
        out
    }

    fn next_comment(&mut self) -> String {
        self.comments += 1;
        format!("c{}", self.comments)
    }

    fn string(&mut self, text: &str) -> String {
        let quote = self.dice.pick(&["\"", "'"]);
        let mut out = String::from(quote);
        for c in text.chars() {
            match c {
                '"' | '\'' | '\\' => out.push_str(&format!("\\{c}")),
                c if c.is_control() => out.push_str(&format!("\\u{:04x}", u32::from(c))),
                c if c.is_ascii_alphanumeric() && self.dice.roll(40) == 0 => {
                    out.push_str(&format!("\\x{:02X}", u32::from(c)))
                }
                c => out.push(c),
            }
            if self.dice.roll(60) == 0 {
                out.push('\\');
                out.push_str(self.eol);
            }
        }
        out + quote
    }

    fn key(&mut self, key: &str) -> String {
        let mut chars = key.chars();
        let bare = chars.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_' || c == '$')
            && chars.all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$');
        if bare && self.dice.roll(2) == 0 { key.to_owned() } else { self.string(key) }
    }

    fn value(&mut self, value: &Value, depth: usize) -> String {
        match value {
            Value::String(text) => self.string(text),
            Value::Number(n) if n.is_u64() && self.dice.roll(4) == 0 => format!("0x{:X}", n.as_u64().unwrap()),
            Value::Number(n) if n.is_u64() && self.dice.roll(4) == 0 => format!("+{n}"),
            Value::Array(items) => {
                let items: Vec<String> = items.iter().map(|item| self.value(item, depth + 1)).collect();
                self.bracketed("[", "]", items)
            }
            Value::Object(map) => {
                let items = map.iter().map(|(k, v)| self.member(k, v, depth)).collect();
                self.bracketed("{", "}", items)
            }
            other => other.to_string(),
        }
    }

    fn member(&mut self, key: &str, value: &Value, depth: usize) -> String {
        let (a, b) = (self.gap(true), self.gap(true));
        format!("{}{a}:{b}{}", self.key(key), self.value(value, depth + 1))
    }

    fn bracketed(&mut self, open: &str, close: &str, items: Vec<String>) -> String {
        let mut out = open.to_owned();
        out.push_str(&self.gap(true));
        let last = items.len();
        for (at, item) in items.into_iter().enumerate() {
            if self.dice.roll(2) == 0 {
                out.push_str(self.eol);
                out.push_str("  ");
            }
            out.push_str(&item);
            out.push_str(&self.gap(true));
            if at + 1 < last || self.dice.roll(2) == 0 {
                out.push(',');
            }
            out.push_str(&self.gap(true));
        }
        out + close
    }
}

/// Members that no rule knows.
fn noise(dice: &mut Dice, scribe_eol: &'static str) -> Vec<String> {
    const VALUES: &[&str] = &[
        "NaN",
        "-Infinity",
        "+Infinity",
        "0x1F",
        "-0x10",
        ".5",
        "5.",
        "+1e3",
        "1E-2",
        "1e400",
        "12345678901234567890123",
        "-0",
        "null",
        "true",
        "''",
        "'it\\'s'",
        "\"\\u00e9\\ud83d\\ude00\"",
        "'\\x41\\0'",
        "\"\u{2028}\"",
        "[]",
        "{}",
        "[,].length",
        "{ a: { b: [ { c: 1, }, ], }, }",
        "[[[[[[[[[[1]]]]]]]]]]",
        "'${NAME}'",
        "{ $include: './never-read.json5' }",
    ];
    (0..=dice.roll(4))
        .map(|at| {
            let value = match dice.pick(VALUES) {
                "[,].length" => "[0]",
                value => value,
            };
            let name = dice.pick(&["noise", "'n o i s e'", "\"n\\u006fise\"", "$noise", "n\u{f6}ise", "\\u006eoise"]);
            let comment = if dice.roll(2) == 0 { "/* kept */ " } else { "" };
            let name = name.replacen("oise", &format!("oise{at}"), 1);
            format!("{name}:{scribe_eol}\t{comment}{value}")
        })
        .collect()
}

/// A document with the value of `example` in it, and the noise that it has.
fn document(dice: &mut Dice, example: &Map<String, Value>) -> (String, Vec<String>) {
    let eol = ["\n", "\r\n", "\r"][dice.roll(3)];
    let noise = noise(dice, eol);
    let mut scribe = Scribe { dice, eol, comments: 0 };
    let mut members: Vec<String> = example.iter().map(|(k, v)| scribe.member(k, v, 0)).collect();
    for one in &noise {
        let at = scribe.dice.roll(members.len() + 1);
        members.insert(at, one.clone());
    }
    let (head, tail) = (scribe.gap(true), scribe.gap(true));
    let bom = if scribe.dice.roll(4) == 0 { "\u{feff}" } else { "" };
    let text = format!("{bom}{head}{}{tail}", scribe.bracketed("{", "}", members));
    (text, noise)
}

fn migrated(migrate: Migrate, text: &str) -> Value {
    let mut value = verify::read(text).unwrap_or_else(|e| panic!("{e}\n{text}")).root.value();
    migrate(&mut value, &mut Notes::default());
    value
}

#[test]
fn generated_documents_through_every_migration() {
    let (mut edits, mut dice) = (0, Dice(0x9E37_79B9_7F4A_7C15));
    for rule in RULES.iter().filter(|rule| rule.migration().is_some()) {
        let migrate = rule.migration().unwrap();
        let Value::Object(example) = json5::from_str::<Value>(rule.before).unwrap() else { panic!("{}", rule.id) };
        for _ in 0..DOCUMENTS {
            let (text, noise) = document(&mut dice, &example);
            let wanted = migrated(migrate, &text);
            let edited = verify::edit(&text, &wanted).unwrap_or_else(|why| panic!("{}: {why}\n{text}", rule.id)).text;
            let said = || format!("{}\n--- before\n{text}\n--- after\n{edited}", rule.id);
            assert_ne!(edited, text, "{}", said());
            // The trusted parser, and not the one that made the edit.
            let parsed = parse::parse("t".as_ref(), edited.as_bytes(), &mut Vec::new()).unwrap();
            assert_eq!(parsed, tree::plain(&wanted), "{}", said());
            for one in &noise {
                assert!(edited.contains(one.as_str()), "{one} was touched\n{}", said());
            }
            assert_eq!(edited.starts_with('\u{feff}'), text.starts_with('\u{feff}'), "{}", said());
            let again = migrated(migrate, &edited);
            assert_eq!(verify::edit(&edited, &again).unwrap().text, edited, "{}", said());
            edits += 1;
        }
    }
    println!("{edits} edits");
}

/// Texts at the level of tokens: each alone, as a member's value, as a key and in an array.
const TOKENS: &[&str] = &[
    "null",
    "nul",
    "nulll",
    "true",
    "TRUE",
    "false",
    "Infinity",
    "+Infinity",
    "-Infinity",
    "- Infinity",
    "NaN",
    "-NaN",
    "nan",
    "0",
    "-0",
    "+0",
    "00",
    "01",
    "-01",
    "1",
    "12",
    "1.",
    ".1",
    ".",
    "-.",
    "+.5",
    "1.5",
    "1.5.5",
    "1e5",
    "1E+5",
    "1e-5",
    "1e",
    "1e+",
    ".e1",
    "0x0",
    "0X1f",
    "0x",
    "0xg",
    "-0x10",
    "+0xA",
    "0x1.5",
    "0x1p3",
    "1_000",
    "0b1",
    "0o7",
    "1n",
    "--1",
    "+-1",
    "- 1",
    "1 1",
    "9007199254740993",
    "18446744073709551615",
    "18446744073709551616",
    "-9223372036854775808",
    "-9223372036854775809",
    "340282366920938463463374607431768211456",
    "1e400",
    "-1e400",
    "5e-324",
    "''",
    "\"\"",
    "'a'",
    "\"a\"",
    "'a\"",
    "\"a'",
    "'\\''",
    "\"\\\"\"",
    "'\"'",
    "\"'\"",
    "'\\n'",
    "'\\q'",
    "'\\x41'",
    "'\\x4'",
    "'\\xzz'",
    "'\\u0041'",
    "'\\u004'",
    "'\\u{41}'",
    "'\\0'",
    "'\\01'",
    "'\\1'",
    "'\\8'",
    "'\\ud83d\\ude00'",
    "'\\ud83d'",
    "'\\ude00\\ud83d'",
    "'a\nb'",
    "'a\rb'",
    "'a\\\nb'",
    "'a\\\r\nb'",
    "'a\\\u{2028}b'",
    "'a\u{2028}b'",
    "'a\u{2029}b'",
    "'\u{0}'",
    "'\u{1b}'",
    "'\t'",
    "`a`",
    "'\u{feff}'",
    "'\\v\\f\\b'",
    "a",
    "_a",
    "$a",
    "a1",
    "1a",
    "a-b",
    "a.b",
    "\u{e4}",
    "\u{3b1}\u{3b2}",
    "a\u{301}",
    "\u{301}a",
    "a\u{200d}",
    "\\u0061",
    "\\u0031",
    "a\\u0031",
    "\\x61",
    "\\u{61}",
    "@",
    "#",
    "new",
    "class",
    "__proto__",
    "\u{2118}",
    "\u{1d4d0}",
    "\u{1f600}",
    "/",
    "//",
    "/*",
    "/* */",
    "/**/",
    "/* * / */",
    "/*/",
    "// a",
    "// a\n1",
    "// a\u{2028}1",
    "/* a */ 1",
    "1 // a",
    "1 /* a",
    "1/*a*/",
    "/*a*/1/*b*/",
    "<!-- a -->",
    "# a\n1",
    "[]",
    "[1]",
    "[1,]",
    "[,]",
    "[1,,2]",
    "[,1]",
    "[1 2]",
    "[1",
    "]",
    "[[]]",
    "[[],]",
    "{}",
    "{,}",
    "{a:1}",
    "{a:1,}",
    "{a:1,,}",
    "{a 1}",
    "{a:}",
    "{:1}",
    "{a:1 b:2}",
    "{a:1",
    "{a:1}}",
    "{'a':1}",
    "{\"a\":1}",
    "{1:1}",
    "{a:1,a:2}",
    "{[a]:1}",
    "{a}",
    "{...a}",
    "{null:1}",
    "{true:1}",
    "{Infinity:1}",
    "undefined",
    "function(){}",
    "(1)",
    "1;",
    "=1",
    " 1",
    "\t1",
    "\u{b}1",
    "\u{c}1",
    "\u{a0}1",
    "\u{feff}1",
    "\u{2028}1",
    "\u{2029}1",
    "\u{1680}1",
    "\u{2000}1",
    "\u{200a}1",
    "\u{202f}1",
    "\u{205f}1",
    "\u{3000}1",
    "\u{180e}1",
    "\u{200b}1",
    "\u{85}1",
    "",
    " ",
    "\n",
    "\u{feff}",
];

#[test]
fn the_reader_agrees_with_the_parser_on_every_token() {
    let mut texts = 0;
    for token in TOKENS {
        for text in [
            (*token).to_owned(),
            format!("[{token}]"),
            format!("[{token},{token}]"),
            format!("{{a:{token}}}"),
            format!("{{{token}:1}}"),
            format!("\u{feff}{{'a':{token},}}\r\n"),
            format!("{{a/*x*/:/*y*/{token}/*z*/}}"),
        ] {
            let trusted = parse::parse("t".as_ref(), text.as_bytes(), &mut Vec::new());
            let ours = tree::read(text.strip_prefix('\u{feff}').unwrap_or(&text));
            match (trusted, ours) {
                (Ok(trusted), Ok(ours)) => assert_eq!(tree::plain(&ours.root.value()), trusted, "{text:?}"),
                (Err(_), Err(_)) => {}
                (trusted, ours) => panic!("{text:?}: the parser says {trusted:?}, the reader {ours:?}"),
            }
            texts += 1;
        }
    }
    println!("{texts} texts");
}
