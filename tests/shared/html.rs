//! Whether a page holds only what its writer puts there: no element, attribute or address that came from content.

/// Elements, and the attributes that each may have.
const ELEMENTS: &[(&str, &[&str])] = &[
    ("html", &["lang"]),
    ("head", &[]),
    ("meta", &["charset", "http-equiv", "content", "name"]),
    ("link", &["rel", "href"]),
    ("title", &[]),
    ("style", &[]),
    ("body", &[]),
    ("header", &[]),
    ("main", &[]),
    ("footer", &[]),
    ("h1", &[]),
    ("dl", &[]),
    ("dt", &[]),
    ("dd", &[]),
    ("p", &["class", "id"]),
    ("article", &["class", "id"]),
    ("div", &["class"]),
    ("span", &["class"]),
    ("b", &[]),
    ("strong", &["class"]),
    ("code", &[]),
    ("pre", &[]),
    ("details", &["class", "id"]),
    ("summary", &[]),
    ("a", &["href", "title"]),
    ("img", &["loading", "alt", "src"]),
];

/// Elements without an end.
const VOID: [&str; 3] = ["meta", "link", "img"];

/// Panics with what is wrong.
pub fn holds_only_its_own(page: &str) {
    let start = page.find("<html").expect("a page");
    let style = page.find("<style>").expect("a style sheet");
    let after = page.find("</style>").expect("its end") + "</style>".len();
    assert!(!page[style..after].contains("</style><"), "the style sheet is ours");
    let mut open: Vec<String> = Vec::new();
    for part in [&page[start..style], &page[after..]] {
        tags(part, &mut open);
    }
    assert!(open.is_empty(), "not closed: {open:?}");
}

fn tags(part: &str, open: &mut Vec<String>) {
    let mut rest = part;
    while let Some(at) = rest.find('<') {
        text(&rest[..at]);
        let end = rest[at..].find('>').map(|n| at + n).expect("a tag that ends");
        let tag = &rest[at + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name), "closed in order");
            continue;
        }
        let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        let (_, known) = ELEMENTS.iter().find(|(n, _)| *n == name).unwrap_or_else(|| panic!("an element <{tag}>"));
        self::attributes(name, attributes, known);
        if !VOID.contains(&name) {
            open.push(name.to_owned());
        }
    }
    text(rest);
}

/// No markup and no character that hides something.
fn text(text: &str) {
    assert!(!text.contains('>'), "markup in text: {text}");
    for (at, _) in text.match_indices('&') {
        let known = ["&amp;", "&lt;", "&gt;", "&quot;", "&#39;"].iter().any(|e| text[at..].starts_with(e));
        assert!(known, "a reference of its own: {}", &text[at..text.len().min(at + 20)]);
    }
    let shown = |c: char| matches!(c, '\n' | '\t') || !c.is_control();
    assert!(text.chars().all(shown), "a control character in {text:?}");
    let turned = ['\u{ad}', '\u{200b}', '\u{200e}', '\u{202e}', '\u{2066}', '\u{feff}'];
    assert!(!text.contains(turned), "text that turns round: {text:?}");
}

fn attributes(element: &str, text: &str, known: &[&str]) {
    let mut rest = text.trim();
    while !rest.is_empty() {
        let (name, after) = rest.split_once("=\"").unwrap_or_else(|| panic!("an attribute {rest}"));
        assert!(known.contains(&name), "<{element} {name}>");
        let (value, more) = after.split_once('"').expect("a value that ends");
        self::text(value);
        match (element, name) {
            ("a", "href") => assert!(value.starts_with("#l"), "an address {value}"),
            ("img", "src") => assert!(value.starts_with("data:image/") && value.contains(";base64,"), "an address"),
            ("link", "href") => assert_eq!(value, "data:,"),
            _ => {}
        }
        rest = more.trim();
    }
}
