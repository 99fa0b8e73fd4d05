import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { templateFields } from "../../src/domain/around/messages/fields.ts";
import { presets } from "../../src/domain/around/messages/presets.ts";
import { noticeHeadings } from "../../src/domain/machine/imports/notices.ts";
import { eventTypes } from "../../src/domain/core/events/types.ts";
import { Format } from "../../src/http/pages/format.ts";
import {
  chooseLanguage,
  consoleLanguages,
  languages,
  type LanguageName,
} from "../../src/http/words/languages.ts";
import { loadMessages as messagesIn, readCompiled, type Said } from "../../src/http/words/messages.ts";

import { en } from "../support/words.ts";

/** What a message says in all of its cases, with a mark for each value. */
function textOf(said: Said | undefined): string {
  if (said === undefined || typeof said === "string") return said ?? "";
  const texts = said.map((part) =>
    typeof part === "string"
      ? part
      : typeof part === "number" || part.length === 1
        ? "«»"
        : Object.values(part[2]).map(textOf).join(" "),
  );
  return texts.join("");
}

const chapters = ["portal", "hotspot"];
const messagesOf = ({ tag }: LanguageName) =>
  chapters.flatMap((chapter) =>
    Object.entries(readCompiled(tag)[chapter] ?? {}).map(
      ([key, said]) => [`${chapter} ${key}`, said] as const,
    ),
  );
const [english, ...others] = languages;
const model = new Map(messagesOf(english));
/** Those of scripts in which a word that is still English is seen by its letters. */
const notLatin = others.filter(({ tag }) => ["ar", "ur", "hi", "bn", "ru"].includes(tag));
const ofTheLanguage = /^hotspot noScript$|^portal units\.\w+$/;

test("what the program reads is made of the files of words as they are", () => {
  const { exitCode, stderr } = Bun.spawnSync([process.execPath, "scripts/words.ts", "--check"]);
  expect([exitCode, stderr.toString()]).toEqual([0, ""]);
});

test("the languages are those of the handbook, each once", () => {
  expect(languages.map(({ tag }) => tag).sort()).toEqual([..."ar bn en es fr hi id pt ru sw ur".split(" ")]);
});

test("what events and fields of texts are is said by the console in English as it is by the API", () => {
  const told = readCompiled("en")["told"] ?? {};
  const said = Object.entries({ ...eventTypes, ...templateFields }).map(([name, { says }]) => [name, says]);
  const words = Object.entries(told).flatMap(([key, text]) =>
    key.startsWith("channels.") ? [] : [[key.replace(/^(?:events|fields)\./, ""), text]],
  );
  expect(Object.fromEntries(words)).toEqual(Object.fromEntries(said));
});

/** Of one as of many: `1 refused`, `1 will not get it`. */
const asOfMany: ReadonlySet<string> = new Set([
  "message-writing many.wont",
  "online silentRouters",
  "packages sessions.changed",
  "packages sessions.unchanged",
  "router-setup counts.added",
  "router-setup counts.changed",
  "router-setup counts.removed",
  "routers figures.loginsHint",
  "routers refused",
]);

test("English tells one from many where Spanish does: nothing is done 1 times, to 1 subscribers", () => {
  const file = (language: string, chapter: string) =>
    new URL(`../../src/http/words/${language}/${chapter}`, import.meta.url).pathname;
  const read = (language: string, chapter: string): Record<string, unknown> =>
    JSON.parse(readFileSync(file(language, chapter), "utf8"));
  const parts = (message: unknown) => JSON.stringify(message ?? "").includes(", plural,");
  const chapters = readdirSync(file("es", ""));
  expect(chapters.length).toBeGreaterThan(50);
  const faults = chapters.flatMap((chapter) => {
    const [spoken, translated] = [read("en", chapter), read("es", chapter)];
    return Object.keys(spoken)
      .filter((key) => parts(translated[key]) && !parts(spoken[key]))
      .map((key) => `${chapter.replace(".json", "")} ${key}`);
  });
  expect(faults.filter((fault) => !asOfMany.has(fault))).toEqual([]);
});

test("what an import tells is headed by the console in English as it is by the commands", () => {
  expect(en.importing.notices).toEqual(noticeHeadings);
});

test("what kinds of channels are is said by the console in English as it is by the API", () => {
  const { channels } = en.told;
  expect(Object.keys(channels).sort()).toEqual(presets.map(({ key }) => key).sort());
  for (const { key, name, says, secrets } of presets)
    expect([key, { name, secrets: {}, ...channels[key] }]).toEqual([key, { name, says, secrets }]);
});

test.each(others.map((language) => [language.tag, language] as const))(
  "%s: every message is there, says something, and keeps its last sign",
  (_tag, language) => {
    const own = new Map(messagesOf(language));
    expect([...own.keys()]).toEqual([...model.keys()]);
    for (const [place, said] of own) {
      expect([place, textOf(said).trim() === ""]).toEqual([place, false]);
      if (textOf(model.get(place)).endsWith("."))
        expect([place, /[.۔।]$/.test(textOf(said))]).toEqual([place, true]);
    }
  },
);

test.each(notLatin.map((language) => [language.tag, language] as const))(
  "%s: nothing is left in Latin letters",
  (_tag, language) => {
    for (const [place, said] of messagesOf(language))
      if (!ofTheLanguage.test(place))
        expect([place, textOf(said).match(/\p{Script=Latin}+/u)]).toEqual([place, null]);
  },
);

test("in Latin letters, what is as in English is what is a word of the language too", () => {
  const same = others
    .filter((language) => !notLatin.includes(language))
    .flatMap((language) =>
      messagesOf(language)
        .filter(([place, said]) => !ofTheLanguage.test(place) && textOf(said) === textOf(model.get(place)))
        .filter(
          ([place]) =>
            !/^(?:portal (?:labelled|invoices\.tax)|hotspot (?:code|day|hour|minute|second))$/.test(place),
        )
        .map(([place, said]) => `${language.tag} ${place.replace("portal ", "")} ${textOf(said)}`),
    );
  expect(same.sort()).toEqual([
    "es home.total Total",
    "es invoices.total Total",
    "es reach.chat Chat",
    "fr app.notify Notifications",
    "fr contact Contact",
    "fr endings.Admin-Reboot Maintenance",
    "fr endings.NAS-Reboot Maintenance",
    "fr home.total Total",
    "fr invoices.date Date",
    "fr invoices.total Total",
    "fr nav.label Pages",
    "fr nav.sessions Sessions",
    "fr sessions.title Sessions",
    "fr settings.email E-mail",
    "fr settings.messages Messages",
    "fr settings.mobile Mobile",
    "id home.chips.offline Offline",
    "id home.chips.online Online",
    "pt home.chips.offline Offline",
    "pt home.chips.online Online",
    "pt home.total Total",
    "pt invoices.total Total",
    "pt settings.email E-mail",
    "sw home.data Data",
  ]);
});

const ofConsole = consoleLanguages().slice(1);
const consoleMessages = ({ tag }: LanguageName) =>
  Object.entries(readCompiled(tag)).flatMap(([chapter, messages]) =>
    chapters.includes(chapter)
      ? []
      : Object.entries(messages).map(([key, said]) => [`${chapter} ${key}`, textOf(said)] as const),
  );

test.each(ofConsole.map((language) => [language.tag, language] as const))(
  "%s: every message of the console says something, and keeps its last sign",
  (_tag, language) => {
    const inEnglish = new Map(consoleMessages(english));
    for (const [place, text] of consoleMessages(language)) {
      const model = inEnglish.get(place) ?? "";
      expect([place, text.trim() === "" && model.trim() !== ""]).toEqual([place, false]);
      if (/\w\.$/.test(model)) expect([place, /[.؟।۔!…-]$/.test(text)]).toEqual([place, true]);
    }
  },
);

test("what the console does not say in Arabic letters is a name, a mark or an example", () => {
  const arabic = ofConsole.find(({ tag }) => tag === "ar") ?? english;
  const latin = consoleMessages(arabic).filter(
    ([, text]) => /\p{Script=Latin}/u.test(text) && !/\p{Script=Arabic}/u.test(text),
  );
  expect([...new Set(latin.map(([, text]) => text))].sort()).toEqual([
    "/etc/nats-server.conf",
    "A4",
    "Account & Settings, Webhooks",
    "Account SID",
    "Bun",
    "C-000123, 0117-001",
    "CAKE",
    "CHAP",
    "CSV",
    "Cisco",
    "Commit",
    "DHCP",
    "DNS",
    "Developers, Webhooks",
    "Disconnect-Requests",
    "FQ-CoDel",
    "Flutterwave v3",
    "Flutterwave v4",
    "FreeRADIUS، daloRADIUS",
    "Huawei",
    "IP",
    "JSON",
    "Juniper",
    "M-Pesa C2B",
    "MAC",
    "MPPE",
    "MS-CHAPv2",
    "MikroTik",
    "PAP",
    "PPPoE",
    "Paystack",
    "Phone number ID",
    "RADIUS",
    "RADIUSdesk",
    "RadSec",
    "Razorpay",
    "RouterOS API",
    "SHA-256",
    "STARTTLS",
    "Settings, API Keys & Webhooks",
    "Settings, Webhooks",
    "Stripe",
    "TLS",
    "VLAN",
    "Webhook",
    "Webhooks",
    "Xendit",
    "accel-ppp",
    "gatehouse tls self-signed isp.example",
    "phpnuxbill",
    "sam.carter",
  ]);
});

describe("counts", () => {
  const of = (tag: string) => chooseLanguage(tag).words;

  test.each([
    [1, "1 неоплаченный счёт", "день остался"],
    [2, "2 неоплаченных счёта", "дня осталось"],
    [5, "5 неоплаченных счетов", "дней осталось"],
    [11, "11 неоплаченных счетов", "дней осталось"],
    [21, "21 неоплаченный счёт", "день остался"],
    [104, "104 неоплаченных счёта", "дня осталось"],
  ])("%d in Russian", (count, invoices, days) => {
    expect(of("ru").home.unpaid(count)).toBe(invoices);
    expect(of("ru").home.left.days(count)).toBe(days);
  });

  test.each([
    [1, "فاتورة واحدة غير مدفوعة", "ثانية واحدة"],
    [2, "فاتورتان غير مدفوعتين", "ثانيتين"],
    [3, "3 فواتير غير مدفوعة", "3 ثوانٍ"],
    [11, "11 فاتورة غير مدفوعة", "11 ثانية"],
    [100, "100 فاتورة غير مدفوعة", "100 ثانية"],
  ])("%d in Arabic", (count, invoices, seconds) => {
    expect(of("ar").home.unpaid(count)).toBe(invoices);
    expect(of("ar").signIn.tooMany(count)).toContain(seconds);
  });

  test("none is of many in Portuguese, and not said to be one", () => {
    const { money, today } = messagesIn("pt");
    expect(today.needMoneyFirst(0)).toBe("0 precisam primeiro de dinheiro");
    expect(money.taken("0,00", 0)).toBe("0,00 recebidos em 0 pagamentos.");
  });

  test("none is of many in Hindi, and not said to be one", () => {
    const { card, packages } = messagesIn("hi");
    expect([0, 1, 2].map((count) => card.ended(count))).toEqual([
      "0 सेशन खत्म किए गए।",
      "एक सेशन खत्म किया गया।",
      "2 सेशन खत्म किए गए।",
    ]);
    expect(packages.sentence(0, 0)).toBe("0 प्लान, इन पर 0 चालू।");
  });

  test.each([
    ["en", "1 unpaid invoice", "2 unpaid invoices"],
    ["es", "1 factura sin pagar", "2 facturas sin pagar"],
    ["pt", "1 fatura em aberto", "2 faturas em aberto"],
    ["fr", "1 facture impayée", "2 factures impayées"],
    ["sw", "Ankara 1 haijalipwa", "Ankara 2 hazijalipwa"],
    ["ur", "1 بل ادا نہیں ہوا", "2 بل ادا نہیں ہوئے"],
    ["id", "1 tagihan belum dibayar", "2 tagihan belum dibayar"],
  ])("one and two in %s", (tag, one, two) => {
    expect([of(tag).home.unpaid(1), of(tag).home.unpaid(2)]).toEqual([one, two]);
  });
});

describe("numbers, dates and money", () => {
  const at = Date.UTC(2030, 0, 25, 12, 5) / 1000;
  /** As it is read: without marks of direction and with plain blanks. */
  const plain = (text: string) =>
    text.replace(/[\u200e\u200f\u2066-\u2069]/g, "").replace(/[\u00a0\u202f]/g, " ");

  test.each([
    ["en-GB", "25 Jan 2030", "-US$1,234.50", "84.2 GB", "20 Mbit/s"],
    ["es-MX", "25 ene 2030", "-USD 1,234.50", "84.2 GB", "20 Mbit/s"],
    ["pt-BR", "25 de jan. de 2030", "-US$ 1.234,50", "84,2 GB", "20 Mbit/s"],
    ["fr", "25 janv. 2030", "-1 234,50 $US", "84,2 Go", "20 Mbit/s"],
    ["ar-EG", "25/01/2030", "-1,234.50 US$", "84.2 غ.ب", "20 ميغابت/ث"],
    ["ar-SA", "25/01/2030", "-1,234.50 US$", "84.2 غ.ب", "20 ميغابت/ث"],
    ["ur-IN", "25 جنوری، 2030", "-$1,234.50", "84.2 GB", "20 Mbps"],
    ["hi", "25 जन॰ 2030", "-$1,234.50", "84.2 GB", "20 Mbps"],
    ["bn-BD", "25 জানু, 2030", "-1,234.50 US$", "84.2 GB", "20 Mbps"],
    ["id", "25 Jan 2030", "-US$1.234,50", "84,2 GB", "20 Mbps"],
    ["sw", "25 Jan 2030", "-US$ 1,234.50", "GB 84.2", "20 Mbps"],
    ["ru", "25 янв. 2030 г.", "-1 234,50 $", "84,2 ГБ", "20 Мбит/с"],
  ])("in %s: Gregorian, in the digits of the papers", (tag, date, money, bytes, down) => {
    const { words, locale } = chooseLanguage(tag);
    const format = new Format(locale, words);
    const text = [
      format.date(at),
      format.money(-123_450, "USD"),
      format.bytes(84_200_000_000),
      format.speed("10M/20M")?.down ?? "",
    ];
    expect(text.map(plain)).toEqual([date, money, bytes, down]);
  });

  test.each(["fa", "th", "ar-SA", "ckb", "my", "mr", "ne"])(
    "a locale with a calendar or digits of its own, %s, has neither here",
    (locale) => {
      const format = new Format(locale);
      expect(format.time(at)).toMatch(/2030/);
      const text =
        format.time(at) + format.day(20_300_125) + format.money(123_450, "USD") + format.bytes(5e9);
      expect(text).not.toMatch(/[^\P{Nd}0-9]/u);
    },
  );

  test("on a page from the right, each keeps its order; on others stored text does where it needs to", () => {
    const from = (tag: string) => new Format(tag, chooseLanguage(tag).words);
    expect(from("ur").bytes(84_200_000_000)).toBe("\u206884.2 GB\u2069");
    expect(from("ar").name("Family 30")).toBe("\u2068Family 30\u2069");
    expect(from("en").name("Family 30")).toBe("Family 30");
    expect(from("en").name("عائلة 30")).toBe("\u2068عائلة 30\u2069");
  });

  test("amounts of a currency with Arabic letters stand as Arabic has them", () => {
    expect(new Format("ar", chooseLanguage("ar").words).money(-123_450, "IQD")).toMatch(
      /^\u2068\u200f.*د\.ع/,
    );
  });
});

test.each([
  ["ar", "en-GB,en;q=0.9", "ar", "ar"],
  ["ar", "en-GB,ar-EG;q=0.5", "ar", "ar-EG"],
  ["", "id-ID", "id", "id-ID"],
  ["xx", "fr-CA", "fr", "fr-CA"],
  ["AR", "fr-CA", "fr", "fr-CA"],
])("chosen by hand %j, asked for %j: %s, written as in %s", (chosen, header, tag, locale) => {
  const language = chooseLanguage(header, chosen);
  expect([language.words.tag, language.locale]).toEqual([tag, locale]);
});
