//! Exit codes of the config commands, and that they leave no trace.

use std::fs;
use std::path::Path;

use super::{get, path, validate};
use crate::cli::config::{ConfigGetArgs, ConfigPathArgs, ConfigValidateArgs};
use crate::context::Context;
use crate::discover::roots::PathFlags;
use crate::error::Kind;
use crate::exit;

/// A quiet context in an otherwise empty home with this configuration.
fn home(config: Option<&str>) -> (tempfile::TempDir, Context) {
    let dir = tempfile::tempdir().unwrap();
    if let Some(config) = config {
        fs::create_dir(dir.path().join(".openclaw")).unwrap();
        fs::write(dir.path().join(".openclaw/openclaw.json"), config).unwrap();
    }
    let mut ctx = Context::for_tests(0, dir.path());
    ctx.env.set("HOME", dir.path());
    ctx.output.quiet = 2;
    (dir, ctx)
}

fn names(dir: &Path) -> usize {
    walkdir::WalkDir::new(dir).into_iter().count()
}

fn check(config: Option<&str>) -> u8 {
    let (dir, mut ctx) = home(config);
    let before = names(dir.path());
    let code = validate::run(&mut ctx, &PathFlags::default(), &ConfigValidateArgs::default()).unwrap();
    assert_eq!(names(dir.path()), before);
    code
}

#[test]
fn validate_is_1_on_problems_and_0_otherwise() {
    assert_eq!(check(None), exit::DONE);
    assert_eq!(check(Some("{session: {pruneAfter: 'x'}}")), exit::DONE, "advice is not a problem");
    assert_eq!(check(Some("{session: {maintenance: {pruneAfter: '1 week'}}}")), exit::FAILED);
    assert_eq!(check(Some("{ \"session\": {")), exit::FAILED);
    assert_eq!(check(Some("{$include: '../x'}")), exit::FAILED);
}

#[test]
fn get_fails_on_a_key_without_a_value() {
    let get = |config: &str, key: Option<&str>| {
        let (_dir, mut ctx) = home(Some(config));
        get::run(&mut ctx, &PathFlags::default(), &ConfigGetArgs { key: key.map(str::to_owned) })
    };
    assert_eq!(get("{}", None).unwrap(), exit::DONE);
    assert_eq!(get("{}", Some("session.maintenance.mode")).unwrap(), exit::DONE);
    assert_eq!(get("{}", Some("nope.\u{1b}")).unwrap_err().message, "no value for nope.\\x1b");
    assert_eq!(get("{", None).unwrap_err().kind, Kind::Failed);
}

#[test]
fn path_works_without_and_with_a_broken_config() {
    for config in [None, Some("{")] {
        let (dir, mut ctx) = home(config);
        let before = names(dir.path());
        assert_eq!(path::run(&mut ctx, &PathFlags::default(), &ConfigPathArgs::default()).unwrap(), exit::DONE);
        assert_eq!(names(dir.path()), before);
    }
}
