import { describe, expect, test } from "bun:test";
import { array, assert, asyncProperty, constantFrom, record, string, uint8Array } from "fast-check";
import { csvLine } from "../../../../../src/domain/machine/imports/data-set/csv.ts";
import type { MovedSubscriber } from "../../../../../src/domain/machine/imports/model.ts";
import { MovingRefused } from "../../../../../src/domain/machine/imports/source.ts";
import { lookAtTable } from "../../../../../src/domain/machine/imports/sources/csv/look.ts";
import { readMap } from "../../../../../src/domain/machine/imports/sources/csv/map.ts";
import { readCsv } from "../../../../../src/domain/machine/imports/sources/csv/read.ts";
import { type NoticeKind, Notices } from "../../../../../src/domain/machine/imports/notices.ts";
import { sourceFile } from "../../../../support/source-files.ts";
import { inMemory } from "./rows.ts";
import { runs } from "../../../../support/runs.ts";

const now = Date.parse("2026-11-22T12:00:00Z") / 1000;
const utc = (iso: string) => Date.parse(iso) / 1000;

interface Read extends ReturnType<typeof inMemory> {
  readonly notices: Notices;
  readonly only: MovedSubscriber;
  readonly texts: (kind: NoticeKind) => string[];
}

async function read(
  files: string | Uint8Array | Readonly<Record<string, string | Uint8Array>>,
  map?: unknown,
): Promise<Read> {
  const notices = new Notices();
  const named = typeof files === "string" || files instanceof Uint8Array ? { "list.csv": files } : files;
  const sources = Object.entries(named).map(([name, content]) => sourceFile(name, content));
  const moved = inMemory(await readCsv(sources, { now, zone: "UTC", notices, map }));
  const texts = (kind: NoticeKind) => notices.rows.filter((row) => row.kind === kind).map(({ text }) => text);
  const [only] = moved.subscribers;
  if (!only) throw new Error(`nobody was read: ${notices.rows.map(({ text }) => text).join("; ")}`);
  return { ...moved, notices, only, texts };
}

describe("files of one table in several encodings", () => {
  const table =
    "Usuario;Contraseña;Nombre;Fecha de vencimiento;Saldo\r\nana;señal1;Ana Nuñez;31/12/2026;1.234,50\r\njosé;clave;José Ibáñez;05/01/2027;-3,5\r\n";
  const utf16 = (text: string, isBig: boolean) => {
    const bytes = Buffer.from(text, "utf16le");
    return new Uint8Array(isBig ? bytes.swap16() : bytes);
  };
  const latin = new Uint8Array(Buffer.from(table, "latin1"));
  const encodings: Readonly<Record<string, Uint8Array>> = {
    "UTF-8": new TextEncoder().encode(table),
    "UTF-8 with a mark": new TextEncoder().encode(`\uFEFF${table}`),
    "UTF-16LE with a mark": utf16(`\uFEFF${table}`, false),
    "UTF-16BE with a mark": utf16(`\uFEFF${table}`, true),
    "UTF-16LE": utf16(table, false),
    "Windows-1252": latin,
  };
  for (const [name, bytes] of Object.entries(encodings))
    test(name, async () => {
      const { subscribers, notices } = await read(bytes);
      expect(subscribers).toMatchObject([
        { username: "ana", password: "señal1", name: "Ana Nuñez", balance: "1234.50", enabled: true },
        { username: "josé", password: "clave", name: "José Ibáñez", balance: "-3.50" },
      ]);
      expect(notices.rows.some(({ text }) => text.includes("windows-1252"))).toBe(name === "Windows-1252");
    });

  test("Arabic and Cyrillic of one byte a letter are known by their letters", async () => {
    const arabic = new Uint8Array([
      ...Buffer.from("username,name\nali,"),
      ...[0xc3, 0xcd, 0xe3, 0xcf, 0x20, 0xe3, 0xcd, 0xe3, 0xe6, 0xcf],
      ...Buffer.from("\nomar,"),
      ...[0xda, 0xe3, 0xd1, 0xc7, 0xe1, 0xd3],
    ]);
    expect((await read(arabic)).only.name).toBe("أحمد محمود");
    const russian = new Uint8Array([
      ...Buffer.from("username,name\nivan,"),
      ...[0xc8, 0xe2, 0xe0, 0xed, 0x20, 0xcf, 0xe5, 0xf2, 0xf0, 0xee, 0xe2, 0xe8, 0xf7],
    ]);
    expect((await read(russian)).only.name).toBe("Иван Петрович");
  });

  test("the map says what nothing in the file does", async () => {
    const { only, texts } = await read(new Uint8Array([...Buffer.from("username,name\nali,"), 0xc7]), {
      encoding: "windows-1256",
    });
    expect(only.name).toBe("ا");
    expect(texts("note").join()).not.toContain("No byte");
    expect(read("username\nx", { encoding: "klingon" })).rejects.toThrow("is no encoding that is known");
  });
});

describe("columns are known by their names in", () => {
  const languages: Readonly<Record<string, string>> = {
    English: "User Name,Password,Full Name,Mobile Number,Expiration Date,Package",
    Spanish: "Usuario,Contraseña,Nombre completo,Celular,Fecha de vencimiento,Plan",
    Portuguese: "Usuário,Senha,Nome completo,Celular,Data de vencimento,Plano",
    French: "Nom d'utilisateur,Mot de passe,Nom complet,Portable,Date d'expiration,Forfait",
    German: "Benutzername,Passwort,Kundenname,Handynummer,Ablaufdatum,Tarif",
    Italian: "Nome utente,Password,Nominativo,Cellulare,Data di scadenza,Pacchetto",
    Turkish: "Kullanıcı Adı,Şifre,Ad Soyad,Cep Telefonu,Bitiş Tarihi,Tarife",
    Indonesian: "Nama Pengguna,Kata Sandi,Nama Lengkap,No HP,Jatuh Tempo,Paket",
    Swahili: "Jina la mtumiaji,Nenosiri,Jina kamili,Simu ya mkononi,Tarehe ya mwisho,Kifurushi",
    Russian: "Логин,Пароль,ФИО,Мобильный телефон,Дата окончания,Тарифный план",
    Arabic: "اسم المستخدم,كلمة المرور,الاسم الكامل,رقم الجوال,تاريخ الانتهاء,الباقة",
    Urdu: "صارف نام,پاس ورڈ,پورا نام,موبائل نمبر,تاریخ اختتام,پیکج",
    Hindi: "उपयोगकर्ता नाम,पासवर्ड,पूरा नाम,मोबाइल नंबर,समाप्ति तिथि,पैकेज",
    Bengali: "ব্যবহারকারীর নাম,পাসওয়ার্ড,পুরো নাম,মোবাইল নম্বর,মেয়াদ শেষ,প্যাকেজ",
  };
  test.each(Object.entries(languages))("%s", async (_, headers) => {
    const { only } = await read(`${headers}\nsam,pw,Sam Doe,0300 1234567,2026-12-31,Home 10\n`);
    expect(only).toMatchObject({
      username: "sam",
      password: "pw",
      name: "Sam Doe",
      mobile_number: "0300 1234567",
    });
    expect(only).toMatchObject({ service: { expiresAt: utc("2026-12-31T23:59:59Z") }, package: "Home 10" });
  });
});

describe("the tables of other systems", () => {
  test("Zal Pro", async () => {
    const { subscribers, packages, routers, texts } = await read(
      `Full Name,Identity Number,Mobile Number,User Name,Password,Connection Type,Expiration Date,Package Id,Nas Id,Static Ip,Mac Address
Sam Doe,35202-1,0300,sam,pw-1,1,01 Jan 2027 23:59,12,3,10.0.0.5,AA:BB:CC:DD:EE:FF
Ann Roe,35202-2,0301,ann,pw-2,2,05-02-2027 23:59,12,3,,
Bob Low,35202-3,0302,bob,pw-3,5,01 Jan 2027 23:59,13,3,10.0.0.9,
`,
      {
        packages: { "12": "Home 10" },
        nas: { "3": { name: "Core", address: "192.0.2.1", secret: "s3cret" } },
      },
    );
    expect(subscribers).toMatchObject([
      {
        username: "sam",
        connection: "ppp",
        service: { expiresAt: utc("2027-01-01T23:59:00Z") },
        package: "12",
        router: "3",
        static_ip: "10.0.0.5",
        mac_address: "AA:BB:CC:DD:EE:FF",
        nic_number: "35202-1",
      },
      {
        username: "ann",
        connection: "hotspot",
        service: { expiresAt: utc("2027-02-05T23:59:00Z") },
        static_ip: null,
        mac_address: null,
      },
      {
        username: "bob",
        connection: null,
        static_ip: "10.0.0.9",
        enabled: true,
        service: { expiresAt: utc("2027-01-01T23:59:00Z") },
      },
    ]);
    expect(packages).toMatchObject([
      { key: "12", name: "Home 10", price: null },
      { key: "13", name: "Package 13" },
    ]);
    expect(routers).toMatchObject([{ key: "3", name: "Core", address: "192.0.2.1", secret: "s3cret" }]);
    expect(texts("no_service")).toEqual([]);
    expect(texts("note").join()).toContain("come with their paid time");
    expect(texts("note").join()).toContain("Day and month could stand either way round");
  });

  test("Splynx: customers, their services, and tariffs", async () => {
    const { subscribers, packages, texts } = await read({
      "customers.csv": `ID;Status;Portal login;Full name;Email;Phone number;Partner;Location;Street;ZIP code;City;Account balance
7;Active;000007;Sam Doe;sam@isp.example;+27 82 1;Main;North;1 Harbour Rd;8001;Riverton;120,50
8;Blocked;000008;Ann Roe;;+27 82 2;Main;North;2 Hill St;8001;Riverton;-35,00
9;New;000009;Nobody Yet;;;Main;North;;;;0
`,
      "services.csv": `ID;Customer ID;Status;Plan;Service login;Service password;IPv4;MAC(s);End date;Price
51;7;Active;Home 20;sam20;pw-1;;;31/12/2026;399,00
52;7;Active;Home 5;sam5;pw-2;10.1.1.1;;;199,00
53;8;Blocked;Home 20;ann;pw-3;;;15/12/2026;399,00
`,
      "tariffs.csv": `ID;Title;Price;Speed download (kbps);Speed upload (kbps)
1;Home 20;399,00;20480;5120
`,
    });
    expect(subscribers).toMatchObject([
      {
        username: "sam20",
        name: "Sam Doe",
        address: "1 Harbour Rd, 8001",
        city: "Riverton",
        branch: "Main",
        area: "North",
        balance: "120.50",
        package: "1",
        enabled: true,
      },
      { username: "sam5", name: "Sam Doe", static_ip: "10.1.1.1", package: "Home 5", balance: null },
      { username: "ann", enabled: false, balance: "-35.00" },
    ]);
    expect(packages).toMatchObject([
      { key: "1", name: "Home 20", price: "399.00", rate_limit: "5120k/20480k" },
      { key: "Home 5", price: "199.00" },
    ]);
    expect(texts("left_out").join()).toContain("without a line");
    expect(texts("note").join()).toContain("comes with the first of them");
  });

  test("our own list, read back", async () => {
    const heading = [
      "id",
      "name",
      "username",
      "mobile",
      "status",
      "package",
      "expires",
      "balance",
      "line",
      "router",
      "area",
      "salesperson",
      "box",
      "created",
    ];
    const row = [
      42,
      "=Sam",
      "sam",
      "+92 300",
      "active",
      "Home 10",
      "2026-12-31 12:00:00",
      -12.5,
      "online",
      "Core",
      "East",
      "ada",
      "BOX-7",
      "2026-01-01 10:00:00",
    ];
    const { only } = await read(`\uFEFF${csvLine(heading)}${csvLine(row)}`);
    expect(only).toMatchObject({
      name: "=Sam",
      username: "sam",
      mobile_number: "+92 300",
      package: "Home 10",
      balance: "-12.50",
      router: "Core",
      area: "East",
      salesperson: "ada",
      box_number: "BOX-7",
      service: { expiresAt: utc("2026-12-31T12:00:00Z") },
      createdAt: utc("2026-01-01T10:00:00Z"),
    });
  });
});

describe("what stands in cells", () => {
  test("quotes, line breaks, marks for spreadsheets, another header again", async () => {
    const { subscribers, notices } = await read(
      `sep=;\r\nlogin;password;name;note\r\nsam;'=pw;"Doe, ""Sam""";"two\nlines"\r\n\r\n="0042";'+1;x;\r\nlogin;password;name;note\r\nann;;y;\r\nbad;p;z;n;more\r\n`,
    );
    expect(subscribers).toMatchObject([
      {
        username: "sam",
        password: "=pw",
        name: 'Doe, "Sam"',
        global_note: "two\nlines",
        at: { file: "list.csv", line: 3 },
      },
      { username: "0042", password: "+1", at: { line: 6 } },
      { username: "ann", password: { lost: "none" }, at: { line: 8 } },
    ]);
    expect(notices.rows.filter(({ kind }) => kind === "refused")).toMatchObject([
      {
        who: "bad",
        at: { line: 9 },
        text: 'there are 5 cells for 4 columns: is ";" in a value without quotation marks around it?',
      },
    ]);
  });

  test.each([
    ["username,expires\na,31/02/2026", 'column "expires": "31/02/2026" is no date that can be read'],
    ["username,balance,expires\na,twelve,\nb,1,\nc,2,", 'column "balance": "twelve" is no amount'],
    ["username,name\n ,Sam\nb,c", "there is no username in this row"],
  ])("%j does not come, and says why", async (text, problem) => {
    const notices = new Notices();
    await readCsv([sourceFile("list.csv", `${text}\nok,,\n`)], { now, zone: "UTC", notices, map: undefined });
    expect(notices.rows.filter(({ kind }) => kind === "refused")).toMatchObject([{ text: problem }]);
  });

  test("hashes and stars are no passwords", async () => {
    const md5 = (text: string) => new Bun.CryptoHasher("md5").update(text).digest("hex");
    const rows = ["a", "b", "c", "d", "e"].map((name) => `${name},${md5(name)}`);
    const { subscribers } = await read(`username,password\n${rows.join("\n")}\n`);
    expect(new Set(subscribers.map(({ password }) => JSON.stringify(password)))).toEqual(
      new Set(['{"lost":"hashed"}']),
    );
    const { subscribers: others } = await read(
      `username,password\na,$2y$10$abc\nb,********\nc,${md5("c")}\n`,
    );
    expect(others.map(({ password }) => password)).toEqual([{ lost: "hashed" }, { lost: "none" }, md5("c")]);
  });

  test("a password is in nothing that is told", async () => {
    const { notices } = await read("username,password,name\nsam,hunter2,x,y\nsam,hunter2,x\n,hunter2,\n");
    expect(JSON.stringify(notices.rows)).not.toContain("hunter2");
  });

  test("the month is first where the column says so, and it is told where it does not", async () => {
    const american = await read("username,expires\na,12/31/2026\nb,01/02/2027");
    expect(american.subscribers[1]?.service?.expiresAt).toBe(utc("2027-01-02T23:59:59Z"));
    expect(american.texts("note").join()).not.toContain("either way");
    const result = await read("username,expires,package\na,01/02/2027,p", { dates: "mdy" });
    expect(result.only.service?.expiresAt).toBe(utc("2027-01-02T23:59:59Z"));
    const mixed = await read("username,expires\na,31/12/2026\nb,30/12/2026\nc,12/31/2026");
    expect(mixed.texts("refused")).toHaveLength(1);
    expect(mixed.texts("note").join()).toContain("others the month");
  });

  test("the map goes before what is found", async () => {
    const { only, texts } = await read("Login,Code,X\nsam,pw,abc\n", {
      columns: { Code: "password", X: "name", Login: "username" },
      defaults: { package: "Home", connection: "pppoe" },
    });
    expect(only).toMatchObject({
      username: "sam",
      password: "pw",
      name: "abc",
      package: "Home",
      connection: "ppp",
    });
    expect(texts("left_out")).toEqual([]);
    const without = await read("Login,Password,Foo\nsam,pw,abc\n", { columns: { Password: null } });
    expect(without.only.password).toEqual({ lost: "none" });
    expect(without.texts("left_out")).toHaveLength(2);
  });

  test.each([
    [{ columns: { A: "shoe_size" } }, "the map: columns.A has to be username, password"],
    [{ colums: {} }, "the map: colums has to be one of kind, columns"],
    [{ dates: "ymd" }, "the map: dates has to be dmy, mdy"],
    [[], "the map has to be a JSON object"],
    [{ connection: { fibre: "fast" } }, "connection.fibre has to be pppoe, hotspot, static or any"],
  ])("a map of %j is refused", (map, message) => expect(() => readMap(map)).toThrow(message));
});

describe("what is no table is refused in words", () => {
  const zip = new Uint8Array([0x50, 0x4b, 3, 4, 0, 0]);
  const noise = new Uint8Array(5000).map((_, index) => (index * 7919) % 256);
  test.each<[string, string | Uint8Array, string]>([
    ["a workbook", zip, "save it as CSV"],
    ["a PDF", "%PDF-1.7 ...", "is a PDF"],
    ["nothing", "", "is empty"],
    ["noise", noise, "is no text"],
    ["a page", "<!DOCTYPE html><table>", "is a web page"],
    ["a dump", "-- MariaDB dump 10.19\n", "is a dump of a database"],
    [
      "a quote that stays open",
      'username,name\nsam,"x\nann,y\n',
      "line 2: a quotation mark is opened there and never closed",
    ],
    [
      "a cell of ten megabytes",
      `username,name\nsam,${"x".repeat(10_000_000)}\n`,
      "line 2: the row is longer than 1 MiB",
    ],
    ["a million columns", `${"a,".repeat(1_000_000)}\n`, "more than 500 columns"],
    ["a thousand columns", `${"a,".repeat(1000)}\n`, "more than 500 columns"],
    ["a table of something else", "Shoe,Size\nx,42\n", "no column is known to be the username"],
  ])("%s", async (_, content, message) => {
    const reading = read(content);
    expect(reading).rejects.toBeInstanceOf(MovingRefused);
    expect(reading).rejects.toThrow(message);
  });

  test("whatever the bytes, it is read or refused in words", async () => {
    const cell = string({
      unit: constantFrom("a", ",", ";", '"', "\n", "\t", "'", "=", "é", "0", "/", "٣", "\0"),
      maxLength: 8,
    });
    const bytes = uint8Array({ maxLength: 200 });
    const attempt = async (content: string | Uint8Array) => {
      const notices = new Notices();
      await readCsv([sourceFile("x.csv", content)], { now, zone: "UTC", notices, map: undefined }).catch(
        (error: unknown) => {
          if (!(error instanceof MovingRefused)) throw error;
        },
      );
    };
    await assert(
      asyncProperty(array(cell), async (cells) =>
        attempt(`username,password,name,expires,balance\n${cells.join(",")}`),
      ),
      runs(80, 300),
    );
    await assert(asyncProperty(bytes, attempt), runs(50, 200));
  });

  test("a table that was written properly is read as it was", async () => {
    const text = string({ unit: "grapheme", minLength: 1, maxLength: 12 }).filter(
      (value) =>
        value.trim() !== "" && !/[\0\r\uFEFF]/.test(value) && !/^'|^="|^[*•x]{4}|^\$|^\{/i.test(value.trim()),
    );
    const row = record({ username: text, password: text });
    await assert(
      asyncProperty(array(row, { minLength: 1, maxLength: 20 }), async (rows) => {
        const lines = rows.map(({ username, password }) => csvLine([username, password]));
        const { subscribers } = await read(`${csvLine(["username", "password"])}${lines.join("")}`);
        expect(subscribers.map(({ username, password }) => ({ username, password }))).toEqual(rows);
      }),
      runs(50, 200),
    );
  });
});

test("a look says how sure it is of each column, with values of it", async () => {
  const file = sourceFile(
    "x.csv",
    "Login,Customer mobile,Dev,Foo\nsam,0300 12345,AA:BB:CC:00:11:22,1\nann,0301 12345,AA:BB:CC:00:11:23,2\nbob,,AA:BB:CC:00:11:24,\n",
  );
  const { columns, rows } = await lookAtTable(file, readMap(undefined));
  expect(rows).toBe(3);
  expect(columns.map(({ header, target, confidence }) => [header, target, confidence])).toEqual([
    ["Login", "username", "sure"],
    ["Customer mobile", "mobile_number", "likely"],
    ["Dev", "mac_address", "perhaps"],
    ["Foo", null, "none"],
  ]);
  expect(columns[1]?.samples).toEqual(["0300 12345", "0301 12345"]);
});
