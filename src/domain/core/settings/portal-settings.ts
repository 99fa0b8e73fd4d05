import { phrase, type Phrase } from "../errors/phrase.ts";
import { Type } from "@sinclair/typebox";
import { field, text } from "../fields/fields.ts";
import { define, optional } from "./define.ts";

export const portalSettings = {
  portal_url: define(
    "",
    "where subscribers open the portal, such as https://my.isp.example/portal; the walled garden's page links to it",
    link(["http:", "https:"], phrase`must be a link such as https://my.isp.example/portal, or empty`),
  ),
  portal_pay_text: define(
    "",
    "how subscribers pay, lines with | or a line break between them; amount and reference stand beside it",
    optional(text(500, { lines: true })),
  ),
  portal_pay_link: define(
    "",
    "where subscribers pay online, opened by a button; {amount}, {currency}, {reference} and {username} in it are filled in",
    link(
      ["https:"],
      phrase`must be a link that begins with https://, or empty; filled in are ${"{amount}, {currency}, {reference}, {username}"}, in its path and its query only`,
    ),
  ),
  portal_phone: define(
    "",
    "telephone number that subscribers call by a press of a button",
    field(
      Type.String({ pattern: "^(\\+?[0-9][0-9 ()./-]{2,30})?$" }),
      phrase`must be a telephone number such as +1 555 0100, or empty`,
      (phone): string => phone,
    ),
  ),
  portal_chat: define(
    "",
    "where subscribers write to you, such as https://wa.me/15550100",
    link(
      ["https:"],
      phrase`must be a link that begins with https://, such as https://wa.me/15550100, or empty`,
    ),
  ),
  portal_expired_text: define(
    "",
    "your own sentence to subscribers whose package has ended, in the portal and in the walled garden",
    optional(text(300)),
  ),
  app_origins: define(
    "",
    "origins of pages that may ask for subscribers by their token, such as https://app.isp.example; several with blanks between them, empty: none",
    field(
      Type.String({ maxLength: 1000 }),
      phrase`must be origins such as https://app.isp.example, without a path, with blanks between them, or empty`,
      readOrigins,
    ),
  ),
  isp_address: define(
    "",
    "your address on invoices, lines with | or a line break between them",
    optional(text(300, { lines: true })),
  ),
  isp_tax_number: define(
    "",
    "your tax number on invoices, with its name, such as VAT GB123456789",
    optional(text(80)),
  ),
};

/** Excludes `javascript:` and the like. */
function link(protocols: readonly string[], message: Phrase) {
  return field(Type.String({ maxLength: 500 }), message, (value): string | undefined =>
    value === "" || isLink(value, protocols) ? value : undefined,
  );
}

function isLink(value: string, protocols: readonly string[]): boolean {
  if (/[\s\p{Cc}<>"'`\\]/u.test(value)) return false;
  const url = URL.parse(value);
  // placeholders must not change the host
  const isFixed =
    url !== null && !/[{}]|%7[bd]/i.test(url.host) && url.username === "" && url.password === "";
  if (/[{}]/.test(value.replace(/\{(amount|currency|reference|username)\}/g, ""))) return false; // a slip of the pen, which nobody would fill in
  return isFixed && protocols.includes(url.protocol);
}

/** A page is https, one that is being written may be on this computer, and an app on a phone names itself. */
const ORIGIN =
  /^(?:https:\/\/[^/]+|http:\/\/(?:localhost|127\.0\.0\.1)(?::\d+)?|(?:capacitor|ionic):\/\/localhost)$/;

/** Origins, normalised; undefined: one is none. */
function readOrigins(value: string): string | undefined {
  const origins = originsIn(value.replaceAll(",", " ").toLowerCase()).map((one) => one.replace(/\/$/, ""));
  const isOne = (origin: string) => {
    const { origin: written } = URL.parse(origin) ?? { origin: "" };
    return ORIGIN.test(origin) && (written === origin || written === "null");
  };
  return origins.every(isOne) ? [...new Set(origins)].join(" ") : undefined;
}

/** Origins of a value as it is stored. */
export const originsIn = (value: string): string[] => value.split(/\s+/).filter((one) => one !== "");
