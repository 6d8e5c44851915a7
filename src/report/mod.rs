//! Everything that formats for people or for JSON.
