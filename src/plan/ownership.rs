//! Which row leads to which file (SAFETY 1). Generous on purpose: any path, id, family member, checkpoint or pointer of
//! any row of any store of the set makes a file owned.

use crate::model::facts::{Facts, RowFile};
use crate::model::folder::{Class, FolderFacts};
use crate::model::index::Via;
use crate::model::probe::{HeaderState, Probes};
use crate::model::stores::{MemberState, StoreMember};

/// One way in which a row leads to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Link {
    /// Entry of the folder.
    pub file: u32,
    /// Who leads there.
    pub owner: Owner,
    /// Which field leads there.
    pub via: Via,
}

/// Owner of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Owner {
    /// A row of the target index.
    Row(u32),
    /// A row of another store: member position.
    Member(u16),
}

/// Ownership of every entry of one folder.
#[derive(Debug, Default)]
pub struct Ownership {
    /// Sorted by file.
    by_file: Vec<Link>,
    /// First link of each file; one more than there are files.
    file_start: Vec<u32>,
    /// `(row, position in by_file)`, sorted by row.
    by_row: Vec<(u32, u32)>,
    /// First entry of each row; one more than there are rows.
    row_start: Vec<u32>,
    /// Files that are earlier transcripts of a living session.
    predecessors: Vec<bool>,
    /// Stores that could not be read.
    pub incomplete: bool,
}

impl Ownership {
    /// Resolves every reference of the facts at hand.
    pub fn of(facts: &Facts, probes: &Probes) -> Self {
        Self::of_set(&facts.row_files, facts.index.rows.len(), &facts.members, &facts.folder, probes)
    }

    /// Resolves every reference of the store set against the folder.
    pub fn of_set(
        row_files: &[RowFile],
        rows: usize,
        members: &[StoreMember],
        folder: &FolderFacts,
        probes: &Probes,
    ) -> Self {
        let link = |r: &RowFile| Link { file: r.file, owner: Owner::Row(r.row), via: r.via };
        let mut links: Vec<Link> = row_files.iter().map(link).collect();
        let mut incomplete = false;
        for (at, member) in members.iter().enumerate() {
            match &member.state {
                MemberState::Read { refs, .. } => {
                    let owner = Owner::Member(u16::try_from(at).unwrap_or(u16::MAX));
                    links.extend(refs.iter().map(|r| Link { file: r.file, owner, via: r.via }));
                }
                MemberState::Absent => {}
                MemberState::Failed(_) => incomplete = true,
            }
        }
        let mut ownership = Self::from_links(links, folder.entries.len(), rows);
        ownership.follow_pointers(folder, probes, rows);
        ownership.mark_predecessors(folder, probes);
        ownership.incomplete = incomplete;
        ownership
    }

    fn from_links(mut links: Vec<Link>, files: usize, rows: usize) -> Self {
        links.sort_unstable();
        links.dedup_by_key(|l| (l.file, l.owner));
        let mut file_start = vec![0u32; files + 1];
        for link in &links {
            file_start[link.file as usize + 1] += 1;
        }
        let mut row_start = vec![0u32; rows + 1];
        let mut by_row = Vec::with_capacity(links.len());
        for (at, link) in links.iter().enumerate() {
            if let Owner::Row(row) = link.owner {
                by_row.push((row, u32::try_from(at).unwrap_or(u32::MAX)));
                row_start[row as usize + 1] += 1;
            }
        }
        by_row.sort_unstable();
        for starts in [&mut file_start, &mut row_start] {
            for i in 1..starts.len() {
                starts[i] += starts[i - 1];
            }
        }
        Self { by_file: links, file_start, by_row, row_start, predecessors: vec![false; files], incomplete: false }
    }

    /// Adds the targets of trajectory pointers to the owners of the pointer.
    fn follow_pointers(&mut self, folder: &FolderFacts, probes: &Probes, rows: usize) {
        let mut extra = Vec::new();
        for (pointer, target) in &probes.pointers {
            let Some(file) = entry_of_last_component(folder, target) else { continue };
            for link in self.links(*pointer) {
                extra.push(Link { file, owner: link.owner, via: Via::Pointer });
            }
        }
        if !extra.is_empty() {
            let links = self.by_file.iter().copied().chain(extra).collect();
            *self = Self::from_links(links, folder.entries.len(), rows);
        }
    }

    /// Follows `parentSession` from owned transcripts, through unowned ones that are predecessors themselves.
    fn mark_predecessors(&mut self, folder: &FolderFacts, probes: &Probes) {
        let mut open: Vec<u32> = probes.parents.keys().copied().filter(|file| !self.links(*file).is_empty()).collect();
        while let Some(child) = open.pop() {
            let orphan_header = probes.orphans.get(&child).map(|p| &p.header);
            let parent = match (probes.parents.get(&child), orphan_header) {
                (Some(parent), _) | (None, Some(HeaderState::Valid { parent: Some(parent), .. })) => parent,
                _ => continue,
            };
            let Some(file) = entry_of_last_component(folder, parent) else { continue };
            let known = std::mem::replace(&mut self.predecessors[file as usize], true);
            if !known {
                open.push(file);
            }
        }
    }

    /// Everything that leads to `file`.
    pub fn links(&self, file: u32) -> &[Link] {
        let at = file as usize;
        &self.by_file[self.file_start[at] as usize..self.file_start[at + 1] as usize]
    }

    /// Everything that `row` leads to.
    pub fn files_of(&self, row: u32) -> impl Iterator<Item = Link> + '_ {
        let at = row as usize;
        let range = self.row_start[at] as usize..self.row_start[at + 1] as usize;
        self.by_row[range].iter().map(|(_, link)| self.by_file[*link as usize])
    }

    /// Whether the file is an earlier transcript of a living session.
    pub fn is_predecessor(&self, file: u32) -> bool {
        self.predecessors[file as usize]
    }
}

/// The folder entry that a path names by its last component, split on both kinds of slash.
pub fn entry_of_last_component(folder: &FolderFacts, path: &str) -> Option<u32> {
    let name = path.rsplit(['/', '\\']).next().filter(|n| !n.is_empty())?;
    folder.find(name.as_ref()).and_then(|at| u32::try_from(at).ok())
}

/// Whether the folder is proven to be a sessions folder (SAFETY 1): the index has a row, and the folder has the shape
/// `agents/<id>/sessions` or a row's transcript lies in it.
pub fn folder_is_proven(facts: &Facts, ownership: &Ownership) -> bool {
    !facts.index.rows.is_empty()
        && (facts.agent_shape
            || ownership.by_file.iter().any(|l| {
                matches!(l.owner, Owner::Row(_)) && facts.folder.entries[l.file as usize].class == Class::Transcript
            }))
}
