//! sessions.json: reader by row spans, and streaming writer.
