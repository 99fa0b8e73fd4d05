import { randomBytes } from "node:crypto";
import { nasFields } from "../../goods/nas/fields.ts";
import { fold } from "../../core/fields/text.ts";
import { type Fields, secretHash, type Value } from "./imported-rows.ts";
import { cleanText, cutText } from "./clean.ts";
import { compareFields, keptText, quoted } from "./compare.ts";
import type { MovedRouter } from "./model.ts";
import { type Counts, type ImportRow, type Move, noCounts } from "./move.ts";

export interface ImportedRouters {
  readonly rows: readonly ImportRow[];
  readonly counts: Counts;
  readonly byKey: ReadonlyMap<string, number>;
}

interface StoredRouter {
  readonly id: number;
  readonly ispId: number;
  readonly name: string;
  readonly address: string;
  readonly sealed: Uint8Array;
}

/** Matches by earlier import, address or name, or creates. */
export function importRouters(move: Move, routers: readonly MovedRouter[]): ImportedRouters {
  const counts = noCounts();
  const stored = storedRouters(move);
  const own = stored.filter(({ ispId }) => ispId === move.ispId);
  const addresses = new Map(stored.map((router) => [router.address, router]));
  const names = new Set(own.map(({ name }) => fold(name)));
  const rows: ImportRow[] = [];
  const byKey = new Map<string, number>();
  const madeAt = new Map<string, number>();
  for (const moved of routers) {
    counts.found++;
    const address = moved.address === null ? undefined : nasFields.address.read(moved.address.trim());
    const name = routerName(moved);
    const before = move.imported.get("router", moved.key);
    const found =
      own.find(({ id }) => id === before?.rowId) ??
      own.find((router) => router.address === address) ??
      own.find((router) => fold(router.name) === fold(name));
    if (found) {
      const row = follow(move, { moved, name, address, found, addresses });
      if (row) rows.push(row);
      counts[row ? "changed" : "same"]++;
      byKey.set(moved.key, found.id);
      continue;
    }
    const fault = findFault(moved, address, addresses);
    if (fault !== undefined || address === undefined) {
      move.notices.add("refused", moved.at, name, fault ?? "has no address");
      counts.refused++;
      continue;
    }
    const twin = madeAt.get(address);
    if (twin !== undefined) {
      move.notices.add(
        "double",
        moved.at,
        name,
        `another router has the address ${address} too; both are one here`,
      );
      byKey.set(moved.key, twin);
      counts.same++;
      continue;
    }
    const id = move.ids.next("nas");
    rows.push(make(move, { id, moved, name: freeName(names, name), address }));
    byKey.set(moved.key, id);
    madeAt.set(address, id);
    counts.new++;
  }
  return { rows, counts, byKey };
}

const routerName = ({ name, key, address }: MovedRouter) =>
  cutText(cleanText(name) || cleanText(key) || (address ?? "router"), 60);

function findFault(
  { address: value }: MovedRouter,
  address: string | undefined,
  addresses: ReadonlyMap<string, StoredRouter>,
): string | undefined {
  if (value === null) return "the source does not say its address; add it: gatehouse nas add NAME ADDRESS";
  if (address === undefined) return `${value}: ${nasFields.address.message}`;
  return addresses.has(address) ? `another router of this box has the address ${address}` : undefined;
}

function make(
  move: Move,
  { id, moved, name, address }: { id: number; moved: MovedRouter; name: string; address: string },
): ImportRow {
  const value = nasFields.secret.read(moved.secret ?? "");
  if (value === undefined)
    move.notices.add(
      "note",
      moved.at,
      name,
      `has a new RADIUS secret; gatehouse nas script ${name} prints it`,
    );
  const secret = value ?? randomBytes(16).toString("hex");
  const fields = { name, address, secret: value === undefined ? null : secretHash(move.db.vault, value) };
  move.imported.put("router", moved.key, { rowId: id, isMade: true, fields });
  return { id, isp_id: move.ispId, name, address, secret, ...(moved.kind && { kind: moved.kind }) };
}

interface Following {
  readonly moved: MovedRouter;
  readonly name: string;
  readonly address: string | undefined;
  readonly found: StoredRouter;
  readonly addresses: ReadonlyMap<string, StoredRouter>;
}

function follow(move: Move, { moved, name, address, found, addresses }: Following): ImportRow | undefined {
  const { vault } = move.db;
  const secret = nasFields.secret.read(moved.secret ?? "");
  const source: Record<string, Value> = {
    name,
    ...(address !== undefined && { address }),
    ...(secret !== undefined && { secret: secretHash(vault, secret) }),
  };
  const ours: Fields = {
    name: found.name,
    address: found.address,
    secret: secretHash(vault, vault.openText(found.sealed)),
  };
  const here = (field: string) => ours[field] ?? null;
  const before = move.imported.get("router", moved.key);
  if (!before) {
    const kept = Object.entries(source).flatMap(([field, there]) =>
      there === here(field) ? [] : [{ field, there, here: here(field) }],
    );
    if (kept.length > 0)
      move.notices.add("kept_here", moved.at, found.name, `was here before: ${keptText(kept, format)}`);
    move.imported.put("router", moved.key, { rowId: found.id, isMade: false, fields: source });
    return undefined;
  }
  const { changes, fields, kept } = compareFields(source, before.fields, here);
  if (kept.length > 0) move.notices.add("kept_here", moved.at, found.name, keptText(kept, format));
  const follows: ImportRow = { ...changes };
  if ("secret" in changes) follows["secret"] = secret;
  const holder = typeof changes["address"] === "string" ? addresses.get(changes["address"]) : undefined;
  if (holder && holder.id !== found.id) {
    move.notices.add(
      "kept_here",
      moved.at,
      found.name,
      `another router has the address ${holder.address} here`,
    );
    delete follows["address"];
  }
  move.imported.put("router", moved.key, { rowId: found.id, isMade: false, fields });
  return Object.keys(follows).length > 0 ? { id: found.id, ...follows } : undefined;
}

const format = (field: string, value: Value) => (field === "secret" ? "another one" : quoted(value));

function freeName(names: Set<string>, name: string): string {
  for (let number = 1; ; number++) {
    const tried = number === 1 ? name : `${name} ${number}`;
    if (names.has(fold(tried))) continue;
    names.add(fold(tried));
    return tried;
  }
}

function storedRouters({ db }: Move): StoredRouter[] {
  return db.$client
    .query<StoredRouter, []>(
      "SELECT id, isp_id AS ispId, name, address, secret_sealed AS sealed FROM nas ORDER BY id",
    )
    .all();
}
