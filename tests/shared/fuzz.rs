//! What is fuzzed: functions that take any bytes and panic if a law is broken. `fuzz/` drives them with a fuzzer,
//! `tests/corpus.rs` with its corpus and every cut and flip of it.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::PathBuf;

use clawkeep::config::edit::{tree, verify};
use clawkeep::doctor::registry::RULES;
use clawkeep::doctor::rule::Notes;
use clawkeep::lock::peer::{LockRecord, PeerFacts, judge};
use clawkeep::lock::process::Process;
use clawkeep::model::fingerprint::Kind;
use clawkeep::model::folder::Class;
use clawkeep::model::index::{IndexFacts, Row};
use clawkeep::model::probe::LockState;
use clawkeep::scan::names::classify;
use clawkeep::store::salvage::salvage;
use clawkeep::store::{parse, write};
use clawkeep::transcript::entries::NON_OBJECT;
use clawkeep::transcript::index::Index;
use clawkeep::transcript::lines::Lines;
use clawkeep::transcript::long_line::LongLine;
use clawkeep::transcript::node::Node;
use clawkeep::transcript::record::{Line, line};
use clawkeep::transcript::scan;
use clawkeep::transcript::tree::{Tree, View};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::value::RawValue;
use sha2::{Digest as _, Sha256};

use super::plan_world;

/// A function under fuzz.
pub type Target = fn(&[u8]);

/// All of them by the name of their corpus.
pub const TARGETS: &[(&str, Target)] = &[
    ("index_load", index_load),
    ("index_salvage", index_salvage),
    ("name_classes", name_classes),
    ("lock_content", lock_content),
    ("config_edit", config_edit),
    ("decide_apply", decide_apply),
    ("transcript_lines", transcript_lines),
];

fn load(bytes: &[u8]) -> Option<IndexFacts> {
    let fp = plan_world::fingerprint(1, bytes.len() as u64, plan_world::NOW);
    parse::parse(PathBuf::from("/s/sessions.json"), fp, bytes.to_vec().into()).ok()
}

fn rendered(index: &IndexFacts, drop: &[u32]) -> Vec<u8> {
    let mut out = Vec::new();
    let written = write::render_into(index, drop, &[], &mut out).expect("memory takes all");
    assert_eq!((written, write::rendered_len(index, drop, &[])), (out.len() as u64, out.len() as u64));
    out
}

/// An index: what is a JSON object for everybody is one for us, with the same rows; nothing to do changes no byte; a
/// dropped row takes itself and nothing else.
pub fn index_load(data: &[u8]) {
    let ours = load(data);
    let theirs = serde_json::from_slice::<BTreeMap<String, Box<RawValue>>>(data).ok();
    let Some(index) = ours else {
        assert!(theirs.is_none_or(|rows| too_deep(&rows)), "an index that anybody can read was refused");
        return;
    };
    if let Some(theirs) = theirs {
        let live = index.rows.iter().filter(|row| !row.shadowed);
        let ours: BTreeMap<String, &[u8]> =
            live.map(|row| (index.key(row).into_owned(), row.value.of(&index.bytes))).collect();
        let theirs: BTreeMap<String, &[u8]> = theirs.iter().map(|(k, v)| (k.clone(), v.get().as_bytes())).collect();
        assert_eq!(ours, theirs);
    }
    assert_eq!(rendered(&index, &[]), data, "nothing to do changes no byte");
    let positions: Vec<u32> = (0..).take(index.rows.len()).collect();
    for ix in positions.iter().copied().take(8) {
        let drop = write::with_duplicates(&index, &[ix]);
        let text = rendered(&index, &drop);
        let after = load(&text).expect("a rewritten index is whole");
        let kept = positions.iter().filter(|ix| !drop.contains(ix)).map(|ix| values(&index, *ix));
        let now = (0..).take(after.rows.len()).collect::<Vec<u32>>();
        assert!(kept.eq(now.iter().map(|ix| values(&after, *ix))), "the other rows are what they were");
    }
}

/// A damaged index: each saved row is a stretch of the text that stands for itself, none overlaps another, they make a sound
/// index with these very rows, and saving from that gives the same. Of a sound text every row is saved.
pub fn index_salvage(data: &[u8]) {
    let found = salvage(data);
    let mut end = 0;
    let mut pairs = Vec::new();
    for row in &found.rows {
        let (key, value) = (row.key.span.of(data), row.value.of(data));
        assert!(row.key.span.start as usize > end || end == 0, "rows overlap");
        assert!(row.key.span.end < row.value.start, "a value before its key");
        end = row.value.end as usize;
        pairs.push((key.to_vec(), value.to_vec()));
    }
    let text = found.render(data);
    let index = load(&text).expect("saved rows make a sound index");
    let raw = |row: &Row| (row.key.span.of(&text).to_vec(), row.value.of(&text).to_vec());
    assert_eq!(index.rows.iter().map(raw).collect::<Vec<_>>(), pairs, "the rows that were saved");
    assert!(index.rows.iter().all(|row| !row.shadowed), "a key that was saved twice");
    let again = salvage(&text);
    assert_eq!(again.rows.iter().map(raw).collect::<Vec<_>>(), pairs, "the same again");
    assert!(again.cut.is_empty() && again.lost_bytes == 0, "a sound index has lost nothing");
    if let Some(whole) = load(data).filter(|whole| whole.rows.iter().all(|row| row.odd.is_none())) {
        let live: Vec<_> =
            whole.rows.iter().filter(|row| !row.shadowed).map(|row| row.value.of(data).to_vec()).collect();
        assert!(found.gave_up || found.rows.len() == live.len(), "a row of a sound index is lost");
    }
}

fn values(index: &IndexFacts, ix: u32) -> (Vec<u8>, Vec<u8>) {
    let row = &index.rows[ix as usize];
    (index.key(row).into_owned().into_bytes(), row.value.of(&index.bytes).to_vec())
}

/// Nesting beyond what we read is refused; only then may we be stricter than others.
fn too_deep(rows: &BTreeMap<String, Box<RawValue>>) -> bool {
    rows.values().any(|v| v.get().bytes().filter(|b| matches!(b, b'[' | b'{')).count() > 64)
}

/// A name: no panic, a stem within the name, times only where the class has them, and never anything removable that has a
/// separator or is ours.
pub fn name_classes(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let named = classify(OsStr::new(text), Some(OsStr::new("sessions.json")));
    assert!(usize::from(named.stem_len) <= text.len());
    assert!(text.is_char_boundary(usize::from(named.stem_len)));
    let dated = matches!(named.class, Class::Archive(_) | Class::RepairBackup | Class::Damaged);
    assert!(named.stamp.is_none() || dated, "{text:?} has a time as {:?}", named.class);
    if let Class::Archive(reason) = named.class {
        assert!(named.stamp.is_some(), "{text:?} is an archive without a time");
        let (stem, tail) = text.split_at(usize::from(named.stem_len));
        assert!(stem.len() + tail.len() == text.len() && !tail.is_empty(), "{text:?} as {reason:?}");
    }
    if text == ".clawkeep" || text.starts_with(".clawkeep-") && text.ends_with(".tmp") {
        assert!(!matches!(named.class, Class::Transcript | Class::Archive(_)), "{text:?} as {:?}", named.class);
    }
}

/// A transcript: reading it never fails on content, what is made of it does not depend on the size of the pieces that it comes
/// in, and every record that is indexed stands where the index says.
pub fn transcript_lines(data: &[u8]) {
    let whole = Index::of_end(data, 0).expect("the bytes are at hand");
    let mut pieces = Lines::in_pieces(data, 0, 1 + data.len() % 7);
    let (mut count, mut end) = (0, 0);
    while let Some(line) = pieces.next_line().expect("the bytes are at hand") {
        assert_eq!(line.at, end, "lines follow each other");
        end = line.end();
        count += 1;
    }
    assert_eq!((count, end), (whole.lines, data.len() as u64));
    for entry in whole.entries.iter().filter(|entry| !entry.is(NON_OBJECT)) {
        let from = usize::try_from(entry.offset()).expect("it is in memory");
        let text = &data[from..from + entry.len as usize];
        let Line::Record(record) = line(text) else { panic!("no record at {from}") };
        assert_eq!(record.key, entry.id);
    }
    let mut long = LongLine::default();
    data.chunks(5).for_each(|piece| long.feed(piece));
    let (ended, slim) = long.end();
    if let Line::Record(record) = ended.line {
        assert!(Node::new(&slim.text, &slim.cuts).is_some_and(|node| node.is_object()));
        assert!(matches!(line(data), Line::Record(short) if short == record), "a long line is read like a short one");
    }
    let tree = Tree::of(&whole, View::Recovered);
    assert!(tree.active().entries.len() <= whole.entries.len());
    let scan = scan::whole(&mut &data[..], data, data.len() as u64, &|_| true).expect("the bytes are at hand");
    assert_eq!(scan.lines, whole.lines);
}

/// A lock file: whatever it says, a process that lives as recorded holds it, and garbage is held while it is fresh.
pub fn lock_content(data: &[u8]) {
    let record = LockRecord::parse(data);
    assert!(record.pid.is_none_or(|pid| pid > 0 && i32::try_from(pid).is_ok()));
    let now = plan_world::NOW;
    let mut facts = PeerFacts {
        here: None,
        mtime: now,
        now,
        process: Process::Alive { start_ticks: record.start_ticks },
        nested: false,
        doubt: None,
        network_fs: false,
        boot: Some(now - clawkeep::model::DAY),
        no_pid_grace: clawkeep::lock::peer::NO_PID_GRACE,
    };
    // A lock that names a host may be of another one: it is held whatever the processes here say.
    let elsewhere = record.host.is_some();
    let fresh = judge(&record, &facts);
    assert!(
        matches!(fresh, LockState::Live { .. }) || elsewhere && !matches!(fresh, LockState::Dead { .. }),
        "{record:?} is alive"
    );
    facts.mtime = now - clawkeep::model::HOUR;
    facts.process = Process::Gone;
    let old = judge(&record, &facts);
    assert!(matches!(old, LockState::Dead { .. }) != elsewhere, "{record:?} is proven dead: {old:?}");
    facts.doubt = Some("another host");
    facts.mtime = now - clawkeep::model::MINUTE;
    let unseen = judge(&record, &facts);
    assert!(record.pid.is_none() || unseen.holds(), "{record:?} may live unseen: {unseen:?}");
}

/// The bytes are the seed of a state and a policy: deciding never panics, is deterministic, takes only regular files, and
/// once applied leaves nothing to decide. (To let the bytes make the choices themselves does not work: where they end the
/// generator yields zeros, and a choice between weights that throws zeros away never ends.)
pub fn decide_apply(data: &[u8]) {
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &Sha256::digest(data));
    let mut runner = TestRunner::new_with_rng(Config { failure_persistence: None, ..Config::default() }, rng);
    let both = (plan_world::a_world(), plan_world::a_policy());
    let Ok(tree) = both.new_tree(&mut runner) else { return };
    let (world, policy) = tree.current();
    let (facts, plan) = world.plan(&policy);
    assert_eq!(plan.decisions, world.plan(&policy).1.decisions);
    assert_eq!(plan.decisions.len(), facts.index.rows.len() + facts.folder.entries.len());
    assert!(facts.folder.entries.iter().all(|e| e.fp.kind == Kind::File));
    plan_world::settles(&world, &policy).expect("a second pass wants nothing");
}

/// A configuration: both readers agree about it, and whatever a migration or a removed member makes of it is either proven
/// or refused.
pub fn config_edit(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let trusted = clawkeep::config::parse::parse("t".as_ref(), data, &mut Vec::new());
    let ours = tree::read(text.strip_prefix('\u{feff}').unwrap_or(text));
    assert_eq!(trusted.is_ok(), ours.is_ok(), "{text:?}");
    let (Ok(trusted), Ok(ours)) = (trusted, ours) else { return };
    let value = ours.root.value();
    assert_eq!(tree::plain(&value), trusted);
    let mut wanted = Vec::new();
    if let Some(map) = value.as_object() {
        for key in map.keys().take(4) {
            let mut less = map.clone();
            less.shift_remove(key);
            wanted.push(serde_json::Value::Object(less));
        }
    }
    for migrate in RULES.iter().filter_map(|rule| rule.migration()) {
        let mut new = value.clone();
        migrate(&mut new, &mut Notes::default());
        if new != value {
            wanted.push(new);
        }
    }
    for wanted in wanted {
        // What is refused is refused; what is accepted is proven once more by the parser that did not make it.
        if let Ok(edited) = verify::edit(text, &wanted) {
            let again = clawkeep::config::parse::parse("t".as_ref(), edited.text.as_bytes(), &mut Vec::new());
            assert_eq!(again.ok(), Some(tree::plain(&wanted)), "{text:?}");
            assert_eq!(verify::edit(&edited.text, &wanted).map(|e| e.text), Ok(edited.text.clone()));
        }
    }
}
