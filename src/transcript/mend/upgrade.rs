//! Transcripts of versions 1 and 2 as version 3, by the rules of the gateway's own migration (spec/transcripts.md 1.2).
