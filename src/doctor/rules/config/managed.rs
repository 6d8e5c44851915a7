//! A configuration that another tool writes.

use crate::doctor::rule::{Check, Findings, Rule};
use crate::model::doctor::{ConfigFacts, Version};
use crate::model::finding::Severity;

/// The rule.
pub const RULE: Rule = Rule {
    id: "config-managed",
    severity: Severity::Info,
    since: Version(2026, 5, 0),
    what: "another tool writes the configuration",
    why: "An edit here is lost when Nix, Ansible, chezmoi, home-manager or Puppet write the file again, or is not possible \
          because nobody is to write it. A file with several names (hard links) would be parted from the others.",
    fix: "Nothing is edited; --fix prints the change for what the file is made from. --override managed-config passes a note \
          in the first lines and several names, not a file that cannot be written.",
    before: "",
    after: "",
    check: Check::Inspect(inspect),
};

fn inspect(facts: &ConfigFacts, out: &mut Findings) {
    if let Some(managed) = &facts.managed {
        out.push(RULE.found(&managed.by, managed.why.clone()).at(facts.path.clone()));
    }
}
