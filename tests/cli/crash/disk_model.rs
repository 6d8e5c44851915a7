//! A model of a disk that loses what was not synced.
//!
//! Every file and folder is an inode with two contents: what programs see, and what is durable. The rules are those that
//! POSIX gives, weaker than what most file systems do:
//!
//! * `fsync` of a file makes its bytes durable, not its name;
//! * `fsync` of a folder makes every change of its names durable, no byte of any file;
//! * of the changes that were not synced, any may be lost and any may be kept, in any combination; one system call
//!   (a rename, an exchange) is kept or lost as a whole;
//! * bytes that were not synced may be there, be missing, read as NUL, or be there in part.
//!
//! The log of operations that the program writes (`CLAWKEEP_FAULT_LOG`) is replayed here. The log is written before each
//! operation, so the model also decides which of them fail (a taken name, a missing one), by the same rules as the
//! kernel. Replaying a whole log must give the tree that is really there; the test asserts that first.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

/// Number of an inode in the model.
pub type Ino = usize;

/// What an inode holds.
#[derive(Debug, Clone)]
enum Node {
    Dir(BTreeMap<String, Ino>),
    File {
        durable: Vec<u8>,
        now: Vec<u8>,
        /// Modification time that the real file had at first, in ns.
        mtime: Option<i128>,
    },
}

/// Names set (or removed) by one system call.
#[derive(Debug, Clone)]
struct Change(Vec<(Ino, String, Option<Ino>)>);

impl Change {
    fn touches(&self, dir: Ino) -> bool {
        self.0.iter().any(|(d, _, _)| *d == dir)
    }
}

/// What became of unsynced bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bytes {
    /// They are there.
    Kept,
    /// The file is as it was when last synced.
    Lost,
    /// The length is there, the bytes are NUL.
    Nul,
    /// The first half is there, the rest is NUL.
    Torn,
}

/// The disk.
#[derive(Debug, Clone)]
pub struct Disk {
    root: PathBuf,
    nodes: Vec<Node>,
    /// Names as they are durable.
    durable: BTreeMap<Ino, BTreeMap<String, Ino>>,
    pending: Vec<Change>,
    /// Real inode numbers of files that were there at first.
    pub real: BTreeMap<u64, Ino>,
}

const ROOT: Ino = 0;

impl Disk {
    /// The tree below `root` as it is, all of it durable.
    #[cfg(unix)]
    pub fn of(root: &Path) -> Self {
        use std::os::unix::fs::MetadataExt;
        let mut disk = Self {
            root: root.to_owned(),
            nodes: vec![Node::Dir(BTreeMap::new())],
            durable: BTreeMap::new(),
            pending: Vec::new(),
            real: BTreeMap::new(),
        };
        for entry in walkdir::WalkDir::new(root).min_depth(1).sort_by_file_name().into_iter().map(Result::unwrap) {
            let meta = entry.metadata().unwrap();
            let known = disk.real.get(&meta.ino()).copied().filter(|_| meta.is_file());
            let ino = known.unwrap_or_else(|| {
                let mtime = Some(i128::from(meta.mtime()) * 1_000_000_000 + i128::from(meta.mtime_nsec()));
                disk.add(if meta.is_dir() {
                    Node::Dir(BTreeMap::new())
                } else {
                    let bytes = std::fs::read(entry.path()).unwrap();
                    Node::File { durable: bytes.clone(), now: bytes, mtime }
                })
            });
            if meta.is_file() {
                disk.real.insert(meta.ino(), ino);
            }
            let (dir, name) = disk.place(entry.path()).unwrap();
            disk.names(dir).insert(name, ino);
        }
        disk.durable = disk.all_names();
        disk
    }

    fn add(&mut self, node: Node) -> Ino {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    fn all_names(&self) -> BTreeMap<Ino, BTreeMap<String, Ino>> {
        let dirs = self.nodes.iter().enumerate();
        dirs.filter_map(|(ino, node)| if let Node::Dir(names) = node { Some((ino, names.clone())) } else { None })
            .collect()
    }

    fn names(&mut self, dir: Ino) -> &mut BTreeMap<String, Ino> {
        match &mut self.nodes[dir] {
            Node::Dir(names) => names,
            Node::File { .. } => panic!("not a folder"),
        }
    }

    /// Folder and name of a path; `None` if the path is outside or its folder is not there.
    fn place(&self, path: &Path) -> Option<(Ino, String)> {
        let inside = path.strip_prefix(&self.root).ok()?;
        let dir = self.find(&self.root.join(inside.parent()?))?;
        Some((dir, inside.file_name()?.to_str()?.to_owned()))
    }

    /// The inode that programs see at a path.
    pub fn find(&self, path: &Path) -> Option<Ino> {
        let mut at = ROOT;
        for part in path.strip_prefix(&self.root).ok()?.components() {
            let Component::Normal(name) = part else { return None };
            let Node::Dir(names) = &self.nodes[at] else { return None };
            at = *names.get(name.to_str()?)?;
        }
        Some(at)
    }

    /// Does what one line of the log says. Paths outside the tree are not modelled.
    pub fn replay(&mut self, line: &str) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [_, op, path, from, detail] = fields[..] else { panic!("a line of the log has 5 fields: {line}") };
        let path = Path::new(path);
        match op {
            "sync-dir" => {
                if let Some(dir) = self.find(path) {
                    self.sync_dir(dir);
                }
            }
            "sync-file" | "write" | "truncate" | "allocate" => {
                if let Some(ino) = self.find(path) {
                    self.content(ino, op, detail);
                }
            }
            "attributes" => {}
            _ => {
                if let Some((dir, name)) = self.place(path) {
                    self.name_change(op, dir, name, Path::new(from));
                }
            }
        }
    }

    fn content(&mut self, ino: Ino, op: &str, detail: &str) {
        let Node::File { durable, now, .. } = &mut self.nodes[ino] else { panic!("{op} on a folder") };
        match op {
            "sync-file" => durable.clone_from(now),
            "truncate" => now.resize(detail.parse().unwrap(), 0),
            "allocate" => {
                let len: usize = detail.parse().unwrap_or(0);
                if len > now.len() {
                    now.resize(len, 0);
                }
            }
            _ => {
                let (at, hex) = detail.split_once(':').unwrap();
                let at = at.parse().unwrap_or(now.len());
                let bytes = unhex(hex);
                if now.len() < at + bytes.len() {
                    now.resize(at + bytes.len(), 0);
                }
                now[at..at + bytes.len()].copy_from_slice(&bytes);
            }
        }
    }

    fn name_change(&mut self, op: &str, dir: Ino, name: String, from: &Path) {
        let there = self.names(dir).get(&name).copied();
        let source = self.place(from).and_then(|(d, n)| Some((d, n.clone(), *self.names(d).get(&n)?)));
        let change = match (op, there, source) {
            ("create", None, _) => {
                let ino = self.add(Node::File { durable: Vec::new(), now: Vec::new(), mtime: None });
                vec![(dir, name, Some(ino))]
            }
            ("mkdir", None, _) => {
                let ino = self.add(Node::Dir(BTreeMap::new()));
                vec![(dir, name, Some(ino))]
            }
            ("unlink", Some(_), _) => vec![(dir, name, None)],
            ("rmdir", Some(gone), _) if self.names(gone).is_empty() => vec![(dir, name, None)],
            ("link", None, Some((_, _, ino))) => vec![(dir, name, Some(ino))],
            ("rename", None, Some((d, n, ino))) | ("replace", _, Some((d, n, ino))) => {
                vec![(d, n, None), (dir, name, Some(ino))]
            }
            ("exchange", Some(a), Some((d, n, b))) => vec![(d, n, Some(a)), (dir, name, Some(b))],
            ("create" | "mkdir" | "unlink" | "rmdir" | "link" | "rename" | "replace" | "exchange", ..) => return,
            other => panic!("unknown operation {other:?}"),
        };
        for (dir, name, ino) in &change {
            set(self.names(*dir), name, *ino);
        }
        self.pending.push(Change(change));
    }

    fn sync_dir(&mut self, dir: Ino) {
        let (synced, rest): (Vec<Change>, Vec<Change>) =
            std::mem::take(&mut self.pending).into_iter().partition(|change| change.touches(dir));
        self.pending = rest;
        for change in synced {
            keep(&mut self.durable, &change);
        }
    }

    /// Number of name changes that are not durable.
    pub fn unsynced(&self) -> usize {
        self.pending.len()
    }

    /// What is on the disk after a power cut, if of the unsynced name changes those of `kept` (positions) are there, and
    /// unsynced bytes are as `bytes` says: inodes by path.
    pub fn after_power_cut(&self, kept: &BTreeSet<usize>, bytes: impl Fn(Ino) -> Bytes) -> Found {
        let mut names = self.durable.clone();
        for (_, change) in self.pending.iter().enumerate().filter(|(at, _)| kept.contains(at)) {
            keep(&mut names, change);
        }
        let mut found = Found::default();
        self.collect(ROOT, Path::new(""), &names, &bytes, &mut found);
        found
    }

    /// What programs see.
    pub fn now(&self) -> Found {
        let mut found = Found::default();
        self.collect(ROOT, Path::new(""), &self.all_names(), &|_| Bytes::Kept, &mut found);
        found
    }

    fn collect(
        &self,
        dir: Ino,
        at: &Path,
        names: &BTreeMap<Ino, BTreeMap<String, Ino>>,
        bytes: &impl Fn(Ino) -> Bytes,
        found: &mut Found,
    ) {
        found.dirs.push(at.to_owned());
        for (name, ino) in names.get(&dir).into_iter().flatten() {
            let path = at.join(name);
            match &self.nodes[*ino] {
                Node::Dir(_) => self.collect(*ino, &path, names, bytes, found),
                Node::File { durable, now, mtime } => {
                    let content = content_after(durable, now, bytes(*ino));
                    found.files.insert(path, (*ino, content, *mtime));
                }
            }
        }
    }
}

/// Folders in order, and files by path with inode, content and the time they had at first.
#[derive(Debug, Default, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Found {
    /// Folders, the outer ones first.
    pub dirs: Vec<PathBuf>,
    /// Files.
    pub files: BTreeMap<PathBuf, (Ino, Vec<u8>, Option<i128>)>,
}

fn keep(names: &mut BTreeMap<Ino, BTreeMap<String, Ino>>, change: &Change) {
    for (dir, name, ino) in &change.0 {
        set(names.entry(*dir).or_default(), name, *ino);
    }
}

fn set(names: &mut BTreeMap<String, Ino>, name: &str, ino: Option<Ino>) {
    match ino {
        Some(ino) => names.insert(name.to_owned(), ino),
        None => names.remove(name),
    };
}

fn content_after(durable: &[u8], now: &[u8], bytes: Bytes) -> Vec<u8> {
    if durable == now {
        return now.to_vec();
    }
    match bytes {
        Bytes::Kept => now.to_vec(),
        Bytes::Lost => durable.to_vec(),
        Bytes::Nul | Bytes::Torn => {
            // What was synced before and not written since is still there.
            let same = durable.iter().zip(now).take_while(|(a, b)| a == b).count();
            let until = if bytes == Bytes::Torn { same + (now.len() - same) / 2 } else { same };
            let mut out = now.to_vec();
            out[until..].fill(0);
            out
        }
    }
}

fn unhex(hex: &str) -> Vec<u8> {
    let digits = hex.as_bytes().chunks(2);
    digits.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap()).collect()
}

#[test]
fn the_model_loses_what_was_not_synced_and_nothing_else() {
    let temp = tempfile::tempdir().unwrap();
    let root = temp.path();
    std::fs::write(root.join("old"), "old").unwrap();
    let mut disk = Disk::of(root);
    let mut n = 0;
    let mut log = |op: &str, path: &str, from: &str, detail: &str| {
        n += 1;
        let from = if from.is_empty() { String::new() } else { root.join(from).display().to_string() };
        disk.replay(&format!("{n}\t{op}\t{}\t{from}\t{detail}", root.join(path).display()));
    };
    log("create", "new", "", "");
    log("write", "new", "", "0:616263");
    log("rename", "new", "old", "");
    log("exchange", "old", "new", "");
    let names = |kept: &[usize], bytes: Bytes| -> Vec<(String, String)> {
        let found = disk.after_power_cut(&kept.iter().copied().collect(), |_| bytes);
        let text = |content: &[u8]| String::from_utf8(content.to_vec()).unwrap();
        found.files.iter().map(|(path, file)| (path.display().to_string(), text(&file.1))).collect()
    };
    let file = |name: &str, content: &str| (name.to_owned(), content.to_owned());
    assert_eq!(names(&[], Bytes::Kept), [file("old", "old")]);
    assert_eq!(names(&[0], Bytes::Lost), [file("new", ""), file("old", "old")]);
    assert_eq!(names(&[0], Bytes::Torn), [file("new", "a\0\0"), file("old", "old")]);
    assert_eq!(names(&[0, 1], Bytes::Nul), [file("new", "old"), file("old", "\0\0\0")]);
    disk.replay(&format!("9\tsync-dir\t{}\t\t", root.display()));
    assert_eq!(disk.unsynced(), 0);
}
