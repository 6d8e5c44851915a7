//! The gateway's JSON5 configuration as a typed view in which every value knows where it came from.
