//! A conversation as a page or as Markdown.
//!
//! Both are written while the transcript is read, one entry at a time. Nothing that comes from a transcript reaches the
//! output without [`html::escape`] or its counterpart for Markdown.

pub mod html;
pub mod markdown;
pub mod style;
pub mod words;
