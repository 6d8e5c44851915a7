//! Beside a gateway, and through it.

mod files_only;
