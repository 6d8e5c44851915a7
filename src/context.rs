//! What a run knows about the world: clock, environment, where output goes, whether to stop.
//!
//! This is the only file that reads the environment, the clock or the terminal. Everything else gets a [`Context`].

#![expect(clippy::disallowed_methods, reason = "this is the one file that asks the world")]

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use crate::error::{Error, Kind};
use crate::model::Ms;

/// Lets tests and demonstrations run "at" a given time, in epoch milliseconds.
const FIXED_TIME: &str = "CLAWKEEP_TEST_NOW_MS";

/// Snapshot of the environment, taken once. `.env` files add to it (never replace).
#[derive(Debug, Clone, Default)]
pub struct Env(BTreeMap<OsString, OsString>);

impl Env {
    /// The process environment.
    pub fn from_process() -> Self {
        Self(std::env::vars_os().collect())
    }

    /// An environment made of pairs, for tests.
    pub fn of<K: Into<OsString>, V: Into<OsString>>(pairs: impl IntoIterator<Item = (K, V)>) -> Self {
        Self(pairs.into_iter().map(|(k, v)| (k.into(), v.into())).collect())
    }

    /// The raw value.
    pub fn raw(&self, name: &str) -> Option<&OsStr> {
        self.0.get(OsStr::new(name)).map(OsString::as_os_str)
    }

    /// Trimmed text; empty, non-UTF-8 and missing give `None`.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.raw(name).and_then(OsStr::to_str).map(str::trim).filter(|s| !s.is_empty())
    }

    /// Adds a variable unless it exists already.
    pub fn add_if_absent(&mut self, name: &str, value: &str) {
        self.0.entry(name.into()).or_insert_with(|| value.into());
    }

    /// Sets a variable (profile flags do that).
    pub fn set(&mut self, name: &str, value: impl Into<OsString>) {
        self.0.insert(name.into(), value.into());
    }
}

/// When to use colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Color {
    /// On a terminal without `NO_COLOR`.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// How much to say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OutputOptions {
    /// `--json`.
    pub json: bool,
    /// Times `-q` was given: 1 drops the report, 2 drops warnings too.
    pub quiet: u8,
    /// Times `-v` was given.
    pub verbose: u8,
    /// Colour.
    pub color: Color,
    /// `--no-progress`.
    pub no_progress: bool,
}

/// Set by signal handlers, looked at between effects.
#[derive(Debug, Clone, Default)]
pub struct Cancel(Arc<AtomicU8>);

impl Cancel {
    /// Records a signal: 130 for SIGINT, 143 for SIGTERM.
    pub fn set(&self, exit_code: u8) {
        self.0.store(exit_code, Ordering::SeqCst);
    }

    /// Exit code of the signal that came, if one did.
    pub fn get(&self) -> Option<u8> {
        match self.0.load(Ordering::SeqCst) {
            0 => None,
            code => Some(code),
        }
    }
}

/// What was carried out so far, so that a report that gets lost does not hide it. Clones share one list.
#[derive(Debug, Clone, Default)]
pub struct Deeds(Arc<Mutex<Vec<Option<String>>>>);

impl Deeds {
    /// Something on disk was changed, under this run id if there is a record.
    pub fn add(&self, run: Option<&str>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(run.map(str::to_owned));
    }

    /// Whether this process made a run of that id, in whatever folder.
    pub fn has(&self, run: &str) -> bool {
        let deeds = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        deeds.iter().flatten().any(|id| id == run)
    }

    /// Runs that this process made, in their order.
    pub fn runs(&self) -> Vec<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().flatten().cloned().collect()
    }

    /// The error of a report that cannot be written: of a run that changed something it says so.
    fn lost_report(&self, source: io::Error) -> Error {
        let error = Error::io("write", std::path::Path::new("<stdout>"), source);
        let deeds = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if error.kind == Kind::BrokenPipe || deeds.is_empty() {
            return error;
        }
        let runs: Vec<&str> = deeds.iter().flatten().map(String::as_str).collect();
        let which = match runs.as_slice() {
            [] => String::new(),
            [one] => format!(" (run {one})"),
            several => format!(" (runs {})", several.join(", ")),
        };
        let text = format!("the run was carried out{which}; its report could not be written: {}", error.message);
        Error::new(Kind::Partial, text).hint("clawkeep sessions runs")
    }
}

/// One run's view of the world.
#[derive(Debug, Clone)]
pub struct Context {
    /// Environment snapshot.
    pub env: Env,
    /// Working directory.
    pub cwd: PathBuf,
    /// Arguments after the program name, for the journal.
    pub argv: Vec<String>,
    /// Flags that commands named by a report must carry.
    pub given: crate::hints::Given,
    /// Output options.
    pub output: OutputOptions,
    /// What was carried out.
    pub deeds: Deeds,
    /// Cancel flag.
    pub cancel: Cancel,
    /// Stop asking for a busy lock after this long.
    pub wait: Option<Ms>,
    /// Fault hook of every change to the disk; does nothing outside of tests. Clones share one counter.
    pub faults: crate::fsx::fault::Faults,
    /// stdout is a terminal.
    pub stdout_tty: bool,
    /// stderr is a terminal.
    pub stderr_tty: bool,
    /// stdin is a terminal.
    pub stdin_tty: bool,
    started: Instant,
    started_at: Ms,
}

impl Context {
    /// The real world.
    ///
    /// A working directory that was removed reads as empty: only relative paths need it, and they fail where they are
    /// used, by name.
    pub fn real() -> Self {
        let env = Env::from_process();
        let fixed = env.text(FIXED_TIME).and_then(|t| t.parse().ok());
        Self {
            faults: crate::fsx::fault::Faults::from_env(&env),
            argv: Vec::new(),
            env,
            cwd: std::env::current_dir().unwrap_or_default(),
            given: crate::hints::Given::default(),
            deeds: Deeds::default(),
            output: OutputOptions::default(),
            cancel: Cancel::default(),
            wait: None,
            stdout_tty: io::stdout().is_terminal(),
            stderr_tty: io::stderr().is_terminal(),
            stdin_tty: io::stdin().is_terminal(),
            started: Instant::now(),
            started_at: fixed.unwrap_or_else(system_now),
        }
    }

    /// Says that the run is at a fixed time, if the environment asks for that: ages and limits then mean something else.
    ///
    /// # Errors
    /// A time that is none.
    pub fn tell_fixed_time(&self) -> crate::error::Result<()> {
        match self.env.raw(FIXED_TIME).filter(|v| !v.is_empty()) {
            None => Ok(()),
            Some(_) if self.env.text(FIXED_TIME).is_some_and(|t| t.parse::<Ms>().is_ok()) => {
                self.log(Level::Warning, &format!("running at a fixed time ({FIXED_TIME})"));
                Ok(())
            }
            Some(text) => {
                let shown = crate::report::escape::name(text);
                Err(Error::usage(format!("{FIXED_TIME} is {shown}, which is no time in epoch milliseconds")))
            }
        }
    }

    /// A quiet context for tests: empty environment, the given time and working directory.
    pub fn for_tests(now: Ms, cwd: impl Into<PathBuf>) -> Self {
        Self {
            env: Env::default(),
            faults: crate::fsx::fault::Faults::none(),
            argv: Vec::new(),
            cwd: cwd.into(),
            given: crate::hints::Given::default(),
            deeds: Deeds::default(),
            output: OutputOptions::default(),
            cancel: Cancel::default(),
            wait: None,
            stdout_tty: false,
            stderr_tty: false,
            stdin_tty: false,
            started: Instant::now(),
            started_at: now,
        }
    }

    /// Current time in epoch ms. Moves with a monotonic clock from the start of the run, so that a clock that jumps
    /// while we run cannot age anything.
    pub fn now(&self) -> Ms {
        self.started_at + Ms::try_from(self.started.elapsed().as_millis()).unwrap_or(0)
    }

    /// Time at which the run began; policies use this one value throughout.
    pub fn run_time(&self) -> Ms {
        self.started_at
    }

    /// Whether to colour stdout.
    pub fn color_stdout(&self) -> bool {
        match self.output.color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => {
                let forced = self.env.text("FORCE_COLOR").is_some_and(|v| v != "0");
                forced || (self.stdout_tty && self.env.text("NO_COLOR").is_none())
            }
        }
    }

    /// Width of the terminal in columns, or 0 off a terminal.
    pub fn width(&self) -> usize {
        if !self.stdout_tty {
            return 0;
        }
        if let Some(columns) = self.env.text("COLUMNS").and_then(|c| c.parse().ok()) {
            return columns;
        }
        terminal_width().unwrap_or(80)
    }

    /// Ends a command that a signal asked to stop, where what it knows so far is no report.
    ///
    /// # Errors
    /// [`crate::error::Kind::Interrupted`], once the signal came.
    pub fn unless_cancelled(&self) -> crate::error::Result<()> {
        match self.cancel.get() {
            None => Ok(()),
            Some(_) => {
                let kind = crate::error::Kind::Interrupted;
                Err(crate::error::Error::new(kind, "interrupted; nothing was changed"))
            }
        }
    }

    /// Writes to stdout. A reader that went away is [`crate::error::Kind::BrokenPipe`], a quiet success.
    pub fn write_stdout(&self, text: &[u8]) -> crate::error::Result<()> {
        let mut out = io::stdout().lock();
        out.write_all(text).and_then(|()| out.flush()).map_err(|e| self.deeds.lost_report(e))
    }

    /// Writes to stdout through a buffer, for output that is made while it is printed. Errors as in
    /// [`Context::write_stdout`].
    pub fn stream_stdout(&self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> crate::error::Result<()> {
        let mut out = io::BufWriter::with_capacity(64 * 1024, io::stdout().lock());
        write(&mut out).and_then(|()| out.flush()).map_err(|e| self.deeds.lost_report(e))
    }

    /// Asks a yes-or-no question on stderr and reads one line from stdin. Only `y` and `yes` are a yes; a signal that
    /// asks the run to stop is a no.
    pub fn ask(&self, question: &str) -> crate::error::Result<bool> {
        self.write_stderr(question.as_bytes());
        if !wait_for_input(&self.cancel) {
            self.write_stderr(b"\n");
            return Ok(false);
        }
        let mut answer = String::new();
        io::stdin()
            .read_line(&mut answer)
            .map_err(|e| crate::error::Error::io("read", std::path::Path::new("<stdin>"), e))?;
        Ok(matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes"))
    }

    /// Whether to colour stderr.
    pub fn color_stderr(&self) -> bool {
        match self.output.color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => self.stderr_tty && self.env.text("NO_COLOR").is_none(),
        }
    }

    /// Writes to stderr as it is, without time or prefix. Errors are ignored: there is nowhere left to report them.
    pub fn write_stderr(&self, text: &[u8]) {
        let _ = io::stderr().lock().write_all(text);
    }

    /// Log lines on stderr, control characters escaped. Without a terminal each starts with an ISO time. Errors are
    /// ignored: there is nowhere left to report them.
    pub fn log(&self, level: Level, text: &str) {
        let hidden = match level {
            Level::Error => false,
            Level::Warning => self.output.quiet >= 2,
            Level::Info => self.output.quiet >= 1,
            Level::Debug => self.output.verbose == 0,
        };
        if hidden {
            return;
        }
        let time = if self.stderr_tty { String::new() } else { format!("{} ", crate::units::time::iso(self.now())) };
        let mut err = io::stderr().lock();
        for line in text.lines() {
            let _ = writeln!(err, "{time}{}{}", level.prefix(), crate::report::escape::line(line));
        }
    }
}

/// Level of a log line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// Shown always.
    Error,
    /// Shown unless `-qq`.
    Warning,
    /// Shown unless `-q`.
    Info,
    /// Shown with `-v`.
    Debug,
}

impl Level {
    fn prefix(self) -> &'static str {
        match self {
            Self::Error => "error: ",
            Self::Warning => "warning: ",
            Self::Info | Self::Debug => "",
        }
    }
}

fn system_now() -> Ms {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| Ms::try_from(d.as_millis()).unwrap_or(Ms::MAX))
}

/// Waits until stdin has something to read. `false` if the run is to stop before. Looks at the flag ten times a second,
/// because another thread may be the one that a signal interrupts.
#[cfg(unix)]
fn wait_for_input(cancel: &Cancel) -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let stdin = io::stdin();
    let tenth = Timespec { tv_sec: 0, tv_nsec: 100_000_000 };
    while cancel.get().is_none() {
        let mut fds = [PollFd::new(&stdin, PollFlags::IN)];
        match poll(&mut fds, Some(&tenth)) {
            Ok(0) | Err(rustix::io::Errno::INTR) => {}
            // Readable, at its end, or not to be waited for: reading tells.
            _ => return true,
        }
    }
    false
}

#[cfg(not(unix))]
fn wait_for_input(cancel: &Cancel) -> bool {
    cancel.get().is_none()
}

#[cfg(unix)]
fn terminal_width() -> Option<usize> {
    rustix::termios::tcgetwinsize(io::stdout()).ok().map(|w| usize::from(w.ws_col)).filter(|w| *w > 0)
}

#[cfg(not(unix))]
fn terminal_width() -> Option<usize> {
    None
}
