import type { Db } from "../../../../db/open.ts";
import { DomainError } from "../../core/errors/errors.ts";
import type { Nas } from "../nas/find.ts";

/** Routers that are set up at this moment, by store. */
const underWay = new WeakMap<Db["$client"], Set<number>>();

/** Sets a router up while nobody else of this process does: each would take what the other makes for what is left of its own. Throws `conflict`. */
export async function alone<T>({ $client }: Db, { id, name }: Nas, body: () => Promise<T>): Promise<T> {
  const routers = underWay.get($client) ?? new Set();
  underWay.set($client, routers);
  if (routers.has(id))
    throw new DomainError(
      "conflict",
      `somebody sets ${name} up at this moment; look again when that is over`,
      { code: "under_way" },
    );
  routers.add(id);
  try {
    return await body();
  } finally {
    routers.delete(id);
  }
}

/** Whether somebody of this process sets a router up at this moment. */
export function isBeingSetUp({ $client }: Db, { id }: Nas): boolean {
  return underWay.get($client)?.has(id) === true;
}
