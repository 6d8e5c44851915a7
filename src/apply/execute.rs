//! Carries out one plan in phase order.

use super::input::ApplyInput;
use crate::error::Result;
use crate::model::outcome::Applied;

/// Carries out the plan.
///
/// # Errors
/// See the module.
pub fn execute(_input: &ApplyInput<'_>) -> Result<Applied> {
    Ok(Applied::default())
}
