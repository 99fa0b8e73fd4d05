import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { openReader } from "../../db/open.ts";
import { exportDataSet } from "../../src/domain/machine/imports/data-set/export.ts";
import { readExport } from "../../src/domain/machine/imports/sources/routeros/export.ts";
import { type Addresses, Appliance } from "../support/appliance.ts";
import { by, NAS_SECRET } from "../support/isp.ts";
import { radclient } from "../support/radclient.ts";

const ada = { username: "ada", password: "secret-1" };
/** What an ISP has set up before anybody comes. */
const isp = {
  settings: { currency: "USD" },
  isps: [{ id: 1, name: "Northlink" }],
  staff: [{ id: 1, isp_id: 1, name: "Ada", ...ada, profile_type: 1 }],
  nas: [{ id: 1, isp_id: 1, name: "Market-4", address: "127.0.0.1", secret: NAS_SECRET }],
};

interface User {
  name: string;
  password: string;
  comment?: string;
  disabled?: string;
  service?: string;
}

/** A router that keeps its users itself, with as much of a terminal as moving away from it takes. */
class OldRouter {
  users: User[] = [
    { name: "sam", password: 'pw "sam" \\ 1', comment: "Sam Carter" },
    { name: "lee", password: "pw-lee" },
    { name: "ana diaz", password: "contraseña", comment: "Ana Díaz" },
    { name: "kim", password: "pw-kim" },
    { name: "late", password: "pw-late", disabled: "yes" },
    { name: "gone", password: "pw-gone" },
  ];

  /** `/export show-sensitive` */
  export(): string {
    const add = (user: User) =>
      `add ${Object.entries({ ...user, profile: "home-10", service: "pppoe" })
        .map(([name, value]) => `${name}=${printed(value)}`)
        .join(" \\\r\n    ")}`;
    const lines = ["# 2026-11-22 10:00:00 by RouterOS 7.16.1", "/ppp profile"];
    lines.push("add name=home-10 only-one=yes rate-limit=10M/20M", "/ppp secret", ...this.users.map(add));
    return `${lines.join("\r\n")}\r\n`;
  }

  set(name: string, values: Partial<User>): void {
    for (const user of this.users) if (user.name === name) Object.assign(user, values);
  }

  /** What is pasted into its terminal. */
  run(command: string): void {
    const [, list = ""] =
      /^:foreach moved in=\{(.*)\} do=\{ \/ppp secret disable \[find name=\$moved\] \}$/.exec(command) ?? [];
    for (const [, quoted = ""] of list.matchAll(/("(?:[^"\\]|\\.)*")/g)) {
      const [read] = readExport(Buffer.from(`/ppp secret\nadd name=${quoted}`), "terminal").items;
      this.set(read?.values.get("name") ?? "", { disabled: "yes" });
    }
  }

  /** Its own users win over those of a RADIUS server. */
  asksUs(name: string): boolean {
    return this.users.every((user) => user.name !== name || user.disabled === "yes");
  }
}

function printed(value: string): string {
  const bytes = [...Buffer.from(value)].map((byte) => {
    const char = String.fromCharCode(byte);
    if ('"\\$'.includes(char)) return `\\${char}`;
    return byte > 0x7e ? `\\${byte.toString(16).toUpperCase()}` : char;
  });
  return /^[\w-]+$/.test(value) ? value : `"${bytes.join("")}"`;
}

/** Whether the router lets somebody in by what we answer, asked as the router asks. */
async function letsIn({ radius_auth }: Addresses, name: string, password: string): Promise<boolean> {
  const quote = (text: string) => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
  const attributes = `User-Name = ${quote(name)}, User-Password = ${quote(password)}, Service-Type = Framed-User, Framed-Protocol = PPP, NAS-IP-Address = 127.0.0.1`;
  return (await radclient(radius_auth, "auth", NAS_SECRET, attributes)).startsWith("Received Access-Accept");
}

/** Everything that the store holds of people and what they pay, as an export has it. */
function stored(appliance: Appliance): unknown {
  const db = openReader(join(appliance.folder, "data"));
  try {
    return JSON.parse(JSON.stringify(exportDataSet(db, by, { secrets: true })));
  } finally {
    db.$client.close();
  }
}

test("three evenings: a trial, both systems at once, and the night of the move", async () => {
  const router = new OldRouter();
  await using appliance = new Appliance();
  const file = join(appliance.folder, "gatehouse.rsc");
  const migrate = async (...options: string[]) => {
    writeFileSync(file, router.export());
    const { code, stdout, stderr } = await appliance.run(["migrate", "routeros", file, "--json", ...options]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    return JSON.parse(stdout);
  };
  await appliance.load(isp);
  const at = await appliance.serve();

  // a week before: what would come, and nothing is written
  const before = stored(appliance);
  const trial = await migrate("--dry-run");
  expect(trial).toMatchObject({ move_id: null, counts: { subscribers: { found: 6, new: 6 } } });
  expect(stored(appliance)).toEqual(before);
  expect(readdirSync(appliance.folder).filter((name) => /import|report|passwords/.test(name))).toEqual([]);

  // both at once: everybody is here, and the router still has its own users
  const first = await migrate();
  expect(first).toMatchObject({ move_id: 1, counts: { subscribers: { new: 6, refused: 0 } } });
  expect(statSync(join(appliance.folder, "routeros-import.json")).mode & 0o777).toBe(0o600);
  expect(router.users.filter(({ name }) => router.asksUs(name)).map(({ name }) => name)).toEqual(["late"]);
  for (const { name, password, disabled } of router.users)
    expect([name, await letsIn(at, name, password)]).toEqual([name, disabled !== "yes"]);
  expect(await letsIn(at, "sam", "pw sam")).toBe(false);

  // the week goes by, at both
  await did(appliance, ["package", "set", "home-10", "--price", "15.00"]);
  await did(appliance, ["payment", "take", "kim", "20.00"]);
  await did(appliance, ["subscriber", "activate", "kim"]);
  const changed = await fetch(`http://${at.http}/api/v1/subscriber/update`, {
    method: "POST",
    headers: { authorization: `Basic ${btoa(`${ada.username}:${ada.password}`)}` },
    body: new URLSearchParams({ username: "lee", password: "changed-here" }),
  });
  expect(changed.status).toBe(200);
  router.set("sam", { password: "changed-there" });
  router.set("lee", { password: "changed-there-too" });
  router.set("late", { disabled: "no" });
  router.users = router.users.filter(({ name }) => name !== "gone");
  router.users.push({ name: "new", password: "pw-new" });

  // the night: what changed there comes, what changed here stays, and the router asks us alone
  const second = await migrate();
  expect(second.counts.subscribers).toMatchObject({ found: 6, new: 1, changed: 2, refused: 0 });
  const toldOf = (kind: string) => noticesIn(second, kind).map(({ who }) => who);
  expect(toldOf("gone")).toEqual(["gone"]);
  expect(toldOf("kept_here")).toEqual(["lee"]);
  expect(JSON.stringify(second)).not.toContain("changed-here");
  for (const command of second.afterwards) router.run(command);
  const passwords = {
    sam: "changed-there",
    lee: "changed-here",
    late: "pw-late",
    new: "pw-new",
    kim: "pw-kim",
  };
  for (const [name, password] of Object.entries({ ...passwords, "ana diaz": "contraseña" })) {
    expect(router.asksUs(name)).toBe(true);
    expect([name, await letsIn(at, name, password)]).toEqual([name, true]);
  }
  const { stdout: kim } = await appliance.run(["subscriber", "show", "kim", "--json"]);
  expect(JSON.parse(kim)).toMatchObject({ balance: 5 });

  // once more changes nothing
  const after = stored(appliance);
  const third = await migrate();
  expect(third.counts.subscribers).toMatchObject({ new: 0, changed: 0 });
  expect(stored(appliance)).toEqual(after);
  expect(await appliance.stop()).toBe(0);
});

async function did(appliance: Appliance, command: string[]): Promise<void> {
  expect(await appliance.run(command)).toMatchObject({ code: 0, stderr: "" });
}

function noticesIn(
  report: { told: { kind: string; rows: { who: string }[] }[] },
  kind: string,
): { who: string }[] {
  return report.told.find((group) => group.kind === kind)?.rows ?? [];
}

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

/** A dump that is kept, as if it were made now of a router at this box: whoever had days left has some. */
function dumpOfNow(file: string): Uint8Array {
  const kept = readFileSync(join(import.meta.dir, "../support/dumps", file));
  const isPacked = file.endsWith(".gz");
  const text = (isPacked ? gunzipSync(kept) : kept).toString("latin1");
  const moved = text
    .replaceAll("'10.0.0.1'", "'127.0.0.1'")
    .replaceAll("\t10.0.0.1\t", "\t127.0.0.1\t")
    .replaceAll(
      /(2026-11-2[012] \d\d:\d\d:\d\d)(\+\d\d)?/g,
      (_, at: string, zone) => momentOf(at) + (zone ? "+00" : ""),
    )
    .replaceAll("2026-12-10", inDays(20));
  const bytes = Buffer.from(moved, "latin1");
  return isPacked ? gzipSync(bytes) : bytes;
}

/** A minute ago: a session that is silent for longer is lost while the tests run on a busy machine. */
const MADE = -86.4;
/** Seconds that those who are online had been so when the dump was made, by when they began: no session has lasted into times to come. */
const ONLINE: Readonly<Record<string, number>> = {
  "2026-11-20 08:00:00": 175_500,
  "2026-11-21 08:00:00": 89_700,
  "2026-11-22 07:10:00": 6000,
};
const began = Date.now();

/** What a moment of the days before a dump was made is now. */
function momentOf(at: string): string {
  const seconds = at.startsWith("2026-11-22") || at in ONLINE ? MADE - (ONLINE[at] ?? 0) : -86_400;
  return new Date(began + seconds * 1000).toISOString().slice(0, 19).replace("T", " ");
}

/** One kind of file, and who of it logs in as before. */
interface OldSystem {
  readonly source: string;
  readonly files: Readonly<Record<string, Uint8Array>>;
  readonly logins: Readonly<Record<string, string>>;
  /** Who was switched off there. */
  readonly disabled?: readonly [name: string, password: string];
  /** Who is online there. */
  readonly online?: readonly [name: string, session: string];
}

const systems: readonly OldSystem[] = [
  {
    source: "freeradius",
    files: { "radius.sql": dumpOfNow("freeradius.mariadb.sql") },
    logins: {
      "never.ends": "never",
      "old.style": "written in the old way",
      "semi;colon": "a;b -- c /* d */ # e `f`",
    },
    disabled: ["rejected", "stays out"],
    online: ["ahmad.saleh", "81d00001"],
  },
  {
    source: "daloradius",
    files: { "radius.sql": dumpOfNow("daloradius.mariadb.sql") },
    logins: { "never.ends": "never" },
    disabled: ["disabled.user", "was put out"],
  },
  {
    source: "freeradius",
    files: { "latin1.sql": dumpOfNow("latin1.mariadb.sql") },
    logins: { müller: "Straße «5» – 10 €" },
  },
  {
    source: "phpnuxbill",
    files: { "phpnuxbill.sql": dumpOfNow("phpnuxbill.mariadb.sql") },
    logins: { budi: "pppoe'budi\\1" },
    disabled: ["disabled", "disabled-5"],
  },
  {
    source: "radiusdesk",
    files: { "radiusdesk.sql": dumpOfNow("radiusdesk.mariadb.sql") },
    logins: { "topped.up": "topped" },
    disabled: ["off", "off-1"],
    online: ["lina@north", "81e00001"],
  },
  ...(
    [
      ["utf-16le", "bob-josé", "contraseña"],
      ["windows-1256", "dan-سمير", "كلمة"],
    ] as const
  ).map(([encoding, name, password]): OldSystem => {
    const table = `User Name,Password,Full Name,Package Id,Status\r\n${name},${password},${name},7,active\r\noff-${encoding},pw-off,,7,disabled\r\n`;
    return {
      source: "csv",
      files: { [`${encoding}.csv`]: encoded(table, encoding) },
      logins: { [name]: password },
      disabled: [`off-${encoding}`, "pw-off"],
    };
  }),
];

type Encoding = "utf-16le" | "windows-1256";

function encoded(text: string, encoding: Encoding): Uint8Array {
  if (encoding === "utf-16le") return Buffer.from(`\ufeff${text}`, "utf16le");
  const signs = new TextDecoder(encoding).decode(Uint8Array.from({ length: 256 }, (_, byte) => byte));
  return Uint8Array.from([...text], (sign) => signs.indexOf(sign));
}

/** What other programs write of the same database; dumps.test reads all the others. */
const sameAsFirst = ["freeradius.mariadb.sql.gz", "freeradius.pg-copy.sql"];

describe("one evening from every other system", () => {
  const appliance = new Appliance();
  let at: Addresses;
  beforeAll(async () => {
    await appliance.load(isp);
    at = await appliance.serve();
  });
  afterAll(async () => {
    expect(await appliance.stop()).toBe(0);
    expect(appliance.log).not.toMatch(/unexpected|request failed|internal/);
    await appliance[Symbol.asyncDispose]();
  });
  const put = (file: string, bytes: string | Uint8Array) =>
    writeFileSync(join(appliance.folder, file), bytes);
  const migrate = async (source: string, ...options: string[]) => {
    const { code, stdout, stderr } = await appliance.run([
      "migrate",
      source,
      ...options,
      "--zone",
      "UTC",
      "--json",
    ]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    return JSON.parse(stdout);
  };
  const untouched = { new: 0, changed: 0 };

  test.each(systems.map((system) => [Object.keys(system.files).join(), system] as const))(
    "%s",
    async (_, { source, files, logins, disabled, online }) => {
      for (const [file, bytes] of Object.entries(files)) put(file, bytes);
      const names = Object.keys(files);
      const before = [stored(appliance), readdirSync(appliance.folder)];
      const dry = await migrate(source, ...names, "--dry-run");
      expect([stored(appliance), readdirSync(appliance.folder)]).toEqual(before);

      const first = await migrate(source, ...names);
      expect(first.counts).toEqual(dry.counts);
      for (const [name, password] of Object.entries(logins)) {
        expect([name, await letsIn(at, name, password)]).toEqual([name, true]);
        expect([name, await letsIn(at, name, "wrong")]).toEqual([name, false]);
      }
      if (disabled) expect([disabled[0], await letsIn(at, ...disabled)]).toEqual([disabled[0], false]);
      if (online) await goesOn(online);

      const after = stored(appliance);
      expect(await migrate(source, ...names)).toMatchObject({
        counts: { packages: untouched, routers: untouched, subscribers: untouched, sessions: untouched },
      });
      expect(stored(appliance)).toEqual(after);
    },
  );

  /** The router reports the session that the copy had open, and it is the one that goes on. */
  async function goesOn([name, session]: readonly [string, string]): Promise<void> {
    const open = async () => {
      const { stdout } = await appliance.run(["sessions", "list", "--json"]);
      const rows: { id: number; username: string }[] = JSON.parse(stdout);
      return rows.filter(({ username }) => username === name);
    };
    const [moved, ...others] = await open();
    expect(others).toEqual([]);
    const report = `User-Name = "${name}", Acct-Status-Type = Interim-Update, Acct-Session-Id = "${session}", NAS-IP-Address = 127.0.0.1, NAS-Port = 77, Acct-Session-Time = 200000, Acct-Input-Octets = 3000000000, Acct-Output-Octets = 0, Acct-Output-Gigawords = 100`;
    expect(await radclient(at.radius_acct, "acct", NAS_SECRET, report)).toContain("Accounting-Response");
    const gone = { id: moved?.id, session_id: session, session_time: 200_000, input_octets: 3_000_000_000 };
    expect(await open()).toMatchObject([{ ...gone, output_octets: 100 * 2 ** 32 }]);
  }

  test("what other programs write of the same database is the same", async () => {
    put("radius.sql", dumpOfNow("freeradius.mariadb.sql"));
    const result = ({ counts, packages }: { counts: unknown; packages: { from: string }[] }) => ({
      counts,
      packages: packages.map((each) => ({ ...each, from: "" })),
    });
    const one = result(await migrate("freeradius", "radius.sql", "--dry-run"));
    for (const file of sameAsFirst) put(file, dumpOfNow(file));
    const all = await Promise.all(sameAsFirst.map((file) => migrate("freeradius", file, "--dry-run")));
    for (const [index, other] of all.entries())
      expect([sameAsFirst[index], result(other)]).toEqual([sameAsFirst[index], one]);
  });

  const whole = dumpOfNow("freeradius.mariadb.sql");
  test.each<[string, string, string | Uint8Array, RegExp]>([
    [
      "a dump that is cut off",
      "freeradius",
      whole.subarray(0, Buffer.from(whole).indexOf("INSERT INTO `radcheck`") + 300),
      /line \d+: the dump ends in the middle of/,
    ],
    ["a dump of another system", "radiusdesk", whole, /no permanent_users/],
    ["an export that is cut off", "routeros", '/ppp secret\nadd name=a password="b', /cut off|ends/],
    ["a table without usernames", "csv", "Shoe size,Hat\r\n42,58\r\n", /username/],
  ])("%s is refused in words, and nothing is written", async (_, source, bytes, expected) => {
    put("harm", bytes);
    const before = readdirSync(appliance.folder);
    const { code, stdout, stderr } = await appliance.run(["migrate", source, "harm"]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(expected);
    expect(stderr.trim().split("\n")).toHaveLength(1);
    expect(readdirSync(appliance.folder)).toEqual(before);
  });
});

test("the way out is the way in: an export, and its tables alone, into a fresh appliance", async () => {
  await using old = new Appliance();
  await old.load(isp);
  writeFileSync(join(old.folder, "gatehouse.rsc"), new OldRouter().export());
  await did(old, ["migrate", "routeros", "gatehouse.rsc"]);
  await did(old, ["export", "--secrets", "--all", "out"]);
  const out = (file: string) => join(old.folder, "out", file);

  await using fresh = new Appliance();
  await did(fresh, ["import", out("data-set.json")]);
  const at = await fresh.serve();
  expect(await letsIn(at, "sam", 'pw "sam" \\ 1')).toBe(true);
  expect(await letsIn(at, "late", "pw-late")).toBe(false);
  expect(stored(fresh)).toEqual(stored(old));

  await using other = new Appliance();
  await other.load({ ...isp, nas: [] });
  await did(other, ["migrate", "csv", out("subscribers.csv"), out("packages.csv"), out("routers.csv")]);
  const there = await other.serve();
  expect(await letsIn(there, "ana diaz", "contraseña")).toBe(true);
  expect(await letsIn(there, "sam", 'pw "sam" \\ 1')).toBe(true);
  expect(await letsIn(there, "late", "pw-late")).toBe(false);
});
