use super::*;

fn folder() -> (tempfile::TempDir, Dir) {
    let temp = tempfile::tempdir().unwrap();
    let dir = Dir::open(&temp.path().canonicalize().unwrap(), &Faults::none()).unwrap();
    (temp, dir)
}

fn put(dir: &Dir, name: &str, text: &str) {
    dir.create(name, 0o600).unwrap().write_all(text.as_bytes()).unwrap();
}

#[test]
fn a_rename_never_replaces() {
    let (_temp, dir) = folder();
    put(&dir, "a", "a");
    put(&dir, "b", "b");
    assert_eq!(dir.rename("a", &dir, "b").unwrap_err().kind(), io::ErrorKind::AlreadyExists);
    assert_eq!((dir.read("a").unwrap(), dir.read("b").unwrap()), (b"a".to_vec(), b"b".to_vec()));
    dir.rename("a", &dir, "c").unwrap();
    assert_eq!(dir.names().unwrap(), ["b", "c"]);
}

#[test]
fn names_with_separators_are_refused() {
    let (_temp, dir) = folder();
    for name in ["", ".", "..", "a/b", "/etc/passwd", "../x"] {
        assert_eq!(dir.unlink(name).unwrap_err().kind(), io::ErrorKind::InvalidInput, "{name:?}");
    }
}

#[cfg(unix)]
#[test]
fn links_are_neither_followed_nor_opened() {
    let (temp, dir) = folder();
    put(&dir, "target", "x");
    std::os::unix::fs::symlink("target", temp.path().join("link")).unwrap();
    assert_eq!(dir.stat("link").unwrap().kind, crate::model::fingerprint::Kind::Symlink);
    assert!(dir.open_file("link").is_err());
    assert!(dir.create("link", 0o600).is_err());
    std::fs::create_dir(temp.path().join("sub")).unwrap();
    std::os::unix::fs::symlink("sub", temp.path().join("sublink")).unwrap();
    assert!(dir.sub("sublink").is_err());
    assert!(dir.sub("sub").is_ok());
}

#[cfg(target_os = "linux")]
#[test]
fn an_exchange_swaps_both_names() {
    let (_temp, dir) = folder();
    put(&dir, "a", "a");
    put(&dir, "b", "b");
    assert!(dir.exchange("a", "b").unwrap());
    assert_eq!(dir.read("a").unwrap(), b"b");
}

#[cfg(unix)]
#[test]
fn modes_are_exact_whatever_the_mask() {
    let (_temp, dir) = folder();
    assert_eq!(dir.create("f", 0o666).unwrap().stat().unwrap().mode, 0o666);
    dir.mkdir("d", 0o2770).unwrap();
    assert_eq!(dir.stat("d").unwrap().mode, 0o2770);
}

#[cfg(target_os = "linux")]
#[test]
fn attributes_are_carried_over() {
    let (_temp, dir) = folder();
    let old = dir.create("old", 0o640).unwrap();
    // Not every file system has user attributes.
    let has_xattr = old.set_xattr(OsStr::new("user.note"), b"kept").is_ok();
    let new = dir.create("new", 0o600).unwrap();
    let lost = preserve::Attributes::of(old.file()).unwrap().give_to(&new).unwrap();
    assert!(lost.is_empty(), "{lost:?}");
    assert_eq!(new.stat().unwrap().mode, 0o640);
    let same = preserve::Attributes::of(new.file()).unwrap() == preserve::Attributes::of(old.file()).unwrap();
    assert!(same, "xattr {has_xattr}");
}

#[test]
fn what_cannot_be_given_is_named() {
    let temp = tempfile::tempdir().unwrap();
    let dir = Dir::open(&temp.path().canonicalize().unwrap(), &Faults::of("attributes:EPERM")).unwrap();
    let old = dir.create("old", 0o640).unwrap();
    let new = dir.create("new", 0o600).unwrap();
    let lost = preserve::Attributes::of(old.file()).unwrap().give_to(&new).unwrap();
    assert_eq!(lost, if cfg!(unix) { vec!["mode 640".to_owned()] } else { Vec::new() });
}

#[test]
fn every_change_passes_the_hook() {
    let temp = tempfile::tempdir().unwrap();
    let faults = Faults::of("1000:EIO");
    let dir = Dir::open(&temp.path().canonicalize().unwrap(), &faults).unwrap();
    let mut f = dir.create("a", 0o600).unwrap();
    f.write_all(b"x").unwrap();
    f.allocate(10).unwrap();
    f.truncate(1).unwrap();
    f.sync().unwrap();
    f.set_mtime_ns(5_000_000_000).unwrap();
    dir.link("a", &dir, "b").unwrap();
    dir.rename("b", &dir, "c").unwrap();
    dir.replace("c", "a").unwrap();
    dir.mkdir("d", 0o700).unwrap();
    dir.rmdir("d").unwrap();
    dir.sync().unwrap();
    dir.unlink("a").unwrap();
    assert_eq!(faults.count(), 13);
}
