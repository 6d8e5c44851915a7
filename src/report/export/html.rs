//! The conversation as one page that needs nothing else.
//!
//! Written for hostile content: everything passes [`mod@escape`], the page has no script and forbids any, and its policy lets
//! nothing be fetched. An image is embedded only if its type is one that browsers draw and its data is plain base64.

use std::io::{self, Write};

use super::style::CSS;
use super::words::{self, Look};
use crate::model::export::{Block, ExportHead, Fork, Turn};
use crate::report::{escape, plural};
use crate::units::bytes;

/// Image types that are embedded.
const DRAWN: [&str; 6] = ["image/png", "image/jpeg", "image/gif", "image/webp", "image/bmp", "image/avif"];
/// Characters of arguments that stand in the line of a folded call.
const ARGUMENTS: usize = 90;
/// Branches within branches that are folded into each other; deeper ones stand side by side.
pub const NESTED: usize = 12;

/// Text as content or attribute of an element: markup becomes text, and characters that change how text is shown become
/// visible.
pub fn escape(out: &mut dyn Write, text: &str) -> io::Result<()> {
    let text = escape::page(text);
    let mut plain = 0;
    for (at, byte) in text.bytes().enumerate() {
        let special = match byte {
            b'&' => "&amp;",
            b'<' => "&lt;",
            b'>' => "&gt;",
            b'"' => "&quot;",
            b'\'' => "&#39;",
            _ => continue,
        };
        out.write_all(&text.as_bytes()[plain..at])?;
        out.write_all(special.as_bytes())?;
        plain = at + 1;
    }
    out.write_all(&text.as_bytes()[plain..])
}

/// Writes the page, part by part.
pub struct Page<'o> {
    out: &'o mut dyn Write,
    embed: bool,
    depth: usize,
}

impl<'o> Page<'o> {
    /// The beginning of the page. `embed`: images go into it.
    ///
    /// # Errors
    /// What writing gives.
    pub fn begin(out: &'o mut dyn Write, head: &ExportHead, embed: bool) -> io::Result<Self> {
        out.write_all(
            b"<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
              <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n\
              <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
              <meta name=\"referrer\" content=\"no-referrer\">\n<link rel=\"icon\" href=\"data:,\">\n<title>",
        )?;
        escape(out, &head.title)?;
        out.write_all(b"</title>\n<style>")?;
        out.write_all(CSS.as_bytes())?;
        out.write_all(b"</style>\n</head>\n<body>\n<header>\n<h1>")?;
        escape(out, &head.title)?;
        out.write_all(b"</h1>\n<dl>\n")?;
        for (name, value) in &head.facts {
            write!(out, "<dt>{name}</dt><dd>")?;
            escape(out, value)?;
            out.write_all(b"</dd>\n")?;
        }
        out.write_all(b"</dl>\n")?;
        for note in &head.notes {
            out.write_all(b"<p class=\"notice\">")?;
            escape(out, note)?;
            out.write_all(b"</p>\n")?;
        }
        out.write_all(b"</header>\n<main>\n")?;
        Ok(Self { out, embed, depth: 0 })
    }

    /// One entry.
    ///
    /// # Errors
    /// What writing gives.
    pub fn turn(&mut self, turn: &Turn<'_>) -> io::Result<()> {
        match words::look(turn) {
            Look::Message => self.message(turn),
            Look::Folded => self.folded(turn),
            Look::Divider => self.divider(turn),
            Look::Note => self.remark(turn),
        }
    }

    /// A branch that was left begins or ends.
    ///
    /// # Errors
    /// What writing gives.
    pub fn fork(&mut self, fork: &Fork) -> io::Result<()> {
        match fork {
            Fork::Opens { title, .. } if self.depth < NESTED => {
                self.depth += 1;
                self.out.write_all(b"<details class=\"branch\">\n<summary>")?;
                escape(self.out, title)?;
                self.out.write_all(b"</summary>\n")
            }
            Fork::Opens { title, .. } => {
                self.depth += 1;
                self.out.write_all(b"<p class=\"remark\">")?;
                escape(self.out, title)?;
                self.out.write_all(b"</p>\n")
            }
            Fork::Closes => {
                let folded = self.depth <= NESTED;
                self.depth = self.depth.saturating_sub(1);
                if folded { self.out.write_all(b"</details>\n") } else { Ok(()) }
            }
        }
    }

    /// The end of the page.
    ///
    /// # Errors
    /// What writing gives.
    pub fn end(self, foot: &str) -> io::Result<()> {
        self.out.write_all(b"</main>\n<footer>")?;
        escape(self.out, foot)?;
        self.out.write_all(b"</footer>\n</body>\n</html>\n")
    }

    fn message(&mut self, turn: &Turn<'_>) -> io::Result<()> {
        let class = if turn.role == crate::model::transcript::Role::User { "user" } else { "assistant" };
        let failed = if turn.failed { " failed" } else { "" };
        write!(self.out, "<article class=\"{class}{failed}\" id=\"l{}\">\n<div class=\"head\"><b>", turn.line)?;
        escape(self.out, &words::heading(turn))?;
        self.out.write_all(b"</b>")?;
        self.head(turn)?;
        self.out.write_all(b"</div>\n")?;
        self.blocks(turn)?;
        self.out.write_all(b"</article>\n")
    }

    /// What stands beside the name of who speaks.
    fn head(&mut self, turn: &Turn<'_>) -> io::Result<()> {
        if let Some(about) = words::about(turn) {
            self.out.write_all(b"<span>")?;
            escape(self.out, about)?;
            self.out.write_all(b"</span>")?;
        }
        if turn.silent {
            self.out.write_all(b"<span class=\"badge\">silent: nothing was sent</span>")?;
        }
        if turn.failed {
            self.out.write_all(b"<span class=\"badge bad\">failed</span>")?;
        }
        write!(self.out, "<a href=\"#l{}\"", turn.line)?;
        if let Some(id) = &turn.id {
            self.out.write_all(b" title=\"entry ")?;
            escape(self.out, id)?;
            self.out.write_all(b"\"")?;
        }
        self.out.write_all(b">")?;
        escape(self.out, &words::time(turn).unwrap_or_else(|| format!("line {}", turn.line).into()))?;
        self.out.write_all(b"</a>")
    }

    /// Results, commands and notes to the model: one line, and the rest behind it.
    fn folded(&mut self, turn: &Turn<'_>) -> io::Result<()> {
        let failed = if turn.failed { " class=\"failed\"" } else { "" };
        write!(self.out, "<details{failed} id=\"l{}\">\n<summary><b>", turn.line)?;
        escape(self.out, &words::heading(turn))?;
        self.out.write_all(b"</b>")?;
        if let Some(about) = words::about(turn) {
            self.out.write_all(b" <code>")?;
            escape(self.out, &words::first_words(about, ARGUMENTS))?;
            self.out.write_all(b"</code>")?;
        }
        if turn.failed {
            self.out.write_all(b" <span class=\"badge bad\">failed</span>")?;
        }
        let images = turn.blocks.iter().filter(|block| matches!(block, Block::Image { .. })).count();
        if images > 0 {
            write!(self.out, " <span class=\"badge\">{}</span>", plural::count(images as u64, "image"))?;
        }
        let first = turn.blocks.iter().find_map(|b| if let Block::Text(t) = b { Some(t) } else { None });
        if let Some(first) = first {
            self.out.write_all(b" ")?;
            escape(self.out, &words::first_words(&words::uncoloured(first), ARGUMENTS))?;
        }
        self.out.write_all(b"</summary>\n<div class=\"head\">")?;
        if let Some(about) = words::about(turn).filter(|a| a.chars().count() > ARGUMENTS) {
            self.out.write_all(b"<span>")?;
            escape(self.out, about)?;
            self.out.write_all(b"</span>")?;
        }
        write!(self.out, "<a href=\"#l{}\">", turn.line)?;
        escape(self.out, &words::time(turn).unwrap_or_else(|| format!("line {}", turn.line).into()))?;
        self.out.write_all(b"</a></div>\n")?;
        for block in &turn.blocks {
            match block {
                Block::Text(text) => self.verbatim(text)?,
                other => self.block(other)?,
            }
        }
        self.error(turn)?;
        self.out.write_all(b"</details>\n")
    }

    fn divider(&mut self, turn: &Turn<'_>) -> io::Result<()> {
        write!(self.out, "<details class=\"divider\" id=\"l{}\">\n<summary><b>", turn.line)?;
        escape(self.out, &words::heading(turn))?;
        self.out.write_all(b"</b>")?;
        for part in [words::about(turn).map(Into::into), words::time(turn)].into_iter().flatten() {
            self.out.write_all(" \u{b7} ".as_bytes())?;
            escape(self.out, &part)?;
        }
        self.out.write_all(b"</summary>\n")?;
        self.blocks(turn)?;
        self.out.write_all(b"</details>\n")
    }

    fn remark(&mut self, turn: &Turn<'_>) -> io::Result<()> {
        write!(self.out, "<p class=\"remark\" id=\"l{}\">", turn.line)?;
        escape(self.out, &words::heading(turn))?;
        if let Some(about) = words::about(turn) {
            self.out.write_all(b": ")?;
            escape(self.out, about)?;
        }
        self.out.write_all(b"</p>\n")
    }

    fn blocks(&mut self, turn: &Turn<'_>) -> io::Result<()> {
        for block in &turn.blocks {
            self.block(block)?;
        }
        self.error(turn)
    }

    fn error(&mut self, turn: &Turn<'_>) -> io::Result<()> {
        let Some(error) = &turn.error else { return Ok(()) };
        self.out.write_all(b"<div class=\"error\">")?;
        escape(self.out, error)?;
        self.out.write_all(b"</div>\n")
    }

    fn block(&mut self, block: &Block<'_>) -> io::Result<()> {
        match block {
            Block::Text(text) => rich(self.out, text),
            Block::Thinking(text) => {
                self.out
                    .write_all(b"<details class=\"thinking\">\n<summary>Thinking</summary>\n<div class=\"text\">")?;
                escape(self.out, text.trim())?;
                self.out.write_all(b"</div>\n</details>\n")
            }
            Block::Call { name, arguments } => self.call(name, arguments),
            Block::Image { mime, data, bytes } => self.image(mime, *data, *bytes),
            Block::Other { kind, bytes: size } => {
                self.out.write_all(b"<p class=\"image\">")?;
                escape(self.out, kind)?;
                writeln!(self.out, ", {}</p>", bytes::human(*size))
            }
            Block::LeftOut(size) => {
                writeln!(self.out, "<p class=\"image\">{} of this record are not shown</p>", bytes::human(*size))
            }
        }
    }

    fn call(&mut self, name: &str, arguments: &str) -> io::Result<()> {
        self.out.write_all(b"<details>\n<summary>\xe2\x86\x92 <b>")?;
        escape(self.out, name)?;
        self.out.write_all(b"</b> ")?;
        let short = words::first_words(arguments, ARGUMENTS);
        if !matches!(&*short, "" | "{}" | "null") {
            self.out.write_all(b"<code>")?;
            escape(self.out, &short)?;
            self.out.write_all(b"</code>")?;
        }
        self.out.write_all(b"</summary>\n")?;
        self.verbatim(arguments)?;
        self.out.write_all(b"</details>\n")
    }

    fn verbatim(&mut self, text: &str) -> io::Result<()> {
        if text.trim().is_empty() {
            return Ok(());
        }
        self.out.write_all(b"<pre>")?;
        escape(self.out, words::uncoloured(text).trim_end())?;
        self.out.write_all(b"</pre>\n")
    }

    fn image(&mut self, mime: &str, data: Option<&[u8]>, size: u64) -> io::Result<()> {
        let note = words::image_note(mime, size);
        let drawn = DRAWN.iter().find(|known| known.eq_ignore_ascii_case(mime));
        let data = data.filter(|data| self.embed && !data.is_empty() && data.iter().all(is_base64));
        let (Some(kind), Some(data)) = (drawn, data) else {
            self.out.write_all(b"<p class=\"image\">Image: ")?;
            escape(self.out, &note)?;
            return self.out.write_all(b"</p>\n");
        };
        self.out.write_all(b"<img loading=\"lazy\" alt=\"")?;
        escape(self.out, &note)?;
        write!(self.out, "\" src=\"data:{kind};base64,")?;
        self.out.write_all(data)?;
        self.out.write_all(b"\">\n")
    }
}

fn is_base64(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')
}

/// Text of a message: code, headings and bold words as such, everything else as it was written.
fn rich(out: &mut dyn Write, text: &str) -> io::Result<()> {
    let mut open = false;
    // Blank lines beside code: the space around it is enough.
    let mut blank = 0;
    let mut fence: Option<&str> = None;
    // Joiners and carriage returns are judged in the whole text.
    let text = words::uncoloured(text);
    let text = escape::page(text.trim_end());
    for line in text.split('\n') {
        let bare = line.trim_start();
        if let Some(mark) = fence {
            if bare.starts_with(mark) && bare.trim_end().chars().all(|c| mark.starts_with(c)) {
                out.write_all(b"</code></pre>\n")?;
                fence = None;
            } else {
                escape(out, line)?;
                out.write_all(b"\n")?;
            }
            continue;
        }
        if let Some(mark) = fence_of(bare) {
            if std::mem::take(&mut open) {
                out.write_all(b"</div>\n")?;
            }
            out.write_all(b"<pre><code>")?;
            fence = Some(mark);
            blank = 0;
            continue;
        }
        if bare.is_empty() {
            blank += usize::from(open);
            continue;
        }
        out.write_all(if open { b"\n" } else { b"<div class=\"text\">" })?;
        for _ in 0..std::mem::take(&mut blank) {
            out.write_all(b"\n")?;
        }
        open = true;
        match heading(line) {
            Some(title) => {
                out.write_all(b"<strong class=\"h\">")?;
                inline(out, title)?;
                out.write_all(b"</strong>")?;
            }
            None => inline(out, line)?,
        }
    }
    if fence.is_some() {
        out.write_all(b"</code></pre>\n")?;
    }
    if open { out.write_all(b"</div>\n") } else { Ok(()) }
}

/// The fence that a line opens: three or more backticks or tildes.
pub(super) fn fence_of(line: &str) -> Option<&str> {
    let mark = line.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let len = line.bytes().take_while(|b| *b == mark as u8).count();
    (len >= 3 && !(mark == '`' && line[len..].contains('`'))).then(|| &line[..len])
}

fn heading(line: &str) -> Option<&str> {
    let title = line.trim_start_matches('#');
    let level = line.len() - title.len();
    ((1..=6).contains(&level) && title.starts_with(' ')).then(|| title.trim())
}

/// Words in backticks and between double asterisks.
fn inline(out: &mut dyn Write, text: &str) -> io::Result<()> {
    let mut rest = text;
    while let Some(at) = rest.find(['`', '*']) {
        let (mark, tag) = if rest[at..].starts_with('`') { ("`", "code") } else { ("**", "strong") };
        let after = rest[at..].strip_prefix(mark);
        let end = after.and_then(|after| after.find(mark)).filter(|end| *end > 0);
        let (Some(after), Some(end)) = (after, end) else {
            escape(out, &rest[..=at])?;
            rest = &rest[at + 1..];
            continue;
        };
        escape(out, &rest[..at])?;
        write!(out, "<{tag}>")?;
        escape(out, &after[..end])?;
        write!(out, "</{tag}>")?;
        rest = &after[end + mark.len()..];
    }
    escape(out, rest)
}

#[cfg(test)]
#[path = "html_tests.rs"]
mod tests;
