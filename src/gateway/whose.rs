//! Asks a gateway that let us in whose state it serves, and has [`same_state`] judge.

use std::path::Path;

use super::access::Access;
use super::client::Client;
use super::same_state::{self, NEWEST, Ours, Theirs};
use super::sessions;
use crate::model::gateway::{Listed, StateProof};
use crate::model::index::{IndexFacts, IndexState, Row};
use crate::model::stores::Roots;
use crate::order::Order as _;
use crate::store;

/// Does it serve our state? Compared are the names of the state folders and the newest sessions of one agent: `index` is
/// that agent's index here, if it has one that can be read. What the gateway does not want to say is no proof of anything.
pub fn ask(client: &mut Client, access: &Access, roots: &Roots, agent: &str, index: Option<&Path>) -> StateProof {
    let state_dir = client.hello().state_dir.clone();
    let rows = index.and_then(|path| match store::read::read(path) {
        IndexState::Whole(index) => Some(newest_first(&index)),
        _ => None,
    });
    let newest = rows.as_ref().and_then(|_| {
        let answer = sessions::list(client, agent, Some(NEWEST as u64), None).ok()?;
        listed(&answer.index)
    });
    let mut state_dirs = vec![roots.state_dir.clone(), real(&roots.state_dir)];
    // A link that leads here is a name of ours too.
    let linked = state_dir.as_deref().map(Path::new).filter(|dir| dir.is_absolute() && real(dir) == state_dirs[1]);
    state_dirs.extend(linked.map(Path::to_owned));
    let ours = Ours {
        state_dirs,
        rows,
        theirs_is_another_folder: state_dir.as_deref().is_some_and(|dir| is_another(Path::new(dir), &roots.state_dir)),
    };
    same_state::judge(&Theirs { state_dir, newest }, &ours, &access.aliases)
}

fn real(path: &Path) -> std::path::PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// It exists here, and is not the same folder.
fn is_another(theirs: &Path, ours: &Path) -> bool {
    theirs.is_absolute() && theirs.is_dir() && real(theirs) != real(ours)
}

fn newest_first(index: &IndexFacts) -> Vec<Listed> {
    let mut rows: Vec<_> = index.rows.iter().filter(|row| !row.shadowed).collect();
    rows.order_by_key(|row| std::cmp::Reverse(row.updated_at.ms()));
    rows.iter().filter_map(|row| one(index, row)).filter(|row| !is_cron_run(&row.key)).collect()
}

fn one(index: &IndexFacts, row: &Row) -> Option<Listed> {
    Some(Listed { key: index.key(row).into_owned(), id: row.session_id?.get(&index.bytes).into_owned() })
}

/// Single runs of cron jobs: the gateway does not list them.
fn is_cron_run(key: &str) -> bool {
    let rest = key.strip_prefix("agent:").and_then(|k| k.split_once(':')).map(|(_, rest)| rest);
    rest.is_some_and(|rest| rest.starts_with("cron:") && rest.contains(":run:"))
}

/// Rows that a gateway lists, in its order; `None` if they come from a database, of which the index here is at most a
/// leftover.
fn listed(index: &IndexFacts) -> Option<Vec<Listed>> {
    let from_database = index.path.as_os_str().as_encoded_bytes().ends_with(b".sqlite");
    (!from_database).then(|| index.rows.iter().filter_map(|row| one(index, row)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_list_from_a_database_is_not_compared() {
        let rows =
            [json!({"key": "agent:main:main", "sessionId": "a"}), json!({"key": "agent:main:x", "sessionId": null})];
        let listed = |path: &str| listed(&sessions::index(path.into(), &rows).unwrap());
        assert_eq!(listed("/s/agents/main/agent/openclaw-agent.sqlite"), None);
        let one = Listed { key: "agent:main:main".into(), id: "a".into() };
        assert_eq!(listed("/s/agents/main/sessions/sessions.json"), Some(vec![one]));
    }

    #[test]
    fn runs_of_cron_jobs_are_not_listed() {
        assert!(is_cron_run("agent:main:cron:j1:run:abc"));
        for key in ["agent:main:cron:j1", "agent:main:main", "cron:j:run:x", "agent:main:x:run:cron:"] {
            assert!(!is_cron_run(key), "{key}");
        }
    }
}
