import type { Db } from "../../../../db/open.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import type { Nas } from "../nas/find.ts";

const underWay = new WeakMap<Db["$client"], Set<number>>();

/** One set-up at a time: another would mistake new rows for leftovers. Throws `conflict`. */
export async function alone<T>({ $client }: Db, { id, name }: Nas, body: () => Promise<T>): Promise<T> {
  const routers = underWay.get($client) ?? new Set();
  underWay.set($client, routers);
  if (routers.has(id))
    throw new DomainError(
      "conflict",
      phrase`somebody sets ${name} up at this moment; look again when that is over`,
      { code: "under_way" },
    );
  routers.add(id);
  try {
    return await body();
  } finally {
    routers.delete(id);
  }
}

export function isBeingSetUp({ $client }: Db, { id }: Nas): boolean {
  return underWay.get($client)?.has(id) === true;
}
