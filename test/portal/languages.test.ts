import { describe, expect, test } from "bun:test";
import { Format } from "../../src/http/pages/format.ts";
import { en as console } from "../../src/http/words/console/en.ts";
import { chooseLanguage, languages } from "../../src/http/words/languages.ts";
import { en } from "../../src/http/words/portal/en.ts";

type Leaf = string | ((...values: never[]) => string);

/** Every string and function of a language, by its path. */
function leaves(words: object, path = ""): Map<string, Leaf> {
  const found = new Map<string, Leaf>();
  for (const [name, value] of Object.entries(words)) {
    const place = path === "" ? name : `${path}.${name}`;
    if (typeof value === "object" && value !== null)
      for (const [inner, leaf] of leaves(value, place)) found.set(inner, leaf);
    else found.set(place, value);
  }
  return found;
}

/** What a leaf says when each value that it takes is a mark, and of counts which ones it is about. */
function textOf(leaf: Leaf | undefined): string {
  if (typeof leaf !== "function") return leaf ?? "";
  const marks = Array.from({ length: leaf.length }, (_, at) => `«${at}»`);
  // words of several parts take a list of them
  const lists = marks.map((mark) => [mark]);
  try {
    return String(Reflect.apply(leaf, undefined, marks));
  } catch {
    return String(Reflect.apply(leaf, undefined, lists));
  }
}

const marksIn = (text: string) => [...text.matchAll(/«\d»/g)].map(([mark]) => mark).sort();
const others = languages.filter((words) => words !== en);
/** Those of scripts in which a word that is still English is seen by its letters. */
const notLatin = others.filter(({ tag }) => ["ar", "ur", "hi", "bn", "ru"].includes(tag));
const ofTheLanguage = /^(?:tag|dir|name|units\.\w+)$/;

/** Words of the console that are said of a whole case, which their own tests have: marks are none. */
const ofCases = /^(?:(?:diagnosis|timeline|faults|routerWatch)\.|routerSetup\.(?:counts|connections)$)/;

test("the languages are those of the handbook, each once", () => {
  expect(languages.map(({ tag }) => tag).sort()).toEqual([..."ar bn en es fr hi id pt ru sw ur".split(" ")]);
});

test.each(
  [...languages, console].map((words) => [`${words === console ? "console " : ""}${words.tag}`, words]),
)("%s: every word is there and says something", (_name, words) => {
  const own = leaves(words);
  const model = leaves(words === console ? console : en);
  expect([...own.keys()]).toEqual([...model.keys()]);
  for (const [path, leaf] of own) {
    if (ofCases.test(path)) continue;
    expect([path, textOf(leaf).trim() === ""]).toEqual([path, false]);
    expect([path, /undefined|\[object|NaN/.test(textOf(leaf))]).toEqual([path, false]);
  }
});

test.each(others.map((words) => [words.tag, words] as const))(
  "%s: a sentence loses none of its values, and keeps its last sign",
  (_tag, words) => {
    const own = leaves(words);
    for (const [path, leaf] of leaves(en)) {
      const [english, here] = [textOf(leaf), textOf(own.get(path))];
      expect([path, marksIn(here)]).toEqual([path, marksIn(english)]);
      if (english.endsWith(".")) expect([path, /[.۔।]$/.test(here)]).toEqual([path, true]);
    }
  },
);

test.each(notLatin.map((words) => [words.tag, words] as const))(
  "%s: nothing is left in Latin letters",
  (_tag, words) => {
    for (const [path, leaf] of leaves(words))
      if (!ofTheLanguage.test(path))
        expect([path, textOf(leaf).match(/\p{Script=Latin}+/u)]).toEqual([path, null]);
  },
);

test("in Latin letters, what is as in English is what is a word of the language too", () => {
  const model = leaves(en);
  const same = others
    .filter((words) => !notLatin.includes(words))
    .flatMap((words) =>
      [...leaves(words)]
        .filter(([path, leaf]) => !ofTheLanguage.test(path) && textOf(leaf) === textOf(model.get(path)))
        .filter(([path]) => path !== "labelled" && path !== "invoices.tax")
        .map(([path, leaf]) => `${words.tag} ${path} ${textOf(leaf)}`),
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
    "pt home.total Total",
    "pt invoices.total Total",
    "pt settings.email E-mail",
    "sw home.data Data",
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
