import { describe, expect, test } from "bun:test";
import type { Moved } from "../../../../../src/domain/machine/imports/model.ts";
import type { ReadSource } from "../../../../../src/domain/machine/imports/source.ts";
import { readFreeRadius } from "../../../../../src/domain/machine/imports/sources/freeradius/freeradius.ts";
import { readPhpNuxBill } from "../../../../../src/domain/machine/imports/sources/phpnuxbill/phpnuxbill.ts";
import { keptDump, sourceOf } from "../../../../support/dumps/reading.ts";
import { processorTime } from "../../../../support/processor-time.ts";
import { inMemory, options, noticesOf } from "./rows.ts";

async function read(source: ReadSource, ...files: string[]) {
  const rows = options("Asia/Amman"); // where the copies were made
  let seen = 0;
  const progress = (bytes: number) => void (seen = Math.max(seen, bytes));
  const moved = inMemory(await source(files.map(keptDump), { ...rows, progress }));
  return { ...moved, notices: rows.notices.rows, heard: seen };
}

/** Without where it was read, which is another line in each kind of dump. */
function facts({ packages, routers, subscribers, sessions, vouchers }: Moved): unknown {
  const text = JSON.stringify(
    { packages, routers, subscribers, sessions, vouchers },
    (key, value: unknown) => (key === "at" && typeof value === "object" ? undefined : value),
  );
  return JSON.parse(text);
}

describe("FreeRADIUS", () => {
  const kinds = [
    "freeradius.mariadb.sql.gz",
    "freeradius.mariadb-ansi.sql",
    "freeradius.mariadb-complete.sql",
    "freeradius.mariadb-ignore.sql",
    "freeradius.mariadb-raw-blobs.sql",
    "freeradius.mariadb-replace.sql",
    "freeradius.mariadb-single.sql",
    "freeradius.pg-column-inserts.sql",
    "freeradius.pg-copy.sql",
    "freeradius.pg-inserts.sql",
    "freeradius.pg-quoted.sql",
  ];
  test.each(kinds)("%s says what freeradius.mariadb.sql says", async (file) => {
    const [one, other] = [
      await read(readFreeRadius, "freeradius.mariadb.sql"),
      await read(readFreeRadius, file),
    ];
    expect(facts(other)).toEqual(facts(one) as object);
    const texts = (moved: typeof one) =>
      moved.notices.map(({ kind, who, text }) => `${kind} ${who}: ${text}`);
    expect(texts(other)).toEqual(texts(one));
  });

  test("everybody who has a login comes with it", async () => {
    const {
      subscribers,
      packages,
      sessions,
      heard: bytes,
    } = await read(readFreeRadius, "freeradius.mariadb.sql");
    const found = new Map(subscribers.map((subscriber) => [subscriber.username, subscriber]));
    expect(found.size).toBe(31);
    expect(found.get("O'Neil")).toMatchObject({
      password: "p'a\"s\\s%w_d",
      package: "10M",
      connection: "ppp",
    });
    expect(found.get("سمير")).toMatchObject({ password: "كلمة السر 🔑", package: "ذهبي" });
    expect(found.get("khaled ")).toMatchObject({ package: "20M Gold" });
    expect(found.get("omar")).toMatchObject({ password: "omar-1", package: "10M" });
    expect(found.get("Omar")).toMatchObject({ password: "omar-2", package: "20M Gold" });
    expect(found.get("nt.and.clear")?.password).toBe("password");
    expect(found.get("hash.nt")?.password).toEqual({ lost: "nt_only" });
    expect(found.get("rejected")?.enabled).toBe(false);
    expect(found.get("disabled.user")).toMatchObject({ enabled: false, package: "10M" });
    expect(found.get("AA:BB:CC:00:11:22")).toMatchObject({ macLogin: true, connection: "hotspot" });
    expect(found.get("locked.device")).toMatchObject({ mac_address: "00:1A:2B:3C:4D:5E", macLock: true });
    expect(found.get("static.ip")).toMatchObject({
      static_ip: "100.64.7.7",
      framed_ipv6_prefix: "2001:db8:7::/64",
      delegated_ipv6_prefix: "2001:db8:700::/56",
    });
    expect(packages.find(({ key }) => key === "ذهبي")?.rate_limit).toBe("4M/16M");
    expect(sessions.map(({ username }) => username)).toEqual(["ahmad.saleh", "AA:BB:CC:00:11:22", "josé"]);
    expect(bytes).toBe(keptDump("freeradius.mariadb.sql").bytes);
  });

  test("daloRADIUS adds prices and people, and no card is read", async () => {
    const { subscribers, packages, notices, ...rest } = await read(readFreeRadius, "daloradius.mariadb.sql");
    expect(packages.map(({ key, price }) => [key, price])).toEqual([
      ["10M", "15.50"],
      ["20M Gold", "25.00"],
      ["ذهبي", null],
      ["No group", null],
      ["hotspot-1h", "1.00"],
      ["hotspot-1h, idle 600 s", "1.00"],
      ["bad-rate", null],
    ]);
    expect(packages.find(({ key }) => key === "hotspot-1h")?.duration).toEqual({ count: 1, unit: "hour" });
    expect(subscribers.find(({ username }) => username === "O'Neil")?.name).toBe("Seán O'Neil");
    expect(noticesOf(notices, "left_out")).toContain(
      "userbillinfo: rows with something of a card in them: 1; numbers of cards are never read",
    );
    expect(JSON.stringify({ subscribers, packages, notices, rest })).not.toMatch(/4111|4242|5555/);
  });

  test("tables may come in files of their own", async () => {
    const text = await Bun.file(
      new URL("../../../../support/dumps/freeradius.mariadb.sql", import.meta.url),
    ).text();
    const pieces = text.split(/(?=^-- Table structure for table)/m);
    const end = "-- Dump completed on 2026-11-22\n";
    const files = pieces.map((piece, index) =>
      sourceOf(`${piece}\n${piece.includes("Dump completed") ? "" : end}`, `${index}.sql`),
    );
    const rows = options();
    const moved = await readFreeRadius(files, rows);
    expect(moved.subscribers).toHaveLength(31);
  });

  test("another system's copy is refused in words", async () => {
    await expect(read(readFreeRadius, "phpnuxbill.mariadb.sql")).rejects.toThrow("no radcheck in this copy");
  });
});

describe("phpnuxbill", () => {
  test("customers come with the login of their line", async () => {
    const { subscribers, packages, routers, vouchers, notices } = await read(
      readPhpNuxBill,
      "phpnuxbill.mariadb.sql",
    );
    expect(
      subscribers.map((subscriber) => [subscriber.username, subscriber.package, subscriber.enabled]),
    ).toEqual([
      ["budi", "Home 10M", true],
      ["siti", "Hotspot 5 GB", true],
      ["owes", "Office, paid after", true],
      ["banned", "Hotspot 1 hour", false],
      ["disabled", "Home 10M", false],
      ["suspended", "A plan that is gone", false],
      ["no.recharge", null, true],
      ["أحمد", "Hotspot 1 hour", true],
      ["Siti", null, true],
      ["two.plans", "Hotspot 5 GB", true],
      ["expired", "Home 20M monthly", true],
    ]);
    const [budi, , owes] = subscribers;
    expect(budi).toMatchObject({
      password: "pppoe'budi\\1",
      connection: "ppp",
      balance: "50000.00",
      static_ip: "10.10.0.5",
      latitude: "-6.914744",
      longitude: "107.609810",
      // 09:30 in Jakarta
      service: { expiresAt: Date.UTC(2026, 11, 10, 2, 30) / 1000 },
    });
    expect(budi?.history).toHaveLength(3);
    expect(owes).toMatchObject({ password: "owes-pppoe", balance: "-12500.50" });
    expect(packages.find(({ key }) => key === "Home 20M monthly")).toMatchObject({
      price: "250000.50",
      rate_limit: "5M/20M 10M/40M 4M/16M 10/10 8 1M/2M",
    });
    expect(routers.map(({ address }) => address)).toEqual(["10.0.0.1", "10.0.0.2", "router.example.net"]);
    expect(vouchers.map(({ code, kind }) => [code, kind])).toEqual([
      ["HS-11112222", "package"],
      ["HS-33334444", "package"],
      ["OF-A-GONE-PLAN", "package"],
    ]);
    expect(JSON.stringify(notices)).not.toMatch(/router-password|pppoe'budi|siti-2/);
  });

  test("another system's copy is refused in words", async () => {
    await expect(read(readPhpNuxBill, "freeradius.mariadb.sql")).rejects.toThrow(
      "no tbl_customers in this copy",
    );
  });
});

/** A dump of FreeRADIUS with so many users, each with ten sessions of which the last is open. */
function dumpOf(count: number): string {
  const users = Array.from({ length: count }, (_, user) => user);
  const insert = (table: string, columns: string, rows: readonly string[]) => {
    const made = `CREATE TABLE \`${table}\` (\n${columns
      .split(" ")
      .map((column) => `  \`${column}\` varchar(253) DEFAULT NULL`)
      .join(",\n")}\n);\n`;
    const pieces = Array.from({ length: Math.ceil(rows.length / 1000) }, (_, piece) =>
      rows.slice(piece * 1000, (piece + 1) * 1000).join(",\n"),
    );
    return made + pieces.map((piece) => `INSERT INTO \`${table}\` VALUES\n${piece};\n`).join("");
  };
  const sessions = users.flatMap((user) =>
    Array.from(
      { length: 10 },
      (_, day) =>
        `('s${user}-${day}','user${user}','10.0.0.1','2026-11-${day + 11} 08:00:00','2026-11-${day + 11} 20:00:00',${day === 9 ? "NULL" : `'2026-11-${day + 11} 20:00:00'`},'1000','20000','PPP')`,
    ),
  );
  return [
    "-- MariaDB dump 10.19\n",
    insert(
      "radacct",
      "acctsessionid username nasipaddress acctstarttime acctupdatetime acctstoptime acctinputoctets acctoutputoctets framedprotocol",
      sessions,
    ),
    insert(
      "radcheck",
      "username attribute op value",
      users.flatMap((user) => [
        `('user${user}','Cleartext-Password',':=','pw${user}')`,
        `('user${user}','Expiration',':=','20 Dec 2026 10:00:00')`,
        `('user${user}','Simultaneous-Use',':=','1')`,
      ]),
    ),
    insert("radgroupreply", "groupname attribute op value", ["('gold','Mikrotik-Rate-Limit',':=','5M/20M')"]),
    insert(
      "radusergroup",
      "username groupname priority",
      users.map((user) => `('user${user}','gold','1')`),
    ),
    "-- Dump completed on 2026-11-22 12:00:00\n",
  ].join("");
}

test("ten times the users with ten sessions each take about ten times the processor's time, not a hundred times", async () => {
  const read = async (count: number) => {
    const file = sourceOf(dumpOf(count));
    return processorTime(async () => {
      const { subscribers, packages, sessions: open } = await readFreeRadius([file], options());
      expect([subscribers.length, packages.length, open.length]).toEqual([count, 1, count]);
    });
  };
  const few = await read(200);
  expect((await read(2000)) / few).toBeLessThan(40);
});
