//! `gateway status` for programs.

use serde_json::{Value, json};

use crate::hints::Given;
use crate::model::gateway::{CleanupBy, GatewayStatus, Health, Hello, NoSession};
use crate::report::check::input::{connect_word, lock_word, writer_word};
use crate::report::json::SCHEMA_VERSION;

/// The whole report.
pub fn value(status: &GatewayStatus, given: &Given) -> Value {
    let verdict = &status.verdict;
    let evidence = &verdict.evidence;
    json!({
        "schemaVersion": SCHEMA_VERSION,
        "writer": writer_word(verdict.writer),
        "why": verdict.why,
        "cleanup": cleanup(&status.cleanup),
        "stateDir": status.state_dir.to_string_lossy(),
        "endpoint": status.endpoint,
        "endpointOrigin": status.origin,
        "tlsFingerprint": status.pin,
        "remoteMode": evidence.remote_mode,
        "connect": connect_word(&evidence.connect),
        "health": health(status.health.as_ref()),
        "session": status.session.as_ref().map(|session| match session {
            Ok(hello) => session_json(hello),
            Err(failed) => no_session(failed, given),
        }),
        "sameState": status.state.as_ref().map(|state| json!({"verdict": state.as_str(), "why": state.why()})),
        "credentials": status.looked.iter()
            .map(|l| json!({"place": l.place, "found": l.found.as_str()})).collect::<Vec<_>>(),
        "locks": evidence.locks.iter().map(|lock| json!({
            "path": lock.path.to_string_lossy(),
            "generation": lock.generation,
            "state": lock_word(&lock.state),
            "pid": lock.pid,
            "foreign": lock.foreign,
        })).collect::<Vec<_>>(),
        "container": evidence.container,
        "networkFileSystem": evidence.network_fs,
        "newestWriteAgeMs": evidence.newest_write_age,
        "severalListen": evidence.several_listen,
    })
}

fn cleanup(by: &CleanupBy) -> Value {
    match by {
        CleanupBy::Ourselves => json!({"by": "clawkeep", "why": null}),
        CleanupBy::Gateway => json!({"by": "gateway", "why": null}),
        CleanupBy::Nobody(why) => json!({"by": "nobody", "why": why}),
    }
}

fn health(health: Option<&Health>) -> Value {
    match health {
        None => Value::Null,
        Some(Health::Live) => json!({"live": true, "httpStatus": 200, "error": null}),
        Some(Health::Status(code)) => json!({"live": false, "httpStatus": code, "error": null}),
        Some(Health::None(why)) => json!({"live": false, "httpStatus": null, "error": why}),
    }
}

fn session_json(hello: &Hello) -> Value {
    json!({
        "ok": true,
        "version": hello.version,
        "protocol": hello.protocol,
        "scopes": hello.scopes,
        "stateDir": hello.state_dir,
        "configPath": hello.config_path,
        "authMode": hello.auth_mode,
        "uptimeMs": hello.uptime,
        "offersCleanup": hello.offers(crate::model::gateway::CLEANUP),
    })
}

fn no_session(failed: &NoSession, given: &Given) -> Value {
    json!({
        "ok": false,
        "kind": failed.kind,
        "code": failed.code,
        "message": failed.message,
        "hints": failed.hints.iter().map(|hint| given.complete(hint)).collect::<Vec<_>>(),
    })
}
