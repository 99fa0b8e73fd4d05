import { isIP, isIPv4 } from "node:net";
import { all, type Condition, type Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import { heldAddress } from "../../service/sessions/address-holders.ts";
import { type Scope, scopeCondition } from "../../core/actor/actor.ts";
import type { Seconds } from "../../core/time/time.ts";

const SESSIONS = 500;
/** A character after any continuation of a prefix. */
const END = "\u{10FFFF}";

export interface Held {
  readonly value: string;
  readonly at: Seconds;
  readonly isOpen: boolean;
}

export function pastHolders({ $client }: Db, scope: Scope, address: string): Map<number, Held> {
  const held = heldBy(address);
  if (!held) return new Map();
  const { text, values } = all(held, scopeCondition(scope));
  const rows = $client
    .query<Omit<Held, "isOpen"> & { id: number; isOpen: number }, Value[]>(
      `SELECT s.id, o.framed_ip AS value, o.started_at AS at, o.stopped_at IS NULL AS isOpen
       FROM (SELECT * FROM sessions o WHERE ${held.text} ORDER BY o.started_at DESC LIMIT ${SESSIONS}) o
         JOIN subscribers s ON s.id = o.subscriber_id
       WHERE ${text} ORDER BY o.started_at DESC`,
    )
    .all(...held.values, ...values);
  const holders = new Map<number, Held>();
  for (const { id, value, at, isOpen } of rows)
    if (!holders.has(id)) holders.set(id, { value: value ?? address, at, isOpen: isOpen === 1 });
  return holders;
}

/** Whole addresses, or three of four numbers. */
function heldBy(address: string): Condition | undefined {
  if (isIP(address) !== 0 && !isIPv4(address)) return heldAddress(address);
  if (isIPv4(address)) return { text: "o.framed_ip = ?", values: [address] };
  if (!/^\d{1,3}(\.\d{1,3}){2}\.\d{0,3}$/.test(address)) return undefined;
  return { text: "o.framed_ip >= ? AND o.framed_ip < ?", values: [address, address + END] };
}
