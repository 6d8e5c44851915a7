//! What a run printed and how it ended, as one picture.

use std::path::Path;

use serde_json::Value;

/// stdout, stderr and exit status of one run.
#[must_use = "a run that nobody looks at proves nothing: say `.exits(0)`"]
#[derive(Debug, Clone)]
pub struct Output {
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
    /// Exit code; `None` after a signal.
    pub code: Option<i32>,
    home: String,
}

impl Output {
    /// Of the collected bytes. Text that is not UTF-8 is a failure of its own: no output may be.
    pub fn new(stdout: Vec<u8>, stderr: Vec<u8>, code: Option<i32>, home: &Path) -> Self {
        let text = |bytes: Vec<u8>, name: &str| {
            String::from_utf8(bytes).unwrap_or_else(|e| panic!("{name} is not UTF-8: {:?}", e.into_bytes()))
        };
        let output = Self {
            stdout: text(stdout, "stdout"),
            stderr: text(stderr, "stderr"),
            code,
            home: home.to_string_lossy().into_owned(),
        };
        assert!(!output.stderr.contains("panicked at"), "{}", output.picture());
        output
    }

    /// It ended with `code`.
    #[track_caller]
    pub fn exits(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{}", self.picture());
        self
    }

    /// It did not end with 0, nor with a signal.
    #[track_caller]
    pub fn fails(self) -> Self {
        assert!(self.code.is_some_and(|c| c != 0), "{}", self.picture());
        self
    }

    /// It ended by itself, whatever the code.
    #[track_caller]
    pub fn ends(self) -> Self {
        assert!(self.code.is_some(), "{}", self.picture());
        self
    }

    /// Either stream has `text`, in any letter case.
    #[track_caller]
    pub fn says(self, text: &str) -> Self {
        let all = format!("{}{}", self.stdout, self.stderr).to_lowercase();
        assert!(all.contains(&text.to_lowercase()), "does not say {text:?}\n{}", self.picture());
        self
    }

    /// Neither stream has `text`.
    #[track_caller]
    pub fn hides(self, text: &str) -> Self {
        assert!(!self.stdout.contains(text) && !self.stderr.contains(text), "says {text:?}\n{}", self.picture());
        self
    }

    /// stdout is empty.
    #[track_caller]
    pub fn silent(self) -> Self {
        assert!(self.stdout.is_empty(), "{}", self.picture());
        self
    }

    /// stdout as one JSON value and nothing else.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|e| panic!("stdout is not one JSON value: {e}\n{}", self.picture()))
    }

    /// The single error line of `--json` on stderr.
    #[track_caller]
    pub fn error_json(&self) -> Value {
        let line = self.stderr.lines().rfind(|l| l.starts_with('{'));
        let value: Value = line
            .and_then(|l| serde_json::from_str(l).ok())
            .unwrap_or_else(|| panic!("no error line on stderr\n{}", self.picture()));
        assert_eq!(value["type"], "exit_error", "{}", self.picture());
        value
    }

    /// The value at a JSON pointer of stdout equals `want`.
    #[track_caller]
    pub fn has(self, pointer: &str, want: impl Into<Value>) -> Self {
        let json = self.json();
        let want = want.into();
        let got = json.pointer(pointer);
        assert_eq!(got, Some(&want), "{pointer}\n{}", self.picture());
        self
    }

    /// The number at a JSON pointer of stdout.
    #[track_caller]
    pub fn number(&self, pointer: &str) -> u64 {
        let json = self.json();
        json.pointer(pointer)
            .and_then(Value::as_u64)
            .unwrap_or_else(|| panic!("no number at {pointer}\n{}", self.picture()))
    }

    /// Everything a person would see, in one text, with the changing parts replaced.
    pub fn picture(&self) -> String {
        let code = self.code.map_or_else(|| "signal".to_owned(), |c| c.to_string());
        let (out, err) = (self.redact(&self.stdout), self.redact(&self.stderr));
        format!("exit: {code}\n--- stdout\n{out}--- stderr\n{err}---\n")
    }

    fn redact(&self, text: &str) -> String {
        let text = text.replace(&self.home, "~");
        let mut out = String::with_capacity(text.len());
        for line in text.split_inclusive('\n') {
            out.push_str(&redact_times(line));
        }
        out
    }
}

/// Replaces ISO times and archive stamps: `2026-05-01T08:00:00.123Z` and `2026-05-01T08-00-00.123Z` become `[TIME]`.
fn redact_times(line: &str) -> String {
    const SHAPE: &[u8] = b"dddd-dd-ddTdd:dd:dd.dddZ";
    let bytes = line.as_bytes();
    let mut out = String::new();
    let mut from = 0;
    let mut at = 0;
    while at + SHAPE.len() <= bytes.len() {
        let is_time = SHAPE.iter().zip(&bytes[at..]).all(|(s, c)| match s {
            b'd' => c.is_ascii_digit(),
            b':' => matches!(c, b':' | b'-'),
            s => s == c,
        });
        if is_time {
            out.push_str(&line[from..at]);
            out.push_str("[TIME]");
            at += SHAPE.len();
            from = at;
        } else {
            at += 1;
        }
    }
    out.push_str(&line[from..]);
    out
}

#[test]
fn times_are_redacted_and_nothing_else() {
    assert_eq!(redact_times("a.deleted.2026-05-01T08-00-00.123Z é"), "a.deleted.[TIME] é");
    assert_eq!(redact_times("2026-05-01T08:00:00.123Z 2026-05-01"), "[TIME] 2026-05-01");
}
