//! What a repair of one transcript would do: reads all of it and what lies around it, and decides. Writes nothing.
//!
//! The repair carries out what this says; a check asks it whether the repair that it would name is of any use.

use std::borrow::Cow;
use std::io;

use super::place::Place;
use super::target::Chosen;
use crate::cmd::start::Start;
use crate::context::Context;
use crate::error::{Error, Kind, Result};
use crate::model::finding::{Finding, FindingId, RepairId, Severity};
use crate::model::folder::{Artefact, Class, FolderFacts};
use crate::model::index::{IndexFacts, IndexState};
use crate::model::mend::{HeaderSeen, Survey};
use crate::model::probe::HeaderState;
use crate::model::transcript_repair::{HeaderSources, TranscriptFacts, TranscriptPlan};
use crate::repair::transcript::plan;
use crate::report::progress::Progress;
use crate::scan::{folder, header_sources, same_bytes};
use crate::store;
use crate::transcript::mend::edited::Edited;
use crate::transcript::mend::settle::After;
use crate::transcript::mend::{header, settle, survey, upgrade};
use crate::transcript::scan;
use crate::transcript::source::Source;

/// The newest format that is written.
const NEWEST: u64 = 3;

/// One transcript, and how it is to be mended.
#[derive(Clone, Copy)]
pub struct Mending<'a> {
    /// Clock, cancel flag, progress.
    pub ctx: &'a Context,
    /// The stores that there are.
    pub start: &'a Start,
    /// The transcript.
    pub chosen: &'a Chosen,
    /// Where it lies.
    pub place: &'a Place,
    /// Versions 1 and 2 become version 3.
    pub upgrade: bool,
    /// What was read of its folder already, where many transcripts of one folder are asked about.
    pub around: Option<Around<'a>>,
}

/// A folder and its index.
#[derive(Clone, Copy)]
pub struct Around<'a> {
    /// The folder.
    pub folder: &'a FolderFacts,
    /// Its index, if that is whole.
    pub index: Option<&'a IndexFacts>,
}

/// Only a transcript is mended: whatever else is JSON Lines would get a header that it must not have.
///
/// # Errors
/// It is something else, or a copy that is never changed.
pub fn may_be_mended(chosen: &Chosen) -> Result<()> {
    let shown = chosen.path.display();
    if chosen.path.extension().is_some_and(|ext| ext == "zst") {
        return Err(Error::failed(format!("{shown} is a compressed copy; it is never changed")).hint(format!(
            "clawkeep transcript check {}",
            crate::report::command::quote(&chosen.path.to_string_lossy())
        )));
    }
    match chosen.class {
        Class::Transcript | Class::Checkpoint | Class::Archive(_) | Class::Foreign => Ok(()),
        Class::RepairBackup | Class::DoctorBackup => {
            Err(Error::failed(format!("{shown} is a copy that an earlier repair left; it is never changed")))
        }
        _ => Err(chosen.no_transcript()),
    }
}

/// What is going to be done, and from what.
pub struct Decided {
    /// What it is decided from.
    pub facts: TranscriptFacts,
    /// Where a new header has its members from, in words.
    pub header_from: Vec<String>,
    /// What is going to be done.
    pub plan: TranscriptPlan,
    /// What a check would still find afterwards, and how many of it.
    pub left: Vec<(FindingId, u64)>,
}

impl Mending<'_> {
    /// Reads everything and decides.
    ///
    /// # Errors
    /// It cannot be read, its format is newer than what is written, or the run was interrupted.
    pub fn decide(&self) -> Result<Decided> {
        let source = self.chosen.open(self.ctx)?;
        let failed = |e: io::Error| Error::io("read", &self.chosen.path, e);
        let folder = self.folder()?;
        let begins = begins_with_a_header(&source).map_err(failed)?;
        let mut sources = if begins { None } else { self.sources(&folder) };
        let ids = sources.as_ref().map(|sources| sources.ids.clone()).unwrap_or_default();
        let mut survey = self.survey(&source, &ids).map_err(failed)?;
        // What was not read to its end says nothing about the file.
        if let Some(signal) = self.ctx.cancel.get() {
            return Err(Error::new(Kind::Interrupted, format!("interrupted (exit {signal}); nothing was changed")));
        }
        if survey.header_version() > NEWEST {
            return Err(Error::new(
                Kind::TooNew,
                format!("{} has format version {}", self.chosen.path.display(), survey.header_version()),
            )
            .hint(format!(
                "clawkeep transcript check {}",
                crate::report::command::quote(&self.chosen.path.to_string_lossy())
            )));
        }
        let (mut no_header, mut header_from) = (None, Vec::new());
        let mut head = |found: &mut Survey| {
            if matches!(found.header, HeaderSeen::Good { .. }) {
                return true;
            }
            // The surroundings say the same each time.
            if sources.is_none() {
                sources = self.sources(&folder);
            }
            match self.header(found, sources.as_ref()) {
                Ok(told) => header_from.extend(told),
                Err(why) => no_header = Some(why),
            }
            no_header.is_none()
        };
        settle::settle(&mut survey, &source, &mut head, &|| self.ctx.cancel.get().is_none()).map_err(failed)?;
        if let Some(signal) = self.ctx.cancel.get() {
            return Err(Error::new(Kind::Interrupted, format!("interrupted (exit {signal}); nothing was changed")));
        }
        if self.upgrade && survey.header_version() < NEWEST && no_header.is_none() {
            let after = After::new(&source, &survey.edits);
            let mut next = Survey { edits: Vec::new(), ..survey.clone() };
            next.mended.clear();
            next.counts.clear();
            next.torn.clear();
            let left = std::mem::take(&mut next.left);
            upgrade::upgrade(&mut next, &after).map_err(failed)?;
            survey = settle::absorb(&survey, next, &after).map_err(failed)?;
            survey.left.splice(0..0, left);
        }
        let left = left(&source, &survey).map_err(failed)?;
        let backup = if survey.is_clean() { None } else { self.same_backup(&source, &folder) };
        let facts = TranscriptFacts {
            folder: self.place.folder.clone(),
            name: self.place.name.clone(),
            fp: source.fp,
            survey,
            no_header,
            errors_after: left
                .iter()
                .filter(|spot| spot.0.severity() == Severity::Error)
                .map(|spot| spot.0.id())
                .collect(),
            backup,
            taken: folder.entries.iter().map(|e| e.name.to_os_string()).collect(),
            pid: std::process::id(),
            now: self.ctx.run_time(),
        };
        let plan = plan(&facts);
        Ok(Decided { facts, header_from, plan, left })
    }

    fn survey(&self, source: &Source, ids: &[String]) -> io::Result<Survey> {
        const STEP: u64 = 1 << 20;
        let bar = Progress::bar(self.ctx, "reading (MiB)", source.size / STEP);
        let read = std::cell::Cell::new(0);
        let went_on = |bytes: u64| {
            let before = read.replace(read.get() + bytes);
            bar.advance((before + bytes) / STEP - before / STEP);
            self.ctx.cancel.get().is_none()
        };
        survey::survey_of(ids, source, &went_on)
    }

    /// What the surroundings say about the session; `None` if the file is no longer there.
    fn sources(&self, folder: &FolderFacts) -> Option<HeaderSources> {
        let file = self.artefact(folder)?;
        Some(header_sources::gather(folder, file, self.index().as_deref()))
    }

    /// Makes a header, if there is none, and says where its members come from.
    fn header(&self, survey: &mut Survey, sources: Option<&HeaderSources>) -> std::result::Result<Vec<String>, String> {
        if survey.lines == 0 {
            return Err("it has no byte: there is nothing to mend".to_owned());
        }
        let sources = sources.ok_or("it is no longer there")?;
        let proven = survey.entries > 0 || survey.remains.id.is_some() || sources.proven;
        if !proven || self.chosen.class == Class::Foreign {
            return Err("nothing in it proves that it is a transcript".to_owned());
        }
        header::mend(survey, &sources.fields).map(|members| header::told(&members, &sources.origins))
    }

    fn folder(&self) -> Result<Cow<'_, FolderFacts>> {
        match self.around() {
            Some(around) => Ok(Cow::Borrowed(around.folder)),
            None => folder::scan(&self.place.folder, None).map(Cow::Owned),
        }
    }

    fn index(&self) -> Option<Cow<'_, IndexFacts>> {
        if let Some(around) = self.around() {
            return around.index.map(Cow::Borrowed);
        }
        match store::read::read(&self.place.store(self.start)?.store_path) {
            IndexState::Whole(index) => Some(Cow::Owned(index)),
            _ => None,
        }
    }

    /// What is known of the folder, if it is the one in which the transcript really lies.
    fn around(&self) -> Option<Around<'_>> {
        self.around.filter(|around| around.folder.path == self.place.folder)
    }

    fn artefact<'f>(&self, folder: &'f FolderFacts) -> Option<&'f Artefact> {
        folder.find(&self.place.name).map(|ix| &folder.entries[ix])
    }

    /// A copy of the very same bytes that is there already.
    fn same_backup(&self, source: &Source, folder: &FolderFacts) -> Option<std::ffi::OsString> {
        let file = self.artefact(folder)?;
        let copies = folder.entries.iter().filter(|e| {
            e.class == Class::RepairBackup && e.is_file() && e.stem() == file.stem() && e.fp.size == source.size
        });
        copies
            .into_iter()
            .find(|e| {
                (e.fp.dev, e.fp.ino) == (file.fp.dev, file.fp.ino) && e.fp.ino != 0
                    || same_bytes::same(&folder.path.join(&*e.name), &self.chosen.path).unwrap_or(false)
            })
            .map(|e| e.name.to_os_string())
    }
}

/// Whether the first record is a header, as far as the beginning of the file says it.
fn begins_with_a_header(source: &Source) -> io::Result<bool> {
    let mut head = vec![0; 64 * 1024];
    let got = source.read_at(&mut head, 0)?;
    let state = crate::transcript::header::header(&head[..got], got as u64 >= source.size);
    Ok(matches!(state, HeaderState::Valid { .. }))
}

/// What a check would find in the edited file. There should be no error that the repair can do something about.
fn left(source: &Source, survey: &Survey) -> io::Result<Vec<(FindingId, u64)>> {
    let after = After::new(source, &survey.edits);
    let reading = scan::whole(&mut Edited::new(source, &survey.edits), &after, u64::MAX, &|_| true)?;
    Ok(reading.spots.iter().map(|spot| (spot.id, spot.count)).collect())
}

/// Takes the repair away from findings about one transcript that it would not mend, not even in part.
pub fn advise(mending: &Mending<'_>, findings: &mut [&mut Finding]) {
    for (repair, upgrade) in [(RepairId::Transcript, false), (RepairId::UpgradeTranscript, true)] {
        let mut named = findings.iter_mut().filter(|finding| finding.repair == Some(repair)).peekable();
        if named.peek().is_none() {
            continue;
        }
        let decided = may_be_mended(mending.chosen).and_then(|()| Mending { upgrade, ..*mending }.decide());
        let decided = decided.ok().filter(|decided| !decided.plan.effects.is_empty());
        for finding in named {
            let left = |d: &Decided| d.left.iter().find(|(id, _)| *id == finding.id).map_or(0, |(_, count)| *count);
            if decided.as_ref().is_none_or(|decided| left(decided) >= finding.count.max(1)) {
                finding.repair = None;
            }
        }
    }
}
