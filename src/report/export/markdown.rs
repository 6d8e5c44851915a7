//! The conversation as Markdown.
//!
//! Messages keep their own Markdown, one level down: their headings become smaller ones, raw HTML becomes text, and a code
//! block that is not closed is closed. Results and arguments stand in fences longer than any inside them.

use std::borrow::Cow;
use std::io::{self, Write};

use super::html::fence_of;
use super::words::{self, Look};
use crate::model::export::{Block, ExportHead, Fork, Turn};
use crate::report::escape::{self, hostile};
use crate::units::bytes;

/// Levels that headings of messages move down.
const DOWN: usize = 3;

/// Writes the document, part by part.
pub struct Document<'o> {
    out: &'o mut dyn Write,
    depth: usize,
}

impl<'o> Document<'o> {
    /// The beginning.
    ///
    /// # Errors
    /// What writing gives.
    pub fn begin(out: &'o mut dyn Write, head: &ExportHead) -> io::Result<Self> {
        writeln!(out, "# {}\n", span(&head.title))?;
        for (name, value) in &head.facts {
            writeln!(out, "- {name}: {}", span(value))?;
        }
        for note in &head.notes {
            writeln!(out, "\n> {}", span(note))?;
        }
        Ok(Self { out, depth: 0 })
    }

    /// One entry.
    ///
    /// # Errors
    /// What writing gives.
    pub fn turn(&mut self, turn: &Turn<'_>) -> io::Result<()> {
        let look = words::look(turn);
        let heading = span(&words::heading(turn));
        if look == Look::Note {
            let about = words::about(turn).map(|a| format!(": {}", span(a))).unwrap_or_default();
            return writeln!(self.out, "\n*{heading}{about}*");
        }
        let mut more: Vec<String> = Vec::new();
        more.extend(words::about(turn).map(|a| span(&words::first_words(a, 120))));
        more.extend(words::time(turn).map(|t| span(&t)));
        more.extend(turn.failed.then(|| "failed".to_owned()));
        more.extend(turn.silent.then(|| "silent: nothing was sent".to_owned()));
        let more = if more.is_empty() { String::new() } else { format!(" ({})", more.join(", ")) };
        match look {
            Look::Divider => writeln!(self.out, "\n---\n\n**{heading}**{more}")?,
            Look::Folded => writeln!(self.out, "\n**{heading}**{more}")?,
            _ => writeln!(self.out, "\n### {heading}{more}")?,
        }
        for block in &turn.blocks {
            self.block(block, look)?;
        }
        if let Some(error) = &turn.error {
            writeln!(self.out, "\n> Error: {}", span(error))?;
        }
        if look == Look::Divider { writeln!(self.out, "\n---") } else { Ok(()) }
    }

    /// A branch that was left begins or ends.
    ///
    /// # Errors
    /// What writing gives.
    pub fn fork(&mut self, fork: &Fork) -> io::Result<()> {
        match fork {
            Fork::Opens { title, .. } => {
                self.depth += 1;
                writeln!(self.out, "\n---\n\n## {}", span(title))
            }
            Fork::Closes => {
                self.depth = self.depth.saturating_sub(1);
                writeln!(self.out, "\n*End of that branch*\n\n---")
            }
        }
    }

    /// The end.
    ///
    /// # Errors
    /// What writing gives.
    pub fn end(self, foot: &str) -> io::Result<()> {
        writeln!(self.out, "\n---\n\n*{}*", span(foot))
    }

    fn block(&mut self, block: &Block<'_>, look: Look) -> io::Result<()> {
        match block {
            Block::Text(text) if look == Look::Folded => fenced(self.out, "", text),
            Block::Text(text) => prose(self.out, text),
            Block::Thinking(text) => {
                writeln!(self.out, "\nThinking:")?;
                fenced(self.out, "", text)
            }
            Block::Call { name, arguments } => {
                writeln!(self.out, "\nCalls **{}**", span(name))?;
                if matches!(arguments.trim(), "" | "{}" | "null") {
                    return Ok(());
                }
                fenced(self.out, "json", arguments)
            }
            Block::Image { mime, bytes, .. } => {
                writeln!(self.out, "\n*Image: {}*", span(&words::image_note(mime, *bytes)))
            }
            Block::Other { kind, bytes: size } => {
                writeln!(self.out, "\n*{}, {}*", span(kind), bytes::human(*size))
            }
            Block::LeftOut(size) => {
                writeln!(self.out, "\n*{} of this record are not shown*", bytes::human(*size))
            }
        }
    }
}

/// Text in which only line breaks, tabs and joiners are left of what is not shown.
fn lines(text: &str) -> Cow<'_, str> {
    let kept = |c: char| matches!(c, '\n' | '\t' | '\u{200b}'..='\u{200d}');
    if !text.chars().any(|c| hostile(c) && !kept(c)) {
        return Cow::Borrowed(text);
    }
    let shown = text.chars().map(|c| match c {
        '\r' => String::new(),
        c if hostile(c) && !kept(c) => format!("\\u{{{:x}}}", u32::from(c)),
        c => c.to_string(),
    });
    Cow::Owned(shown.collect())
}

/// One line of text in which nothing is markup.
fn span(text: &str) -> String {
    let line = escape::line(text);
    let mut out = String::with_capacity(line.len());
    for c in line.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '#' | '|' => out.extend(['\\', c]),
            _ => out.push(c),
        }
    }
    out
}

/// Text between fences that are longer than any run of backticks in it.
fn fenced(out: &mut dyn Write, language: &str, text: &str) -> io::Result<()> {
    if text.trim().is_empty() {
        return Ok(());
    }
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    writeln!(out, "\n{fence}{language}\n{}\n{fence}", lines(text.trim_end()))
}

/// The Markdown of a message, one level down.
fn prose(out: &mut dyn Write, text: &str) -> io::Result<()> {
    writeln!(out)?;
    let mut fence: Option<String> = None;
    for line in lines(text.trim_end()).split('\n') {
        let bare = line.trim_start();
        if let Some(mark) = &fence {
            if bare.starts_with(mark.as_str()) && bare.trim_end().bytes().all(|b| mark.as_bytes()[0] == b) {
                fence = None;
            }
            writeln!(out, "{line}")?;
            continue;
        }
        fence = fence_of(bare).map(str::to_owned);
        if fence.is_some() {
            writeln!(out, "{line}")?;
            continue;
        }
        let level = line.len() - line.trim_start_matches('#').len();
        let down =
            if (1..=6).contains(&level) { "#".repeat(DOWN.min(6usize.saturating_sub(level))) } else { String::new() };
        writeln!(out, "{down}{}", without_html(line))?;
    }
    match fence {
        Some(mark) => writeln!(out, "{mark}"),
        None => Ok(()),
    }
}

/// A line in which no HTML can begin; inside backticks `<` is text already.
fn without_html(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut code: Option<usize> = None;
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        if c == '`' {
            let run = rest.bytes().take_while(|b| *b == b'`').count();
            code = match code {
                Some(open) if open == run => None,
                Some(open) => Some(open),
                // Backticks that nothing closes are text.
                None => rest[run..].contains(&rest[..run]).then_some(run),
            };
            out.push_str(&rest[..run]);
            rest = &rest[run..];
            continue;
        }
        match (c, code) {
            ('<', None) => out.push_str("&lt;"),
            _ => out.push(c),
        }
        rest = &rest[c.len_utf8()..];
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prose_of(text: &str) -> String {
        let mut out = Vec::new();
        prose(&mut out, text).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn messages_keep_their_markdown_one_level_down() {
        assert_eq!(prose_of("# Plan\n**bold** <script>x</script>"), "\n#### Plan\n**bold** &lt;script>x&lt;/script>\n");
        assert_eq!(prose_of("a `<b>` c <d>"), "\na `<b>` c &lt;d>\n");
        assert_eq!(prose_of("```sh\n# not a heading <x>"), "\n```sh\n# not a heading <x>\n```\n");
        assert_eq!(prose_of("``` <i>"), "\n``` <i>\n```\n");
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
}
