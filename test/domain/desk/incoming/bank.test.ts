import { describe, expect, test } from "bun:test";
import type { Db } from "../../../../db/open.ts";
import { activate } from "../../../../src/domain/service/activation/activate.ts";
import { readBalance } from "../../../../src/domain/core/amounts/balance.ts";
import { assignGuessed } from "../../../../src/domain/desk/incoming/assign.ts";
import { bankText } from "../../../../src/domain/machine/imports/sources/csv/bank-text.ts";
import { lookAtFile } from "../../../../src/domain/desk/incoming/bank/guess-columns.ts";
import { previewBankFile, takeBankFile } from "../../../../src/domain/desk/incoming/bank/files.ts";
import { bankLines } from "../../../../src/domain/desk/incoming/bank/lines.ts";
import { listIncoming } from "../../../../src/domain/desk/incoming/list.ts";
import { makeReference } from "../../../../src/domain/desk/incoming/reference.ts";
import { formatTime } from "../../../../src/domain/core/time/time.ts";
import { by } from "../../../support/isp.ts";
import { boss, office as copyOfOffice } from "../../../support/office.ts";
import { NOW, undoneStores } from "../../../support/store.ts";

const office = undoneStores(copyOfOffice);

const columns = {
  date_column: "Date",
  amount_column: "Amount",
  text_column: "Text",
  payer_column: "Payer",
  dates: "d.m.Y",
  decimals: "comma",
} as const;
const HEAD = "Date;Amount;Text;Payer\n";
const lines = [
  `15.01.2030;1.022,50;Internet ${makeReference(1)};Somebody Else`,
  "15.01.2030;22,00;thanks;nadia nobody",
  "16.01.2030;-5,00;fee;Bank",
  "16.01.2030;5,00;cash in;Shop",
  "16.01.2030;5,00;cash in;Shop",
  "soon;5,00;x;y",
];
const file = (rows: readonly string[], name = "January.csv") => ({
  name,
  content: HEAD + rows.join("\n"),
  ...columns,
});
const newest = { before: Number.MAX_SAFE_INTEGER, limit: 50 };
const open = (db: Db) => listIncoming(db, boss, { view: "open" }, newest);
const wallet = (db: Db) => readBalance(db, { subscriberId: 1 });

test("each line says what it is, and whose it may be; nothing is booked without a press", async () => {
  using store = await office();
  const { db } = store;
  const seen = previewBankFile(db, boss, file(lines));
  expect(seen.map(({ line, state, amount, guess }) => [line, state, amount, guess?.username])).toEqual([
    [2, "new", 102_250, "user1"],
    [3, "new", 2200, undefined],
    [4, "left_out", -500, undefined],
    [5, "new", 500, undefined],
    [6, "new", 500, undefined],
    [7, "left_out", 500, undefined],
  ]);
  expect(formatTime(seen[0]?.at ?? 0)).toBe("2030-01-15 00:00:00");
  expect(open(db)).toEqual([]);

  const taken = takeBankFile(db, boss, file(lines), { now: NOW });
  expect(open(db)).toHaveLength(4);
  expect(wallet(db)).toBe(0);
  const ids = taken.flatMap(({ incomingId }) => incomingId ?? []);
  const booked = assignGuessed(db, boss, { ids, method: "bank" }, { now: NOW });
  expect(booked.map(({ refusal }) => refusal === null)).toEqual([true, false, false, false]);
  expect(wallet(db)).toBe(102_250);
  expect(assignGuessed(db, boss, { ids: ids.slice(0, 1), method: "bank" }, { now: NOW })).toMatchObject([
    { booked: null, refusal: expect.stringContaining("was booked as R-") },
  ]);
  expect(wallet(db)).toBe(102_250);
});

test("the same line is taken once, in whatever file and order it comes again", async () => {
  using store = await office();
  const { db } = store;
  takeBankFile(db, boss, file(lines), { now: NOW });
  const more = [...lines.toReversed(), `17.01.2030;9,00;${makeReference(3)};z`];
  const again = takeBankFile(db, boss, file(more, "February.csv"), { now: NOW });
  expect(again.filter(({ state }) => state === "new").map(({ text }) => text)).toEqual([makeReference(3)]);
  expect(open(db)).toHaveLength(5);
});

test("a name and the amount of an open invoice are guesses, where they are of one alone", async () => {
  using store = await office();
  const { db } = store;
  activate(db, by, { subscriberId: 3, packageId: 2 }, { now: NOW });
  db.$client.run("UPDATE subscribers SET name = 'Ann Lee' WHERE id = 1");
  const guesses = (rows: readonly string[]) =>
    previewBankFile(db, boss, file(rows)).map(({ guess }) => guess && [guess.username, guess.by]);
  const rows = ["15.01.2030;7,00;x;ANN LEE", "15.01.2030;20,00;x;somebody"];
  expect(guesses(rows)).toEqual([
    ["user1", "name"],
    ["user3", "amount"],
  ]);
  db.$client.run("UPDATE subscribers SET name = 'ann lee' WHERE id = 2");
  activate(db, by, { subscriberId: 1, packageId: 2 }, { now: NOW });
  expect(guesses(rows)).toEqual([null, null]);
});

describe("a file", () => {
  test.each([
    ["without such a column", { content: "Day;Sum\n1;2\n" }, "date_column"],
    ["with a quote that is never closed", { content: `${HEAD}"1;2;3;4\n` }, "content"],
    ["of too many lines", { content: HEAD + "15.01.2030;1,00;x;y\n".repeat(5001) }, "content"],
  ])("%s is refused", async (_, changes, field) => {
    using store = await office();
    expect(() => takeBankFile(store.db, boss, { ...file([]), ...changes }, { now: NOW })).toThrow(
      expect.objectContaining({ kind: "invalid", fields: { [field]: [expect.any(String)] } }),
    );
  });

  test.each([
    ["Y-m-d", "point", '2030-01-15,"1,022.50",a', "2030-01-15 00:00:00", 102_250],
    ["m/d/Y", "point", "01/15/2030,22,a", "2030-01-15 00:00:00", 2200],
    ["d/m/Y", "comma", '15/1/30,"22,5",a', "2030-01-15 00:00:00", 2250],
    ["d/m/Y", "point", "15/01/2030,22.505,a", null, 0],
  ] as const)("with days as %s and a %s is read", (dates, decimals, row, at, amount) => {
    const map = { date_column: "date", amount_column: "sum", text_column: "text", dates, decimals };
    const [line] = bankLines(`Date,Sum,Text\r\n${row}\r\n`, map);
    expect([line?.fault === null && line.at !== null ? formatTime(line.at) : null, line?.amount]).toEqual([
      at,
      amount,
    ]);
  });

  test("with a number of the bank is known by it", async () => {
    using store = await office();
    const take = (content: string) =>
      takeBankFile(store.db, boss, { ...file([]), content, id_column: "Id" }, { now: NOW }).map(
        ({ state }) => state,
      );
    expect(take("Id;Date;Amount;Text;Payer\nB1;15.01.2030;1,00;x;y\nB1;15.01.2030;1,00;x;y\n")).toEqual([
      "new",
      "known",
    ]);
    expect(take("Id;Date;Amount;Text;Payer\nB1;15.01.2030;1,00;other;y\nB2;15.01.2030;1,00;x;y\n")).toEqual([
      "known",
      "new",
    ]);
  });
});

describe("what banks write", () => {
  const map = { date_column: "Date", amount_column: "Sum", text_column: "Text" };
  test.each([
    ["20300115", "5.00", 500],
    ["15-Jan-2030", "1,00,022.50", 10_002_250],
    ["15 January 2030", "USD 5.00", 500],
    ["2030-01-15T08:00", "5.00 CR", 500],
    ["2030-01-15", "$5", 500],
    ["2030-01-15", "5.00-", -500],
    ["2030-01-15", "(5.00)", -500],
    ["2030-01-15", "5.00 Dr", -500],
    ["2030-01-15", "\u22125.00", -500],
  ])("%s and %s", (date, sum, amount) => {
    const [line] = bankLines(`Date\tSum\tText\n${date}\t${sum}\ta\n`, map);
    expect([line?.at === null ? null : formatTime(line?.at ?? 0), line?.amount]).toEqual([
      "2030-01-15 00:00:00",
      amount,
    ]);
    expect(line?.fault ?? null).toBe(amount > 0 ? null : "it is no money that came in");
  });

  test("above the names of the columns is passed over, and lines keep their numbers", () => {
    const content = `sep=;\nAccount;DE00 1234\n\nDate;Sum;Text\n2030-01-15;5;"two\nlines"\n;;\n2030-01-16;6;b\n`;
    expect(bankLines(content, map).map(({ line, amount }) => [line, amount])).toEqual([
      [6, 500],
      [8, 600],
    ]);
  });

  test.each([
    ["Windows-1252", Buffer.from("Name\nJürgen", "latin1")],
    ["UTF-16 with a mark", Buffer.from("\uFEFFName\nJürgen", "utf16le")],
    ["UTF-8 with a mark", Buffer.from("\uFEFFName\nJürgen")],
  ])("in %s is read", async (_, bytes) => {
    expect((await bankText("a.csv", new Uint8Array(bytes))).replace("\uFEFF", "")).toBe("Name\nJürgen");
  });

  test.each([
    ["a workbook", Buffer.from([0x50, 0x4b, 3, 4]), "workbook"],
    ["a web page", Buffer.from("<html>"), "web page"],
    ["nothing", Buffer.alloc(0), "empty"],
  ])("%s is refused in words", async (_, bytes, expected) => {
    expect(bankText("a.csv", new Uint8Array(bytes))).rejects.toThrow(expected);
  });

  test("is known again by the columns of a file before, else by what the columns are called", async () => {
    using store = await office();
    const content = "Txn Date,Narration,Debit,Credit\n15/01/2030,Ref 5724,,22.00\n";
    const first = lookAtFile(store.db, 1, content);
    expect(first).toMatchObject({
      isRemembered: false,
      columns: { date_column: "Txn Date", dates: "d/m/Y" },
    });
    expect(first.columns).toMatchObject({
      amount_column: "Credit",
      text_column: "Narration",
      decimals: "point",
    });
    const input = { name: "a.csv", content, ...first.columns, dates: "m/d/Y" };
    takeBankFile(store.db, boss, input, { now: NOW });
    expect(lookAtFile(store.db, 1, content)).toMatchObject({
      isRemembered: true,
      columns: { dates: "m/d/Y" },
    });
  });
});
