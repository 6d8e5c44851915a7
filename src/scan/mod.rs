//! Folder facts in one pass, file-name classes, bounded probes.
