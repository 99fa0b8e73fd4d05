import { PORTAL_LIST, RESOLVER_LIST } from "./garden/names.ts";
import { MARK } from "./mark.ts";
import type { Values } from "./values.ts";

/* What is pasted into the terminal of a RouterOS router, of which every line is a command of its own. */

/** A command that may fail, after which the next is run. */
export const ignored = (command: string) => `:do { ${command} } on-error={ }`;

/** A command that may be none on this version, which then goes on with the next. */
export const tried = (command: string) =>
  `:do { [[:parse "${command.replaceAll(/["\\$]/g, "\\$&")}"]] } on-error={ }`;

/** What a profile of PPP lacks where a version or a package does. */
const maybeUnknown = new Set(["use-ipv6", "interface-list"]);

/** Makes a row of a name, or changes the one that is there. */
export function namedCommands(menu: string, { name = "", ...all }: Values, own: Values): string[] {
  const found = `[find name=${quoted(name)}]`;
  const values = Object.fromEntries(Object.entries(all).filter(([key]) => !maybeUnknown.has(key)));
  const others = Object.entries(all).filter(([key]) => maybeUnknown.has(key));
  const rest = pairs({ ...values, ...("comment" in own && { comment: MARK }) });
  const made = `:if ([:len [${menu} ${found.slice(1, -1)}]] = 0) do={ ${menu} add name=${quoted(name)} ${rest} } else={ ${menu} set ${found} ${rest} }`;
  return [made, ...others.map(([key, value]) => tried(`${menu} set ${found} ${pairs({ [key]: value })}`))];
}

export const terminalMenu = (menu: string) => `/${menu.slice(1).replaceAll("/", " ")}`;

/** Properties as they are typed. */
export function pairs(values: Values): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}=${isListName(value) ? value : quoted(value)}`)
    .join(" ");
}

/** `!gatehouse-portal`: whatever is not on that list. */
const isListName = (value: string) => value === `!${PORTAL_LIST}` || value === `!${RESOLVER_LIST}`;

/** A value of a RouterOS command: as it is, or in quotes with what the console would read as its own escaped. */
export function quoted(value: string): string {
  if (/^[\w.,:/+-]+$/.test(value)) return value;
  const escaped = Buffer.from(value)
    .toString("latin1")
    .replace(/[^\x20-\x7e]|["\\$?]/g, (character) =>
      /["\\$?]/.test(character)
        ? `\\${character}`
        : `\\${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`,
    );
  return `"${escaped}"`;
}
