use serde_json::json;

use super::*;

#[test]
fn a_connect_request_holds_what_is_known_and_no_empty_field() {
    let auth = Auth { token: Some("t"), ..Auth::default() };
    let text = connect(BACKEND, &["operator.admin"], auth, None).unwrap();
    let frame: Value = serde_json::from_slice(&text).unwrap();
    assert_eq!(
        frame,
        json!({"type": "req", "id": "clawkeep-connect", "method": "connect", "params": {
            "minProtocol": 4, "maxProtocol": 4,
            "client": {"id": "gateway-client", "displayName": "clawkeep", "version": env!("CARGO_PKG_VERSION"),
                "platform": platform(), "mode": "backend"},
            "caps": [], "role": "operator", "scopes": ["operator.admin"], "auth": {"token": "t"},
        }})
    );
    let without = connect(CLI, &[], Auth::default(), None).unwrap();
    assert!(!String::from_utf8_lossy(&without).contains("auth"), "an empty block is refused");
}

#[test]
fn frames_are_told_apart() {
    let challenge = r#"{"type":"event","event":"connect.challenge","payload":{"nonce":"n","ts":5,"capabilities":[]}}"#;
    assert_eq!(read(challenge), Some(Inbound::Challenge { nonce: "n".into(), ts: Some(5) }));
    assert_eq!(read(r#"{"type":"event","event":"tick","seq":3}"#), Some(Inbound::Event("tick".into())));
    let answer = r#"{"type":"res","id":"a","ok":true,"payload":{"x":1}}"#;
    assert_eq!(read(answer), Some(Inbound::Response { id: Some("a".into()), result: Ok(json!({"x": 1})) }));
    let numbered = r#"{"type":"res","id":7,"ok":true}"#;
    assert_eq!(read(numbered), Some(Inbound::Response { id: None, result: Ok(Value::Null) }));
    assert_eq!(read(r#"{"type":"new"}"#), Some(Inbound::Other));
    for garbage in ["", "x", "[]", "1", "{", "\u{0}"] {
        assert_eq!(read(garbage), None, "{garbage:?}");
    }
}

#[test]
fn an_error_answer_has_its_most_exact_code() {
    let read_failure =
        |error: Value| match read(&json!({"type": "res", "id": "a", "ok": false, "error": error}).to_string()) {
            Some(Inbound::Response { result: Err(failure), .. }) => failure,
            other => panic!("{other:?}"),
        };
    let plain = read_failure(json!({"code": "INVALID_REQUEST", "message": "missing scope: operator.admin"}));
    assert_eq!(plain.exact_code(), "INVALID_REQUEST");
    let exact = read_failure(json!({"code": "NOT_PAIRED", "message": "m", "details": {"code": "PAIRING_REQUIRED"}}));
    assert_eq!(exact.exact_code(), "PAIRING_REQUIRED");
    let starting = read_failure(json!({"code": "UNAVAILABLE", "message": "m", "retryable": true, "retryAfterMs": 500}));
    assert!(starting.is_starting() && starting.retry_after_ms == Some(500));
    assert!(!exact.is_starting());
    assert_eq!(*read_failure(json!("odd")), Failure::default(), "a refusal in another form is one all the same");
}

#[test]
fn half_an_emoji_does_not_cost_an_answer() {
    let text = r#"{"type":"res","id":"a","ok":true,"payload":{"cut":"x\ud83d","whole":"\ud83d\ude00","tail":"\ude00y\\ud83d"}}"#;
    let Some(Inbound::Response { result: Ok(payload), .. }) = read(text) else { panic!("no answer") };
    assert_eq!(payload, json!({"cut": "x\u{fffd}", "whole": "😀", "tail": "\u{fffd}y\\ud83d"}));
}

#[test]
fn a_hello_is_read_leniently_and_checked_for_what_matters() {
    let payload = json!({
        "type": "hello-ok", "protocol": 4, "server": {"version": "2026.5.12", "new": 1},
        "features": {"methods": ["sessions.cleanup", 5]},
        "snapshot": {"stateDir": "/s", "configPath": "/c", "authMode": "token", "uptimeMs": 12},
        "auth": {"scopes": ["operator.write"]}, "policy": {"tickIntervalMs": 15000},
    });
    let read = hello(&payload).unwrap();
    assert_eq!(
        (read.version.as_str(), read.state_dir.as_deref(), read.tick_interval),
        ("2026.5.12", Some("/s"), 15_000)
    );
    assert!(read.offers("sessions.cleanup") && !read.offers("sessions.list"));
    assert!(read.grants("operator.read") && !read.grants("operator.admin"));
    let bare = hello(&json!({"type": "hello-ok", "protocol": 4})).unwrap();
    assert_eq!((bare.state_dir, bare.tick_interval, bare.scopes.len()), (None, TICK, 0));
    assert!(hello(&json!({"type": "hello-ok", "protocol": 5})).unwrap_err().contains("protocol 5"));
    assert!(hello(&json!({"protocol": 4})).is_err());
}
