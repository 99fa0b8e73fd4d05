import { type Phrase, phrase } from "../../core/errors/phrase.ts";
import { type TSchema, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { Db } from "../../../../db/open.ts";
import type { Session } from "../sessions/advance.ts";
import { formatTime, type Seconds } from "../../core/time/time.ts";
import type { RouterAnswer, Routers } from "./routers.ts";

/** The primary's request to an access box about a session, identified by the router's ids. */
export interface NodeRequest {
  readonly ask: "disconnect" | "rate" | "timeout" | "find";
  readonly session: {
    readonly acctSessionId: string;
    readonly nasAddress: string;
    readonly username: string;
    /** base64; null: none sent. */
    readonly class: string | null;
  };
  /** The rate, or the seconds. */
  readonly value?: string | number;
  /** For a rate: reply attributes that may replace it, and the octet limit. */
  readonly added?: string | undefined;
  readonly limit?: number | undefined;
}

/** Sends a request to an access box, whose answer is untrusted. Rejects without an answer. */
export type AskNode = (box: string, request: NodeRequest) => Promise<unknown>;

/** One line of text, shown on pages and terminals. */
const line = (maxLength: number) => Type.String({ maxLength, pattern: "^[^\\x00-\\x1f\\x7f-\\x9f]*$" });
const orNull = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);
const answers = Type.Union([
  Type.Object({ kind: Type.Union([Type.Literal("acknowledged"), Type.Literal("gone")]) }),
  Type.Object({
    kind: Type.Literal("failed"),
    reason: line(1000),
    isSilent: Type.Optional(Type.Boolean()),
  }),
  Type.Object({ kind: Type.Literal("unknown"), reason: line(1000) }),
  Type.Object({
    kind: Type.Literal("listed"),
    users: Type.Array(
      Type.Object({
        id: line(100),
        address: orNull(line(100)),
        mac: orNull(line(100)),
        uptime: orNull(Type.Integer({ minimum: 0 })),
      }),
      { maxItems: 1000 },
    ),
  }),
]);

interface Box {
  readonly name: string;
  readonly heardAt: Seconds | null;
}

/**
 * Routers of the primary, with sessions of an access box asked through that box from the address known to the router. While it
 * is cut off the answer says so; nothing is queued.
 */
export function routersThrough(db: Db, local: Routers, ask: AskNode): Routers {
  const through = async (session: Session, request: Omit<NodeRequest, "session">) => {
    const box = findBox(db, session.viaBox);
    if (!box) return failed(phrase`the box that its router asks has been removed`);
    let answer: unknown;
    try {
      answer = await ask(box.name, { ...request, session: sessionKey(session) });
    } catch {
      return failed(
        box.heardAt === null
          ? phrase`${box.name} is cut off`
          : phrase`${box.name} is cut off since ${formatTime(box.heardAt)}`,
      );
    }
    return Value.Check(answers, answer) ? answer : failed(ANSWERED_ELSE);
  };
  const answered = async (session: Session, request: Omit<NodeRequest, "session">): Promise<RouterAnswer> => {
    const answer = await through(session, request);
    if (answer.kind === "acknowledged" || answer.kind === "gone") return answer;
    return "reason" in answer ? { ...answer, kind: "failed" } : failed(ANSWERED_ELSE);
  };
  return {
    disconnect: (holder, session, silence) =>
      session && session.viaBox !== null
        ? answered(session, { ask: "disconnect" })
        : local.disconnect(holder, session, silence),
    changeRate: (holder, session, rate) =>
      session.viaBox === null
        ? local.changeRate(holder, session, rate)
        : answered(session, {
            ask: "rate",
            value: rate.rateLimit,
            ...(rate.added !== undefined && { added: rate.added }),
            ...(rate.totalLimit !== undefined && { limit: rate.totalLimit }),
          }),
    changeTimeout: (holder, session, seconds) =>
      session.viaBox === null
        ? local.changeTimeout(holder, session, seconds)
        : answered(session, { ask: "timeout", value: seconds }),
    find: async (holder, session) => {
      if (!session || session.viaBox === null) return local.find(holder, session);
      const answer = await through(session, { ask: "find" });
      if (answer.kind === "listed" || answer.kind === "unknown") return answer;
      return {
        kind: "failed",
        reason: answer.kind === "failed" ? answer.reason : ANSWERED_ELSE.toString(),
      };
    },
  };
}

function findBox({ $client }: Db, id: number | null): Box | null {
  return $client
    .query<Box, [number | null]>(
      "SELECT name, heard_at AS heardAt FROM access_boxes WHERE id = ? AND removed_at IS NULL",
    )
    .get(id);
}

function sessionKey({
  acctSessionId,
  nasAddress,
  username,
  class: sessionClass,
}: Session): NodeRequest["session"] {
  const bytes = sessionClass && Buffer.from(sessionClass).toString("base64");
  return { acctSessionId, nasAddress, username, class: bytes };
}

const ANSWERED_ELSE = phrase`the box answered something else`;

const failed = (reason: Phrase): RouterAnswer & { kind: "failed" } => ({
  kind: "failed",
  reason: reason.toString(),
  isSilent: true,
});
