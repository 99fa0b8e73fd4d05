import { Type } from "@sinclair/typebox";
import { endChosenSessions, type EndOutcome } from "../../domain/service/control/end.ts";
import { endSessionsAt, type EndedAtRouter } from "../../domain/service/control/end-at-router.ts";
import { flag, from, id, mac, text, time, to } from "../../domain/core/fields/fields.ts";
import { addressHolders } from "../../domain/service/sessions/address-holders.ts";
import { changedSessions, listSubscriberSessions, sessionLog } from "../../domain/service/sessions/log.ts";
import type { Seconds } from "../../domain/core/time/time.ts";
import { seeingArchived } from "../../domain/core/actor/actor.ts";
import { exampleSession, sessionSchema, sessionToJson } from "../../wire/session.ts";
import { CHANGES, followed, withChanges } from "../changes.ts";
import { managementForm } from "../form.ts";
import { logged, shortFile, strict } from "../list.ts";
import { type Call, managed } from "../operation.ts";

const address = text(45);
const tags: [string] = ["Sessions and logins"];

const list = logged({
  path: "/api/v1/session/list",
  operation: "sessionLog",
  operationId: "listSessions",
  tags,
  summary: "List sessions, open and past, the one that began last first",
  description:
    "`from` and `to` are about when a session began. What began before the session of `before` is the next page. Sessions of cards, which have the card's number as `username`, are seen by whose the batch is: its ISP, its branch, the reseller who holds it. Names that are no subscriber's and no card's are seen by accounts of the whole ISP whose router told of them. " +
    CHANGES("/api/v1/session/changes"),
  filters: {
    open: flag,
    user_id: id,
    nas_id: id,
    package_id: id,
    address,
    mac_address: mac,
    from,
    to,
  },
  record: sessionSchema,
  example: exampleSession,
  refusals: { 404: "There is no router `nas_id`." },
  page: ({ db, by, values: value }, page) => {
    const { open, user_id, nas_id, package_id, address, mac_address, from, to } = value;
    const filter = {
      open,
      subscriberId: user_id,
      nasId: nas_id,
      packageId: package_id,
      address,
      mac: mac_address,
      from,
      to,
    };
    return sessionLog(db, by, filter, page).map(sessionToJson);
  },
});

const changes = followed({
  path: "/api/v1/session/changes",
  operation: "changedSessions",
  operationId: "listSessionChanges",
  tags,
  summary: "List the sessions that ended, or were changed after their end, since a cursor",
  description:
    "A report that comes late may change one that has ended, or open it: then session/list?open=1 has it, and it comes again when it ends. What was kept longer than the setting session_days is not told any more.",
  record: sessionSchema,
  example: exampleSession,
  page: ({ db, by }, position) => {
    const { records, ...more } = changedSessions(db, by, position);
    return { ...more, records: records.map(sessionToJson) };
  },
});

const ofSubscriber = logged({
  path: "/api/v1/subscriber/sessions/:id",
  operation: "listSubscriberSessions",
  operationId: "listSubscriberSessions",
  tags,
  summary: "List the sessions of a subscriber, the one that began last first",
  ids: { id: "subscriber" },
  filters: { open: flag, from, to, archived: flag },
  record: sessionSchema,
  example: exampleSession,
  refusals: { 404: "There is no such subscriber." },
  page: ({ db, by, values: { open, from, to, archived }, ids: { id: subscriberId } }, page) =>
    listSubscriberSessions(
      db,
      seeingArchived(by, archived),
      { subscriber: subscriberId, open, from, to },
      page,
    ).map(sessionToJson),
});

type Held = Pick<Call<{ address: string; at?: Seconds | null }, string>, "db" | "by" | "values" | "now">;
const holders = ({ db, by, values: { address, at }, now }: Held) =>
  addressHolders(db, by, { address, at: at ?? now }).map(sessionToJson);

const who = managed({
  method: "GET",
  path: "/api/v1/session/who",
  operation: "addressHolders",
  operationId: "whoHadAddress",
  tags,
  summary: "Say who had an address at a time",
  description: "An IPv4 address, or an IPv6 address or prefix within one that was given or delegated.",
  form: strict(
    managementForm({ address, at: time }, ["address"], { address: "10.5.0.2", at: "2030-01-31 09:00:00" }),
  ),
  success: {
    description: "The sessions that had it then, the newest first; nobody: none.",
    schema: Type.Array(sessionSchema),
    example: [exampleSession],
  },
  refusals: { 400: "The address is none." },
  run: holders,
  csv: (call, line) => shortFile("listAddressHolders", sessionSchema, holders(call), line),
});

const outcomes: Record<EndOutcome, string> = {
  confirmed: "Session ended: the router has confirmed that it is gone.",
  disconnected: "Session ended: the router has acknowledged it.",
  already_offline: "There is no such session any more.",
  closed: "Session closed in the books; the router was not asked.",
};

const end = managed({
  method: "POST",
  path: "/api/v1/session/end",
  awaits: true,
  operation: "endChosenSessions",
  operationId: "endSession",
  tags,
  summary: "End the open sessions of a subscriber or of a router, or one by its id (extension)",
  description:
    "Not part of the original interface. `id` is one session of a list. `nas_id` with the router's name in `confirm` means every open session of a router that the caller sees: the answer says what became of them, and how many are not the caller's and were left; what was not asked for within 20 s, or because the router does not answer, is asked for by another call. `user_id` alone means every open session of the subscriber, `session_id` one, as the usage shows it; one of these is needed. The router is asked as by disconnect. With `books_only` 1 it is not: for a session that is open in the books because its Stop was lost, on a router that is gone or does not know it any more. A session that goes on all the same is open again with the router's next update.",
  form: managementForm(
    { user_id: id, session_id: text(253), books_only: flag, id, nas_id: id, confirm: text(200) },
    [],
    { user_id: 42, session_id: "81000001", books_only: 1 },
  ),
  success: {
    description: "Ended, closed in the books, or nothing to do: `success` says which.",
    schema: Type.Object({
      success: Type.String(),
      ended: Type.Optional(Type.Integer()),
      gone: Type.Optional(Type.Integer()),
      failed: Type.Optional(Type.Integer()),
      reasons: Type.Optional(Type.Array(Type.Object({ reason: Type.String(), sessions: Type.Integer() }))),
      not_asked: Type.Optional(Type.Integer()),
      outside: Type.Optional(Type.Integer()),
    }),
    example: { success: outcomes.closed },
  },
  refusals: {
    400: "None of `user_id`, `session_id`, `id` and `nas_id`, `confirm` is not the router's name, several subscribers have a session of that id, or disconnecting is switched off in the settings.",
    404: "There is no such subscriber, router or open session.",
    502: "The router did not do it, and why; the session stays open in the books.",
  },
  run: async ({ db, by, values: value, clock, routers }) => {
    const { user_id, session_id, books_only, id, nas_id, confirm } = value;
    if (nas_id) return allEnded(await endSessionsAt(db, by, { nasId: nas_id, confirm }, { clock, routers }));
    const choice = {
      subscriberId: user_id ?? undefined,
      sessionId: session_id ?? undefined,
      id: id ?? undefined,
    };
    const what = { choice, inBooksOnly: books_only === 1 };
    return { success: outcomes[await endChosenSessions(db, by, what, { clock, routers })] };
  },
});

function allEnded({ notAsked: unanswered, outside, ...ended }: EndedAtRouter) {
  const left = outside === 0 ? "" : ` ${outside} are not yours and were left.`;
  const success = `${ended.ended} sessions ended, ${ended.gone} were gone already, ${ended.failed} failed, ${unanswered} were not asked for.${left}`;
  return { success, ...ended, not_asked: unanswered, outside };
}

export const sessionOperations = [withChanges(list, changes), changes, ofSubscriber, who, end];
