import { describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { comparisons, otherBuild, slower } from "../../scripts/bench.d/against.ts";
import { withDescendants } from "../../scripts/bench.d/processes.ts";
import { between } from "../../scripts/bench.d/readme.ts";
import { sections } from "../../scripts/bench.d/report.ts";
import type { Sample } from "../../scripts/bench.d/rounds.ts";
import { measureStorm } from "../../scripts/bench.d/storm.ts";

const root = join(import.meta.dir, "../..");
const bench = join(root, "scripts/bench.d");

const sample = (values: Partial<Sample>): Sample => ({
  target: "gatehouse",
  case: "pap, 32 in flight",
  round: 1,
  rate: 1000,
  cost: 20,
  busy: 1,
  generator: 1,
  memory: 1,
  seconds: 1,
  sent: 1,
  answered: 1,
  refused: 0,
  forged: 0,
  lost: 0,
  late: 0,
  unsent: 0,
  p50: 1,
  p90: 1,
  p99: 1,
  p999: 1,
  max: 1,
  cpu: 1,
  next: 1,
  ...values,
});

/** Ours and the other's in three rounds, of which the machine was slow in the second. */
const rounds = (load: string, speeds: readonly number[], cost: number) =>
  speeds.flatMap((speed, at) => {
    const slow = at === 1 ? 10 : 1;
    const one = { case: load, round: at + 1 };
    return [
      sample({ ...one, rate: (1000 * speed) / slow, cost: cost * slow }),
      sample({ ...one, target: "b107387fde4c", rate: 1000 / slow, cost: 20 * slow }),
    ];
  });

describe("beside another Gatehouse", () => {
  const samples = [...rounds("pap", [1, 1.1, 1.2], 20), ...rounds("accounting", [1, 0.9, 0.8], 30)];
  test("a ratio is of one round with itself, and their middle", () => {
    expect(comparisons(samples)).toEqual([
      expect.objectContaining({ load: "pap", other: "b107387fde4c", speed: 1.1, thrift: 1 }),
      expect.objectContaining({ load: "accounting", speed: 0.9, thrift: 20 / 30 }),
    ]);
  });

  test("what is slower is named, and bold in the table", () => {
    expect(slower(comparisons(samples))).toEqual(["accounting"]);
    const { against = "" } = sections({ ...nothing, samples });
    expect(against).toMatch(/^\| pap .*\| 1\.10x .*\| 1\.00x \|$/m);
    expect(against).toMatch(/^\| accounting .*\| \*\*0\.90x\*\* .*\| \*\*0\.67x\*\* \|$/m);
  });

  test("an executable of our name is another one", async () => {
    const { name } = await otherBuild(join(root, "dist/gatehouse"), "");
    const theirs = comparisons([sample({}), sample({ target: name })]);
    expect(theirs).toMatchObject([{ other: join(root, "dist/gatehouse"), speed: 1 }]);
  });

  test("FreeRADIUS is not another one", () => {
    const { against } = sections({
      ...nothing,
      samples: [sample({}), sample({ target: "freeradius-files" })],
    });
    expect(against).toBeUndefined();
  });
});

const nothing = {
  machine: "here",
  date: "2026-11-23",
  samples: [],
  api: [],
  growth: [],
  footprint: null,
  office: null,
  console: null,
  cards: null,
  messages: null,
  radsec: [],
  storm: null,
  threads: [],
};

describe("the tables of the READMEs", () => {
  const marks = (file: string) =>
    [...readFileSync(file, "utf8").matchAll(/<!-- measured: (\w+) -->/g)].map(([, name]) => name ?? "");

  test("have a place for all that the bench measures, and no other", () => {
    const samples = [sample({})];
    const filled = { ...nothing, samples };
    expect(Object.keys(sections(filled))).toEqual(["peers"]);
    const names = [
      "peers",
      "api",
      "office",
      "console",
      "cards",
      "messages",
      "radsec",
      "storm",
      "threads",
      "growth",
      "footprint",
    ];
    expect(marks(join(bench, "README.md"))).toEqual(names);
    expect(marks(join(root, "README.md"))).toEqual(["peers"]);
    for (const name of names)
      expect(readFileSync(join(bench, "report.ts"), "utf8")).toContain(`    ${name}: `);
  });

  test("are written between their marks, and all else stays", () => {
    const text = "one\n\n<!-- measured: api -->\n\nold\n\n<!-- end: api -->\n\ntwo\n";
    expect(between(text, "api", "new")).toBe(text.replace("old", "new"));
    expect(between(between(text, "api", "new"), "api", "old")).toBe(text);
    expect(() => between(text, "radsec", "new")).toThrow("there is no place for radsec");
  });

  test("name the commit, or say that they are of before", () => {
    for (const file of [join(bench, "README.md"), join(root, "README.md")])
      for (const [, text] of readFileSync(file, "utf8").matchAll(/<!-- measured: \w+ -->\n\n(.*)/g))
        expect(text).toMatch(/^Commit [0-9a-f]{12}, \d{4}-\d\d-\d\d, |^By `scripts\/bench`/);
  });
});

test("of a storm every line comes online and is in the books", async () => {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-"));
  const figures = await measureStorm(folder, () => {}, { lines: 150, routers: 3, warm: 0 });
  rmSync(folder, { recursive: true });
  expect(figures).toMatchObject({ lines: 150, online: 150, booked: 150, refused: 0 });
  expect(figures.page50).toBeGreaterThan(0);
});

describe("a bench that is ended ends what it began:", () => {
  /** Runs it until its server has begun, ends it, and says who is left of those that it began, and what of its folders. */
  async function ended(signal: NodeJS.Signals) {
    const folder = mkdtempSync(join(tmpdir(), "gatehouse-"));
    const child = Bun.spawn(
      [process.execPath, join(bench, "main.ts"), "--only", "radius", "--subscribers", "50"],
      {
        env: { ...process.env, TMPDIR: folder },
        stdout: "ignore",
        stderr: "inherit",
      },
    );
    const begun = () => withDescendants([child.pid]).filter((pid) => pid !== child.pid);
    while (!begun().some((pid) => commandOf(pid).endsWith("\0serve\0"))) await Bun.sleep(20);
    const known = begun();
    child.kill(signal);
    await child.exited;
    // nobody waits for those whom the kernel ends
    if (signal === "SIGKILL") while (known.some(isAlive)) await Bun.sleep(20);
    const left = { alive: known.filter(isAlive), folders: readdirSync(folder), by: child.signalCode };
    rmSync(folder, { recursive: true });
    return left;
  }

  test.each(["SIGTERM", "SIGINT"] as const)("by %s, and its folder is gone", async (signal) => {
    expect(await ended(signal)).toEqual({ alive: [], folders: [], by: signal });
  });

  test("by SIGKILL, of which it hears nothing", async () => {
    expect(await ended("SIGKILL")).toMatchObject({ alive: [], by: "SIGKILL" });
  });
});

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

/** A zombie, whom nobody has buried yet, is none. */
function isAlive(pid: number): boolean {
  try {
    return !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}
