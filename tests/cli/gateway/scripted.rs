//! A gateway on loopback that does what a test wants, and remembers every request.

use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tungstenite::{Message, WebSocket};

use crate::common::{Folder, World, stamp};

/// The secret of the scripted gateway.
pub const TOKEN: &str = "scripted-secret";

/// How a call is answered.
pub enum Reply {
    /// With a result.
    Result(Value),
    /// With an error: code, message, details.
    Error(&'static str, &'static str, Value),
    /// The connection is closed instead.
    Close,
    /// Never, as long as the client waits.
    Nothing,
}

/// What the gateway says of itself.
#[derive(Clone)]
pub struct Says {
    /// `snapshot.stateDir`.
    pub state_dir: PathBuf,
    /// Version.
    pub version: &'static str,
    /// Granted scopes.
    pub scopes: Vec<&'static str>,
    /// Listed methods.
    pub methods: Vec<&'static str>,
    /// Its sessions are not on this disk: `sessions.list` is answered like everything else.
    pub elsewhere: bool,
}

type Answer = dyn Fn(&str, &Value) -> Reply + Send + Sync;

/// A gateway that listens until it is dropped (its thread ends with the test process).
pub struct Scripted {
    requests: Arc<Mutex<Vec<(String, Value)>>>,
}

impl Scripted {
    /// Listens on `port`, answers `sessions.list` from the disk and everything else by `answer`.
    pub fn start(says: Says, port: u16, answer: impl Fn(&str, &Value) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", port)).unwrap();
        let requests = Arc::new(Mutex::new(Vec::new()));
        let (seen, answer): (_, Arc<Answer>) = (Arc::clone(&requests), Arc::new(answer));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (says, seen, answer) = (says.clone(), Arc::clone(&seen), Arc::clone(&answer));
                std::thread::spawn(move || serve(stream, &says, &seen, &*answer));
            }
        });
        Self { requests }
    }

    /// Every request after the handshake, in order.
    pub fn requests(&self) -> Vec<(String, Value)> {
        self.requests.lock().unwrap().clone()
    }

    /// Parameters of the calls of `sessions.cleanup`.
    pub fn cleanups(&self) -> Vec<Value> {
        self.requests()
            .into_iter()
            .filter(|(method, _)| method == "sessions.cleanup")
            .map(|(_, params)| params)
            .collect()
    }
}

impl Says {
    /// What the gateway of this world says.
    pub fn of(world: &World) -> Self {
        Self {
            state_dir: world.state(),
            version: "2026.5.12",
            scopes: vec!["operator.admin"],
            methods: vec!["health", "sessions.list", "sessions.cleanup"],
            elsewhere: false,
        }
    }
}

fn serve(stream: TcpStream, says: &Says, seen: &Mutex<Vec<(String, Value)>>, answer: &Answer) -> Option<()> {
    // An event and an answer right after it: neither waits for the other's receipt.
    stream.set_nodelay(true).ok()?;
    let mut socket = tungstenite::accept(stream).ok()?;
    send(&mut socket, &json!({"type": "event", "event": "connect.challenge", "payload": {"nonce": "n", "ts": 1}}))?;
    let hello = receive(&mut socket)?;
    if hello["params"]["auth"]["token"] != TOKEN {
        let error = json!({"code": "INVALID_REQUEST", "message": "unauthorized: gateway token mismatch",
            "details": {"code": "AUTH_TOKEN_MISMATCH", "canRetryWithDeviceToken": false}});
        send(&mut socket, &json!({"type": "res", "id": hello["id"], "ok": false, "error": error}))?;
        return socket.close(None).ok();
    }
    let payload = json!({
        "type": "hello-ok", "protocol": 4, "server": {"version": says.version, "connId": "c"},
        "features": {"methods": says.methods, "events": ["tick"]},
        "snapshot": {"presence": [], "health": {}, "stateVersion": {"presence": 1, "health": 1}, "uptimeMs": 1,
            "authMode": "token", "stateDir": says.state_dir, "configPath": says.state_dir.join("openclaw.json")},
        "auth": {"role": "operator", "scopes": says.scopes},
        "policy": {"maxPayload": 26_214_400, "maxBufferedBytes": 52_428_800, "tickIntervalMs": 30_000},
    });
    send(&mut socket, &json!({"type": "res", "id": hello["id"], "ok": true, "payload": payload}))?;
    loop {
        let request = receive(&mut socket)?;
        let (method, params) = (request["method"].as_str()?.to_owned(), request["params"].clone());
        seen.lock().unwrap().push((method.clone(), params.clone()));
        let reply = if method == "sessions.list" && !says.elsewhere {
            Reply::Result(list(&says.state_dir, params["agentId"].as_str().unwrap_or("main")))
        } else {
            answer(&method, &params)
        };
        // Events come between a request and its answer.
        send(&mut socket, &json!({"type": "event", "event": "tick", "payload": {"ts": 1}, "seq": 1}))?;
        let body = match reply {
            Reply::Result(payload) => json!({"type": "res", "id": request["id"], "ok": true, "payload": payload}),
            Reply::Error(code, message, details) => {
                let error = json!({"code": code, "message": message, "details": details});
                json!({"type": "res", "id": request["id"], "ok": false, "error": error})
            }
            Reply::Close => return None,
            Reply::Nothing => loop {
                receive(&mut socket)?;
            },
        };
        send(&mut socket, &body)?;
    }
}

fn send(socket: &mut WebSocket<TcpStream>, frame: &Value) -> Option<()> {
    socket.send(Message::text(frame.to_string())).ok()
}

fn receive(socket: &mut WebSocket<TcpStream>) -> Option<Value> {
    loop {
        if let Message::Text(text) = socket.read().ok()? {
            return serde_json::from_str(&text).ok();
        }
    }
}

/// The rows of a store, newest first, as `sessions.list` gives them.
fn list(state: &Path, agent: &str) -> Value {
    let index = state.join("agents").join(agent).join("sessions/sessions.json");
    let root: Value = std::fs::read(index).ok().and_then(|b| serde_json::from_slice(&b).ok()).unwrap_or_default();
    let mut rows: Vec<Value> = root
        .as_object()
        .into_iter()
        .flatten()
        .map(|(key, row)| json!({"key": key, "sessionId": row["sessionId"], "updatedAt": row["updatedAt"]}))
        .collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row["updatedAt"].as_i64()));
    rows.truncate(20);
    json!({"ts": 1, "count": rows.len(), "sessions": rows})
}

/// What a gateway does to a store when it is asked to clean up: rows whose key is in `rows` leave, their transcripts are
/// renamed, and the files in `files` are gone. Gives its answer.
pub fn clean_up(dir: &Path, now: i64, rows: &[&str], files: &[String]) -> Value {
    let index = dir.join("sessions.json");
    let mut root: Value = serde_json::from_slice(&std::fs::read(&index).unwrap()).unwrap();
    let before = root.as_object().unwrap().len();
    let mut gone = Vec::new();
    for key in rows {
        gone.extend(root.as_object_mut().unwrap().remove(*key));
    }
    let temp = dir.join("sessions.json.1.0000000c-0000-4000-8000-00000000000c.tmp");
    std::fs::write(&temp, serde_json::to_string_pretty(&root).unwrap()).unwrap();
    std::fs::rename(temp, &index).unwrap();
    for row in &gone {
        let name = format!("{}.jsonl", row["sessionId"].as_str().unwrap());
        let _ = std::fs::rename(dir.join(&name), dir.join(format!("{name}.deleted.{}", stamp(now))));
    }
    for name in files {
        let _ = std::fs::remove_file(dir.join(name));
    }
    json!({
        "agentId": "main", "storePath": index, "mode": "enforce", "dryRun": false, "beforeCount": before,
        "afterCount": before - gone.len(), "missing": 0, "dmScopeRetired": 0, "pruned": gone.len(), "capped": 0,
        "unreferencedArtifacts": {"scannedFiles": 9, "removedFiles": files.len(), "freedBytes": 1, "olderThanMs": 1},
        "diskBudget": null, "wouldMutate": true, "applied": true, "appliedCount": before - gone.len(),
    })
}

/// A world whose gateway owns it, with a sessions folder in it that `populate` fills.
pub fn owned(populate: impl FnOnce(&Folder)) -> (World, Folder) {
    let world = World::new();
    let world = world.var("OPENCLAW_GATEWAY_TOKEN", TOKEN);
    let main = world.agent("main");
    populate(&main);
    main.save();
    (world, main)
}
