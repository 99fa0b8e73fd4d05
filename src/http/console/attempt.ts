import { DomainError } from "../../domain/errors.ts";
import { attempt as tried } from "../pages/attempt.ts";

/** What the work says, or why it was refused, in words of the console. */
export function attempt<T>(work: () => Promise<T>): Promise<T | DomainError> {
  return tried(work).then((outcome) => (outcome instanceof DomainError ? inWords(outcome) : outcome));
}

/** What an operation calls by names of its fields, flags and calls, as somebody before a page knows it. */
const known: readonly (readonly [said: RegExp, words: string])[] = [
  [/^check (?:the fields|[\w, ]+)$/, "look at what is marked"],
  [/ \(payment\/refund\)/, ""],
  [/ \(wallet\/adjust\)/, ""],
  [/ \(card\/void\)/, ""],
  [/, or detach them \(--detach, detach=1\)[^;.]*/, ""],
  [/void it by invoice\/void without end_service/, "void the invoice alone"],
  [/ \(extend_days_max (\d+)\)/, ""],
  [/, or net_price in its place/, ""],
  [/^must be a time such as \d{4}-.*$/, "must be a day and a time"],
  [/^must be a day such as \d{4}-.*$/, "must be a day"],
  [/^there are several ISPs; name one with isp_id$/, "there is more than one ISP; choose whose it is"],
  [/with: gatehouse settings set garden_dns ADDRESS/, "in Settings, under Resolvers of the walled garden"],
  [/^is required where there are several ISPs$/, "is required"],
];

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** A time as operations write it, as pages do. */
const timeOf = (_: string, year: string, month: string, day: string, time: string) =>
  `${MONTHS[Number(month) - 1]} ${Number(day)}, ${year}, ${time}`;

/** A sentence of an operation as a page says it. */
export const plain = (text: string) =>
  withoutNames(text).replaceAll(/(\d{4})-(\d\d)-(\d\d) (\d\d:\d\d):\d\d/g, timeOf);

const withoutNames = (text: string) => known.reduce((so, [said, words]) => so.replace(said, words), text);

/** The same refusal with other words: what kind it is stays, and what else it says. */
export function inWords(refusal: DomainError): DomainError {
  const { message, fields } = refusal;
  const faults =
    fields && Object.fromEntries(Object.entries(fields).map(([name, found]) => [name, found.map(plain)]));
  return Object.create(refusal, { message: { value: plain(message) }, fields: { value: faults } });
}
