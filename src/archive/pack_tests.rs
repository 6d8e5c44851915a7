use super::*;
use crate::archive::{init, read};

const NOW: Ms = 1_777_622_400_000;

struct World {
    home: tempfile::TempDir,
    archive: Archive,
}

impl World {
    fn new() -> Self {
        let home = tempfile::tempdir().unwrap();
        let dir = home.path().join("attic");
        init(&dir, NOW).unwrap();
        let archive = open(&dir).unwrap();
        Self { home, archive }
    }

    fn job(&self, name: &str, content: &[u8]) -> Job {
        let source = self.home.path().join(name);
        std::fs::write(&source, content).unwrap();
        let (_, expect) = fsx::open_regular(&source).unwrap();
        Job { source, label: "main".to_owned(), name: name.into(), expect, run_id: "run-1".to_owned() }
    }

    /// Names in the folder of the label.
    fn names(&self) -> Vec<String> {
        let folder = self.archive.path().join("main");
        let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
        let mut names: Vec<String> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

#[test]
fn what_goes_in_comes_out_and_is_recorded() {
    let mut world = World::new();
    let content = b"{\"type\":\"session\"}\n".repeat(20_000);
    let job = world.job("a.jsonl.deleted.2026-05-01T08-00-00.000Z", &content);
    let packed = world.archive.pack(&job, NOW).unwrap();
    assert_eq!((packed.lines, packed.bytes, packed.reused), (20_000, content.len() as u64, false));
    assert!(packed.packed_bytes < packed.bytes / 10);
    let mut out = Vec::new();
    let digest = read(&packed.path, &mut out).unwrap();
    assert_eq!(out, content);
    assert_eq!(digest.sha256, packed.sha256);
    assert_eq!(world.names(), ["a.jsonl.deleted.2026-05-01T08-00-00.000Z.zst"]);
    assert_eq!(std::fs::read(&job.source).unwrap(), content, "packing removes nothing");
    let entries = manifest::entries(world.archive.path()).unwrap();
    assert_eq!(entries.len(), 1);
    assert_eq!(entries[0].original, job.source.to_str().unwrap());
    assert_eq!(entries[0].packed, "main/a.jsonl.deleted.2026-05-01T08-00-00.000Z.zst");
    assert_eq!((entries[0].sha256.as_str(), entries[0].lines), (packed.sha256.as_str(), 20_000));
}

#[test]
fn an_empty_file_and_a_line_without_end_are_packed_too() {
    let mut world = World::new();
    for (name, content, lines) in [("empty", &b""[..], 0), ("tail", b"a\nb", 2)] {
        let job = world.job(name, content);
        let packed = world.archive.pack(&job, NOW).unwrap();
        assert_eq!((packed.lines, packed.bytes), (lines, content.len() as u64));
        let mut out = Vec::new();
        read(&packed.path, &mut out).unwrap();
        assert_eq!(out, content);
    }
}

#[test]
fn damage_on_the_disk_is_found_by_reading_back() {
    for damage in [
        |path: &Path| {
            let file = std::fs::OpenOptions::new().write(true).open(path).unwrap();
            file.set_len(file.metadata().unwrap().len() - 1).unwrap();
        },
        |path: &Path| std::fs::write(path, b"").unwrap(),
        |path: &Path| std::fs::write(path, zstd::encode_all(&b"other\n"[..], 3).unwrap()).unwrap(),
        |path: &Path| std::fs::remove_file(path).unwrap(),
    ] as [fn(&Path); 4]
    {
        let mut world = World::new();
        world.archive.before_verify = Some(damage);
        let job = world.job("a", b"hello\n");
        let error = world.archive.pack(&job, NOW).unwrap_err();
        assert!(error.message.contains("not whole"), "{error}");
        assert_eq!(world.names(), [""; 0]);
        assert!(manifest::entries(world.archive.path()).unwrap().is_empty());
    }
}

#[test]
fn a_source_that_is_not_what_was_planned_is_kept() {
    let mut world = World::new();
    let mut job = world.job("a", b"hello\n");
    std::fs::write(&job.source, "hello\nmore\n").unwrap();
    assert!(world.archive.pack(&job, NOW).unwrap_err().message.contains("changed"));
    // Planned shorter than it is, with everything else equal: only the second look finds it.
    job = world.job("a", b"hello\n");
    let (source, _) = fsx::open_regular(&job.source).unwrap();
    job.expect.size = 3;
    let temp = world.home.path().join("t");
    let file = File::create(&temp).unwrap();
    assert!(compress(&job, &source, &file, &temp).unwrap_err().message.contains("changed"));
    assert_eq!(world.names(), [""; 0]);
}

#[cfg(unix)]
#[test]
fn links_are_not_followed() {
    let mut world = World::new();
    let mut job = world.job("a", b"hello\n");
    let link = world.home.path().join("link");
    std::os::unix::fs::symlink(&job.source, &link).unwrap();
    job.source = link;
    assert!(world.archive.pack(&job, NOW).is_err());
    let mut job = world.job("a", b"hello\n");
    job.label = "planted".to_owned();
    std::os::unix::fs::symlink(world.home.path(), world.archive.path().join("planted")).unwrap();
    assert!(world.archive.pack(&job, NOW).unwrap_err().message.contains("not a folder"));
}

#[test]
fn a_taken_name_gets_a_number_and_the_same_content_is_kept_once() {
    let mut world = World::new();
    let one = world.job("a", b"one\n");
    let first = world.archive.pack(&one, NOW).unwrap();
    let two = world.job("a", b"two\n");
    let second = world.archive.pack(&two, NOW).unwrap();
    assert_eq!(world.names(), ["a-1.zst", "a.zst"]);
    let again = world.archive.pack(&world.job("a", b"one\n"), NOW).unwrap();
    assert_eq!((again.path, again.reused), (first.path, true));
    let again = world.archive.pack(&world.job("a", b"two\n"), NOW).unwrap();
    assert_eq!((again.path, again.reused), (second.path, true));
    assert_eq!(world.names(), ["a-1.zst", "a.zst"], "no temporary file stays");
}

#[test]
fn a_damaged_copy_under_the_name_is_never_reused_or_replaced() {
    let mut world = World::new();
    let job = world.job("a", b"");
    std::fs::create_dir(world.archive.path().join("main")).unwrap();
    std::fs::write(world.archive.path().join("main/a.zst"), "").unwrap();
    let packed = world.archive.pack(&job, NOW).unwrap();
    assert!(packed.path.ends_with("main/a-1.zst"));
    assert_eq!(std::fs::read(world.archive.path().join("main/a.zst")).unwrap(), b"");
}

#[test]
fn leftovers_of_a_crash_do_not_stop_the_next_run() {
    let mut world = World::new();
    let job = world.job("a", b"one\n");
    std::fs::create_dir(world.archive.path().join("main")).unwrap();
    std::fs::write(world.archive.path().join("main/a.zst.tmp"), "half").unwrap();
    std::fs::write(world.archive.path().join(manifest::NAME), "{\"torn").unwrap();
    world.archive.pack(&job, NOW).unwrap();
    assert_eq!(world.names(), ["a.zst"]);
    assert_eq!(manifest::entries(world.archive.path()).unwrap().len(), 1);
}

#[test]
fn many_files_are_packed_in_batches_and_one_failure_stays_alone() {
    let mut world = World::new();
    let mut jobs: Vec<Job> = (0..150).map(|i| world.job(&format!("f{i}"), format!("{i}\n").as_bytes())).collect();
    std::fs::remove_file(&jobs[70].source).unwrap();
    jobs.push(jobs[0].clone());
    let results = world.archive.pack_all(&jobs, NOW);
    assert_eq!(results.len(), 151);
    assert_eq!(results.iter().filter(|r| r.is_err()).count(), 1);
    assert!(results[70].is_err());
    assert!(results[150].as_ref().unwrap().reused);
    assert_eq!(manifest::entries(world.archive.path()).unwrap().len(), 150);
    assert_eq!(batches(&jobs).iter().map(ExactSizeIterator::len).collect::<Vec<_>>(), [64, 64, 23]);
    let twice = [jobs[0].clone(), jobs[0].clone()];
    assert_eq!(batches(&twice), [0..1, 1..2], "one name, one batch");
}

#[test]
fn an_archive_serves_one_run_at_a_time() {
    let world = World::new();
    let error = open(world.archive.path()).unwrap_err();
    assert_eq!(error.kind, Kind::Busy);
    let path = world.archive.path().to_owned();
    drop(world.archive);
    open(&path).unwrap();
}

#[test]
fn a_folder_that_is_no_archive_is_not_touched() {
    let home = tempfile::tempdir().unwrap();
    assert!(open(home.path()).unwrap_err().hints[0].contains("archive init"));
    assert_eq!(std::fs::read_dir(home.path()).unwrap().count(), 0);
}

#[test]
fn an_archive_that_cannot_be_written_is_refused_at_once() {
    let home = tempfile::tempdir().unwrap();
    init(home.path(), NOW).unwrap();
    // Root may write anywhere, so the manifest is made unwritable by being a folder.
    std::fs::create_dir(home.path().join(manifest::NAME)).unwrap();
    assert!(open(home.path()).unwrap_err().message.contains("cannot write to"));
}

#[test]
fn labels_and_names_stay_inside_the_archive() {
    assert_eq!(safe_label("../x/.."), "---x---");
    assert_eq!(safe_label(""), "store");
    for bad in ["", ".", "..", "a/b", "/a", "a/"] {
        assert!(base_name(OsStr::new(bad)).is_err(), "{bad:?}");
    }
    let long = "é".repeat(127);
    let base = base_name(OsStr::new(&long)).unwrap();
    assert!(suffixed(&base, 999, ".zst.tmp").len() <= 255);
    assert_ne!(base, base_name(OsStr::new(&format!("{long}x"))).unwrap());
}

#[cfg(unix)]
#[test]
fn copies_are_private_and_odd_names_survive() {
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::PermissionsExt;
    let mut world = World::new();
    let name = OsStr::from_bytes(b"a\xff.jsonl");
    let mut job = world.job("plain", b"x\n");
    let odd = world.home.path().join(name);
    std::fs::rename(&job.source, &odd).unwrap();
    (job.source, job.name) = (odd, name.to_owned());
    (_, job.expect) = fsx::open_regular(&job.source).unwrap();
    let packed = world.archive.pack(&job, NOW).unwrap();
    assert!(packed.path.as_os_str().as_bytes().ends_with(b"a\xff.jsonl.zst"));
    assert_eq!(packed.path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    let entry = &manifest::entries(world.archive.path()).unwrap()[0];
    assert!(entry.original_hex.as_ref().unwrap().ends_with("ff2e6a736f6e6c"));
}
