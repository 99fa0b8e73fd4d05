import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { TypeCompiler } from "@sinclair/typebox/compiler";
import type { AuthLogEntry } from "../../service/access/auth-log.ts";
import { isReason, outcomes } from "../../service/access/outcomes.ts";
import type { recordFirstUses } from "../../service/cards/first-use.ts";
import type { AccountingReport } from "../../service/accounting/accounting.ts";
import type { Seconds } from "../../core/time/time.ts";
import type { Homecoming, JournalBatch } from "./journal.ts";

/* Schemas of the journal. A stolen box writes what it likes, so anything else is refused; additions of later versions are ignored. */

/** Longer than any attribute's text with escapes. */
const text = Type.String({ maxLength: 2000 });
const integer = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const octets = Type.Integer({ minimum: 0, maximum: 2 ** 50 });
const orNull = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);
const optional = <S extends TSchema>(schema: S) => Type.Optional(orNull(schema));
const address = Type.String({ maxLength: 100, pattern: "^[0-9A-Za-z.:/%_-]+$" });
const mac = Type.String({ pattern: "^[0-9A-Fa-f:.-]{1,32}$" });
const base64 = Type.String({ maxLength: 400, pattern: "^[A-Za-z0-9+/]*={0,2}$" });

const home = Type.Object({
  after: integer,
  rows: Type.Array(
    Type.Object({
      number: integer,
      kind: Type.String({ maxLength: 40 }),
      at: integer,
      age: integer,
      body: Type.String(),
    }),
    { maxItems: 10_000 },
  ),
});

const restart = Type.Object({
  kind: Type.Literal("restart"),
  restart: Type.Object({
    status: Type.Union([Type.Literal("on"), Type.Literal("off")]),
    at: integer,
    nasAddress: address,
  }),
});

const session = Type.Object({
  kind: Type.Literal("session"),
  report: Type.Object({
    status: Type.Union([Type.Literal("start"), Type.Literal("interim"), Type.Literal("stop")]),
    at: integer,
    acctSessionId: text,
    username: text,
    nasAddress: address,
    localAddress: orNull(address),
    nasId: orNull(integer),
    class: orNull(base64),
    nasPort: orNull(integer),
    nasPortId: orNull(text),
    nasPortType: orNull(integer),
    nasIp: orNull(address),
    nasIdentifier: orNull(text),
    calledStationId: orNull(text),
    mac: orNull(mac),
    framedIp: orNull(address),
    framedIpv6Prefix: orNull(address),
    delegatedIpv6Prefix: orNull(address),
    sessionTime: optional(Type.Integer({ minimum: 0, maximum: 2 ** 32 - 1 })),
    inputOctets: optional(octets),
    outputOctets: optional(octets),
    octetsAre32Bit: Type.Boolean(),
    terminateCause: optional(text),
  }),
  login: optional(text),
  ispId: orNull(integer),
  arrival: integer,
  owner: Type.Optional(Type.Object({ subscriberId: orNull(integer), cardId: orNull(integer) })),
});

const decisions = Type.Array(
  Type.Object({
    at: integer,
    nasId: orNull(integer),
    nasAddress: address,
    username: text,
    subscriberId: orNull(integer),
    cardId: orNull(integer),
    isCardUse: Type.Boolean(),
    accepted: Type.Boolean(),
    reason: Type.String({ maxLength: 100 }),
    detail: optional(Type.String({ maxLength: 100 })),
    method: optional(Type.String({ maxLength: 40 })),
    mac: optional(mac),
    class: optional(base64),
  }),
  { maxItems: 100_000 },
);

const dropped = Type.Object({ decisions: integer });
const seen = Type.Object({ nasId: integer, address });

/** A malformed row: of another version, or forged. */
export class NoRow extends Error {
  override name = "NoRow";
}

/** A reader compiled once, because accounting arrives at thousands of rows a second; lazily, because most have no boxes. */
function reader<S extends TSchema>(schema: S): (body: string) => Static<S> {
  let compiled: ReturnType<typeof TypeCompiler.Compile<S>> | undefined;
  return (body) => {
    compiled ??= TypeCompiler.Compile(schema);
    const value: unknown = parseJson(body);
    if (compiled.Check(value)) return value;
    const { path = "", message = "" } = compiled.Errors(value).First() ?? {};
    throw new NoRow(`is not of the form that it has to be: ${path} ${message.toLowerCase()}`);
  };
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (cause) {
    throw new NoRow("is no JSON", { cause });
  }
}

/** Throws NoRow. */
export const readHome: (body: string) => JournalBatch = reader(home);
export const readSeen = reader(seen);
export const readDropped = reader(dropped);

const readRestart = reader(restart);
const readSession = reader(session);
const readPacked = reader(decisions);

/** Seconds: no box keeps rows for longer. */
const OLDEST = 10 * 366 * 86_400;
const LATEST = 3600;

/** Times by the clock of the box, `now` by the primary's. */
interface Received {
  readonly row: Pick<Homecoming, "at" | "age">;
  readonly now: Seconds;
}

const moment = ({ row, now }: Received) => {
  const later = now - row.age - row.at;
  return (at: Seconds) => Math.max(Math.min(at + later, now + LATEST), now - OLDEST);
};

/** Times converted to the primary's clock, with the box's number. Throws NoRow. */
export function unpackReport(
  body: string,
  received: Received & { readonly viaBox: number },
): AccountingReport {
  const at = moment(received);
  if (body.includes('"kind":"restart"') && !body.includes('"report"')) {
    const { restart } = readRestart(body);
    return { kind: "restart", restart: { ...restart, at: at(restart.at) } };
  }
  const { report, login, ispId, arrival, owner } = readSession(body);
  return {
    kind: "session",
    login: login ?? undefined,
    ispId,
    arrival: at(arrival),
    ...(owner && { owner }),
    report: {
      ...report,
      at: at(report.at),
      sessionTime: report.sessionTime ?? undefined,
      inputOctets: report.inputOctets ?? undefined,
      outputOctets: report.outputOctets ?? undefined,
      terminateCause: report.terminateCause ?? undefined,
      class: report.class === null ? null : Buffer.from(report.class, "base64"),
      viaBox: received.viaBox,
    },
  };
}

export type Decision = Parameters<typeof recordFirstUses>[1][number] &
  AuthLogEntry & { readonly nasAddress: string };

/** Times converted to the primary's clock. Throws NoRow. */
export function unpackDecisions(body: string, received: Received): Decision[] {
  const at = moment(received);
  return readPacked(body).map((one) => {
    const { reason, accepted } = one;
    if (!isReason(reason) || outcomes[reason].accepts !== accepted)
      throw new NoRow(`has a login that is ${accepted ? "accepted" : "refused"} as ${reason}`);
    return {
      at: at(one.at),
      nasId: one.nasId,
      nasAddress: one.nasAddress,
      username: one.username,
      subscriberId: one.subscriberId,
      cardId: one.cardId,
      isCardUse: one.isCardUse,
      accepted,
      reason,
      detail: one.detail ?? null,
      method: one.method ?? null,
      mac: one.mac ?? null,
      class: typeof one.class === "string" ? Buffer.from(one.class, "base64") : null,
    };
  });
}
