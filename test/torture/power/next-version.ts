import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const checkout = join(import.meta.dir, "../../..");

/** The newest migration of the next version: a table is filled from another one, which takes a while. */
export const NEXT_MIGRATION = "9000_next";
const sql = `ALTER TABLE sessions ADD COLUMN next TEXT;
--> statement-breakpoint
CREATE TABLE next_sessions (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;
--> statement-breakpoint
INSERT INTO next_sessions SELECT id, acct_session_id FROM sessions;
--> statement-breakpoint
CREATE INDEX next_sessions_name ON next_sessions (name);
`;

/** Builds the version that comes after this one into a folder, as it will be built: from the sources, with one more migration. */
export async function buildNextVersion(folder: string): Promise<string> {
  const copy = join(folder, "next");
  mkdirSync(copy);
  for (const name of ["src", "db", "scripts", "package.json", "tsconfig.json", "bunfig.toml"])
    cpSync(join(checkout, name), join(copy, name), { recursive: true });
  symlinkSync(join(checkout, "node_modules"), join(copy, "node_modules"));
  const list = join(copy, "db/migrations.ts");
  const text = readFileSync(list, "utf8");
  writeFileSync(join(copy, `db/migrations/${NEXT_MIGRATION}.sql`), sql);
  const end = text.lastIndexOf("]");
  writeFileSync(
    list,
    `import next from "./migrations/${NEXT_MIGRATION}.sql" with { type: "text" };\n` +
      `${text.slice(0, end).trimEnd().replace(/,$/, "")}, { tag: "${NEXT_MIGRATION}", sql: next }${text.slice(end)}`,
  );
  const program = join(copy, "gatehouse");
  const build = Bun.spawn([join(copy, "scripts/build"), program], {
    cwd: copy,
    env: { ...process.env, PATH: `${dirname(process.execPath)}:${process.env["PATH"] ?? ""}` },
    stdout: "ignore",
    stderr: "pipe",
  });
  const output = await build.stderr.text();
  if ((await build.exited) !== 0) throw new Error(`the next version could not be built: ${output}`);
  return program;
}
