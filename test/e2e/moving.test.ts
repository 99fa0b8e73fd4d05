import { expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readExport } from "../../src/domain/moving/sources/routeros/export.ts";
import { type Addresses, Appliance } from "../support/appliance.ts";
import { NAS_SECRET } from "../support/isp.ts";
import { radclient } from "../support/radclient.ts";

setDefaultTimeout(120_000);

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
      /^:foreach name in=\{(.*)\} do=\{ \/ppp secret disable \[find name=\$name\] \}$/.exec(command) ?? [];
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
async function stored(appliance: Appliance): Promise<unknown> {
  const { stdout } = await appliance.run(["export", "--secrets"]);
  return JSON.parse(stdout);
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
  expect(await appliance.run(["import", "-"], JSON.stringify(isp))).toMatchObject({ code: 0 });
  const at = await appliance.serve();

  // a week before: what would come, and nothing is written
  const before = await stored(appliance);
  const trial = await migrate("--dry-run");
  expect(trial).toMatchObject({ move_id: null, counts: { subscribers: { found: 6, new: 6 } } });
  expect(await stored(appliance)).toEqual(before);
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
  const toldOf = (kind: string) => told(second, kind).map(({ who }) => who);
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
  const after = await stored(appliance);
  const third = await migrate();
  expect(third.counts.subscribers).toMatchObject({ new: 0, changed: 0 });
  expect(await stored(appliance)).toEqual(after);
  expect(await appliance.stop()).toBe(0);
});

async function did(appliance: Appliance, command: string[]): Promise<void> {
  expect(await appliance.run(command)).toMatchObject({ code: 0, stderr: "" });
}

function told(
  report: { told: { kind: string; rows: { who: string }[] }[] },
  kind: string,
): { who: string }[] {
  return report.told.find((group) => group.kind === kind)?.rows ?? [];
}
