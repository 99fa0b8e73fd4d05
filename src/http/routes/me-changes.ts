import { Type } from "@sinclair/typebox";
import { readBalance } from "../../domain/core/amounts/balance.ts";
import { formatMinor } from "../../domain/core/amounts/money.ts";
import { DomainError, rejectFaults } from "../../domain/core/errors/errors.ts";
import { phrase } from "../../domain/core/errors/phrase.ts";
import { flag, id, mac, oneOf, price, string } from "../../domain/core/fields/fields.ts";
import { isLanguageTag, languageTags } from "../../domain/core/fields/languages.ts";
import { codePoints } from "../../domain/core/fields/text.ts";
import { changePortalPassword } from "../../domain/desk/portal/change-password.ts";
import { takeOwnDevice } from "../../domain/desk/portal/devices.ts";
import { readLine } from "../../domain/desk/portal/line.ts";
import { changeOwnMessages } from "../../domain/desk/portal/own-messages.ts";
import { planRenewal, renewOwn } from "../../domain/desk/portal/renewal.ts";
import { findNewestInvoice, topUpOwn } from "../../domain/service/activation/top-up.ts";
import { boughtSchema, exampleBought } from "../../wire/me.ts";
import { done } from "../describe.ts";
import { own, type OwnCall } from "../own.ts";
import type { View } from "../portal/layout.tsx";
import { renewalWords, reworded, topUpWords } from "../portal/refusal-words.ts";
import { viewFor } from "../portal/view.ts";
import { writeTimeOrNull } from "../../wire/time.ts";

const ME = "/api/v1/me";

const renew = own({
  method: "POST",
  path: `${ME}/renew`,
  operationId: "renewMe",
  summary: "Renew the package from the balance, at the price that the quote said",
  form: { fields: { price }, required: ["price"], example: { price: 22 } },
  success: { description: "Renewed.", schema: boughtSchema, example: exampleBought },
  refusals: {
    422: "It would be refused, as the quote says, or the price is another one.",
    429: "The package began less than two minutes ago; see Retry-After.",
  },
  run: (call) => {
    const { db, by, subscriber, values, now, renewed } = call;
    const { invoiceId } = inOwnWords(
      call,
      (view, error) => {
        const renewal = planRenewal(db, by, { subscriber, line: readLine(db, by, subscriber, { now }) });
        return renewalWords(view, error, { ...renewal, seen: values.price });
      },
      () => renewOwn(db, by, { subscriber, price: values.price }, { now }),
    );
    renewed();
    return bought(call, "The package is renewed.", invoiceId);
  },
});

const topUp = own({
  method: "POST",
  path: `${ME}/top_up`,
  operationId: "topUpMe",
  summary: "Buy bytes or days on top of the package that runs, from the balance",
  form: {
    fields: { package_id: id, price },
    required: ["package_id", "price"],
    example: { package_id: 12, price: 5 },
  },
  success: {
    description: "Bought.",
    schema: boughtSchema,
    example: { ...exampleBought, success: "It is bought." },
  },
  refusals: {
    404: "There is no such package.",
    422: "The balance does not cover it, the price is another one, or nothing runs that it could be added to.",
  },
  run: (call) => {
    const { db, by, subscriber, values, now, renewed } = call;
    const order = { subscriberId: subscriber.id, packageId: values.package_id, price: values.price };
    const after = findNewestInvoice(db, subscriber.id);
    const { invoiceId } = inOwnWords(call, topUpWords, () => topUpOwn(db, by, { ...order, after }, { now }));
    renewed();
    return bought(call, "It is bought.", invoiceId);
  },
});

/** What a subscriber is refused, in its own words and language, as the portal says it. */
function inOwnWords<T>(
  { db, subscriber, request, now }: OwnCall<unknown>,
  wordsOf: (view: View, error: DomainError) => string,
  work: () => T,
): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw reworded(error, wordsOf(viewFor(db, { request, now, ispId: subscriber.ispId }), error));
  }
}

function bought({ db, by, subscriber, now }: OwnCall<unknown>, success: string, invoiceId: number) {
  const { expiresAt } = readLine(db, by, subscriber, { now });
  const balance = readBalance(db, { subscriberId: subscriber.id });
  return {
    success,
    invoice_id: invoiceId,
    new_expiration: writeTimeOrNull(expiresAt),
    balance: formatMinor(balance),
    balance_minor: balance,
  };
}

const password = own({
  method: "POST",
  path: `${ME}/password`,
  awaits: true,
  operationId: "changeMyPassword",
  summary: "Change the password of portal and app",
  description:
    "That of the line stays. The token that asks stays too; every other one, and every session of the portal, ends.",
  form: {
    fields: { current: string(1000), new_password: string(1000) },
    required: ["current", "new_password"],
    example: { current: "pw-sam", new_password: "sunny-day-7" },
  },
  success: done("Password changed."),
  refusals: {
    401: "The present password is wrong.",
    429: "More than five attempts in a minute; see Retry-After.",
    503: "Too many sign-ins at once; see Retry-After.",
  },
  run: async ({ db, by, subscriber, values, now, source, tokenId, subscriberLogins }) => {
    const { current, new_password: chosen } = values;
    const length = codePoints(chosen);
    if (length < 8 || length > 128) rejectFaults({ new_password: [phrase`must have 8 to 128 characters`] });
    subscriberLogins.take(subscriber.username, source);
    await changePortalPassword(db, by, { subscriber, current, chosen, tokenId, source }, { now });
    return { success: "Password changed." };
  },
});

const language = own({
  method: "POST",
  path: `${ME}/language`,
  operationId: "changeMyLanguage",
  summary: "Say in which language messages come, and whether they do",
  form: {
    fields: { language: oneOf(...languageTags), messages_off: flag },
    required: [],
    example: { language: "fr", messages_off: 0 },
  },
  clears: true,
  success: done("Saved."),
  run: ({ db, by, subscriber, values, now }) => {
    const { language: sent, messages_off: off } = values;
    const tag = sent === undefined ? asTag(subscriber.language) : sent;
    const isOff = off === undefined || off === null ? subscriber.messagesOff === 1 : off === 1;
    changeOwnMessages(db, by, { subscriberId: subscriber.id, language: tag, off: isOff }, { now });
    return { success: "Saved." };
  },
});

/** The language that is set, where there is one. */
const asTag = (tag: string | null) => (tag !== null && isLanguageTag(tag) ? tag : null);

const takeDevice = own({
  method: "POST",
  path: `${ME}/device/take`,
  operationId: "takeMyDevice",
  summary: "Take the device that was not let in as the own new one",
  description:
    "That of `refused` in the list of devices, which had the right password and was kept out by the lock alone; the lock holds for it from now on.",
  form: { fields: { mac_address: mac }, required: [], example: { mac_address: "AA:BB:CC:DD:EE:02" } },
  success: {
    description: "Taken.",
    schema: Type.Object({ success: Type.String(), mac_address: Type.String() }),
    example: { success: "The device is taken.", mac_address: "AA:BB:CC:DD:EE:02" },
  },
  refusals: { 422: "No device was kept out by the lock lately." },
  run: ({ db, by, subscriber, values, now }) => {
    const wanted = { subscriberId: subscriber.id, mac: values.mac_address ?? undefined };
    return { success: "The device is taken.", mac_address: takeOwnDevice(db, by, wanted, { now }).mac };
  },
});

export const ownChanges = [renew, topUp, password, language, takeDevice];
