//! What the gateway does with damage in a transcript (spec/transcripts.md 1.7 and 1.8), as one word and one sentence.

use super::finding::FindingId;

/// The word and the sentence; `None` for findings that are not about the content of a transcript.
pub fn gateway_does(id: FindingId) -> Option<(&'static str, &'static str)> {
    use FindingId as F;
    Some(match id {
        F::EmptyTranscript => ("wipes", "it writes a fresh header over the file: there was nothing to lose"),
        F::DamagedHeader => {
            ("wipes", "it discards every entry and writes a fresh header over the file, without a copy")
        }
        F::TranscriptBom => ("ignores", "it reads the file; its own repair takes the header for damaged and gives up"),
        F::DuplicateHeader => ("ignores", "it takes the first header and skips the other"),
        F::TornTail => ("loses", "it skips the fragment, and glues its next append to it: that one is lost too"),
        F::NoFinalNewline => ("loses", "it glues its next append to this line, and both are lost when it reads again"),
        F::NulRun => ("loses", "it takes the block and what shares its line for one bad line, and drops it"),
        F::GluedRecords => ("loses", "it takes the line for one bad line, and drops the whole records on it"),
        F::BadLine => ("drops", "it skips the line in silence; the context begins after it"),
        F::NullLine => ("fails", "it stops with an error when it opens the file; its own repair leaves the line there"),
        F::NonObjectLine => ("loses", "it counts the value as an entry; as the last line it empties the context"),
        F::MessageWithoutRole => ("drops", "it drops the line before its next run; the context begins after it"),
        F::EntryWithoutId => {
            ("loses", "it cannot lead to the entry; as the last one it ends the conversation's branch")
        }
        F::BlankLines => ("ignores", "it skips them"),
        F::BadUnicode => ("sends", "it sends the text as it is, and providers refuse the whole request"),
        F::DuplicateEntry => ("ignores", "it takes the later entry wherever the id is named"),
        F::ParentCycle => ("hangs", "it walks in the circle for ever and never returns from opening the file"),
        F::DanglingParent => ("cuts", "it begins the context at this entry, without a word"),
        F::KeptEntryMissing => ("cuts", "it shows the summary and what follows; nothing before the compaction is kept"),
        F::TreeNotChecked => ("reads", "it reads the file"),
        F::NoAnswer => ("empties", "it cuts the file to no byte at the start of its next run"),
        F::NoParents => ("cuts", "its context is the last entry alone, until its next append chains the entries"),
        F::OldVersion => ("rewrites", "it rewrites the whole file in place when it opens it; bad lines vanish in that"),
        F::NewerVersion => ("reads", "it reads the file as if it were its own version"),
        F::HugeLine => ("hides", "its chat history shows a placeholder instead of the message"),
        F::CallWithoutResult => ("adds", "it adds a failed result to what it sends, or drops the call"),
        F::ResultWithoutCall => ("drops", "it leaves the result out of what it sends"),
        F::DuplicateTurn => ("sends", "it sends the response twice, and counts its usage twice"),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::finding::Group;

    #[test]
    fn every_finding_about_a_transcript_says_what_the_gateway_does() {
        for id in FindingId::ALL {
            assert_eq!(gateway_does(*id).is_some(), id.group() == Group::Transcripts, "{}", id.id());
        }
    }
}
