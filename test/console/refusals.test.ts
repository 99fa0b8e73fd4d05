import { expect, test } from "bun:test";
import { amountAboveZero } from "../../src/domain/core/fields/fields.ts";
import { appliedWords } from "../../src/domain/service/control/apply-change.ts";
import { DomainError } from "../../src/domain/core/errors/errors.ts";
import { attempt, attemptNow, plain } from "../../src/http/console/attempt.ts";
import { consoleViewFor } from "../../src/http/console/view.ts";
import { whole } from "../../src/http/words/compiled/messages.ts";
import { parseTime } from "../../src/domain/core/time/time.ts";
import { consoleSessionOf } from "../support/console-browser.ts";
import { NOW, temporaryStore } from "../support/store.ts";
import { callers, withTenants } from "../support/tenants.ts";

/** Sentences of operations, and what pages make of them. */
const sentences: [said: string, shown: string][] = [
  [
    "is taken by the NAS core; to give that one another: gatehouse nas set core --address ADDRESS",
    "is taken by the NAS core",
  ],
  ["there is no NAS core; see: gatehouse nas list", "there is no NAS core"],
  [
    "R-1 is older than 30 days; correct the wallet instead (wallet/adjust or payment/refund)",
    "R-1 is older than 30 days; correct the wallet instead",
  ],
  [
    "book what follows from it by hand (payment/reverse or payment/refund), then dismiss it",
    "book what follows from it by hand, then dismiss it",
  ],
  ["bring it to 0 first (payment/take, payment/refund or wallet/adjust)", "bring it to 0 first"],
  [
    "the days of a year in which a service may be frozen are used up (freeze_days_max); extend it instead",
    "the days of a year in which a service may be frozen are used up; extend it instead",
  ],
  ["you may extend to noon (extend_days_max 7); ask an Admin", "you may extend to noon; ask an Admin"],
  ["let the device dial once, or send its address with change_mac", "let the device dial once"],
  ["set its salesperson_id first", "set its salesperson first"],
  ["or not a reseller; set another salesperson_id", "or not a reseller; set another salesperson"],
  [
    "take a payment, raise its credit_limit, or activate it",
    "take a payment, raise its credit limit, or activate it",
  ],
  ["there are several ISPs; name one with isp_id", "there are several ISPs"],
  [
    'it is full; make it larger (gatehouse pool set "a b" --range RANGE), or free some',
    "it is full; make it larger, or free some",
  ],
  [
    "backup_folder stays as it was: /proc/x cannot be made; check the path",
    "nothing was changed: /proc/x cannot be made; check the path",
  ],
  [
    "insufficient balance: the package costs 15.00, the wallet holds 0.00; credit the subscriber first",
    "insufficient balance: the package costs 15.00, the wallet holds 0.00; take more money first",
  ],
  // what somebody is called is left as it is
  ["the wallet of ann_lee_2 holds 5.00", "the wallet of ann_lee_2 holds 5.00"],
  ["the wallet of nobody (ann_lee) holds 5.00/month", "the wallet of nobody (ann_lee) holds 5.00/month"],
];

function viewOf(language: string) {
  using store = temporaryStore();
  const request = new Request("http://localhost/", { headers: { "accept-language": language } });
  return { view: consoleViewFor(store.db, { request, now: NOW }) };
}

test.each(sentences)("%s", async (text, expected) => {
  const visit = viewOf("en-US");
  const refuse = () => {
    throw new DomainError("refused", text, { fields: { name: [text] } });
  };
  const come = [attemptNow(visit, refuse), await attempt(visit, async () => refuse())];
  for (const { message, fields } of come)
    expect({ message, fields }).toEqual({ message: expected, fields: { name: [expected] } });
});

/* What a counter is refused and told every day: none of it stays English where the page is in another language. */

const others = whole.filter((tag) => tag !== "en");
const appliedInFull = Object.values(appliedWords);
test.each(
  others.flatMap((language) =>
    [
      "insufficient balance: the package costs 15.00, the wallet holds -2.00; credit the subscriber first",
      "insufficient balance: the package costs 15.00, the wallet holds 0.00 and 3.50 of what was unused; credit the subscriber first",
      "the subscriber was activated 1 s ago; try again in 119 s",
      amountAboveZero.message,
      "is required",
      ...appliedInFull,
    ].map((text) => [language, text] as const),
  ),
)("in %s, %s is said in that language, with its figures", (language, text) => {
  const shown = plain(viewOf(language).view, text);
  expect(shown).not.toMatch(/ (the|is|was|be) |^(is|must) /);
  for (const [figure] of text.matchAll(/-?\d+(\.\d\d)?/g)) expect(shown).toContain(figure);
});

test.each(others)(
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
    throw new DomainError("refused", "it ended 2030-01-15 14:30:00, and not before");
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
