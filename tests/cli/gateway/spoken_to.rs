//! What a real gateway answers to our client: with its token, a wrong one, none, a token file, and lesser scopes.

use clawkeep::context::Cancel;
use clawkeep::gateway::access::Access;
use clawkeep::gateway::client::{Ask, CallError, Client, ConnectFailure, Deadlines};
use clawkeep::gateway::credentials::Credentials;
use clawkeep::gateway::device::{self, Identity, Signing};
use clawkeep::gateway::endpoint::{self, Endpoint};
use clawkeep::gateway::protocol::{self, Auth, Inbound};
use clawkeep::gateway::secret::Secret;
use serde_json::json;
use tungstenite::Message;

use super::scripted::TOKEN;
use crate::common::{Tree, World};

/// Speaks to the gateway of `world`, which is of this version and holds the token in its configuration.
pub fn speaks(world: World, version: &str) -> World {
    let agents = world.state().join("agents");
    let before = Tree::of(&agents);
    let status = |world: &World, code| world.line("gateway status --json").exits(code).hides(TOKEN);
    let out = status(&world, 11).has("/writer", "owns").has("/cleanup/by", "gateway").has("/health/live", true);
    let out = out.has("/session/version", version).has("/session/protocol", 4).has("/sameState/verdict", "same");
    let out = out.has("/session/scopes/0", "operator.admin").has("/session/offersCleanup", true);
    let locks = out.json()["locks"].as_array().unwrap().clone();
    assert!(locks.iter().any(|lock| lock["state"] == "live"), "{locks:?}");

    let world = world.var("OPENCLAW_GATEWAY_TOKEN", "wrong-secret");
    let wrong = status(&world, 11).has("/session/ok", false).has("/session/code", "AUTH_TOKEN_MISMATCH");
    let _ = wrong.has("/cleanup/by", "nobody").hides("wrong-secret");
    let refused = world.line("sessions cleanup --enforce --json").exits(11).silent().hides("wrong-secret");
    let _ = refused.says("$OPENCLAW_GATEWAY_TOKEN: used");
    let _ = world.line("gateway status --gateway-token-file token --json").exits(1).says("token");
    std::fs::write(world.home().join("token"), TOKEN).unwrap();
    let _ =
        world.line("gateway status --gateway-token-file token --json").exits(11).has("/session/ok", true).hides(TOKEN);

    lesser_scopes(&world);
    no_secret(&world);
    a_device(&world);
    before.is_still(&agents);
    world.var("OPENCLAW_GATEWAY_TOKEN", TOKEN)
}

fn access(world: &World, credentials: Credentials) -> Access {
    Access {
        endpoint: endpoint::parse_url(&format!("ws://127.0.0.1:{}", world.port()), "default").unwrap(),
        others: Vec::new(),
        credentials,
        pin: None,
        aliases: Vec::new(),
        identity: device::path(&world.home().join("elsewhere")),
        forbidden: None,
    }
}

fn with_token() -> Credentials {
    Credentials { token: Secret::of(TOKEN), ..Credentials::default() }
}

fn connect(access: &Access, scope: &str) -> Result<Client, clawkeep::gateway::client::ConnectError> {
    let ask = Ask { scopes: &[scope], create_identity: true };
    Client::connect(
        access,
        &ask,
        Deadlines { handshake: Deadlines::USUAL.call, ..Deadlines::USUAL },
        &Cancel::default(),
    )
}

/// A session that may only read cannot clean up.
fn lesser_scopes(world: &World) {
    let mut client = connect(&access(world, with_token()), "operator.read").unwrap();
    assert!(client.hello().grants("operator.read") && !client.hello().grants("operator.admin"));
    assert!(client.hello().state_dir.is_none(), "told to admins alone");
    assert!(client.call("sessions.list", &json!({"limit": 1})).is_ok());
    let refused = client.call("sessions.cleanup", &json!({"enforce": true}));
    let Err(CallError::Refused { message, .. }) = refused else { panic!("{refused:?}") };
    assert!(message.contains("missing scope: operator.admin"), "{message}");
    let unknown = client.call("sessions.cleanup", &json!({"dryRun": true}));
    assert!(matches!(unknown, Err(CallError::Refused { .. })), "{unknown:?}");
    client.close();
}

/// Nothing to send: nothing is sent.
fn no_secret(world: &World) {
    let error = connect(&access(world, Credentials::default()), "operator.admin").unwrap_err();
    assert_eq!(error.kind, ConnectFailure::NoCredentials);
}

/// A device without a secret is refused where a token is asked for; once it was let in with the token, what it was issued
/// is enough.
fn a_device(world: &World) {
    let open = Credentials { open: true, ..Credentials::default() };
    let error = connect(&access(world, open), "operator.admin").unwrap_err();
    assert!(matches!(&error.kind, ConnectFailure::Refused(code) if code.starts_with("AUTH_TOKEN")), "{error:?}");

    let access = access(world, Credentials::default());
    let mut identity = Identity::load(&access.identity).unwrap().unwrap();
    let token = issued(&identity, &access.endpoint);
    identity.remember(&access.endpoint.to_string(), &token).unwrap();
    let client = connect(&access, "operator.admin").unwrap();
    assert!(client.hello().grants("operator.admin") && client.hello().state_dir.is_some());
    client.close();
}

/// Pairs a device on loopback with the shared token; gives the token that it is issued.
fn issued(identity: &Identity, endpoint: &Endpoint) -> String {
    let (mut socket, _) = tungstenite::connect(endpoint.to_string()).unwrap();
    loop {
        let Message::Text(text) = socket.read().unwrap() else { continue };
        match protocol::read(&text) {
            Some(Inbound::Challenge { nonce, ts }) => {
                let scopes = &["operator.admin"];
                let (client, platform) = (protocol::CLI, protocol::platform());
                let signing = Signing { client, scopes, at: ts.unwrap(), token: TOKEN, nonce: &nonce, platform };
                let auth = Auth { token: Some(TOKEN), ..Auth::default() };
                let request = protocol::connect(client, scopes, auth, Some(&identity.sign(&signing))).unwrap();
                socket.send(Message::text(String::from_utf8(request.to_vec()).unwrap())).unwrap();
            }
            Some(Inbound::Response { result, .. }) => {
                return protocol::device_token(&result.unwrap()).expect("a device token").to_owned();
            }
            _ => {}
        }
    }
}
