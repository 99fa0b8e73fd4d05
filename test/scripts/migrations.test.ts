import { expect, test } from "bun:test";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dir, "../..");

test("a migration is written with its line, leads from the newest schema, and leaves its snapshot alone", async () => {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-migrations-"));
  try {
    for (const part of ["db", "scripts", "package.json", "tsconfig.json"])
      cpSync(join(root, part), join(folder, part), { recursive: true });
    for (const part of ["node_modules", ".bun"]) symlinkSync(join(root, part), join(folder, part));
    const schema = join(folder, "db/schema.ts");
    const text = readFileSync(schema, "utf8");
    writeFileSync(
      schema,
      `${text}\nexport const roofs = sqliteTable("roofs", { id: id(), name: text("name").notNull() });\n`,
    );
    const run = await Bun.$`scripts/migrations more_roofs`.cwd(folder).nothrow().quiet();
    expect([run.exitCode, run.stderr.toString()]).toEqual([0, expect.any(String)]);

    const listed: { migrations: readonly { tag: string; sql: string }[] } = await import(
      join(folder, "db/migrations.ts")
    );
    const made = listed.migrations.at(-1);
    expect(made?.tag).toMatch(/^\d{4}_more_roofs$/);
    expect(made?.sql).toBe(
      "CREATE TABLE `roofs` (\n\t`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,\n\t`name` text NOT NULL\n) STRICT;\n",
    );
    expect(readdirSync(join(folder, "db/migrations/meta")).toSorted()).toEqual([
      `${made?.tag.slice(0, 4)}_snapshot.json`,
      "_journal.json",
    ]);
    // and again, with nothing new
    const before = readFileSync(join(folder, "db/migrations.ts"), "utf8");
    expect((await Bun.$`scripts/migrations more_roofs`.cwd(folder).nothrow().quiet()).exitCode).toBe(0);
    expect(readFileSync(join(folder, "db/migrations.ts"), "utf8")).toBe(before);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
