import { expect, test } from "bun:test";
import { IS_REQUIRED } from "../../src/domain/core/errors/codes.ts";
import { DomainError } from "../../src/domain/core/errors/errors.ts";
import { Phrase, phrase, verbatim } from "../../src/domain/core/errors/phrase.ts";
import { whole } from "../../src/http/words/compiled/messages.ts";
import { parseTime } from "../../src/domain/core/time/time.ts";
import { attempt, attemptNow, storedTold, told } from "../../src/http/console/attempt.ts";
import { sentence } from "../../src/http/console/parts/phrases.ts";
import { consoleViewFor } from "../../src/http/console/view.ts";
import { readCompiled } from "../../src/http/words/messages.ts";
import { consoleSessionOf } from "../support/console-browser.ts";
import { NOW, temporaryStore } from "../support/store.ts";
import { callers, withTenants } from "../support/tenants.ts";

function viewOf(language: string) {
  using store = temporaryStore();
  const request = new Request("http://localhost/", { headers: { "accept-language": language } });
  return { view: consoleViewFor(store.db, { request, now: NOW }) };
}

/** What is typed at a router, where the account and its group are called so. */
const AT_A_ROUTER = /\/user[/ ]group[/ ]set gatehouse/;

test("no page says calls, commands or names of fields where a program is told them", () => {
  const { view } = viewOf("en-US");
  const keys = Object.keys(readCompiled("en")["refusals"] ?? {});
  expect(keys.length).toBeGreaterThan(500);
  for (const key of keys)
    expect(told(view, new Phrase(key, ["A", "B", "C", "D"])).replace(AT_A_ROUTER, "")).not.toMatch(
      /\bgatehouse [a-z]|--[a-z]|\b[a-z]+_[a-z_]+\b|\b[a-z]+\/[a-z]+_[a-z]+/,
    );
});

test.each([
  ["there is no invoice A-7", "There is no invoice A-7."],
  ["বিল A-7 নেই", "বিল A-7 নেই।"],
  ["2টি কার্ড, যেমন A-7", "2টি কার্ড, যেমন A-7।"],
  ["चालान A-7 नहीं है", "चालान A-7 नहीं है।"],
  ["দিতে হবে।", "দিতে হবে।"],
  ["رسید A-7 نہیں ہے۔", "رسید A-7 نہیں ہے۔"],
  ["رسید A-7 نہیں ہے", "رسید A-7 نہیں ہے۔"],
  ["لا توجد فاتورة", "لا توجد فاتورة."],
])("%p ends with the full stop of its language", (text, expected) => {
  expect(sentence(text)).toBe(expected);
});

test("a refusal is told with its fields, its code and what it holds kept", async () => {
  const visit = viewOf("es");
  const refuse = () => {
    throw new DomainError("invalid", phrase`there is no invoice ${"A-7"}`, {
      fields: { name: [IS_REQUIRED, verbatim("as the router says")] },
    });
  };
  const come = [attemptNow(visit, refuse), await attempt(visit, async () => refuse())];
  for (const { message, fields, code, phrases } of come) {
    expect(message).toContain("A-7");
    expect(message).not.toContain("there is");
    expect(fields).toEqual({ name: ["es obligatorio", "as the router says"] });
    expect([code, phrases.message.toString()]).toEqual(["required", "there is no invoice A-7"]);
  }
});

test("a phrase in a phrase is told in the same language, and one that a language lacks is English around it", () => {
  const { view } = viewOf("es");
  expect(told(view, phrase`is taken by ${IS_REQUIRED}`)).toContain("es obligatorio");
  expect(told(view, new Phrase("no such words: {0}", [IS_REQUIRED]))).toBe("no such words: es obligatorio");
});

test("a sign stays before its number in a sentence from right to left", () => {
  const poor = phrase`must be ${"-49.50"} or ${"+15550100"}, not ${"a-1"}`;
  const { view } = viewOf("ar");
  const amount = view.format.amount(-4950);
  expect(told(view, poor)).toBe(`must be \u2068${amount}\u2069 or \u2068+15550100\u2069, not a-1`);
  expect(told(viewOf("es").view, poor)).toBe("must be −49,50 or +15550100, not a-1");
});

test("amounts in a phrase, and in one that stands in it, are written as pages write them", () => {
  const inner = phrase`the wallet holds ${"-1250.00"}`;
  const outer = new Phrase("{0} costs {1}: {2} of {3}", ["Plan 1.0", "18.00", inner, verbatim("10.50")]);
  expect(told(viewOf("es").view, outer)).toBe("Plan 1.0 costs 18,00: the wallet holds −1250,00 of 10.50");
  expect(told(viewOf("en-US").view, outer)).toContain("costs 18.00: the wallet holds −1,250.00");
});

test.each(whole.filter((tag) => tag !== "en"))(
  "in %s, a bad amount and a payment are answered without a word of English",
  async (language) => {
    using app = await withTenants();
    const cookie = await consoleSessionOf(app, callers.admin);
    const headers = { cookie, "accept-language": language };
    const call = async (path: string, body?: URLSearchParams) => {
      const init = { headers, ...(body && { method: "POST", body }) };
      const answer = await app.app.handle(new Request(`http://localhost/console/${path}`, init));
      return { status: answer.status, text: await answer.text() };
    };
    const form_token = /name="form_token" value="([^"]+)"/.exec((await call("me")).text)?.[1] ?? "";
    const bad = { amount: "22,50", method: "cash", package: "none", do: "take", key: "1", form_token };
    const { status, text } = await call("subscribers/1/pay", new URLSearchParams(bad));
    expect([status, text.includes("at most two decimals"), /[:：] amount /.test(text)]).toEqual([
      422,
      false,
      false,
    ]);
  },
);

test.each(["en-US", "en-GB"])("a time in a refusal is as %s writes it, like all others", (language) => {
  const visit = viewOf(language);
  const refused = attemptNow(visit, () => {
    throw new DomainError("refused", verbatim("it ended 2030-01-15 14:30:00, and not before"));
  });
  const time = visit.view.format.time(parseTime("2030-01-15 14:30:00") ?? 0);
  expect(refused.message).toBe(`it ended ${time}, and not before`);
});

test("a router with an address or a name that is taken is refused without a command", async () => {
  using app = await withTenants();
  const cookie = await consoleSessionOf(app, callers.admin);
  const call = async (path: string, body?: URLSearchParams) => {
    const init = { headers: { cookie }, ...(body && { method: "POST", body }) };
    return (await app.app.handle(new Request(`http://localhost/console/${path}`, init))).text();
  };
  const form_token = /name="form_token" value="([^"]+)"/.exec(await call("me"))?.[1] ?? "";
  const taken = app.db.$client
    .query<{ name: string; address: string }, []>("SELECT name, address FROM nas WHERE isp_id = 1 LIMIT 1")
    .get();
  const secret = "of-the-tower-7";
  for (const sent of [
    { name: "Tower", address: taken?.address ?? "" },
    { name: taken?.name ?? "", address: "10.66.0.1" },
  ]) {
    const text = await call(
      "routers/new",
      new URLSearchParams({ ...sent, secret, key: crypto.randomUUID(), form_token }),
    );
    expect(text).toContain("the NAS ");
    expect(text).not.toMatch(/gatehouse nas|--address|--name/);
  }
});

test("why a router did not do it is told in the reader's language, of what rows keep as text", () => {
  const { view } = viewOf("es");
  const at = "the router core (192.0.2.1 port 3799)";
  expect(
    storedTold(
      view,
      `${at} did not answer the Disconnect-Request within 3 s; let it answer with: /radius/incoming/set accept=yes port=3799`,
    ),
  ).toBe(
    "el router core (192.0.2.1 puerto 3799) no respondió a Disconnect-Request en 3 s; haga que responda con: /radius/incoming/set accept=yes port=3799",
  );
  expect(
    storedTold(
      view,
      "the RouterOS API of the router core (192.0.2.1:8728) failed: it did not answer /login within 5 s",
    ),
  ).toBe("la API de RouterOS del router core (192.0.2.1:8728) falló: no respondió a /login en 5 s");
});

test("of two ways that failed at a router, each is told in the reader's language", () => {
  const { view } = viewOf("es");
  const api =
    "the RouterOS API of the router core (192.0.2.1:8728) failed: the connection was refused; switch it on with: /ip/service/enable api";
  const coa = "the router core (192.0.2.1 port 3799) refused the Disconnect-Request: Missing Attribute";
  const silence =
    "the router core (192.0.2.1 port 3799) did not answer the Disconnect-Request within 3 s; let it answer with: /radius/incoming/set accept=yes port=3799";
  for (const first of [coa, silence])
    expect(storedTold(view, `${first}; ${api}`)).toBe(`${storedTold(view, first)}; ${storedTold(view, api)}`);
});

test("each refusal is found again by its own words, also one in which two sentences stand", () => {
  const { view } = viewOf("es");
  const keys = Object.keys(readCompiled("en")["refusals"] ?? {}).filter((key) => !key.includes("{"));
  expect(keys.length).toBeGreaterThan(100);
  for (const key of keys) expect(storedTold(view, key)).toBe(told(view, new Phrase(key, [])));
});

test("what somebody made to fit almost is told as it is, and keeps nobody waiting", () => {
  const { view } = viewOf("es");
  const separators = [" (", " port ", ") did not answer the ", " within ", " s; let it take "];
  const text = `the router x${separators.map((one) => one.repeat(400 / one.length)).join("")}\u0001`;
  const before = performance.now();
  expect(storedTold(view, text)).toBe(text);
  expect(performance.now() - before).toBeLessThan(5_000); // with regular expressions it is more than 20 s
});

test("each value of a stored text is as long as it can be, and none is empty", () => {
  const { view } = viewOf("es");
  const told = (name: string) =>
    storedTold(view, `the router ${name} (192.0.2.1 port 3799) refused the CoA: no`);
  expect(told("a (b port 7) (c")).toStartWith("el router a (b port 7) (c (192.0.2.1 ");
  expect(told("")).toBe("the router  (192.0.2.1 port 3799) refused the CoA: no");
});
