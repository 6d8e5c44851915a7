use super::*;
use crate::model::sourced::{Origin, Sourced};

fn gateway(port: Option<u16>) -> GatewaySettings {
    let from = |key: &'static str| Origin::Config { path: key.into() };
    GatewaySettings {
        mode: None,
        port: port.map(|value| Sourced { value, key: "gateway.port", origin: from("c") }),
        tls: false,
        remote_url: None,
    }
}

fn none() -> Env {
    Env::default()
}

#[test]
fn the_port_has_three_forms_and_everything_else_is_ignored() {
    for (text, port) in [
        ("19000", Some(19_000)),
        ("127.0.0.1:19000", Some(19_000)),
        ("host:19000", Some(19_000)),
        ("[::1]:19000", Some(19_000)),
        ("::1:19000", None),
        ("a:b:1", None),
        ("[::1]", None),
        ("0", None),
        ("65536", None),
        ("-1", None),
        ("+80", None),
        ("1e3", None),
        ("host:", None),
    ] {
        assert_eq!(parse_port(text), port, "{text}");
    }
}

#[test]
fn environment_beats_configuration_beats_the_default() {
    let env = Env::of([("OPENCLAW_GATEWAY_PORT", "19001")]);
    let from_env = local(&env, &gateway(Some(19_002)));
    assert_eq!((from_env.port, from_env.origin.as_str()), (19_001, "$OPENCLAW_GATEWAY_PORT"));
    let from_config = local(&none(), &gateway(Some(19_002)));
    assert_eq!((from_config.port, from_config.origin.as_str()), (19_002, "gateway.port"));
    let default = local(&Env::of([("OPENCLAW_GATEWAY_PORT", "junk")]), &gateway(None));
    assert_eq!((default.port, default.origin.as_str()), (18_789, "default"));
    assert_eq!(default.to_string(), "ws://127.0.0.1:18789");
}

#[test]
fn a_profile_adds_the_derived_port_only_when_no_port_is_set() {
    let ports = |env: &Env, port| -> Vec<u16> {
        local_candidates(env, &gateway(port), Some("work")).iter().map(|e| e.port).collect()
    };
    let both = ports(&none(), None);
    assert_eq!((both.len(), both[0]), (2, 18_789));
    assert!((20_000..60_000).contains(&both[1]));
    assert_eq!(ports(&none(), Some(7)), [7]);
    assert_eq!(local_candidates(&none(), &gateway(None), None).len(), 1);
    assert_eq!(fnv1a(b"a"), 0xe40c_292c, "published test vector");
}

#[test]
fn urls_are_read_as_a_client_reads_them() {
    for (url, shown, path) in [
        ("ws://host:18789", "ws://host:18789", "/"),
        ("wss://Host/gateway?x=1", "wss://host:443", "/gateway?x=1"),
        ("http://[::1]:80/a#b", "ws://[::1]:80", "/a"),
        ("HTTPS://h?q", "wss://h:443", "/?q"),
        ("ws://user:p@ss@host:1/", "ws://host:1", "/"),
        ("ws://h:", "ws://h:80", "/"),
    ] {
        let endpoint = parse_url(url, "x").unwrap();
        assert_eq!((endpoint.to_string().as_str(), endpoint.path.as_str()), (shown, path), "{url}");
    }
    for url in
        ["host:1", "ftp://h", "ws://", "ws://:1", "ws://h:0", "ws://h:x", "ws://[::1", "ws://[h]:1", "ws://a b:1"]
    {
        let error = parse_url(url, "gateway.remote.url").unwrap_err();
        assert!(error.message.contains("gateway.remote.url"), "{url}");
    }
}

#[test]
fn an_error_never_repeats_the_url() {
    let error = parse_url("ws://user:hunter2@host:x", "$OPENCLAW_GATEWAY_URL").unwrap_err();
    assert!(!error.message.contains("hunter2"));
}

#[test]
fn plaintext_goes_to_loopback_only() {
    let check = |url: &str, env: &Env| insecure(&parse_url(url, "x").unwrap(), env).is_none();
    for url in
        ["ws://localhost:1", "ws://127.9.9.9:1", "ws://[::1]:1", "ws://[::ffff:127.0.0.1]:1", "wss://far.example"]
    {
        assert!(check(url, &none()), "{url}");
    }
    let allow = Env::of([("OPENCLAW_ALLOW_INSECURE_PRIVATE_WS", "1")]);
    for url in ["ws://10.0.0.5:1", "ws://nas:1", "ws://100.64.0.1:1", "ws://[fd00::1]:1"] {
        assert!(!check(url, &none()), "{url}");
        assert!(check(url, &allow), "{url}");
    }
    assert!(!check("ws://8.8.8.8:1", &allow));
}
