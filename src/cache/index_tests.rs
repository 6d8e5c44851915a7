//! What the cache believes, and what it does not.

use super::*;
use crate::transcript::entries::BLOCK;

struct Scene {
    dir: tempfile::TempDir,
    ctx: Context,
}

impl Scene {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        // Far in the future, so that no file was written just now.
        let mut ctx = Context::for_tests(4_000_000_000_000, dir.path());
        ctx.env.set("XDG_CACHE_HOME", dir.path().join("cache").into_os_string());
        Self { dir, ctx }
    }

    fn path(&self) -> PathBuf {
        self.dir.path().join("t.jsonl")
    }

    fn write(&self, text: &str) {
        // In place, as the gateway appends: the inode stays.
        let mut file = std::fs::OpenOptions::new().write(true).create(true).truncate(true).open(self.path()).unwrap();
        file.write_all(text.as_bytes()).unwrap();
    }

    /// Entries of the index, how many older ones there are, and bytes that were read for it.
    fn load(&self, most: usize) -> (Vec<Entry>, u64, u64) {
        let source = Source::open(&self.path(), &[]).unwrap();
        let mut read = 0;
        let went_on = &mut |n| {
            read += n;
            true
        };
        let index = load_above(&self.ctx, &source, true, most, went_on).unwrap().unwrap();
        (index.entries.iter().copied().collect(), index.entries.dropped, read)
    }

    /// Loads, and compares with an index that knows no cache.
    fn check(&self) -> u64 {
        self.check_above(MOST)
    }

    fn check_above(&self, most: usize) -> u64 {
        let (entries, dropped, read) = self.load(most);
        let source = Source::open(&self.path(), &[]).unwrap();
        let fresh = load_above(&self.ctx, &source, false, most, &mut |_| true).unwrap().unwrap();
        assert!(entries == fresh.entries.iter().copied().collect::<Vec<_>>());
        assert_eq!(dropped, fresh.entries.dropped);
        read
    }

    fn cached(&self) -> Vec<PathBuf> {
        let dir = self.dir.path().join("cache/clawkeep/transcripts");
        std::fs::read_dir(dir).map(|items| items.map(|i| i.unwrap().path()).collect()).unwrap_or_default()
    }
}

fn text(entries: usize) -> String {
    let line = |n: usize| {
        format!(
            "{{\"type\":\"message\",\"id\":\"e{n:06}\",\"parentId\":\"e{:06}\",\"x\":\"{}\"}}\n",
            n.saturating_sub(1),
            "y".repeat(400)
        )
    };
    let header = "{\"type\":\"session\",\"version\":3,\"id\":\"s\"}\n".to_owned();
    header + &(0..entries).map(line).collect::<String>()
}

#[test]
fn only_what_is_new_is_read() {
    let scene = Scene::new();
    scene.write(&text(1000));
    assert_eq!(scene.check(), text(1000).len() as u64);
    assert_eq!(scene.check(), 0);
    scene.write(&text(1010));
    assert_eq!(scene.check(), (text(1010).len() - text(1000).len()) as u64);
    assert_eq!((scene.check(), scene.cached().len()), (0, 1));
}

#[test]
fn the_newest_of_too_many_entries_are_cached_too() {
    let scene = Scene::new();
    let line =
        |n: usize| format!("{{\"type\":\"custom\",\"id\":\"e{n}\",\"parentId\":\"e{}\"}}\n", n.saturating_sub(1));
    let text = |n: usize| (0..n).map(line).collect::<String>();
    let grown = 4 * BLOCK + 100;
    for (entries, before) in [(3 * BLOCK, 0), (grown - 7, 3 * BLOCK), (grown, grown - 7)] {
        scene.write(&text(entries));
        assert_eq!(scene.check_above(3 * BLOCK), (text(entries).len() - text(before).len()) as u64);
    }
    // The last growth was too short to write them all again.
    assert_eq!(scene.check_above(3 * BLOCK), (text(grown).len() - text(grown - 7).len()) as u64);
    assert_eq!(scene.load(3 * BLOCK).1, 2 * BLOCK as u64);
}

#[test]
fn shorter_rewritten_and_replaced_files_are_read_anew() {
    let scene = Scene::new();
    let whole = |scene: &Scene| scene.check() == std::fs::metadata(scene.path()).unwrap().len();
    scene.write(&text(1000));
    assert!(whole(&scene));
    scene.write(&text(900));
    assert!(whole(&scene), "shorter");
    scene.write(&text(900).replace("e000500", "f000500"));
    assert!(whole(&scene), "same size");
    let grown = text(1200).replace("e000899", "f000899");
    scene.write(&grown);
    assert!(whole(&scene), "grown, with another last record");
    // Made while the old one is there, so that it cannot get its inode.
    let other = scene.path().with_extension("new");
    std::fs::write(&other, grown + &text(5)[41..]).unwrap();
    std::fs::rename(&other, scene.path()).unwrap();
    assert!(whole(&scene), "another file");
}

#[test]
fn a_file_written_just_before_it_was_indexed_is_not_trusted() {
    let mut scene = Scene::new();
    scene.write(&text(1000));
    let now = read::lstat(&scene.path()).unwrap().mtime_ms() + 1000;
    let env = scene.ctx.env.clone();
    scene.ctx = Context::for_tests(now, scene.dir.path());
    scene.ctx.env = env;
    assert!(scene.check() > 0);
    assert!(scene.check() > 0, "the same tick");
}

#[test]
fn damaged_entries_and_folders_that_cannot_be_used_are_silent() {
    let scene = Scene::new();
    scene.write(&text(1000));
    scene.check();
    let file = scene.cached().remove(0);
    let good = std::fs::read(&file).unwrap();
    for bad in [vec![], good[..good.len() - 1].to_vec(), [&good[..200], &[9], &good[201..]].concat(), b"x".repeat(500)]
    {
        std::fs::write(&file, bad).unwrap();
        assert!(scene.check() > 0);
    }
    std::fs::remove_dir_all(scene.dir.path().join("cache")).unwrap();
    std::fs::write(scene.dir.path().join("cache"), "no folder").unwrap();
    assert!(scene.check() > 0);
}

#[test]
fn an_unfinished_last_line_is_not_kept() {
    let scene = Scene::new();
    scene.write(text(1000).trim_end());
    scene.check();
    assert!(scene.cached().is_empty());
}
