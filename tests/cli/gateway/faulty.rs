//! What may sit on a gateway's port and be no gateway, or a broken one: each fault does one thing wrong.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use tungstenite::protocol::CloseFrame;
use tungstenite::{Message, WebSocket};

/// One thing that goes wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// Accepts and closes.
    Closes,
    /// Accepts and never answers the upgrade.
    HangsBeforeUpgrade,
    /// Upgrades and sends no challenge.
    HangsBeforeChallenge,
    /// Never answers the connect request.
    HangsAfterConnect,
    /// Answers HTTP with this status.
    Http(u16),
    /// Speaks protocol 5 only, and says so as a refusal.
    RefusesProtocol,
    /// Lets us in with a hello of protocol 5.
    HelloOfAnotherProtocol,
    /// Is starting, this many times.
    Starting(usize),
    /// Claims a frame of a gibibyte instead of a challenge.
    GiantFrame,
    /// Bytes that are no HTTP.
    Noise,
    /// A first frame that is no JSON.
    NoJson,
    /// Sends its answer to the upgrade one byte at a time, for ever.
    Trickles,
    /// Lets us in and grants nothing.
    WrongScopes,
    /// Lets us in and leaves at once.
    LeavesAfterHello,
    /// Closes when the call is there.
    ClosesMidCall,
    /// Never answers the call, and is silent.
    SilentMidCall,
    /// Never answers the call, and shows signs of life all the time.
    BusyForEver,
    /// Answers the call with something that is no JSON.
    NoJsonMidCall,
    /// Answers the call with a frame of 26 MiB and more.
    GiantAnswer,
    /// Answers late, with signs of life before.
    AnswersLate,
}

/// A faulty listener.
pub struct Faulty {
    connections: Arc<AtomicUsize>,
    /// Frames that came after the hello; goodbyes of [`Fault::LeavesAfterHello`].
    calls: Arc<AtomicUsize>,
}

impl Faulty {
    /// Listens on `port` until the test process ends. `state` is the folder that it says it serves.
    pub fn start(fault: Fault, port: u16, state: &str) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", port)).unwrap();
        let faulty = Self { connections: Arc::default(), calls: Arc::default() };
        let (connections, calls, state) =
            (Arc::clone(&faulty.connections), Arc::clone(&faulty.calls), state.to_owned());
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                // As the gateway does: else a small frame waits for the receipt of the one before.
                let _ = stream.set_nodelay(true);
                let (connections, calls, state) = (Arc::clone(&connections), Arc::clone(&calls), state.clone());
                std::thread::spawn(move || {
                    One { fault, connections: &connections, calls: &calls, state: &state }.serve(stream)
                });
            }
        });
        faulty
    }

    /// How many connections asked for an upgrade.
    pub fn upgrades(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }

    /// How many calls came.
    pub fn calls(&self) -> usize {
        self.calls.load(Ordering::SeqCst)
    }
}

struct One<'a> {
    fault: Fault,
    connections: &'a AtomicUsize,
    calls: &'a AtomicUsize,
    state: &'a str,
}

impl One<'_> {
    fn serve(&self, mut stream: TcpStream) -> Option<()> {
        match self.fault {
            Fault::Closes => return Some(()),
            Fault::HangsBeforeUpgrade => return drain(&mut stream),
            Fault::Http(status) => return http(&mut stream, status),
            Fault::Noise => return noise(&mut stream),
            Fault::Trickles => return trickle(&mut stream),
            _ => {}
        }
        let mut first = [0; 16];
        stream.peek(&mut first).ok()?;
        if first.starts_with(b"GET /healthz") {
            return http(&mut stream, 200);
        }
        let mut socket = tungstenite::accept(stream).ok()?;
        let upgrades = self.connections.fetch_add(1, Ordering::SeqCst) + 1;
        match self.fault {
            Fault::HangsBeforeChallenge => return drain(socket.get_mut()),
            // 0x81: text, last; 0x7f: the length follows in eight bytes.
            Fault::GiantFrame => {
                let header = [&[0x81, 0x7f][..], &(1_u64 << 30).to_be_bytes()].concat();
                socket.get_mut().write_all(&header).ok()?;
                return drain(socket.get_mut());
            }
            Fault::NoJson => {
                socket.send(Message::text("hello, who is there?")).ok()?;
                return drain(socket.get_mut());
            }
            _ => {}
        }
        send(&mut socket, &json!({"type": "event", "event": "connect.challenge", "payload": {"nonce": "n", "ts": 1}}))?;
        let request = receive(&mut socket)?;
        match self.fault {
            Fault::HangsAfterConnect => return drain(socket.get_mut()),
            Fault::Starting(times) if upgrades <= times => {
                let error = json!({"code": "UNAVAILABLE", "message": "gateway starting; retry shortly", "retryable": true,
                    "retryAfterMs": 100, "details": {"reason": "startup-sidecars"}});
                return refuse(&mut socket, &request, &error, 1013, "gateway starting");
            }
            Fault::RefusesProtocol => {
                let error = json!({"code": "INVALID_REQUEST", "message": "protocol mismatch",
                    "details": {"expectedProtocol": 5, "minimumProbeProtocol": 5}});
                return refuse(&mut socket, &request, &error, 1002, "protocol mismatch");
            }
            _ => {}
        }
        let protocol = if self.fault == Fault::HelloOfAnotherProtocol { 5 } else { 4 };
        let scopes = if self.fault == Fault::WrongScopes { json!([]) } else { json!(["operator.admin"]) };
        let hello = json!({
            "type": "hello-ok", "protocol": protocol, "server": {"version": "2026.5.12"},
            "features": {"methods": ["sessions.list", "sessions.cleanup"]},
            "snapshot": {"stateDir": self.state, "authMode": "token", "uptimeMs": 1}, "auth": {"scopes": scopes},
            "policy": {"tickIntervalMs": 30_000},
        });
        answer(&mut socket, &request, &hello)?;
        if self.fault == Fault::LeavesAfterHello {
            let frame = CloseFrame { code: 1012.into(), reason: "service restart".into() };
            socket.close(Some(frame)).ok()?;
            socket.flush().ok()?;
            self.calls.fetch_add(1, Ordering::SeqCst);
            return drain(socket.get_mut());
        }
        loop {
            let request = receive(&mut socket)?;
            self.calls.fetch_add(1, Ordering::SeqCst);
            self.call(&mut socket, &request)?;
        }
    }

    fn call(&self, socket: &mut WebSocket<TcpStream>, request: &Value) -> Option<()> {
        let tick = json!({"type": "event", "event": "tick", "payload": {"ts": 1}, "seq": 1});
        match self.fault {
            Fault::ClosesMidCall => {
                let frame = CloseFrame { code: 1012.into(), reason: "service restart".into() };
                socket.close(Some(frame)).ok()?;
                socket.flush().ok()?;
                drain(socket.get_mut())
            }
            Fault::SilentMidCall => drain(socket.get_mut()),
            Fault::BusyForEver => loop {
                send(socket, &tick)?;
                std::thread::sleep(Duration::from_millis(5));
            },
            Fault::NoJsonMidCall => {
                socket.send(Message::text("<html>")).ok()?;
                drain(socket.get_mut())
            }
            Fault::GiantAnswer => {
                let header = [&[0x81, 0x7f][..], &(30_u64 << 20).to_be_bytes()].concat();
                socket.get_mut().write_all(&header).ok()?;
                drain(socket.get_mut())
            }
            Fault::AnswersLate => {
                for _ in 0..20 {
                    send(socket, &tick)?;
                    std::thread::sleep(Duration::from_millis(10));
                }
                answer(socket, request, &json!({"late": true}))
            }
            _ => answer(socket, request, &json!({"sessions": []})),
        }
    }
}

/// Waits until the other side is gone.
fn drain(stream: &mut TcpStream) -> Option<()> {
    let mut bytes = [0; 4096];
    while stream.read(&mut bytes).ok()? > 0 {}
    Some(())
}

fn http(stream: &mut TcpStream, status: u16) -> Option<()> {
    let mut request = Vec::new();
    let mut byte = [0];
    while !request.ends_with(b"\r\n\r\n") {
        if stream.read(&mut byte).ok()? == 0 {
            return None;
        }
        request.push(byte[0]);
    }
    let body = if status == 200 { r#"{"ok":true,"status":"live"}"# } else { "Not Found" };
    let head = format!("HTTP/1.1 {status} X\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}", body.len());
    stream.write_all(head.as_bytes()).ok()
}

fn noise(stream: &mut TcpStream) -> Option<()> {
    stream.write_all(b"\x00\x01SSH-2.0-noise\r\n\r\n\xff\xfe").ok()?;
    drain(stream)
}

fn trickle(stream: &mut TcpStream) -> Option<()> {
    for byte in b"HTTP/1.1 101 Switching Protocols\r\nX: ".iter().chain(std::iter::repeat(&b'x')) {
        stream.write_all(&[*byte]).ok()?;
        std::thread::sleep(Duration::from_millis(5));
    }
    Some(())
}

fn refuse(
    socket: &mut WebSocket<TcpStream>,
    request: &Value,
    error: &Value,
    code: u16,
    reason: &'static str,
) -> Option<()> {
    send(socket, &json!({"type": "res", "id": request["id"], "ok": false, "error": error}))?;
    socket.close(Some(CloseFrame { code: code.into(), reason: reason.into() })).ok()?;
    socket.flush().ok()?;
    drain(socket.get_mut())
}

fn answer(socket: &mut WebSocket<TcpStream>, request: &Value, payload: &Value) -> Option<()> {
    send(socket, &json!({"type": "res", "id": request["id"], "ok": true, "payload": payload}))
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
