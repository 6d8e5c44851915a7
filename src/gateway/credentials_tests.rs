use serde_json::json;

use super::*;

fn this_host() -> Endpoint {
    endpoint::parse_url("ws://127.0.0.1:1", "default").unwrap()
}

fn named(origin: &str) -> Endpoint {
    endpoint::parse_url("wss://far.example", origin).unwrap()
}

fn looked(credentials: &Credentials) -> Vec<(&str, Found)> {
    credentials.looked.iter().map(|l| (l.place.as_str(), l.found)).collect()
}

fn token(credentials: &Credentials) -> Option<&str> {
    credentials.token.as_ref().map(Secret::expose)
}

const ALL: &str = r#"{"gateway": {"auth": {"mode": "token", "token": "auth"}, "remote": {"token": "remote"}}}"#;

fn all() -> Value {
    serde_json::from_str(ALL).unwrap()
}

fn env() -> Env {
    Env::of([("OPENCLAW_GATEWAY_TOKEN", " env ")])
}

#[test]
fn on_this_host_the_environment_comes_first_then_auth_then_remote() {
    let found = resolve(&this_host(), &env(), &all(), None);
    assert_eq!(token(&found), Some("env"));
    assert_eq!(
        looked(&found),
        [
            ("$OPENCLAW_GATEWAY_TOKEN", Found::Used),
            ("gateway.auth.token", Found::Later),
            ("gateway.remote.token", Found::Later)
        ]
    );
    assert_eq!(token(&resolve(&this_host(), &Env::default(), &all(), None)), Some("auth"));
    let remote_only = json!({"gateway": {"remote": {"token": "remote"}}});
    assert_eq!(token(&resolve(&this_host(), &Env::default(), &remote_only, None)), Some("remote"));
}

#[test]
fn the_service_itself_trusts_its_configuration_first() {
    let service = Env::of([("OPENCLAW_GATEWAY_TOKEN", "env"), ("OPENCLAW_SERVICE_KIND", "gateway")]);
    assert_eq!(token(&resolve(&this_host(), &service, &all(), None)), Some("auth"));
}

#[test]
fn remote_mode_prefers_the_remote_key() {
    let found = resolve(&named(endpoint::REMOTE), &env(), &all(), None);
    assert_eq!(token(&found), Some("remote"));
    assert_eq!(looked(&found)[0], ("gateway.remote.token", Found::Used));
    let without = json!({"gateway": {"auth": {"token": "auth"}}});
    assert_eq!(token(&resolve(&named(endpoint::REMOTE), &env(), &without, None)), Some("env"));
    assert_eq!(token(&resolve(&named(endpoint::REMOTE), &Env::default(), &without, None)), Some("auth"));
}

#[test]
fn a_url_of_the_environment_gets_no_secret_of_the_configuration() {
    let found = resolve(&named(endpoint::VARIABLE), &Env::default(), &all(), None);
    assert!(!found.any());
    assert!(looked(&found).contains(&("gateway.auth.token", Found::OtherUrl)), "{found:?}");
    assert!(looked(&found).contains(&("gateway.remote.token", Found::OtherUrl)), "{found:?}");
    assert_eq!(token(&resolve(&named(endpoint::VARIABLE), &env(), &all(), None)), Some("env"));
}

#[test]
fn a_url_of_the_command_line_gets_the_token_file_and_nothing_else() {
    let none = resolve(&named(endpoint::FLAG), &env(), &all(), None);
    assert!(!none.any());
    assert_eq!(looked(&none)[0], ("$OPENCLAW_GATEWAY_TOKEN", Found::OtherUrl));
    let file = TokenFile { name: "/run/token", content: Secret::of("file") };
    let found = resolve(&named(endpoint::FLAG), &env(), &all(), Some(file));
    assert_eq!((token(&found), found.source().as_deref()), (Some("file"), Some("/run/token")));
}

#[test]
fn an_explicit_file_wins_alone_even_if_it_is_empty() {
    let file = TokenFile { name: "/run/token", content: None };
    let found = resolve(&this_host(), &env(), &all(), Some(file));
    assert!(!found.any());
    assert_eq!(looked(&found)[0], ("/run/token", Found::Nothing));
}

#[test]
fn references_and_open_variables_are_never_sent() {
    let open = json!({"gateway": {"auth": {"token": "${TOKEN}"}, "remote": {"token": "remote"}}});
    let found = resolve(&this_host(), &Env::of([("OPENCLAW_GATEWAY_TOKEN", "x${Y}")]), &open, None);
    assert_eq!(token(&found), Some("remote"), "an open variable counts as not configured");
    assert_eq!(looked(&found)[0], ("$OPENCLAW_GATEWAY_TOKEN", Found::Unresolved));
    let reference = json!({"gateway": {
        "auth": {"token": {"source": "env", "provider": "default", "id": "T"}}, "remote": {"token": "remote"},
    }});
    let found = resolve(&this_host(), &Env::default(), &reference, None);
    assert!(found.token.is_none(), "a reference is configured: nothing stands in for it");
    assert!(looked(&found).contains(&("gateway.auth.token", Found::Reference)));
    assert_eq!(token(&resolve(&this_host(), &env(), &reference, None)), Some("env"));
    let number = json!({"gateway": {"auth": {"token": 12345}}});
    let found = resolve(&this_host(), &Env::default(), &number, None);
    assert!(looked(&found).contains(&("gateway.auth.token", Found::NotText)));
}

#[test]
fn a_gateway_gets_the_kind_of_secret_that_it_asks_for() {
    let both = |mode: &str| json!({"gateway": {"auth": {"mode": mode, "token": "t", "password": "p"}}});
    let found = resolve(&this_host(), &Env::default(), &both("password"), None);
    assert_eq!((token(&found), found.password.as_ref().map(Secret::expose)), (None, Some("p")));
    let found = resolve(&this_host(), &Env::default(), &both("token"), None);
    assert_eq!((token(&found), found.password.is_some()), (Some("t"), false));
    let found = resolve(&this_host(), &Env::default(), &both("none"), None);
    assert!(!found.any() && found.open && found.looked.is_empty());
    let unsaid = json!({"gateway": {"auth": {"token": "t", "password": "p"}}});
    let found = resolve(&this_host(), &Env::default(), &unsaid, None);
    assert!(found.token.is_some() && found.password.is_some());
    let file = TokenFile { name: "f", content: Secret::of("s") };
    assert!(resolve(&this_host(), &Env::default(), &both("password"), Some(file)).password.is_some());
}

#[test]
fn nothing_that_is_printed_holds_a_secret() {
    let found = resolve(&this_host(), &env(), &all(), None);
    let shown = format!("{found:?}");
    for secret in ["\"env\"", "\"auth\"", "\"remote\"", " env "] {
        assert!(!shown.contains(secret), "{shown}");
    }
}
