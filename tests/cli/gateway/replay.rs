//! The client against exchanges that were recorded with real gateways of both generations, and the outcomes of calls.

use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clawkeep::context::Cancel;
use clawkeep::gateway::access::Access;
use clawkeep::gateway::client::{Ask, CallError, Client, ConnectFailure, Deadlines};
use clawkeep::gateway::credentials::Credentials;
use clawkeep::gateway::endpoint;
use clawkeep::gateway::secret::Secret;
use clawkeep::gateway::tls::Pin;
use serde_json::{Value, json};
use tungstenite::protocol::CloseFrame;
use tungstenite::{Message, WebSocket};

use super::faulty::{Fault, Faulty};
use crate::common::closed_port;

const ASK: Ask<'_> = Ask { scopes: &["operator.admin"], create_identity: false };

/// How one talks to a port of this host with a token.
fn access(port: u16, scheme: &str) -> Access {
    Access {
        endpoint: endpoint::parse_url(&format!("{scheme}://127.0.0.1:{port}"), "default").unwrap(),
        others: Vec::new(),
        credentials: Credentials { token: Secret::of("fake-token"), ..Credentials::default() },
        pin: None,
        aliases: Vec::new(),
        identity: "/nonexistent/identity".into(),
        forbidden: None,
    }
}

/// One recorded exchange.
struct Recording {
    entries: Vec<Value>,
}

impl Recording {
    fn read(path: &Path) -> Self {
        let text = std::fs::read_to_string(path).unwrap();
        Self { entries: text.lines().map(|l| serde_json::from_str(l).unwrap()).collect() }
    }

    /// Requests of the client, with what came back until the next one that waited for an answer.
    fn requests(&self) -> Vec<&Value> {
        self.entries.iter().filter(|e| e["dir"] == "out").map(|e| &e["frame"]).collect()
    }

    fn response(&self, id: &Value) -> Option<&Value> {
        let mut frames = self.entries.iter().filter(|e| e["dir"] == "in").map(|e| &e["frame"]);
        frames.find(|f| f["type"] == "res" && f["id"] == *id)
    }

    /// Events that were recorded after the n-th request and before the next.
    fn events(&self, n: usize) -> Vec<&Value> {
        let mut seen = 0;
        let mut events = Vec::new();
        for entry in &self.entries {
            seen += usize::from(entry["dir"] == "out");
            if seen == n && entry["dir"] == "in" && entry["frame"]["type"] == "event" {
                events.push(&entry["frame"]);
            }
        }
        events
    }

    fn close(&self) -> (u16, String) {
        let frame = self.entries.iter().find(|e| e["dir"] == "close").map_or(Value::Null, |e| e["frame"].clone());
        let code = frame["code"].as_u64().and_then(|c| u16::try_from(c).ok()).unwrap_or(1000);
        (code, frame["reason"].as_str().unwrap_or_default().to_owned())
    }

    /// Plays the gateway's side to one client.
    fn play(&self, stream: TcpStream) -> Option<()> {
        let mut socket = tungstenite::accept(stream).ok()?;
        let requests = self.requests();
        for event in self.events(0) {
            send(&mut socket, event)?;
        }
        for (n, recorded) in requests.iter().enumerate() {
            let request = receive(&mut socket)?;
            assert_eq!(request["method"], recorded["method"]);
            for event in self.events(n + 1) {
                send(&mut socket, event)?;
            }
            let Some(response) = self.response(&recorded["id"]) else { break };
            let mut response = response.clone();
            response["id"] = request["id"].clone();
            send(&mut socket, &response)?;
        }
        let (code, reason) = self.close();
        socket.close(Some(CloseFrame { code: code.into(), reason: reason.into() })).ok()?;
        socket.flush().ok()?;
        receive(&mut socket).map(|_| ())
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

fn data(version: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/gateway").join(version)
}

/// Plays a recording to the client and compares what the client makes of it. Gives the number of requests.
fn replay(version: &str, path: &Path) -> usize {
    let name = path.file_stem().unwrap().to_str().unwrap();
    let mut recording = Recording::read(path);
    if recording.requests().first().is_none_or(|r| r["method"] != "connect") {
        // Recorded inside a session: the handshake of its gateway comes before it.
        let mut whole = Recording::read(&data(version).join("handshake-ok.jsonl")).entries;
        whole.truncate(3);
        if recording.requests().is_empty() {
            whole.push(json!({"dir": "out", "frame": {"type": "req", "id": "x", "method": "sessions.cleanup"}}));
        }
        whole.append(&mut recording.entries);
        recording.entries = whole;
    }
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::scope(|scope| {
        scope.spawn(|| recording.play(listener.accept().unwrap().0));
        let requests = recording.requests();
        let hello = recording.response(&requests[0]["id"]).unwrap();
        match Client::connect(&access(port, "ws"), &ASK, Deadlines::USUAL, &Cancel::default()) {
            Ok(mut client) => {
                assert_eq!(hello["ok"], true, "{version} {name}");
                assert_eq!(client.hello().version, version, "{name}");
                assert!(client.hello().offers("sessions.cleanup"), "{name}");
                let granted = hello["payload"]["auth"]["scopes"].as_array().unwrap();
                assert_eq!(client.hello().scopes, granted.iter().map(|s| s.as_str().unwrap()).collect::<Vec<_>>());
                for request in &requests[1..] {
                    call(&recording, &mut client, request, &format!("{version} {name}"));
                }
                client.close();
            }
            Err(error) => {
                let failure = &hello["error"];
                let code = failure["details"]["code"].as_str().or(failure["code"].as_str()).unwrap();
                assert_eq!(error.kind, ConnectFailure::Refused(code.to_owned()), "{version} {name}");
                assert!(error.message.contains(failure["message"].as_str().unwrap()), "{version} {name}: {error:?}");
            }
        }
        requests.len()
    })
}

fn call(recording: &Recording, client: &mut Client, request: &Value, what: &str) {
    let got = client.call(request["method"].as_str().unwrap(), &request["params"]);
    match (recording.response(&request["id"]), got) {
        (Some(response), Ok(payload)) => assert_eq!(payload, response["payload"], "{what}"),
        (Some(response), Err(CallError::Refused { code, message, details })) => {
            let error = &response["error"];
            assert_eq!(code, error["details"]["code"].as_str().or(error["code"].as_str()).unwrap(), "{what}");
            assert_eq!(message, error["message"].as_str().unwrap(), "{what}");
            assert_eq!(details.unwrap_or_default(), error["details"], "{what}");
        }
        (None, Err(CallError::OutcomeUnknown(why))) => {
            assert!(why.contains(&recording.close().0.to_string()), "{what}: {why}");
        }
        (recorded, got) => panic!("{what}: {recorded:?}, but {got:?}"),
    }
}

#[test]
fn recorded_exchanges_of_both_generations_are_understood() {
    let mut requests = 0;
    for version in ["2026.5.12", "2026.9.6"] {
        let files: Vec<_> = std::fs::read_dir(data(version)).unwrap().map(|e| e.unwrap().path()).collect();
        assert!(files.len() > 15, "{version}");
        requests += files.iter().map(|file| replay(version, file)).sum::<usize>();
    }
    assert!(requests > 60, "{requests}");
}

fn lost(fault: Fault, deadlines: Deadlines) -> (Result<Value, CallError>, Client) {
    let port = closed_port();
    let _faulty = Faulty::start(fault, port, "/state");
    let mut client = Client::connect(&access(port, "ws"), &ASK, deadlines, &Cancel::default()).unwrap();
    (client.call("sessions.cleanup", &json!({})), client)
}

#[test]
fn a_call_that_was_sent_and_not_answered_has_an_unknown_outcome() {
    let short = Deadlines { call: Duration::from_millis(400), silence: Duration::from_millis(200), ..Deadlines::USUAL };
    for (fault, words) in [
        (Fault::ClosesMidCall, "1012: service restart"),
        (Fault::SilentMidCall, "fell silent"),
        (Fault::BusyForEver, "no answer within 0.4 s"),
        (Fault::NoJsonMidCall, "no JSON object"),
        (Fault::GiantAnswer, "a frame of 31457280 bytes"),
    ] {
        let (result, mut client) = lost(fault, short);
        let Err(CallError::OutcomeUnknown(why)) = result else { panic!("{fault:?}: {result:?}") };
        assert!(why.contains(words), "{fault:?}: {why}");
        let again = client.call("sessions.list", &json!({}));
        assert!(matches!(again, Err(CallError::NotSent(_))), "{fault:?}: {again:?}");
    }
}

#[test]
fn a_gateway_that_left_before_the_call_was_not_asked() {
    let port = closed_port();
    let faulty = Faulty::start(Fault::LeavesAfterHello, port, "/state");
    let mut client = Client::connect(&access(port, "ws"), &ASK, Deadlines::USUAL, &Cancel::default()).unwrap();
    while faulty.calls() == 0 {
        std::thread::yield_now();
    }
    let result = client.call("sessions.cleanup", &json!({}));
    let Err(CallError::NotSent(why)) = result else { panic!("{result:?}") };
    assert!(why.contains("1012: service restart"), "{why}");
}

#[test]
fn a_late_answer_is_waited_for_while_the_gateway_lives() {
    let patient = Deadlines { silence: Duration::from_secs(30), ..Deadlines::USUAL };
    assert_eq!(lost(Fault::AnswersLate, patient).0.unwrap(), json!({"late": true}));
}

#[test]
fn a_signal_ends_a_wait_and_a_new_call() {
    let port = closed_port();
    let _faulty = Faulty::start(Fault::BusyForEver, port, "/state");
    let cancel = Cancel::default();
    let mut client = Client::connect(&access(port, "ws"), &ASK, Deadlines::USUAL, &cancel).unwrap();
    cancel.set(130);
    assert!(matches!(client.call("sessions.list", &json!({})), Err(CallError::NotSent(_))));
    let error = Client::connect(&access(port, "ws"), &ASK, Deadlines::USUAL, &cancel).unwrap_err();
    assert_eq!(error.kind, ConnectFailure::Interrupted);
}

#[test]
fn only_a_refused_connect_is_absence_and_other_ports_are_tried_then() {
    let port = closed_port();
    let absent = Client::connect(&access(port, "ws"), &ASK, Deadlines::USUAL, &Cancel::default()).unwrap_err();
    assert!(absent.is_absent(), "{absent:?}");
    let other = closed_port();
    let _gateway = Faulty::start(Fault::AnswersLate, other, "/state");
    let both = Access { others: vec![access(other, "ws").endpoint], ..access(port, "ws") };
    let client = Client::connect(&both, &ASK, Deadlines::USUAL, &Cancel::default()).unwrap();
    assert_eq!(client.endpoint().port, other);
}

#[test]
fn plaintext_to_another_host_opens_no_socket() {
    let forbidden = Access { forbidden: Some("plaintext".into()), ..access(closed_port(), "ws") };
    let error = Client::connect(&forbidden, &ASK, Deadlines::USUAL, &Cancel::default()).unwrap_err();
    assert_eq!(error.kind, ConnectFailure::NotAllowed);
}

/// A gateway with TLS and the test certificate; gives its port.
fn with_tls() -> u16 {
    use rustls::pki_types::pem::PemObject;
    use rustls::pki_types::{CertificateDer, PrivateKeyDer};
    let dir = data("tls");
    let certificate = CertificateDer::from_pem_file(dir.join("cert.pem")).unwrap();
    let key = PrivateKeyDer::from_pem_file(dir.join("key.pem")).unwrap();
    let config = rustls::ServerConfig::builder_with_provider(rustls::crypto::ring::default_provider().into())
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key)
        .unwrap();
    let config = std::sync::Arc::new(config);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let session = rustls::ServerConnection::new(std::sync::Arc::clone(&config)).unwrap();
            let mut socket = match tungstenite::accept(rustls::StreamOwned::new(session, stream)) {
                Ok(socket) => socket,
                Err(_) => continue,
            };
            let challenge = json!({"type": "event", "event": "connect.challenge", "payload": {"nonce": "n", "ts": 1}});
            socket.send(Message::text(challenge.to_string())).unwrap();
            let request: Value = serde_json::from_str(socket.read().unwrap().to_text().unwrap()).unwrap();
            assert_eq!(request["params"]["auth"]["token"], "fake-token");
            let hello = json!({"type": "res", "id": request["id"], "ok": true,
                "payload": {"type": "hello-ok", "protocol": 4, "server": {"version": "tls"}}});
            socket.send(Message::text(hello.to_string())).unwrap();
            let _ = socket.read();
        }
    });
    port
}

#[test]
fn a_pinned_certificate_is_accepted_and_no_other() {
    let port = with_tls();
    let pin = Pin::of_file(&data("tls").join("cert.pem"));
    assert!(pin.is_some());
    let with = |pin| {
        let access = Access { pin, ..access(port, "wss") };
        Client::connect(&access, &ASK, Deadlines::USUAL, &Cancel::default())
    };
    assert_eq!(with(pin).unwrap().hello().version, "tls");
    let other = with(Pin::parse(&"ab".repeat(32))).unwrap_err();
    assert_eq!(other.kind, ConnectFailure::NotAGateway);
    assert!(other.message.contains("did not show the pinned certificate abab"), "{other:?}");
    let unpinned = with(None).unwrap_err();
    assert_eq!(unpinned.kind, ConnectFailure::NotAGateway, "a certificate that nobody vouches for: {unpinned:?}");
    let plain = Client::connect(&access(port, "ws"), &ASK, Deadlines::USUAL, &Cancel::default()).unwrap_err();
    assert!(!plain.is_absent(), "{plain:?}");
}

/// A gateway without a shared secret, which lets devices in whose signature is right; gives its port. The first time it
/// issues a token, later it wants that token.
fn for_devices(connections: usize) -> (u16, std::thread::JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let serve = move || {
        for n in 0..connections {
            let mut socket = tungstenite::accept(listener.accept().unwrap().0).unwrap();
            let challenge = json!({"nonce": "the-nonce", "ts": 1_737_264_000_000_i64});
            send(&mut socket, &json!({"type": "event", "event": "connect.challenge", "payload": challenge})).unwrap();
            let request = receive(&mut socket).unwrap();
            let token = request["params"]["auth"]["deviceToken"].as_str().unwrap_or_default();
            assert_eq!(token, if n == 0 { "" } else { "issued-token" });
            verify(&request["params"], token);
            let payload = json!({"type": "hello-ok", "protocol": 4, "auth": {"deviceToken": "issued-token"}});
            send(&mut socket, &json!({"type": "res", "id": request["id"], "ok": true, "payload": payload})).unwrap();
            let _ = socket.read();
        }
    };
    (port, std::thread::spawn(serve))
}

/// Checks the signature as a gateway does.
fn verify(params: &Value, token: &str) {
    use data_encoding::{BASE64URL_NOPAD, HEXLOWER};
    use ed25519_dalek::{Signature, Verifier as _, VerifyingKey};
    use sha2::Digest as _;
    let device = &params["device"];
    let bytes = |name: &str| BASE64URL_NOPAD.decode(device[name].as_str().unwrap().as_bytes()).unwrap();
    let key = VerifyingKey::from_bytes(&bytes("publicKey").try_into().unwrap()).unwrap();
    assert_eq!(device["id"], HEXLOWER.encode(&sha2::Sha256::digest(key.as_bytes())));
    assert_eq!((&device["nonce"], &device["signedAt"]), (&json!("the-nonce"), &json!(1_737_264_000_000_i64)));
    let text = |v: &Value| v.as_str().unwrap().to_owned();
    let client = &params["client"];
    let payload = format!(
        "v3|{}|{}|{}|operator|operator.admin|1737264000000|{token}|the-nonce|{}|",
        text(&device["id"]),
        text(&client["id"]),
        text(&client["mode"]),
        text(&client["platform"]).to_lowercase()
    );
    let signature = Signature::from_slice(&bytes("signature")).unwrap();
    key.verify(payload.as_bytes(), &signature).unwrap();
}

#[test]
fn without_a_shared_secret_a_device_signs_and_keeps_the_token_that_it_is_issued() {
    let state = tempfile::tempdir().unwrap();
    let identity = clawkeep::gateway::device::path(state.path());
    let (port, gateway) = for_devices(2);
    let open = Credentials { open: true, ..Credentials::default() };
    let access = Access { credentials: open, identity: identity.clone(), ..access(port, "ws") };
    let connect = |access: &Access, create_identity| {
        let ask = Ask { scopes: &["operator.admin"], create_identity };
        Client::connect(access, &ask, Deadlines::USUAL, &Cancel::default())
    };
    connect(&access, true).unwrap().close();
    assert!(identity.exists());
    // With the token that was issued, no shared secret is needed, and a command that only reads may come in too.
    let later = Access { credentials: Credentials::default(), ..access.clone() };
    connect(&later, false).unwrap().close();
    gateway.join().unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let reader = Access {
        identity: clawkeep::gateway::device::path(elsewhere.path()),
        credentials: Credentials::default(),
        ..self::access(listener.local_addr().unwrap().port(), "ws")
    };
    assert_eq!(connect(&reader, false).unwrap_err().kind, ConnectFailure::NoCredentials);
    assert_eq!(std::fs::read_dir(elsewhere.path()).unwrap().count(), 0, "reading makes no identity");
}
