import { describe, expect, test } from "bun:test";
import { lookAtTable } from "../../../../../src/domain/machine/imports/sources/csv/look.ts";
import { readMap } from "../../../../../src/domain/machine/imports/sources/csv/map.ts";
import { readCsv } from "../../../../../src/domain/machine/imports/sources/csv/read.ts";
import { Notices } from "../../../../../src/domain/machine/imports/notices.ts";
import { sourceFile } from "../../../../support/source-files.ts";
import { Mover } from "../mover.ts";
import { inMemory } from "./rows.ts";

const now = Date.parse("2026-11-22T12:00:00Z") / 1000;

async function read(files: string | Readonly<Record<string, string>>, map?: unknown) {
  const notices = new Notices();
  const named = typeof files === "string" ? { "list.csv": files } : files;
  const sources = Object.entries(named).map(([name, text]) => sourceFile(name, text));
  const moved = inMemory(await readCsv(sources, { now, zone: "UTC", notices, map }));
  const requests = notices.rows
    .filter(({ kind }) => kind === "undecided")
    .map(({ who, text }) => `${who}: ${text}`);
  return { moved, notices, asked: requests, enabled: enabledIn(moved) };
}

const enabledIn = ({ subscribers }: ReturnType<typeof inMemory>) =>
  Object.fromEntries(subscribers.map(({ username, enabled }) => [username, enabled]));

describe("a column that marks who is cut off turns its cells round:", () => {
  test.each([
    ["disabled", "yes", "no"],
    ["Is Disabled", "1", "0"],
    ["Blocked", "TRUE", "FALSE"],
    ["Suspended", "Suspended", ""],
    ["suspended at", "2026-03-01 10:00:00", "0000-00-00 00:00:00"],
    ["Suspendido", "Sí", "No"],
    ["Bloqueado", "sim", "não"],
    ["Suspendu", "oui", "non"],
    ["Gesperrt", "ja", "nein"],
    ["Gekündigt", "x", ""],
    ["Sospeso", "sì", "no"],
    ["Askıda", "evet", "hayır"],
    ["Isolir", "ya", "tidak"],
    ["Imefungwa", "ndiyo", "hapana"],
    ["Заблокирован", "да", "нет"],
    ["موقوف", "نعم", "لا"],
    ["بلاک", "ہاں", "نہیں"],
    ["निलंबित", "हाँ", "नहीं"],
    ["স্থগিত", "হ্যাঁ", "না"],
  ])("%s", async (header, marked, unmarked) => {
    const rows = ["a", "b", "c", "d", "e", "f"].map(
      (name, at) => `${name},pw,${at === 2 ? marked : unmarked}`,
    );
    const { enabled, asked: requests } = await read(`username,password,${header}\n${rows.join("\n")}\n`);
    expect(requests).toEqual([]);
    expect(enabled).toEqual({ a: true, b: true, c: false, d: true, e: true, f: true });
  });

  test("and stands beside one of the status, of which neither is let go", async () => {
    const { enabled } = await read(
      "username,Status,Enabled,Blocked\na,active,yes,no\nb,active,no,no\nc,active,yes,yes\nd,inactive,yes,no\n",
    );
    expect(enabled).toEqual({ a: true, b: false, c: false, d: false });
  });

  test("also where the map says so, and a customer who is cut off takes the line along", async () => {
    const result = await read("username,Mora\na,si\nb,no\n", { columns: { Mora: "disabled" } });
    expect(result.enabled).toEqual({ a: false, b: true });
    const joined = await read({
      "customers.csv": "ID;Status;Full name\n1;Blocked;Ann\n2;Active;Bob\n",
      "services.csv": "ID;Customer ID;Status;Plan;Service login\n5;1;Active;Home;ann\n6;2;Active;Home;bob\n",
    });
    expect(joined.enabled).toEqual({ ann: false, bob: true });
  });
});

describe("words for who is cut off, as people write them:", () => {
  const words =
    "Disconnected Suspended Terminated Cortado Moroso Suspendido Cancelado Inadimplente Bloqueada Coupé Résilié Gekündigt Gesperrt Sospeso Disdetto Askıda İptal Isolir Terisolir Nonaktif Imefungwa Отключён Приостановлен موقوف مقطوع بند निलंबित স্থগিত";
  test.each([...words.split(" "), "Dado de baja", "Cut off", "devre dışı", "tidak aktif", "غير نشط"])(
    "%s",
    async (word) => {
      const { enabled, asked: requests } = await read(
        `username,status\na,${word}\nb,${word.toUpperCase()}\n`,
      );
      expect({ enabled, asked: requests }).toEqual({ enabled: { a: false, b: false }, asked: [] });
    },
  );

  test.each([
    "Active",
    "Vigente",
    "Al día",
    "Em dia",
    "En service",
    "Attivo",
    "Açık",
    "Aktif",
    "Активен",
    "نشط",
  ])("%s is none of them", async (word) =>
    expect((await read(`username,status\na,${word}\n`)).enabled).toEqual({ a: true }),
  );

  test.each(["Expired", "Vencido", "Expiré", "Abgelaufen", "منتهي", "منتهي الصلاحية"])(
    "%s is in by nothing but an end that is over, so that a payment lets in again",
    async (word) => {
      const { enabled } = await read(
        `username,status,expires\nlong,${word},2026-01-01\nstill,${word},2027-01-01\nnever,${word},\n`,
      );
      expect(enabled).toEqual({ long: true, still: false, never: false });
    },
  );
});

describe("words that nobody knows in a column that decides who gets in", () => {
  const sheet = "username,password,Estado\nana,pw,Zafado\neva,pw,Fino\nleo,pw,Zafado\nluz,pw,Activo\n";

  test("stop the real run and not the try, until the map says what they mean", async () => {
    using mover = await Mover.withIsp();
    const unsaid = await read(sheet);
    expect(unsaid.asked).toEqual([
      'Estado: "Zafado" (2 rows, the first of them here): do they get in, or are they cut off?',
      'Estado: "Fino" (1 row): do they get in, or are they cut off?',
    ]);
    const tried = await mover.run(unsaid.moved, { source: "csv", dryRun: true });
    expect(tried.report.counts.subscribers).toMatchObject({ found: 4, new: 4 });
    const before = mover.dump();
    const run = mover.run(unsaid.moved, { source: "csv" });
    expect(run).rejects.toThrow(
      'column "Estado" has "Zafado", "Fino". Say in the map of each whether they get in ("on") or are cut off ("off"): {"status": {"Zafado": "off", "Fino": "off"}}; or leave the column out: {"columns": {"Estado": null}}',
    );
    await run.catch(() => {});
    expect(mover.dump()).toEqual(before);

    const result = await read(sheet, { status: { ZAFADO: "off", fino: "on" } });
    expect(result.enabled).toEqual({ ana: false, eva: true, leo: false, luz: true });
    expect((await mover.run(result.moved, { source: "csv" })).moveId).not.toBeNull();
    expect(mover.rows("SELECT username, status FROM subscribers WHERE username IN ('ana', 'eva')")).toEqual([
      { username: "ana", status: 0 },
      { username: "eva", status: 1 },
    ]);
  });

  test("are asked for also where they are most, and a column that is left out decides nothing", async () => {
    const many = ["a", "b", "c", "d", "e", "f", "g"].map((name) => `${name},Zafado ${name}`).join("\n");
    expect((await read(`username,Status\n${many}\n`)).asked).toHaveLength(7);
    const { asked: requests, enabled } = await read(`username,Status\n${many}\n`, {
      columns: { Status: null },
    });
    expect([requests, enabled["a"]]).toEqual([[], true]);
    // "Suspended by" names people, and nobody's standing
    const by = await read("username,Suspended by\na,Ada\nb,Bob\n");
    expect([by.asked, by.enabled]).toEqual([[], { a: true, b: true }]);
  });

  test("a mark that may be said of the mark is asked for", async () => {
    expect((await read("username,Blocked\na,active\nb,no\n")).asked).toHaveLength(1);
  });

  test("stand in the look, for who says what they mean", async () => {
    const { unknown } = await lookAtTable(sourceFile("x.csv", sheet), readMap(undefined));
    expect(unknown).toEqual([
      { header: "Estado", text: "Zafado", rows: 2 },
      { header: "Estado", text: "Fino", rows: 1 },
    ]);
  });

  test.each([
    [{ status: { Zafado: "perhaps" } }, "status.Zafado has to be on or off"],
    [{ status: { Zafado: "expired" } }, "status.Zafado has to be on or off"],
  ])("a map of %j is refused", (map, message) => expect(() => readMap(map)).toThrow(message));
});
