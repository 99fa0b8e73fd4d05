import { amount } from "../../core/fields/fields.ts";
import { columnFields } from "../../goods/subscribers/fields.ts";
import { fold } from "../../core/fields/text.ts";
import type { Seconds } from "../../core/time/time.ts";
import type { Fields, Value } from "./imported-rows.ts";
import { cleanText } from "./clean.ts";
import { judgeField, textFields } from "./judge-fields.ts";
import type { MovedSubscriber } from "./model.ts";
import type { Move } from "./move.ts";

/** "any": unknown, so both. */
export type Connection = 1 | 2 | "any";

export interface Judged {
  readonly moved: MovedSubscriber;
  readonly username: string;
  readonly key: string;
  readonly password: string | null;
  readonly connection: Connection;
  readonly fields: Fields;
  /** Minor units; undefined: not stated. */
  readonly balance: number | undefined;
}

/** One for each username; others are reported. */
export function judgePeople(move: Move, subscribers: readonly MovedSubscriber[]): Judged[] {
  const named = subscribers.flatMap((moved) => {
    const username = readUsername(move, moved);
    return username === undefined ? [] : [{ moved, username, key: fold(username) }];
  });
  const filled = new Set(textFields.filter((name) => subscribers.some((moved) => isStated(moved[name]))));
  const flags = flagNames.filter((name) => subscribers.some((moved) => moved[flagKeys[name]] !== undefined));
  return pickLikeliest(move, named).map(({ moved, username, key }) => {
    const texts = textFields
      .filter((name) => filled.has(name))
      .map((name): [string, Value] => [name, judgeField(move, moved, username, name)]);
    const fields: Record<string, Value> = Object.fromEntries(texts);
    if (fields["latitude"] === 0 && fields["longitude"] === 0) {
      move.notices.add("junk", moved.at, username, "latitude and longitude 0 mean nothing");
      fields["latitude"] = fields["longitude"] = null;
    }
    for (const flag of flags) fields[flag] = moved[flagKeys[flag]] ? 1 : 0;
    keepLockable(move, { moved, username, fields });
    fields["status"] = moved.enabled ? 1 : 0;
    return {
      moved,
      username,
      key,
      fields,
      password: readPassword(moved),
      connection: toConnection(moved),
      balance: parseBalance(move, moved, username),
    };
  });
}

/** A field that is empty everywhere does not exist at the source. */
const isStated = (text: string | null | undefined) => text !== undefined && text !== null;

const flagKeys = { mac_lock: "macLock", mac_login: "macLogin", auto_renew: "autoRenew" } as const;
const flagNames = ["mac_lock", "mac_login", "auto_renew"] as const;

/** The username trimmed; undefined, and reported, where our rules refuse it. */
function readUsername({ notices }: Move, { username: value, at }: MovedSubscriber): string | undefined {
  const username = value.trim();
  const who = username === "" ? "(no username)" : username;
  const refuse = (text: string) => void notices.add("refused", at, who, text);
  if (username === "") return refuse("has no username");
  if (/[\uFFFD]|\0/u.test(username) || !username.isWellFormed())
    return refuse(
      "has characters in its username that were lost in an encoding; name the encoding of the file",
    );
  const read = columnFields.username.read(username);
  if (read === undefined) return refuse(`its username ${columnFields.username.message}`);
  if (username !== value)
    notices.add("name_changed", at, username, `was "${value}", with blanks at its ends`);
  if (/\p{Cf}/u.test(username))
    notices.add(
      "note",
      at,
      username,
      "has characters in its username that nobody sees; routers have to send them too",
    );
  return read;
}

interface Named {
  readonly moved: MovedSubscriber;
  readonly username: string;
  readonly key: string;
}

/** The most likely in use of usernames that RADIUS cannot tell apart. */
function pickLikeliest({ notices, now }: Move, named: readonly Named[]): Named[] {
  const groups = Map.groupBy(named, ({ key }) => key);
  return [...groups.values()].flatMap((group) => {
    const [best] = group.toSorted((one, other) => rank(other.moved, now) - rank(one.moved, now));
    if (!best) return [];
    for (const other of group) {
      if (other === best) continue;
      const { file, line } = best.moved.at;
      const why =
        other.username === best.username ? "stands there twice" : `is ${best.username} without case`;
      notices.add("double", other.moved.at, other.username, `${why}: the one in ${file}:${line} came`);
    }
    return [best];
  });
}

/** Likelihood that it is in use. */
function rank({ enabled, password, service }: MovedSubscriber, now: Seconds): number {
  const isRunning = service !== null && (service.expiresAt === null || service.expiresAt > now);
  return (enabled ? 4 : 0) + (isRunning ? 2 : 0) + (typeof password === "string" ? 1 : 0);
}

const losses = {
  hashed: "its password is stored as a hash there, and CHAP and MS-CHAP need clear text",
  none: "has no password there",
  nt_only: "only the NT hash of its password is there, which serves MS-CHAP alone",
} as const;

/** The password as it is imported; null: no clear text, or more than RADIUS can carry. */
function readPassword({ password }: MovedSubscriber): string | null {
  return typeof password === "string" ? (columnFields.password.read(password) ?? null) : null;
}

/** Reports why a password is generated. */
export function tellLostPassword({ notices }: Move, { moved: { password, at }, username }: Judged): void {
  if (typeof password === "string") {
    const why = password === "" ? losses.none : `its password ${columnFields.password.message}`;
    notices.add("new_password", at, username, why);
    return;
  }
  notices.add(password.lost === "nt_only" ? "nt_only" : "new_password", at, username, losses[password.lost]);
}

function toConnection({ connection }: MovedSubscriber): Connection {
  if (connection === null) return "any";
  return connection === "ppp" ? 1 : 2;
}

/** A lock needs a device. */
function keepLockable(
  { notices }: Move,
  { moved, username, fields }: { moved: MovedSubscriber; username: string; fields: Record<string, Value> },
): void {
  if (fields["mac_address"]) return;
  for (const flag of ["mac_lock", "mac_login"] as const) {
    if (fields[flag] !== 1) continue;
    notices.add("term_left", moved.at, username, `${flag} needs a MAC address, and there is none`);
    fields[flag] = 0;
  }
}

function parseBalance({ notices }: Move, { balance, at }: MovedSubscriber, who: string): number | undefined {
  const value = cleanText(balance ?? "");
  if (value === "") return undefined;
  const read = amount.read(value);
  if (read === undefined)
    notices.add("junk", at, who, `the balance ${value} ${amount.message}; it is 0.00 here`);
  return read;
}
