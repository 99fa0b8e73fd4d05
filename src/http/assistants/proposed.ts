import { type Db, type Tx, write } from "../../../db/open.ts";
import { type Actor, narrow } from "../../domain/core/actor/actor.ts";
import { DomainError } from "../../domain/core/errors/errors.ts";
import { phrase } from "../../domain/core/errors/phrase.ts";
import type { Input } from "../../domain/core/fields/fields.ts";
import { type Effect, hashFigures, tryEffect, withEffect } from "../../domain/around/proposals/effect.ts";
import { pressProposal, type Proposal, waitingProposals } from "../../domain/around/proposals/proposals.ts";
import type { Seconds } from "../../domain/core/time/time.ts";
import type { Managed, Within, Working } from "../operation.ts";
import { argumentNames, callNamed, isAskedFor, isOpen } from "./tools.ts";

type Sent = Readonly<Record<string, unknown>>;

/** What a call is made with: ids of its path, and the rest. Throws `invalid` for what it does not take. */
export function splitArguments(call: Managed, sent: Sent): { input: Input; params: Record<string, string> } {
  const { path = {} } = call.hook.detail;
  const names = argumentNames(call);
  const other = Object.keys(sent).find((one) => !names.includes(one));
  if (other !== undefined)
    throw new DomainError("invalid", phrase`there is no argument ${other}; there are ${names.join(", ")}`);
  const isId = ([name]: [string, unknown]) => Object.hasOwn(path, name);
  const ids = Object.keys(path).map((name) => [name, String(sent[name] ?? "")] as const);
  return {
    params: Object.fromEntries(ids),
    input: Object.fromEntries(Object.entries(sent).filter((one) => !isId(one))),
  };
}

/** What a call would change if this actor made it. Throws what it refuses. */
export function tryCall(needs: Working, call: Managed, { staff, sent }: { staff: Actor; sent: Sent }) {
  const parts = splitArguments(call, sent);
  return tryEffect(needs.db, (tx) => call.tried({ ...needs, db: tx }, { staff, ...parts }));
}

/** The call of a proposal, where there still is one that may be asked for. */
export function requireCall({ call }: Proposal): Managed {
  const found = callNamed(call);
  if (found && isAskedFor(found)) return found;
  throw new DomainError(
    "not_found",
    phrase`this version has no such call any more; let the assistant ask anew`,
  );
}

/** What waits for a press that this person may make. */
export function waitingFor(db: Db, by: Actor, now: Seconds): readonly Proposal[] {
  return waitingProposals(db, by.scope, { now }).filter(({ call }) => {
    const managed = callNamed(call);
    return managed !== undefined && isOpen(by, managed);
  });
}

/** Who presses, within what the key reaches. */
const within = (by: Actor, { ispId, branchId }: Proposal): Actor => ({
  ...by,
  scope: narrow(by.scope, ispId, branchId),
});

/** What a press of this person would change now. Throws what is refused to them. */
export function effectNow(needs: Working, by: Actor, proposal: Proposal): Effect {
  const staff = within(by, proposal);
  return tryCall(needs, requireCall(proposal), { staff, sent: proposal.sent });
}

/**
 * Does it, once, as the person who presses: in one transaction with what says so (before, where it goes on at routers), and only where it
 * changes what that person has seen (`seen`). Throws `conflict` with the code `stale` otherwise, and what the call refuses.
 */
export async function press(
  needs: Working,
  by: Actor,
  { proposal, seen }: { proposal: Proposal; seen: string },
): Promise<void> {
  const call = requireCall(proposal);
  const pressed = (tx: Tx) => pressProposal(tx, by, { id: proposal.id }, { now: needs.clock() });
  const requireSeen = (effect: Effect) => {
    if (hashFigures(effect) === seen) return;
    throw new DomainError("conflict", phrase`it would change something else by now; look at it again`, {
      code: "stale",
    });
  };
  const pressing: Within = ({ db }, work) => {
    const tx = db as Tx; // of its transaction
    pressed(tx);
    const { done, effect } = withEffect(tx, work); // done once, and undone where it is not what was seen
    requireSeen(effect);
    return done;
  };
  if (!call.isTransaction)
    write(needs.db, (tx) => {
      requireSeen(effectNow({ ...needs, db: tx }, by, proposal));
      pressed(tx);
    });
  await call.answer(needs, {
    staff: within(by, proposal),
    ...splitArguments(call, proposal.sent),
    source: null,
    headers: {},
    preferences: {
      accept: null,
      key: `request ${proposal.id} of an assistant`,
      ifMatch: null,
      ifNoneMatch: null,
    },
    ...(call.isTransaction && { within: pressing }),
  });
}
