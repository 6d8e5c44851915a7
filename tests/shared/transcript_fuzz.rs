//! Laws of transcripts under any bytes: what a repair leaves, and what reaches a page.

use clawkeep::model::export::ExportHead;
use clawkeep::model::finding::Severity;
use clawkeep::model::mend::{HeaderFields, Survey, edited_len};
use clawkeep::report::export::html::Page;
use clawkeep::transcript::index::Index;
use clawkeep::transcript::mend::edited::Edited;
use clawkeep::transcript::mend::{header, settle, survey};
use clawkeep::transcript::node::Node;
use clawkeep::transcript::redact::cleaner::Cleaner;
use clawkeep::transcript::redact::redactor::Redactor;
use clawkeep::transcript::scan;
use clawkeep::transcript::tree::{Tree, View};
use clawkeep::transcript::turn::turn;
use clawkeep::transcript::{branches, branches::Step};

use super::html;

fn mend(data: &[u8]) -> (Survey, Vec<u8>) {
    let mut found = survey::survey(data, &|_| true).expect("memory does not fail");
    let known = HeaderFields { id: Some("session".to_owned()), ..HeaderFields::default() };
    let mut head = |found: &mut Survey| header::mend(found, &known).is_ok();
    settle::settle(&mut found, data, &mut head, &|| true).expect("memory does not fail");
    let mut out = Vec::new();
    std::io::copy(&mut Edited::new(data, &found.edits), &mut out).expect("memory does not fail");
    (found, out)
}

/// A repair: its edits are in order and apart, its result has no error and needs no repair, whole lines of the old file
/// that were records are lines of the new one, in order.
pub fn transcript_repair(data: &[u8]) {
    let (found, mended) = mend(data);
    assert_eq!(mended.len() as u64, edited_len(data.len() as u64, &found.edits));
    for pair in found.edits.windows(2) {
        assert!(pair[0].at + pair[0].cut <= pair[1].at, "{pair:?}");
    }
    let grave = found.left.iter().any(|l| l.grave);
    let reading =
        scan::whole(&mut &mended[..], &mended[..], mended.len() as u64, &|_| true).expect("memory does not fail");
    for spot in reading.spots.iter().filter(|s| s.id.severity() == Severity::Error) {
        assert!(grave, "{} is left on line {:?} of {:?}", spot.id.id(), spot.line, data.escape_ascii().to_string());
    }
    let (again, same) = mend(&mended);
    assert!(
        again.is_clean() && same == mended,
        "a second repair changes something: {:?} of {:?}, from {:?}",
        again.mended,
        String::from_utf8_lossy(&mended),
        data.escape_ascii().to_string()
    );
    untouched(data, &found, &mended);
}

/// Every line that no edit touches comes out as it was, in order.
fn untouched(data: &[u8], found: &Survey, mended: &[u8]) {
    let mut lines = mended.split(|b| *b == b'\n');
    let mut at = 0u64;
    for line in data.split_inclusive(|b| *b == b'\n') {
        let (start, end) = (at, at + line.len() as u64);
        at = end;
        // An edit that ends where the line begins may have taken the newline before it.
        let touched = found.edits.iter().any(|e| e.at < end && e.at + e.cut >= start);
        if !touched && line.ends_with(b"\n") {
            assert!(
                lines.any(|l| l == &line[..line.len() - 1]),
                "a line is lost: {:?} of {:?}; {:?}",
                String::from_utf8_lossy(line),
                String::from_utf8_lossy(data),
                found.edits
            );
        }
    }
}

/// A page: whatever a transcript holds, the page holds only the elements of its writer.
pub fn transcript_page(data: &[u8]) {
    let Ok(index) = Index::of_end(data, 0) else { return };
    let tree = Tree::of(&index, View::Recovered);
    let active = tree.active();
    let title = String::from_utf8_lossy(&data[..data.len().min(40)]).into_owned();
    let head = ExportHead { title: title.clone(), facts: vec![("Key", title.clone())], notes: vec![title.clone()] };
    let redactor = (data.len().is_multiple_of(2)).then(|| Redactor::new([title]));
    let cleaner = Cleaner::new(redactor);
    let mut out = Vec::new();
    let mut page = Page::begin(&mut out, &head, !data.len().is_multiple_of(3)).expect("memory takes all");
    for step in branches::steps(&tree, &active) {
        use clawkeep::model::export::Fork;
        let written = match step {
            Step::Entry(at) => {
                let entry = index.entries.get(at);
                let from = usize::try_from(entry.offset()).expect("in memory");
                let text = data.get(from..from + entry.len as usize).unwrap_or_default();
                page.turn(&turn(entry, Node::new(text, &[]), &cleaner))
            }
            Step::Open(_, _, entries) => page.fork(&Fork::Opens { entries, title: format!("{entries}") }),
            Step::Close => page.fork(&Fork::Closes),
        };
        written.expect("memory takes all");
    }
    page.end("end").expect("memory takes all");
    html::holds_only_its_own(&String::from_utf8(out).expect("a page is UTF-8"));
}
