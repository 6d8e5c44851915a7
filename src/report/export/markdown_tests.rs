use proptest::prelude::*;
use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag};

use super::*;

fn prose_of(text: &str) -> String {
    let mut out = Vec::new();
    prose(&mut out, text).unwrap();
    String::from_utf8(out).unwrap()
}

/// What a renderer with everything switched on finds in a document that has nothing of ours but two headings and a rule
/// around a message. Gives the text.
fn rendered(message: &str) -> String {
    let mut out = b"### Before\n".to_vec();
    prose(&mut out, message).unwrap();
    out.extend(b"\n---\n\n### After\n");
    let document = String::from_utf8(out).unwrap();
    for options in [Options::empty(), Options::all()] {
        let mut levels = Vec::new();
        let mut rules = 0;
        let mut text = String::new();
        for event in Parser::new_ext(&document, options) {
            let own = match &event {
                Event::Html(_) | Event::InlineHtml(_) | Event::FootnoteReference(_) | Event::TaskListMarker(_) => false,
                Event::Start(Tag::Heading { level, id, classes, attrs }) => {
                    levels.push(*level);
                    id.is_none() && classes.is_empty() && attrs.is_empty()
                }
                Event::Start(tag) => !matches!(
                    tag,
                    Tag::Link { .. }
                        | Tag::Image { .. }
                        | Tag::HtmlBlock
                        | Tag::MetadataBlock(_)
                        | Tag::FootnoteDefinition(_)
                ),
                _ => true,
            };
            assert!(own, "{event:?} in {document:?} of {message:?}");
            match event {
                Event::Rule => rules += 1,
                Event::Text(t) | Event::Code(t) => text.push_str(&t),
                Event::SoftBreak | Event::HardBreak => text.push('\n'),
                _ => {}
            }
        }
        assert_eq!(rules, 1, "{document:?} of {message:?}");
        let ours = |l: &&HeadingLevel| **l < HeadingLevel::H4;
        assert_eq!(levels.iter().filter(ours).count(), 2, "{document:?} of {message:?}");
        assert_eq!(levels.last(), Some(&HeadingLevel::H3), "{document:?} of {message:?}");
        if options.is_all() {
            return text;
        }
    }
    String::new()
}

#[test]
fn messages_keep_their_markdown_one_level_down() {
    assert_eq!(prose_of("# Plan\n**bold** <script>x</script>"), "\n#### Plan\n**bold** &lt;script>x&lt;/script>\n");
    assert_eq!(prose_of("a `<b>` c <d> AT&T &lt;"), "\na `<b>` c &lt;d> AT&amp;T &amp;lt;\n");
    assert_eq!(prose_of("```sh\n# not a heading <x>"), "\n\n```sh\n# not a heading <x>\n```\n\n");
    assert_eq!(prose_of("- ```rs\n  a\n   b\n  ```\n- c"), "\n\n-\n\n```rs\na\n b\n```\n\n- c\n");
    assert_eq!(prose_of("> ~~~\n> ```\n> ~~~\nx"), "\n\n````\n```\n````\n\nx\n");
    assert_eq!(prose_of("> # Head\n1. ## List\n#hash"), "\n> #### Head\n1. ##### List\n#hash\n");
    assert_eq!(prose_of("[a](b) `x[0]` \\[ \\<"), "\n\\[a\\](b) `x[0]` \\[ &lt;\n");
    assert_eq!(prose_of("*a*\n* b\n- [ ] c"), "\n*a*\n* b\n- \\[ \\] c\n");
}

#[test]
fn a_message_stays_in_its_place() {
    let evil = "<script>alert(1)</script>";
    let cases = [
        "\\` @ `",
        "`a\n\n@\n\n`",
        "- `x\n- @`",
        "`foo\n# @`",
        "    ```\n@\n    ```",
        "text\n    ```\n@\n    ```",
        "```a`b\n@\n```",
        "~~~\nx\n```\n~~~\n@",
        "> ```\n@\n> ```",
        "- ```\n\n@\n  ```",
        "```\nx\n```x\ny\n```\n@",
        "```\nx\n    ```\ny\n```\n@",
        "````\n```\n````\n@",
        "\t```\n@\n\t```",
        "```\rx\r```\r@",
        "<https://a.b/@>",
        "`a\n***\n@`",
        "| ` | @ ` |",
        "`a\n===\n@`",
        "1. ```\n   x\n@\n   ```",
        "`` a ` @ ``",
        "<!--\n```\n-->@",
        "```\n@\r```\r@\n```",
        "```\n\x0b```\n@\n```",
        "\u{a0}```\n@",
        "a | b\n--|--\n`x | @ ` | c",
        "[x]: javascript:alert(1)\n\n[x] @",
        "[x](javascript:a) @",
        "![x](http://t/@)",
        "# h {onclick=@}",
        "a\n===\n@",
        "a\n---\n@",
        "a\n-\n@",
        "---\nyaml: @\n---",
        "+++\n@\n+++",
        "***\n@",
        "> a\n> ---\n@",
        "- a\n  ---\n@",
        "- - -\n@",
        "[^1]: @\n\n[^1]",
        "$$\n@\n$$",
        "$`$ @ $`$",
        "a\n: @",
        "[[@|x]]",
        "::: x\n@\n:::",
        ":::\n@",
        "---\n- ```\n@",
        "a\n- ~~~\n@",
    ];
    for case in cases {
        let text = rendered(&case.replace('@', evil));
        assert!(text.contains("alert(1)") && text.ends_with("After"), "{case:?}: {text:?}");
    }
}

#[test]
fn a_fence_is_longer_than_what_is_in_it() {
    let mut out = Vec::new();
    fenced(&mut out, "json", "a\n````\nb\n").unwrap();
    assert_eq!(String::from_utf8(out).unwrap(), "\n`````json\na\n````\nb\n`````\n");
}

#[test]
fn names_are_no_markup() {
    assert_eq!(span("<b>*x*\n[y](z)"), r"&lt;b&gt;\*x\*\\n\[y\](z)");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2048))]

    #[test]
    fn no_message_gets_out(parts in prop::collection::vec(prop::sample::select(vec![
        "\n", "\n\n", "\r", " ", "  ", "    ", "\t", "`", "``", "```", "~~~", ">", "> ", "- ", "* ", "1. ", "#", "# ", "---", "===", "***", "___", "+++",
        "<b>", "<!--", "-->", "<http://x>", "<script>", "<", "&lt;", "[x](javascript:y)", "[", "](y)", "]: y", "![", "!", "\\", "|", "|-|-|", "a", "b c",
        "{#i .c o=1}", "$", "$$", "[^1]", "[^1]: ", ": ", ":::", "*", "_", "~~", "\u{a0}", "\u{2028}", "\u{200b}", "\x0b", "- [ ] ", "(y)", "[[x]]", "^",
    ]), 0..24)) {
        rendered(&parts.concat());
    }
}
