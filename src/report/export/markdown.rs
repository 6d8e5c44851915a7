//! The conversation as Markdown.
//!
//! Messages keep their own Markdown, one level down: their headings become smaller ones, code is put between fences of
//! ours that are longer than any run in it, and what is left has no `<` and no `[` that is one: no renderer finds HTML, an
//! address or an image in it, whatever it takes for a block. Lines that would be drawn across the page, or make a heading
//! of the line before, are text. So nothing that a message says looks like a part of the document.

use std::io::{self, Write};

use super::html::fence_of;
use super::words::{self, Look};
use crate::model::export::{Block, ExportHead, Fork, Turn};
use crate::report::escape;
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
            Block::Text(text) if look == Look::Folded => fenced(self.out, "", &words::uncoloured(text)),
            Block::Text(text) => prose(self.out, &words::uncoloured(text)),
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

/// One line of text in which nothing is markup.
fn span(text: &str) -> String {
    let line = escape::line(text);
    let mut out = String::with_capacity(line.len());
    for c in line.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '#' | '|' | '~' | '{' | '$' => out.extend(['\\', c]),
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
    fence(out, language, &escape::page(text.trim_end()))
}

fn fence(out: &mut dyn Write, language: &str, text: &str) -> io::Result<()> {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    writeln!(out, "\n{fence}{language}\n{text}\n{fence}")
}

/// The Markdown of a message, one level down.
fn prose(out: &mut dyn Write, text: &str) -> io::Result<()> {
    writeln!(out)?;
    let text = escape::page(text.trim_end());
    let mut code: Option<Code<'_>> = None;
    for line in text.split('\n') {
        if let Some(open) = &mut code {
            if open.line(line) {
                open.write(out)?;
                code = None;
            }
            continue;
        }
        let (prefix, rest) = line.split_at(containers(line));
        code = Code::opens(prefix, rest);
        // A mark alone behind a line of text would make a heading of that.
        match &code {
            Some(_) if prefix.contains(|c: char| !c.is_whitespace() && c != '>') => {
                writeln!(out, "\n{}", prefix.trim_end())?
            }
            Some(_) => {}
            None => writeln!(out, "{}", block_of(line, prefix, rest))?,
        }
    }
    code.map_or(Ok(()), |code| code.write(out))
}

/// A block of code of the message. It is written between fences of ours: how the message marked it may mean something
/// else to whoever reads the whole.
struct Code<'t> {
    mark: &'t str,
    language: String,
    indent: usize,
    quotes: usize,
    lines: Vec<&'t str>,
}

impl<'t> Code<'t> {
    fn opens(prefix: &str, rest: &'t str) -> Option<Self> {
        let mark = fence_of(rest)?;
        let plain = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '+' | '#' | '.' | '_' | '-');
        let language = rest[mark.len()..].trim_start().chars().take_while(plain).take(32).collect();
        let quotes = prefix.matches('>').count();
        let indent = prefix.chars().count() - prefix.rfind('>').map_or(0, |at| prefix[..=at].chars().count());
        Some(Self { mark, language, indent, quotes, lines: Vec::new() })
    }

    /// Takes a line; true if it was the last.
    fn line(&mut self, line: &'t str) -> bool {
        let mut line = line;
        for _ in 0..self.quotes {
            line = line.trim_start().strip_prefix('>').unwrap_or(line);
        }
        let bare = line.trim();
        let same = |c: char| self.mark.starts_with(c);
        if bare.len() >= self.mark.len() && bare.chars().all(same) {
            return true;
        }
        let spaces = line.bytes().take(self.indent).take_while(|b| *b == b' ').count();
        self.lines.push(&line[spaces..]);
        false
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        fence(out, &self.language, &self.lines.join("\n"))?;
        writeln!(out)
    }
}

/// Bytes of a line that are its indentation and marks of quotes and lists.
fn containers(line: &str) -> usize {
    let mut rest = line;
    loop {
        let bare = rest.trim_start_matches([' ', '\t']);
        let digits = bare.bytes().take(9).take_while(u8::is_ascii_digit).count();
        let mark = match bare.as_bytes().get(digits) {
            Some(b'>') if digits == 0 => 1,
            Some(b'-' | b'*' | b'+') if digits == 0 => 2,
            Some(b'.' | b')') if digits > 0 => digits + 2,
            _ => 0,
        };
        let listed = mark > 1;
        let spaced = mark > 0 && matches!(bare.as_bytes().get(mark - 1), Some(b' ' | b'\t'));
        match mark {
            1 => rest = &bare[1..],
            _ if listed && spaced => rest = &bare[mark..],
            _ => return line.len() - bare.len(),
        }
    }
}

/// A line of prose: headings move down, lines that would be drawn or would make a heading of the line before are text.
fn block_of(line: &str, prefix: &str, rest: &str) -> String {
    let quotes = line.len() - line.trim_start_matches([' ', '\t', '>']).len();
    let bare = &line[quotes..];
    if is_drawn(bare) {
        return format!("{}\\{bare}", &line[..quotes]);
    }
    if is_drawn(rest) {
        return format!("{prefix}\\{rest}");
    }
    let level = rest.bytes().take_while(|b| *b == b'#').count();
    if (1..=6).contains(&level) && rest[level..].chars().next().is_none_or(|c| matches!(c, ' ' | '\t')) {
        let down = "#".repeat(DOWN.min(6 - level));
        return format!("{prefix}{down}{}", inline(rest).replace('{', "&#123;"));
    }
    // Nothing else that a line begins with is a mark to everybody; these are to some.
    let mark = if rest.starts_with(['~', ':']) { "\\" } else { "" };
    format!("{prefix}{mark}{}", inline(rest))
}

/// Whether a line is one character again and again, as rules and the lines under headings are.
fn is_drawn(line: &str) -> bool {
    let mut marks = line.chars().filter(|c| !matches!(c, ' ' | '\t'));
    let first = marks.next();
    first.is_some_and(|c| matches!(c, '-' | '*' | '_' | '=' | '+') && marks.all(|other| other == c))
}

/// Words of a line: emphasis and code stay, addresses and HTML are text. Code that a table could cut in two is text too.
fn inline(line: &str) -> String {
    let mut out = String::with_capacity(line.len() + 8);
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        let mut used = c.len_utf8();
        match c {
            '`' => {
                let run = rest.bytes().take_while(|b| *b == b'`').count();
                used = match closes(&rest[run..], run).filter(|end| !rest[run..run + end].contains('|')) {
                    Some(end) => {
                        out.push_str(&rest[..2 * run + end]);
                        2 * run + end
                    }
                    None => {
                        out.push_str(&"\\`".repeat(run));
                        run
                    }
                };
            }
            '\\' => match rest[1..].chars().next().filter(char::is_ascii_punctuation) {
                Some(next) => {
                    used += 1;
                    if matches!(next, '<' | '&') { out.push_str(entity(next)) } else { out.extend([c, next]) }
                }
                None => out.push(c),
            },
            '<' => out.push_str(entity(c)),
            '&' if rest[1..].starts_with(|c: char| c == '#' || c.is_ascii_alphanumeric()) => out.push_str(entity(c)),
            '[' | ']' | '$' => out.extend(['\\', c]),
            _ => out.push(c),
        }
        rest = &rest[used..];
    }
    out
}

fn entity(c: char) -> &'static str {
    if c == '<' { "&lt;" } else { "&amp;" }
}

/// Where a run of exactly so many backticks begins.
fn closes(text: &str, run: usize) -> Option<usize> {
    let mut at = 0;
    while let Some(next) = text[at..].find('`') {
        let len = text[at + next..].bytes().take_while(|b| *b == b'`').count();
        if len == run {
            return Some(at + next);
        }
        at += next + len;
    }
    None
}

#[cfg(test)]
#[path = "markdown_tests.rs"]
mod tests;
