//! Every rule, in the order in which migrations run and reports list them. One line per rule.

use super::rule::Rule;
use super::rules::{config as c, state as s};
use crate::model::doctor::Version;

/// The first version that there are rules for.
pub const FIRST: Version = Version(2026, 5, 0);
/// The last one, with every patch of it.
pub const LAST: Version = Version(2026, 9, 0);

/// The rules.
pub const RULES: &[&Rule] = &[
    // what the gateway's own doctor registers, in its order
    &c::group_routing::RULE,
    &c::thread_bindings_ttl::RULE,
    &c::thread_bindings_spawn::RULE,
    &c::audio_transcription::RULE,
    &c::agents_llm::RULE,
    &c::agents_runtime::RULE,
    &c::sandbox_scope::RULE,
    &c::memory_search::RULE,
    &c::heartbeat::RULE,
    &c::control_ui_origins::RULE,
    &c::gateway_bind::RULE,
    &c::mcp_type::RULE,
    &c::bundled_discovery::RULE,
    &c::x_search::RULE,
    &c::rotate_bytes::RULE,
    &c::parent_fork::RULE,
    &c::tts_providers::RULE,
    &c::tts_enabled::RULE,
    &c::web_search::RULE,
    // channels and plugins
    &c::telegram_mentions::RULE,
    &c::channel_streaming::RULE,
    &c::dm_policy::RULE,
    &c::channel_enabled::RULE,
    &c::private_network::RULE,
    &c::discord_agents::RULE,
    &c::discord_ids::RULE,
    &c::memory_wiki::RULE,
    &c::canvas_host::RULE,
    &c::voice_call::RULE,
    // shapes that it puts right on every run
    &c::default_account::RULE,
    &c::browser::RULE,
    &c::web_fetch::RULE,
    &c::nano_banana::RULE,
    &c::talk::RULE,
    &c::provider_api::RULE,
    &c::model_runtime::RULE,
    &c::cross_context::RULE,
    &c::visible_replies::RULE,
    &c::media_deepgram::RULE,
    &c::mistral_max_tokens::RULE,
    &c::secret_refs::RULE,
    &c::models_write::RULE,
    &c::codex_model_marks::RULE,
    // what it repairs last
    &c::codex_routes::RULE,
    &c::codex_tools_profile::RULE,
    &c::dm_open::RULE,
    &c::tools_by_sender::RULE,
    &c::safe_bins::RULE,
    // documented, and not there in 2026.5.12
    &c::agent_root::RULE,
    &c::routing_agents::RULE,
    &c::identity::RULE,
    &c::routing_rest::RULE,
    &c::bindings_account::RULE,
    // a person decides
    &c::unreadable::RULE,
    &c::bad_values::RULE,
    &c::unknown_keys::RULE,
    &c::unset_variables::RULE,
    &c::managed::RULE,
    &c::next_version::RULE,
    // state
    &s::legacy_sessions::RULE,
    &s::legacy_agent_dir::RULE,
    &s::session_keys::RULE,
    &s::codex_sessions::RULE,
    &s::cron_context::RULE,
    &s::wedged::RULE,
    &s::heartbeat_main::RULE,
    &s::cron_shapes::RULE,
    &s::sandbox_registry::RULE,
    &s::memory_split::RULE,
    &s::old_state_dir::RULE,
    &s::old_config_name::RULE,
    &s::stale_locks::RULE,
    &s::main_session::RULE,
    &s::checked::RULE,
    &s::orphans::RULE,
    &s::index_bloat::RULE,
    &s::clock::RULE,
    &s::silent_turns::RULE,
    &s::prompt_branches::RULE,
    &s::mode_unset::RULE,
    &s::disk_budget::RULE,
    &s::protected_at_cap::RULE,
    &s::growth::RULE,
    &s::early_compaction::RULE,
    &s::open_modes::RULE,
    &s::unlisted_agents::RULE,
    &s::state_dirs::RULE,
    &s::newer_generation::RULE,
    &s::next_import::RULE,
    &s::owner::RULE,
];

/// The rule with this id.
pub fn by_id(id: &str) -> Option<&'static Rule> {
    RULES.iter().copied().find(|rule| rule.id == id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_unique_kebab_case() {
        let mut seen = std::collections::HashSet::new();
        for rule in RULES {
            assert!(seen.insert(rule.id), "{} twice", rule.id);
            let kebab = rule.id.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
            assert!(kebab, "{}", rule.id);
        }
    }

    #[test]
    fn words_are_there_for_a_person() {
        for rule in RULES {
            let first = rule.what.chars().next().unwrap_or(' ');
            assert!(!rule.what.ends_with('.') && !first.is_uppercase(), "{}: what", rule.id);
            assert!(rule.why.ends_with('.') && rule.fix.ends_with('.'), "{}: why and fix are sentences", rule.id);
            assert_eq!(rule.before.is_empty(), rule.after.is_empty(), "{}: before and after", rule.id);
            assert!(rule.migration().is_none() || !rule.before.is_empty(), "{}: a migration has an example", rule.id);
        }
    }
}
