#!/usr/bin/env node
// Random transcripts, read by the reference session manager and by clawkeep: the same leaf, branch, context and settings.
//
//   transcripts.mjs PEER CLAWKEEP [COUNT] [SEED]
//
// PEER is a folder with the reference gateway's packages (node_modules), CLAWKEEP the program. Files have branches,
// compactions, forks, every type of entry, all three versions, and damage. Where the reference hangs, throws or wipes
// the file, clawkeep must say so (`gateway`) and read on. Prints what differs; exit status 1 if anything does.
import { execFile } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

const [peer, program, count = "2000", seed = "1"] = process.argv.slice(2);
if (!peer || !program) {
  console.error("usage: transcripts.mjs PEER CLAWKEEP [COUNT] [SEED]");
  process.exit(2);
}
const manager = path.join(peer, "@earendil-works/pi-coding-agent/dist/core/session-manager.js");
const { SessionManager } = await import(pathToFileURL(manager).href);
const compaction = path.join(peer, "@earendil-works/pi-coding-agent/dist/core/compaction/compaction.js");
const { estimateTokens, prepareCompaction } = await import(pathToFileURL(compaction).href);
// Recent tokens that a compaction keeps: few, so that small files have a cut.
const KEEP = 20;

// A small generator with a seed, so that a failure can be made again.
function random(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  return {
    below: (n) => Math.floor(next() * n),
    chance: (p) => next() < p,
    pick: (list) => list[Math.floor(next() * list.length)],
  };
}

const time = (n) => new Date(1777622400000 + n * 1000).toISOString();

function message(r, n) {
  const text = r.pick(["hi", "naïve 😀", "two\nlines", "", "NO_REPLY", "\u2028 \ud83d half"]);
  const usage = { input: 10 + n, output: 5, cacheRead: r.below(100), cacheWrite: 3, totalTokens: 0, cost: { total: 0.1 } };
  return r.pick([
    () => ({ role: "user", content: r.chance(0.5) ? text : [{ type: "text", text }, { type: "image", data: "AAAA", mimeType: "image/png" }] }),
    () => ({
      role: "assistant",
      content: [{ type: "text", text }, { type: "toolCall", id: `c${n}`, name: "exec", arguments: { cmd: text, n: 1.5 } }],
      provider: r.pick(["acme", "other"]), model: `m${r.below(3)}`, usage, stopReason: r.pick(["stop", "toolUse", "error"]),
    }),
    () => ({ role: "toolResult", toolCallId: `c${n}`, toolName: "exec", content: [{ type: "text", text }], isError: r.chance(0.2) }),
    () => ({ role: "bashExecution", command: "ls", output: text, exitCode: 0, cancelled: false, truncated: false }),
    () => ({ role: "hookMessage", customType: "h", content: text, display: true }),
    () => ({ role: null, content: "x" }),
  ])();
}

// One entry with an id of `ids`, mostly the child of the last one.
function entry(r, n, ids, version) {
  const id = r.chance(0.02) && ids.length ? r.pick(ids) : `e${String(n).padStart(7, "0")}`;
  const last = ids[ids.length - 1] ?? null;
  const parentId = r.chance(0.85) ? last : r.pick([null, "deadbeef", "", ...ids]);
  const base = { id, parentId, timestamp: time(n) };
  const known = () => r.pick(["ffffffff", ...ids]);
  const body = r.pick([
    ...Array(8).fill(() => ({ type: "message", ...base, message: message(r, n) })),
    () => ({ type: "thinking_level_change", ...base, thinkingLevel: r.pick(["off", "high"]) }),
    () => ({ type: "model_change", ...base, provider: "acme", modelId: `m${r.below(3)}` }),
    () => {
      const kept = version === 1 ? { firstKeptEntryIndex: r.below(n + 2) } : { firstKeptEntryId: r.chance(0.1) ? id : known() };
      return { type: "compaction", ...base, summary: r.pick(["sum", ""]), ...kept, tokensBefore: 5 };
    },
    () => ({ type: "branch_summary", ...base, fromId: known(), summary: r.pick(["left", ""]) }),
    () => ({ type: "custom", customType: "x", data: { a: 1 }, ...base }),
    () => ({ type: "custom_message", customType: "x", content: "note", display: false, ...base }),
    () => ({ type: "label", ...base, targetId: known(), label: r.pick(["l", undefined]) }),
    () => ({ type: "session_info", ...base, name: r.pick(["Name", " ", "Other "]) }),
    () => ({ type: "future_thing", ...base, payload: [[[]]] }),
    () => ({ type: "leaf", ...base, targetId: known() }),
  ])();
  if (r.chance(0.01)) delete body.id;
  if (r.chance(0.02)) delete body.parentId;
  if (r.chance(0.005)) body.id = r.pick([7, null, "", true]);
  if (r.chance(0.005)) delete body.message;
  return body;
}

function transcript(r) {
  const version = r.pick([3, 3, 3, 3, 2, 1, 9]);
  const header = { type: "session", version, id: "s1", timestamp: time(0), cwd: "/" };
  if (version === 1 && r.chance(0.5)) delete header.version;
  const lines = r.chance(0.03) ? [] : [JSON.stringify(header)];
  const ids = [];
  const entries = r.below(30);
  for (let n = 1; n <= entries; n++) {
    const one = entry(r, n, ids, version);
    if (typeof one.id === "string" && one.id) ids.push(one.id);
    lines.push(JSON.stringify(one));
  }
  const damage = [
    () => lines.splice(r.below(lines.length + 1), 0, ""),
    () => lines.splice(r.below(lines.length + 1), 0, r.pick(["5", "[]", '"x"', "true", "undefined", "{}", "{not json"])),
    () => lines.splice(r.below(lines.length + 1), 0, "null"),
    () => lines.splice(r.below(lines.length + 1), 0, JSON.stringify({ ...header, id: "s2" })),
    () => { const at = r.below(lines.length); if (lines[at]) lines[at] = lines[at].slice(0, r.below(lines[at].length)); },
    () => { const at = r.below(lines.length); if (lines[at]) lines[at] = "\0".repeat(8) + lines[at]; },
    () => { const at = r.below(lines.length); if (lines[at]) lines[at] += lines[at]; },
    () => { const at = r.below(lines.length); if (lines[at]) lines[at] += "\r"; },
    () => { if (lines.length > 1) lines[1] = "\ufeff" + lines[1]; },
  ];
  while (r.chance(0.25)) r.pick(damage)();
  let text = lines.join("\n") + "\n";
  if (r.chance(0.05)) text = "\ufeff" + text;
  if (r.chance(0.05)) text = text.trimEnd();
  if (r.chance(0.03)) text = text.slice(0, Math.max(0, text.length - 1 - r.below(40)));
  return text;
}

// Whether following parents from the leaf never ends: then the reference would not return.
function hangs(text) {
  const values = [];
  for (const line of text.trim().split("\n")) {
    try { if (line.trim()) values.push(JSON.parse(line)); } catch {}
  }
  const [first] = values;
  if (!first || first.type !== "session" || typeof first.id !== "string" || values.includes(null)) return false;
  if ((first.version ?? 1) < 2) return false;
  const entries = values.filter((v) => v.type !== "session");
  const byId = new Map(entries.map((e) => [e.id, e]));
  const last = entries[entries.length - 1];
  let at = last ? byId.get(last.id) ?? last : undefined;
  if (last && !last.id && last.id !== undefined) at = last;
  for (let steps = 0; at; steps++) {
    if (steps > entries.length) return true;
    at = at.parentId ? byId.get(at.parentId) : undefined;
  }
  return false;
}

function reference(text, dir) {
  if (hangs(text)) return { gateway: "hangs" };
  const file = path.join(dir, "peer.jsonl");
  fs.writeFileSync(file, text);
  let sm;
  try {
    sm = SessionManager.open(file, dir);
  } catch (error) {
    return { gateway: "throws", error: String(error) };
  }
  if (sm.getHeader()?.id !== "s1" && sm.getHeader()?.id !== "s2") return { gateway: "wipes" };
  const out = { gateway: "reads", leafId: sm.getLeafId() ?? null, entries: sm.getEntries().length, name: sm.getSessionName() ?? null };
  out.path = sm.getBranch().map((e) => (e.id === undefined ? null : e.id));
  try {
    const context = sm.buildSessionContext();
    out.roles = context.messages.map((m) => m.role ?? null);
    out.tokens = context.messages.map((m) => estimateTokens(m));
    const settings = { enabled: true, reserveTokens: 1, keepRecentTokens: KEEP };
    const path = sm.getBranch();
    // Without a branch there is nothing to cut; ids that are no text cannot be named.
    if (path.length) out.cut = prepareCompaction(path, settings)?.firstKeptEntryId ?? null;
    out.thinking = context.thinkingLevel;
    out.model = context.model ? [context.model.provider ?? null, context.model.modelId ?? null] : null;
  } catch {
    out.breaks = true;
  }
  return out;
}

const run = promisify(execFile);

async function ours(text, dir, home, n) {
  const file = path.join(dir, `ours-${n}.jsonl`);
  fs.writeFileSync(file, text);
  const env = { HOME: home, PATH: process.env.PATH, TZ: "UTC" };
  const args = ["transcript", "context", file, "--json", "--no-cache", "-qq", "--window", "1", "--reserve", "1", "--keep-recent", String(KEEP)];
  const { stdout } = await run(program, args, { env, encoding: "utf8", maxBuffer: 1 << 28 });
  const json = JSON.parse(stdout);
  if (fs.readFileSync(file, "utf8") !== text.toWellFormed?.() && fs.readFileSync(file).compare(Buffer.from(text)) !== 0) throw new Error("the file was changed");
  fs.rmSync(file);
  return {
    gateway: json.transcript.gateway,
    version: json.transcript.version,
    leafId: json.transcript.leafId,
    entries: json.transcript.entries,
    name: json.transcript.name ?? null,
    path: json.activePath,
    roles: json.messages.map((m) => m.role),
    tokens: json.messages.map((m) => m.tokens),
    cut: json.nextCut?.firstKeptEntryId ?? null,
    thinking: json.thinkingLevel,
    model: json.model ? [json.model.provider, json.model.modelId] : null,
    breaks: json.breaksAtLine !== undefined,
  };
}

// Ids that are no text read as their text; ids that the reference makes up (first version) are compared by number only.
const shown = (id) => (id === null || id === undefined ? null : String(id));

function differences(theirs, we) {
  const out = [];
  const compare = (what, a, b) => { if (JSON.stringify(a) !== JSON.stringify(b)) out.push(`${what}: reference ${JSON.stringify(a)}, we ${JSON.stringify(b)}`); };
  compare("gateway", theirs.gateway, we.gateway);
  if (theirs.gateway !== "reads") return out;
  compare("entries", theirs.entries, we.entries);
  compare("name", theirs.name, we.name);
  const madeUp = (we.version ?? 1) < 2;
  if (madeUp) {
    compare("path length", theirs.path.length, we.path.length);
  } else {
    compare("leaf", shown(theirs.leafId), we.leafId);
    compare("path", theirs.path.map(shown), we.path);
  }
  compare("breaks", Boolean(theirs.breaks), we.breaks);
  if (!theirs.breaks) {
    compare("roles", theirs.roles, we.roles);
    compare("tokens", theirs.tokens, we.tokens);
    if (!madeUp && theirs.cut !== undefined) compare("cut", shown(theirs.cut), we.cut);
    compare("thinking", theirs.thinking ?? null, we.thinking);
    compare("model", theirs.model, we.model);
  }
  return out;
}

const dir = fs.mkdtempSync(path.join(os.tmpdir(), "clawkeep-interop-"));
let failed = 0;
const kinds = {};
async function one(n) {
  const r = random(Number(seed) * 1000003 + n);
  const text = Buffer.from(transcript(r)).toString("utf8");
  const theirs = reference(text, dir);
  let found;
  try {
    found = differences(theirs, await ours(text, dir, dir, n));
  } catch (error) {
    found = [String(error)];
  }
  kinds[theirs.breaks ? "breaks" : theirs.gateway] = (kinds[theirs.breaks ? "breaks" : theirs.gateway] ?? 0) + 1;
  if (found.length) {
    failed++;
    const keep = path.join(dir, `differs-${n}.jsonl`);
    fs.writeFileSync(keep, text);
    if (failed <= 20) console.log(`${keep}\n  ${found.join("\n  ")}`);
  }
}

// The reference reads one after the other in this process; the program runs beside it, once a core and once more.
let next = 0;
async function worker() {
  while (next < Number(count)) await one(next++);
}
await Promise.all(Array.from({ length: os.availableParallelism() + 1 }, worker));
console.log(`${count} transcripts (${JSON.stringify(kinds)}), ${failed} differ`);
if (!failed) fs.rmSync(dir, { recursive: true });
process.exit(failed ? 1 : 0);
