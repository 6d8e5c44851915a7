//! Real gateways: installed from the npm registry into a cache folder, started on loopback in a world of their own.
//!
//! `CLAWKEEP_PEERS` names the cache folder (default `target/peers`); what is there already is used without the registry.
//! Where a gateway cannot be had, a test says so in one line (`skipped: ...`) and passes.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tungstenite::Message;

use super::scripted::TOKEN;
use crate::common::World;

/// The generation with `sessions.json`.
pub const OLD: &str = "2026.5.12";
/// The generation with databases.
pub const NEW: &str = "2026.9.6";

/// Longer than a start takes on a loaded machine.
const START: Duration = Duration::from_secs(240);

/// One at a time: each takes a core and most of a GB.
static ALONE: Mutex<()> = Mutex::new(());

/// An installed gateway.
pub struct Peer {
    node: PathBuf,
    program: PathBuf,
    /// Held as long as the test uses it.
    _alone: std::sync::MutexGuard<'static, ()>,
}

/// The gateway of a version; `None`, with a line that says why, where it cannot be had.
pub fn peer(version: &str) -> Option<Peer> {
    let alone = ALONE.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let cache = std::env::var_os("CLAWKEEP_PEERS")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("target/peers"), PathBuf::from);
    let dir = cache.join(version);
    let (node, program) = (dir.join("node_modules/node/bin/node"), dir.join("node_modules/openclaw/openclaw.mjs"));
    if !(node.exists() && program.exists())
        && let Err(why) = install(version, &dir)
    {
        println!("skipped: no gateway {version} to test with: {why}");
        return None;
    }
    Some(Peer { node, program, _alone: alone })
}

fn install(version: &str, dir: &Path) -> Result<(), String> {
    std::fs::create_dir_all(dir).map_err(|e| e.to_string())?;
    let run = |command: &mut Command| match command.current_dir(dir).stdin(Stdio::null()).output() {
        Ok(out) if out.status.success() => Ok(()),
        Ok(out) => {
            let text = String::from_utf8_lossy(&out.stderr).into_owned();
            Err(text.lines().find(|l| l.contains("ERR!")).or(text.lines().last()).unwrap_or("npm failed").to_owned())
        }
        Err(e) => Err(format!("npm: {e}")),
    };
    let node = if version == OLD { "node@22" } else { "node@24" };
    let package = format!("openclaw@{version}");
    // No script of any package runs but the one that fetches the node binary.
    run(Command::new("npm").args(["install", "--ignore-scripts", "--no-audit", "--no-fund", node, &package]))?;
    run(Command::new("node").arg("node_modules/node/installArchSpecificPackage.js"))
}

/// A gateway that runs until it is stopped or dropped.
pub struct Running {
    child: Child,
    port: u16,
    log: PathBuf,
}

impl Peer {
    /// Runs a script in the gateway's own node; it is given the folder of the gateway's modules, then `args`.
    pub fn script(&self, world: &World, script: &Path, args: &[&Path]) -> std::process::Output {
        let modules = self.program.with_file_name("dist");
        let mut command = Command::new(&self.node);
        command.arg(script).arg(modules).args(args).current_dir(world.home()).stdin(Stdio::null());
        command.env_clear().env("HOME", world.home()).env("PATH", "/usr/bin:/bin").env("TMPDIR", world.home());
        command.output().unwrap()
    }

    /// Starts it in the home of `world`, on the port of `world`, and waits until it serves. `more` is added to a minimal
    /// configuration.
    pub fn start(&self, world: &World, more: &Value) -> Running {
        let mut config = json!({
            "gateway": {"mode": "local", "port": world.port(), "bind": "loopback",
                "auth": {"mode": "token", "token": TOKEN}, "controlUi": {"enabled": false}},
            "discovery": {"mdns": {"mode": "off"}}, "update": {"checkOnStart": false},
            "models": {"pricing": {"enabled": false}},
        });
        for (key, value) in more.as_object().unwrap() {
            config[key] = value.clone();
        }
        world.config(&config);
        self.start_as_configured(world)
    }

    /// Starts it with the configuration that is there.
    pub fn start_as_configured(&self, world: &World) -> Running {
        let log = world.home().join("gateway.log");
        let out = std::fs::File::create(&log).unwrap();
        std::fs::create_dir_all(world.home().join("tmp")).unwrap();
        let port = world.port().to_string();
        let mut command = Command::new(&self.node);
        command
            .arg(&self.program)
            .args(["gateway", "run", "--port", &port, "--bind", "loopback", "--auth", "token", "--token", TOKEN])
            .env_clear()
            .env("PATH", format!("{}:/usr/bin:/bin", self.node.parent().unwrap().display()))
            .env("HOME", world.home())
            .env("TMPDIR", world.home().join("tmp"))
            .env("LANG", "C.UTF-8")
            .env("OPENCLAW_SKIP_CHANNELS", "1")
            .stdin(Stdio::null())
            .stdout(out.try_clone().unwrap())
            .stderr(out);
        let mut running = Running { child: command.spawn().unwrap(), port: world.port(), log };
        running.wait_until_ready();
        running
    }
}

impl Running {
    fn wait_until_ready(&mut self) {
        let begun = Instant::now();
        while !(is_ready(self.port) && self.said("[gateway] ready")) {
            let ended = self.child.try_wait().unwrap();
            assert!(ended.is_none() && begun.elapsed() < START, "the gateway did not start:\n{}", self.log_text());
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    fn said(&self, words: &str) -> bool {
        self.log_text().contains(words)
    }

    fn log_text(&self) -> String {
        std::fs::read_to_string(&self.log).unwrap_or_default()
    }

    /// Calls a method as an administrator, over a client of our own making.
    pub fn call(&self, method: &str, params: &Value) -> Value {
        let (mut socket, _) = tungstenite::connect(format!("ws://127.0.0.1:{}/", self.port)).unwrap();
        let mut answer = |id: &str| loop {
            if let Message::Text(text) = socket.read().unwrap() {
                let frame: Value = serde_json::from_str(&text).unwrap();
                if frame["event"] == "connect.challenge" {
                    let connect = json!({"minProtocol": 4, "maxProtocol": 4, "caps": [], "role": "operator",
                        "client": {"id": "gateway-client", "version": "1", "platform": "linux", "mode": "backend"},
                        "scopes": ["operator.admin"], "auth": {"token": TOKEN}});
                    let request = json!({"type": "req", "id": "hello", "method": "connect", "params": connect});
                    socket.send(Message::text(request.to_string())).unwrap();
                } else if frame["type"] == "res" && frame["id"] == "hello" && id != "hello" {
                    let request = json!({"type": "req", "id": id, "method": method, "params": params});
                    socket.send(Message::text(request.to_string())).unwrap();
                } else if frame["type"] == "res" && frame["id"] == id {
                    return frame;
                }
            }
        };
        let frame = answer("call");
        assert_eq!(frame["ok"], true, "{method}: {frame}");
        frame["payload"].clone()
    }

    /// Keys of its own list.
    pub fn keys(&self) -> Vec<String> {
        let list = self.call("sessions.list", &json!({"limit": 500}));
        list["sessions"].as_array().unwrap().iter().map(|s| s["key"].as_str().unwrap().to_owned()).collect()
    }

    /// Sends it a signal by name.
    pub fn signal(&self, name: &str) {
        let status = Command::new("kill").args([&format!("-{name}"), &self.child.id().to_string()]).status().unwrap();
        assert!(status.success());
    }

    /// Stops it as a service manager does, and waits for its end.
    pub fn stop(mut self) {
        self.signal("TERM");
        let begun = Instant::now();
        while self.child.try_wait().unwrap().is_none() {
            if begun.elapsed() > Duration::from_secs(60) {
                let _ = self.child.kill();
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Ends it in the middle of whatever it does.
    pub fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn is_ready(port: u16) -> bool {
    let Ok(mut stream) = TcpStream::connect(("127.0.0.1", port)) else { return false };
    let _ = stream.set_read_timeout(Some(Duration::from_secs(5)));
    let mut answer = String::new();
    stream.write_all(b"GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").is_ok()
        && stream.read_to_string(&mut answer).is_ok()
        && answer.starts_with("HTTP/1.1 200")
}
