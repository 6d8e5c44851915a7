//! What nearly every command needs first: where the state is, and what the configuration says.

use crate::config::load::{self, Loaded};
use crate::context::{Context, Level};
use crate::discover::roots::{self, PathFlags};
use crate::discover::select::{self, SelectFlags};
use crate::error::Result;
use crate::model::settings::Settings;
use crate::model::stores::{Roots, Selection};

/// The installation at hand.
pub struct World {
    /// Roots.
    pub roots: Roots,
    /// Configuration.
    pub loaded: Loaded,
}

impl World {
    /// Resolves roots and reads the configuration. Writes nothing. Warnings of the configuration go to stderr.
    ///
    /// # Errors
    /// A configuration that cannot be read or parsed.
    pub fn open(ctx: &mut Context, paths: &PathFlags) -> Result<Self> {
        let roots = roots::resolve(ctx, paths)?;
        let loaded = load::load(ctx, &roots)?;
        for warning in &loaded.settings.warnings {
            ctx.log(Level::Warning, warning);
        }
        Ok(Self { roots, loaded })
    }

    /// The typed configuration.
    pub fn settings(&self) -> &Settings {
        &self.loaded.settings
    }

    /// Chooses the stores. Warnings of the selection go to stderr.
    ///
    /// # Errors
    /// Flags that contradict each other, or an unknown agent.
    pub fn select(&self, ctx: &Context, flags: &SelectFlags) -> Result<Selection> {
        let selection = select::select(ctx, &self.roots, self.settings(), flags)?;
        for warning in &selection.warnings {
            ctx.log(Level::Warning, warning);
        }
        Ok(selection)
    }
}
