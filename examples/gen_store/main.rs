//! Makes a realistic, made-up state of any size, for measurements and long tests.
//!
//!     gen_store --out DIR --sessions 10000 --transcript-kb 8 --orphans 0.5 --archives 0.2 --checkpoints 0.05
//!               --trajectories 0.1 --cron-runs 2000 --missing 0.02 --groups 0.1 [--seed 1] [--now MS]
//!
//! Numbers with a decimal point are a share of `--sessions`, others a count. Same flags, same bytes (apart from
//! absolute paths). One JSON line with what was made goes to stdout.

#![expect(clippy::print_stdout, reason = "a program of its own")]
#![expect(clippy::disallowed_methods, reason = "writes a state of its own, never a user's")]

mod random;
mod rows;
mod transcript;

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

use clap::Parser;
use random::Random;

const DAY: i64 = 86_400_000;

/// A number, or a share of the sessions.
#[derive(Debug, Clone, Copy)]
enum Amount {
    Count(u64),
    Share(f64),
}

impl Amount {
    #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share")]
    fn of(self, sessions: u64) -> u64 {
        match self {
            Self::Count(n) => n,
            Self::Share(share) => (share * sessions as f64).round() as u64,
        }
    }
}

fn amount(text: &str) -> Result<Amount, String> {
    let parsed =
        if text.contains('.') { text.parse().ok().map(Amount::Share) } else { text.parse().ok().map(Amount::Count) };
    parsed.ok_or_else(|| "a count (5000) or a share of the sessions (0.5)".to_owned())
}

#[derive(Debug, Parser)]
struct Args {
    /// New or empty folder
    #[arg(long)]
    out: PathBuf,
    /// Rows of the index
    #[arg(long, default_value_t = 1000)]
    sessions: u64,
    /// Mean size of a transcript
    #[arg(long, default_value_t = 8)]
    transcript_kb: u64,
    /// Transcripts that no row leads to
    #[arg(long, default_value = "0.5", value_parser = amount)]
    orphans: Amount,
    /// `.deleted` and `.reset` archives, half each
    #[arg(long, default_value = "0.2", value_parser = amount)]
    archives: Amount,
    /// Checkpoint copies; half of them are referred to
    #[arg(long, default_value = "0.05", value_parser = amount)]
    checkpoints: Amount,
    /// Trajectories with their pointers; a quarter of them belong to nobody
    #[arg(long, default_value = "0.1", value_parser = amount)]
    trajectories: Amount,
    /// Lines of the run logs of all cron jobs
    #[arg(long, default_value_t = 2000)]
    cron_runs: u64,
    /// Rows whose transcript does not exist
    #[arg(long, default_value = "0.02", value_parser = amount)]
    missing: Amount,
    /// Rows of groups, channels, topics and threads
    #[arg(long, default_value = "0.1", value_parser = amount)]
    groups: Amount,
    /// Mean age in days; ages fall off exponentially
    #[arg(long, default_value_t = 20.0)]
    age_days: f64,
    /// Same seed, same state
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Epoch ms that ages count from [default: the clock]
    #[arg(long)]
    now: Option<i64>,
}

/// What is being made.
struct Maker {
    args: Args,
    now: i64,
    dir: PathBuf,
    random: Random,
    texts: transcript::Texts,
    files: u64,
    bytes: u64,
}

impl Maker {
    fn put(&mut self, path: &Path, content: &[u8], at: i64) -> io::Result<()> {
        let mut file = File::create(path)?;
        file.write_all(content)?;
        let at = u64::try_from(at).unwrap_or_default();
        file.set_modified(UNIX_EPOCH + Duration::from_millis(at))?;
        self.files += 1;
        self.bytes += content.len() as u64;
        Ok(())
    }

    fn put_here(&mut self, name: &str, content: &[u8], at: i64) -> io::Result<()> {
        self.put(&self.dir.join(name), content, at)
    }

    /// Ages fall off exponentially, 400 days at most.
    fn age(&mut self) -> i64 {
        let days = self.random.exponential(self.args.age_days).min(400.0);
        #[expect(clippy::cast_possible_truncation, reason = "at most 400 days")]
        let age = (days * 86_400_000.0) as i64;
        age
    }

    fn transcript(&mut self, id: &str, at: i64) -> Vec<u8> {
        let bytes = self.random.around(self.args.transcript_kb * 1024);
        self.texts.transcript(&mut self.random, id, at, bytes)
    }

    fn all(&mut self) -> io::Result<()> {
        let written = rows::write(self)?;
        for _ in 0..self.args.orphans.of(self.args.sessions) {
            let (id, at) = (self.random.uuid(), self.now - self.age());
            let text = self.transcript(&id, at);
            self.put_here(&format!("{id}.jsonl"), &text, at)?;
        }
        for n in 0..self.args.archives.of(self.args.sessions) {
            let (id, at) = (self.random.uuid(), self.now - self.age());
            let text = self.transcript(&id, at);
            let reason = if n % 2 == 0 { "reset" } else { "deleted" };
            let stamp = clawkeep::units::time::stamp(at);
            self.put_here(&format!("{id}.jsonl.{reason}.{stamp}"), &text, at)?;
        }
        self.trajectories(&written)?;
        self.cron(&written.jobs)?;
        self.config()
    }

    fn trajectories(&mut self, written: &rows::Written) -> io::Result<()> {
        let wanted = self.args.trajectories.of(self.args.sessions);
        for n in 0..wanted {
            let owned =
                (n % 4 != 3).then(|| written.ids.get(usize::try_from(n).unwrap_or_default())).flatten().cloned();
            let (id, at) = owned.unwrap_or_else(|| (self.random.uuid(), self.now - self.age()));
            let name = format!("{id}.trajectory.jsonl");
            let text = self.texts.trajectory(&mut self.random, &id, at);
            self.put_here(&name, &text, at)?;
            let pointer = serde_json::json!({
                "traceSchema": "openclaw-trajectory-pointer", "schemaVersion": 1, "sessionId": id,
                "runtimeFile": self.dir.join(&name),
            });
            self.put_here(&format!("{id}.trajectory-path.json"), format!("{pointer:#}\n").as_bytes(), at)?;
        }
        Ok(())
    }

    fn cron(&mut self, jobs: &[String]) -> io::Result<()> {
        let cron = self.args.out.join("cron");
        fs::create_dir_all(cron.join("runs"))?;
        let items: Vec<_> =
            jobs.iter().map(|id| serde_json::json!({"id": id, "enabled": true, "agentId": "main"})).collect();
        let store = serde_json::json!({"version": 1, "jobs": items});
        self.put(&cron.join("jobs.json"), format!("{store:#}\n").as_bytes(), self.now - DAY)?;
        let share = self.args.cron_runs / jobs.len().max(1) as u64;
        for job in jobs {
            let mut log = String::new();
            for n in 0..share {
                let ts = self.now - i64::try_from(share - n).unwrap_or_default() * 1_800_000;
                let line = serde_json::json!({
                    "ts": ts, "jobId": job, "action": "finished", "status": "ok", "sessionId": self.random.uuid(),
                    "durationMs": 900 + self.random.below(60_000), "summary": self.texts.sentence(&mut self.random, 160),
                });
                log += &format!("{line}\n");
            }
            self.put(&cron.join("runs").join(format!("{job}.jsonl")), log.as_bytes(), self.now)?;
        }
        Ok(())
    }

    fn config(&mut self) -> io::Result<()> {
        let config =
            serde_json::json!({"gateway": {"mode": "local"}, "agents": {"list": [{"id": "main", "default": true}]}});
        self.put(&self.args.out.join("openclaw.json"), format!("{config:#}\n").as_bytes(), self.now)
    }
}

fn main() -> io::Result<()> {
    let mut args = Args::parse();
    fs::create_dir_all(&args.out)?;
    args.out = args.out.canonicalize()?;
    if fs::read_dir(&args.out)?.next().is_some() {
        return Err(io::Error::other(format!("{} is not empty", args.out.display())));
    }
    let dir = args.out.join("agents/main/sessions");
    fs::create_dir_all(&dir)?;
    let clock = || UNIX_EPOCH.elapsed().map_or(0, |d| i64::try_from(d.as_millis()).unwrap_or(0));
    let mut random = Random::new(args.seed);
    let texts = transcript::Texts::new(&mut random);
    let now = args.now.unwrap_or_else(clock);
    let mut maker = Maker { now, dir, random, texts, args, files: 0, bytes: 0 };
    maker.all()?;
    println!(
        "{}",
        serde_json::json!({"out": maker.args.out, "files": maker.files, "bytes": maker.bytes, "nowMs": now})
    );
    Ok(())
}
