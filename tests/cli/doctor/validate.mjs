// Which configurations a gateway takes: its own reader, in one process for all of them. The arguments are the folder of its
// modules and a file with a path on each line; for each path one line of JSON.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [modules, list] = process.argv.slice(2);

/** The module that exports the reader, under whatever name the bundler gave it. */
async function reader() {
  for (const name of fs.readdirSync(modules).filter((n) => /^io[.-].*\.m?js$/.test(n)).sort()) {
    const file = path.join(modules, name);
    const text = fs.readFileSync(file, "utf8");
    const renamed = text.match(/\bcreateConfigIO as ([\w$]+)/)?.[1];
    if (!renamed && !/export \{[^}]*\bcreateConfigIO\b/.test(text)) continue;
    const found = (await import(pathToFileURL(file).href))[renamed ?? "createConfigIO"];
    if (found) return found;
  }
  throw new Error(`no reader of configurations in ${modules}`);
}

const createConfigIO = await reader();
const quiet = { debug() {}, info() {}, warn() {}, error() {} };
for (const configPath of fs.readFileSync(list, "utf8").split("\n").filter(Boolean)) {
  const io = createConfigIO({ configPath, env: { ...process.env }, homedir: () => process.env.HOME, logger: quiet });
  const { valid, issues } = await io.readConfigFileSnapshot();
  fs.writeSync(1, JSON.stringify({ path: configPath, valid, issues }) + "\n");
}
process.exit(0);
