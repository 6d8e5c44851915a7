//! Type of an MCP server is called transport now.

use serde_json::Value;

use crate::doctor::rule::{Check, Notes, Rule};
use crate::doctor::value::object_mut;
use crate::model::doctor::Version;
use crate::model::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "mcp-server-type",
    severity: Severity::Error,
    since: Version(2026, 5, 0),
    what: "type of an MCP server is called transport now",
    why: "http is streamable-http under the new name; a server that is started as a command needs \
          neither. The gateway refuses a configuration with this key and does not start.",
    fix: "Sets transport from type and removes type; a transport that is set wins.",
    before: "{ mcp: { servers: { a: { type: \"http\", url: \"http://127.0.0.1:1/mcp\" } } } }",
    after: "{ mcp: { servers: { a: { url: \"http://127.0.0.1:1/mcp\", transport: \"streamable-http\" } } } }",
    check: Check::Migrate(migrate),
};

fn migrate(root: &mut Value, notes: &mut Notes) {
    let Some(servers) = object_mut(root, &["mcp", "servers"]) else { return };
    for (name, server) in servers {
        let Some(server) = server.as_object_mut() else { continue };
        let Some(kind) = server.get("type").and_then(Value::as_str).map(str::to_owned) else { continue };
        let transport = match kind.trim().to_lowercase().as_str() {
            "http" | "streamable-http" => Some("streamable-http"),
            "sse" => Some("sse"),
            "stdio" => None,
            _ => continue,
        };
        server.shift_remove("type");
        let old = format!("mcp.servers.{name}.type");
        match (server.get("transport").and_then(Value::as_str).map(str::to_owned), transport) {
            (Some(there), _) => notes.change(format!("Removed {old} (transport \"{there}\" already set).")),
            (None, Some(transport)) => {
                server.insert("transport".to_owned(), transport.into());
                notes.change(format!("Moved {old} \"{kind}\" \u{2192} transport \"{transport}\"."));
            }
            (None, None) => notes.change(format!("Removed {old} \"{kind}\".")),
        }
    }
}
