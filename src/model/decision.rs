//! One decision for one row or file: what, why, by which rule, and how final.

use super::Ms;

/// What a decision is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Subject {
    /// Row of the target index.
    Row(u32),
    /// Entry of the folder.
    File(u32),
}

/// What is to happen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// Stays, because the policies say so.
    Keep,
    /// A policy wants it, something that must be respected holds it back (exit 3 when it is a live lock).
    Hold,
    /// The row leaves the index.
    Drop,
    /// The file is renamed to an archive name; a hard link stays in the run folder.
    Archive,
    /// The file leaves its live name but stays in the run folder until that expires.
    Stow,
    /// The file is unlinked for good.
    Unlink,
}

impl Verdict {
    /// Whether anything changes on disk.
    pub fn acts(self) -> bool {
        matches!(self, Self::Drop | Self::Archive | Self::Stow | Self::Unlink)
    }
}

/// Whether the change can be taken back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Finality {
    /// Nothing changes.
    None,
    /// `sessions undo` brings it back while the run is kept.
    Reversible,
    /// Also kept under an archive name until its retention ends.
    Archived,
    /// A verified compressed copy exists elsewhere.
    Packed,
    /// Gone.
    Final,
}

macro_rules! reasons {
    ($(#[doc = $doc:literal] $name:ident = $id:literal, $rule:literal;)+) => {
        /// Why. Stable ids, documented in docs/REASONS.md.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Reason { $(#[doc = $doc] $name,)+ }

        impl Reason {
            /// Every reason there is.
            pub const ALL: &'static [Self] = &[$(Self::$name,)+];

            /// Stable id, as printed and as used in JSON.
            pub fn id(self) -> &'static str {
                match self { $(Self::$name => $id,)+ }
            }

            /// Configuration key or flag behind it; empty where no setting is involved.
            pub fn rule(self) -> &'static str {
                match self { $(Self::$name => $rule,)+ }
            }

            /// The sentence that explains it.
            pub fn explain(self) -> &'static str {
                match self { $(Self::$name => $doc.trim_ascii(),)+ }
            }
        }
    };
}

reasons! {
    // rows that go
    /// No transcript file exists anywhere the row leads to.
    MissingTranscript = "missing-transcript", "--fix-missing";
    /// A direct-message row of a former scope; direct messages now share the main session.
    DmScope = "dm-scope", "--fix-dm-scope";
    /// Not updated for longer than the age limit.
    Stale = "stale", "session.maintenance.pruneAfter";
    /// Beyond the highest number of rows; the oldest go first.
    OverCap = "over-cap", "session.maintenance.maxEntries";
    /// The folder is above its disk budget and this is the oldest row left.
    OverBudget = "over-budget", "session.maintenance.maxDiskBytes";
    /// Row of an isolated cron run past its retention.
    CronRun = "cron-run", "cron.sessionRetention";
    /// Row of a cron job that no longer exists.
    CronJobGone = "cron-job-gone", "cron.sessionRetention";
    /// Row of a cron job that asked to be deleted after its run, and has run.
    CronJobDone = "cron-job-done", "cron.sessionRetention";
    // rows that stay
    /// No limit asks for it.
    WithinLimits = "within-limits", "";
    /// Group, channel, room, thread or topic: a durable conversation.
    Protected = "protected", "";
    /// The main session of an agent.
    MainSession = "main-session", "session.mainKey";
    /// Named as active.
    ActiveKey = "active-key", "--active-key";
    /// Matches a keep pattern.
    KeepPattern = "keep-pattern", "--keep";
    /// Touched within the grace window.
    Young = "young", "--grace";
    /// Says that it is running, and was touched within a day.
    Running = "running", "";
    /// An interrupted run was going to take it: it is no orphan before that run is finished.
    UnfinishedRun = "unfinished-run", "";
    /// Its transcript is locked by a live process.
    LiveLock = "live-lock", "";
    /// Its transcript has a lock whose owner cannot be told: counts as live.
    UnknownLock = "unknown-lock", "";
    /// Its time is not believable (seconds, text, future): kept and reported.
    SuspectTime = "suspect-time", "";
    /// Not an ordinary session entry: kept and reported.
    OddRow = "odd-row", "";
    /// The name of the transcript is too long to be renamed to an archive.
    NameTooLong = "name-too-long", "";
    /// Its transcript lies in a folder below, where nothing is renamed: only the row leads to it.
    BelowFolder = "below-folder", "";
    /// Its transcript path leads to another home or an absent volume.
    PathElsewhere = "path-elsewhere", "";
    /// The pass would take more than allowed.
    MaxRemove = "max-remove", "--max-remove";
    // files that go
    /// Transcript of a row that leaves the index.
    SessionRemoved = "session-removed", "";
    /// Trajectory, pointer or checkpoint of a row that leaves the index.
    SidecarRemoved = "sidecar-removed", "";
    /// An earlier run removed the row that led to it and could not take the file. It is never final: undo of that run brings the row back.
    LeftBehind = "left-behind", "";
    /// Old transcript with user turns that no row leads to.
    OrphanHistory = "orphan-history", "session.maintenance.pruneAfter";
    /// Old transcript without any user message that no row leads to.
    OrphanJunk = "orphan-junk", "session.maintenance.pruneAfter";
    /// Old transcript without a byte that no row leads to.
    OrphanEmpty = "orphan-empty", "session.maintenance.pruneAfter";
    /// Old checkpoint copy that no row refers to. It is final: unlinked for good.
    OrphanCheckpoint = "orphan-checkpoint", "session.maintenance.pruneAfter";
    /// Old checkpoint that nothing refers to but is the last copy of its session.
    LastCheckpoint = "last-checkpoint", "session.maintenance.pruneAfter";
    /// Old trajectory or pointer of a session that is gone. It is final: unlinked for good.
    OrphanTrajectory = "orphan-trajectory", "session.maintenance.pruneAfter";
    /// `.deleted` archive past its retention.
    DeletedExpired = "deleted-expired", "--deleted-retention";
    /// `.reset` archive past its retention.
    ResetExpired = "reset-expired", "session.maintenance.resetArchiveRetention";
    /// Temp file of a write that was interrupted more than a day ago.
    TempLeftover = "temp-leftover", "";
    /// Copy left by the gateway's transcript repair; a newer one exists. It is final: unlinked for good.
    RepairBackupExpired = "repair-backup-expired", "session.maintenance.pruneAfter";
    /// Archive taken to get below the disk budget, oldest first.
    BudgetArchive = "budget-archive", "session.maintenance.maxDiskBytes";
    /// Unowned file taken to get below the disk budget, oldest first.
    BudgetOrphan = "budget-orphan", "session.maintenance.maxDiskBytes";
    /// Earlier transcript of a living session, taken by the budget after all orphans.
    BudgetPredecessor = "budget-predecessor", "session.maintenance.maxDiskBytes";
    /// Taken to make room, as was asked for.
    RoomWanted = "room-wanted", "disk free";
    /// Named by the user, to be removed.
    Asked = "asked", "sessions rm";
    /// Taken by the gateway, by a rule of its own.
    GatewayTook = "gateway-took", "sessions.cleanup";
    // files that stay
    /// Our rules want it; the gateway, which did the cleanup, left it.
    GatewayLeft = "gateway-left", "sessions.cleanup";
    /// It could go, but enough is free without it.
    NotNeeded = "not-needed", "disk free";
    /// A row leads to it.
    Owned = "owned", "";
    /// Earlier transcript of a living session (named in its header); when that goes, the cleanup after it takes this.
    Predecessor = "predecessor", "";
    /// Nothing owns it, but it is younger than the age limit.
    YoungOrphan = "young-orphan", "session.maintenance.pruneAfter";
    /// Nothing owns it and the age limit is off.
    AgeOff = "age-off", "session.maintenance.pruneAfter";
    /// Nothing owns it, but it is not proven to be a session transcript.
    NotProven = "not-proven", "";
    /// Archive within its retention.
    WithinRetention = "within-retention", "";
    /// Archive without an age limit.
    RetentionOff = "retention-off", "";
    /// Index and doctor backups are never removed by age.
    BackupKept = "backup-kept", "";
    /// The index of a store.
    StoreIndex = "store-index", "";
    /// Lock file of a transcript; looked at, never aged.
    LockFile = "lock-file", "";
    /// Left over by a migration to the newer generation.
    Migrated = "migrated", "";
    /// Our own folder with the copies that undo needs.
    OwnFolder = "own-folder", "";
    /// The newest repair copy of its transcript.
    NewestBackup = "newest-backup", "";
    /// Not a file of this program or of the gateway's sessions; no session is evicted because of it.
    NotOurs = "not-ours", "";
    /// A symlink, folder, FIFO or socket: never touched.
    NotRegular = "not-regular", "";
    /// Another store that could refer to it cannot be read.
    OwnershipIncomplete = "ownership-incomplete", "";
    /// The index looks too small for this folder.
    SuspectIndex = "suspect-index", "--override suspect-index";
}

impl Reason {
    /// Whether it holds back what a rule goes on wanting, rather than saying that no rule wants it.
    pub fn is_a_hold(self) -> bool {
        matches!(self, Self::LiveLock | Self::UnknownLock | Self::NameTooLong | Self::BelowFolder)
    }
}

/// One decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decision {
    /// Row or file.
    pub subject: Subject,
    /// What happens.
    pub verdict: Verdict,
    /// Why.
    pub reason: Reason,
    /// Bytes of the file, or of the row in the index.
    pub bytes: u64,
    /// How final it is.
    pub finality: Finality,
    /// For rows and files that stay: when the age rule named by `goes_by` will take them.
    pub goes_at: Option<Ms>,
}
