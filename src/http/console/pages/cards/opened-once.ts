import { randomBytes } from "node:crypto";
import type { Tx } from "../../../../../db/open.ts";
import { once } from "../../../../domain/core/once/once.ts";
import type { StaffVisit } from "../../guard.ts";
import type { ReadValue } from "../../parts/keyed.tsx";

/** The idempotency key of a form that opens codes. */
export const newKey = () => randomBytes(16).toString("base64url");

/** Opens codes once for a key; undefined: opened before, so that a reload does not show them again. Throws what `open` throws. */
export function openedOnce<T>(
  { db, by, now, path }: StaffVisit,
  values: ReadValue,
  names: readonly string[],
  open: (tx: Tx) => T,
): T | undefined {
  const requested = names.map((name) => values(name));
  let opened: T | undefined;
  once(
    db,
    by,
    { path: [path, ...requested].join(" "), key: values("key"), input: { asked: requested.join(" ") } },
    { now },
    (tx) => () => {
      opened = open(tx);
      return { context: true };
    },
  );
  return opened;
}
