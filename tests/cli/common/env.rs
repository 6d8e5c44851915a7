//! A world of its own for each test: a home that is a temporary folder, an environment with nothing in it but what the
//! test put there, a gateway port on which nothing listens, and a limit on how long the program may take.

use std::ffi::{OsStr, OsString};
use std::io::Read;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use super::output::Output;
use super::state::Folder;

/// Longer than any run needs on a loaded machine; a run that takes longer hangs.
const LIMIT: Duration = Duration::from_secs(120);

/// One test's world.
pub struct World {
    root: tempfile::TempDir,
    now: i64,
    vars: Vec<(OsString, OsString)>,
    program: PathBuf,
}

impl World {
    /// An empty home with an empty state folder.
    pub fn new() -> Self {
        let root = tempfile::Builder::new().prefix("clawkeep-test-").tempdir().unwrap();
        let world = Self { root, now: clock(), vars: Vec::new(), program: program() };
        std::fs::create_dir_all(world.state()).unwrap();
        let port = closed_port().to_string();
        world.var("OPENCLAW_GATEWAY_PORT", port)
    }

    /// Adds or replaces a variable of the program's environment.
    pub fn var(mut self, name: &str, value: impl Into<OsString>) -> Self {
        self.vars.retain(|(n, _)| n != name);
        self.vars.push((name.into(), value.into()));
        self
    }

    /// Epoch milliseconds at which this world was made. All ages count from it.
    pub fn now(&self) -> i64 {
        self.now
    }

    /// `$HOME`, symlinks resolved.
    pub fn home(&self) -> PathBuf {
        self.root.path().canonicalize().unwrap()
    }

    /// The port in the environment, where a gateway would listen.
    pub fn port(&self) -> u16 {
        let (_, port) = self.vars.iter().find(|(name, _)| name == "OPENCLAW_GATEWAY_PORT").unwrap();
        port.to_str().unwrap().parse().unwrap()
    }

    /// `~/.openclaw`.
    pub fn state(&self) -> PathBuf {
        self.home().join(".openclaw")
    }

    /// The configuration file.
    pub fn config_path(&self) -> PathBuf {
        self.state().join("openclaw.json")
    }

    /// Writes the configuration.
    pub fn config(&self, value: &serde_json::Value) {
        self.config_text(&serde_json::to_string_pretty(value).unwrap());
    }

    /// Writes the configuration as given.
    pub fn config_text(&self, text: &str) {
        std::fs::write(self.config_path(), text).unwrap();
    }

    /// `session.maintenance` and nothing else.
    pub fn maintenance(&self, value: &serde_json::Value) {
        self.config(&serde_json::json!({ "session": { "maintenance": value } }));
    }

    /// The sessions folder of an agent.
    pub fn agent(&self, agent: &str) -> Folder {
        Folder::create(&self.state().join("agents").join(agent).join("sessions"), self.now)
    }

    /// Any folder as a sessions folder.
    pub fn folder(&self, path: impl AsRef<Path>) -> Folder {
        Folder::create(&self.home().join(path), self.now)
    }

    /// The program, ready to start in this world.
    pub fn command<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Command {
        let mut command = self.hermetic(&self.program);
        command.args(args);
        command
    }

    /// Another program (strace, valgrind) in the same environment.
    pub fn hermetic(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.env_clear().envs(self.vars.iter().map(|(n, v)| (n, v))).current_dir(self.home());
        command.env("HOME", self.home()).env("TZ", "UTC").env("COLUMNS", "100").env("LANG", "C.UTF-8");
        for name in ["PATH", "SystemRoot", "LLVM_PROFILE_FILE"] {
            if let Some(value) = std::env::var_os(name) {
                command.env(name, value);
            }
        }
        command.stdin(Stdio::null());
        command
    }

    /// Runs the program to its end.
    pub fn run<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Output {
        self.finish(self.command(args))
    }

    /// Runs a command line split at spaces; `{store}` is the index of the agent `main`.
    pub fn line(&self, line: &str) -> Output {
        let store = self.state().join("agents/main/sessions/sessions.json");
        self.run(line.split_whitespace().map(|word| match word {
            "{store}" => store.clone().into_os_string(),
            word => OsString::from(word),
        }))
    }

    /// `sessions cleanup --store {store} --json --enforce` with more arguments.
    pub fn enforce(&self, more: &str) -> Output {
        self.line(&format!("sessions cleanup --store {{store}} --enforce --json {more}"))
    }

    /// The same as a dry run.
    pub fn plan(&self, more: &str) -> Output {
        self.line(&format!("sessions cleanup --store {{store}} --enforce --dry-run --json {more}"))
    }

    /// Starts `command`, waits for its end, and collects what it printed.
    pub fn finish(&self, mut command: Command) -> Output {
        let what = format!("{command:?}");
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let stdout = drain(child.stdout.take());
        let stderr = drain(child.stderr.take());
        let code = wait(&mut child, &what);
        Output::new(stdout.join().unwrap(), stderr.join().unwrap(), code, &self.home())
    }
}

fn wait(child: &mut Child, what: &str) -> Option<i32> {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status.code();
        }
        if start.elapsed() > LIMIT {
            let _ = child.kill();
            panic!("did not end: {what}");
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn drain(pipe: Option<impl Read + Send + 'static>) -> std::thread::JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            pipe.read_to_end(&mut bytes).unwrap();
        }
        bytes
    })
}

/// The program of this build, or the one that `CLAWKEEP` names: long proofs run with an optimised one.
fn program() -> PathBuf {
    std::env::var_os("CLAWKEEP").map_or_else(|| env!("CARGO_BIN_EXE_clawkeep").into(), PathBuf::from)
}

/// A port of the loopback interface on which nothing listens.
pub fn closed_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

fn clock() -> i64 {
    i64::try_from(SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis()).unwrap()
}
