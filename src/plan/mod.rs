//! Pure decisions: what the policies want, and why.
