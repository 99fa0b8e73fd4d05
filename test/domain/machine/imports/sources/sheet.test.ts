import { describe, expect, test } from "bun:test";
import { readCsv } from "../../../../../src/domain/machine/imports/sources/csv/read.ts";
import { Notices, type NoticeKind } from "../../../../../src/domain/machine/imports/notices.ts";
import { sourceFile } from "../../../../support/source-files.ts";
import { inMemory } from "./rows.ts";

const now = Date.parse("2026-11-22T12:00:00Z") / 1000;

async function read(files: string | Readonly<Record<string, string>>, map?: unknown) {
  const notices = new Notices();
  const named = typeof files === "string" ? { "list.csv": files } : files;
  const sources = Object.entries(named).map(([name, text]) => sourceFile(name, text));
  const moved = inMemory(await readCsv(sources, { now, zone: "UTC", notices, map }));
  const rates = moved.packages.map(({ name, rate_limit: rate }) => [name, rate ?? null]);
  const texts = (kind: NoticeKind) => notices.rows.filter((row) => row.kind === kind).map(({ text }) => text);
  return { ...moved, rates, texts };
}

describe("a speed with each subscriber", () => {
  test.each([
    ["Speed", "20M", "20M/20M"],
    ["Bandwidth", "20 Mbps", "20M/20M"],
    ["Velocidad (Mbps)", "20", "20M/20M"],
    ["rate_limit", "5M/20M", "5M/20M"],
    ["rate_limit", "5m/20m", "5M/20M"],
    ["Rate limit", "5M/20M 10M/40M 4M/16M 8/8", "5M/20M 10M/40M 4M/16M 8/8"],
    ["Download,Upload", "20 Mbps,5 Mbps", "5M/20M"],
    ["Download (kbps),Upload (kbps)", "20480,5120", "5120k/20480k"],
  ])("%s becomes that of the package where all agree", async (headers, cells, rate) => {
    const none = ",".repeat(headers.split(",").length - 1);
    const { rates, texts } = await read(
      `username,package,${headers}\na,Home,${cells}\nb,Home,${cells}\nc,Home,${none}\n`,
    );
    expect(rates).toEqual([["Home", rate]]);
    expect(texts("term_left")).toEqual([]);
  });

  test("is told where they do not, and where a table of packages has another", async () => {
    const sheet = "username,package,speed\na,Home,10M\nb,Home,20M\nc,Home,20M\nd,Office,50M\ne,Office,50M\n";
    const alone = await read(sheet);
    expect(alone.rates).toEqual([
      ["Home", null],
      ["Office", "50M/50M"],
    ]);
    expect(alone.texts("term_left")).toEqual([
      "Its subscribers have different speeds, 20M/20M (2), 10M/10M (1): it comes without one. Set it here, or give each speed a package of its own there",
    ]);
    const { rates, texts } = await read({
      "list.csv": sheet,
      "plans.csv": "Name,Price,Rate\nHome,15,10M\nOffice,30,50M\n",
    });
    expect(rates).toEqual([
      ["Home", "10M/10M"],
      ["Office", "50M/50M"],
    ]);
    expect(texts("note").join()).toContain(
      "Its speed is 10M/10M; its subscribers have 20M/20M (2), 10M/10M (1)",
    );
  });

  test("makes a package of each where none is named", async () => {
    const { rates, subscribers, texts } = await read("username,speed\na,10M\nb,20M\nc,10M\nd,\n");
    expect(rates).toEqual([
      ["10M/10M", "10M/10M"],
      ["20M/20M", "20M/20M"],
    ]);
    expect(subscribers.map(({ package: key }) => key)).toEqual(["10M/10M", "20M/20M", "10M/10M", null]);
    expect(texts("package_made")).toHaveLength(2);
  });

  test("is not how much somebody has sent, and leaves a plan its name", async () => {
    const used = await read(
      "username,package,Download,Upload\na,Home,12.5 GB,1.2 GB\nb,Home,3.1 GB,0.2 GB\n",
    );
    expect([used.rates, used.texts("left_out").length]).toEqual([[["Home", null]], 2]);
    const plan = await read("username,Plan speed\na,Home 10\nb,Home 10\n");
    expect(plan.rates).toEqual([["Home 10", null]]);
  });
});

describe("the telephone of a sheet", () => {
  const people = (headers: string, cells: string) => read(`username,${headers}\nsam,${cells}\n`);

  test.each([
    "Telephone",
    "Phone",
    "Contact",
    "Teléfono",
    "Telefon",
    "Téléphone",
    "هاتف",
    "телефон",
    "No Telp",
  ])("%s is the mobile where it is the only one", async (header) => {
    const { subscribers } = await people(header, "0300 1234567");
    expect(subscribers).toMatchObject([{ mobile_number: "0300 1234567", phone_number: null }]);
  });

  test.each<[headers: string, cells: string, mobile: string | null, phone: string | null]>([
    ["Phone,Mobile", "021 11111,0300 22222", "0300 22222", "021 11111"],
    ["Landline", "021 11111", null, "021 11111"],
    ["Home phone,Phone", "021 11111,0300 22222", "0300 22222", "021 11111"],
  ])("%s", async (headers, cells, mobile, phone) => {
    const { subscribers } = await people(headers, cells);
    expect(subscribers).toMatchObject([{ mobile_number: mobile, phone_number: phone }]);
  });

  test("stays what the map says", async () => {
    const { subscribers } = await read("username,Phone\nsam,0300 22222\n", {
      columns: { Phone: "phone_number" },
    });
    expect(subscribers).toMatchObject([{ mobile_number: null, phone_number: "0300 22222" }]);
  });
});

test.each(["ID No", "ID no.", "Passport No", "National ID No"])(
  "%s is a number of identity",
  async (header) => {
    const { subscribers } = await read(`username,${header}\na,12345\n`);
    expect(subscribers).toMatchObject([{ nic_number: "12345" }]);
  },
);
