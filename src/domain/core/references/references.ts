import type { Db } from "../../../../db/open.ts";
import { DomainError, type Faults } from "../errors/errors.ts";
import { type Phrase, phrase } from "../errors/phrase.ts";
import { addFault, type Input } from "../fields/fields.ts";
import { type Actor, ownIsp, requireOwnIsp } from "../actor/actor.ts";
import { SELLERS } from "../actor/profile-types.ts";

/** Referenced nouns: name in faults, and ids with their ISP (NULL: the box). */
const kinds = {
  isps: { one: phrase`an ISP of this appliance`, rows: "SELECT id, id AS isp FROM isps" },
  branches: { one: phrase`a branch of this ISP`, rows: "SELECT id, isp_id AS isp FROM branches" },
  cities: { one: phrase`a city of this ISP`, rows: "SELECT id, isp_id AS isp FROM cities" },
  areas: { one: phrase`an area of this ISP`, rows: "SELECT id, isp_id AS isp FROM areas" },
  subareas: { one: phrase`a subarea of this ISP`, rows: "SELECT id, isp_id AS isp FROM subareas" },
  roles: { one: phrase`a role of this ISP`, rows: "SELECT code AS id, isp_id AS isp FROM roles" },
  staff: { one: phrase`an account of this ISP`, rows: "SELECT id, isp_id AS isp FROM staff" },
  salespersons: {
    one: phrase`an Admin or Reseller of this ISP`,
    rows: `SELECT id, isp_id AS isp FROM staff WHERE profile_type IN (${SELLERS.join(", ")})`,
  },
  nas: { one: phrase`a NAS of this ISP`, rows: "SELECT id, isp_id AS isp FROM nas" },
  packages: { one: phrase`a package of this ISP`, rows: "SELECT id, isp_id AS isp FROM packages" },
  subscribers: { one: phrase`a subscriber of this ISP`, rows: "SELECT id, isp_id AS isp FROM subscribers" },
  card_batches: {
    one: phrase`a batch of cards of this ISP`,
    rows: "SELECT id, isp_id AS isp FROM card_batches",
  },
  address_pools: {
    one: phrase`an address pool of this ISP`,
    rows: "SELECT id, isp_id AS isp FROM address_pools",
  },
  card_templates: {
    one: phrase`a template of cards of this ISP`,
    rows: "SELECT id, isp_id AS isp FROM card_templates",
  },
} as const;

export type Kind = keyof typeof kinds;

/** A row with a wrong ISP, which is its only fault. */
export const UNKNOWN = "unknown";
/** null: the operator. */
export type Isp = number | null | typeof UNKNOWN;

/** Whose the rows are that another one may refer to. */
export interface References {
  /** undefined: no such row. */
  readonly findIsp: (kind: Kind, id: number) => Isp | undefined;
  /** The choices in words, where allowed. */
  readonly choices?: (kind: Kind, isp: Isp) => string;
}

export type Reference<F extends string> = readonly [field: F, kind: Kind];

/** Adds a fault for each dangling reference. */
export function findReferenceFaults<F extends string>(
  lookup: References,
  references: readonly Reference<F>[],
  { isp, values }: { isp: Isp; values: { readonly [field in F]?: number | null } },
  faults: Faults,
): void {
  for (const [field, kind] of references) {
    const id = values[field];
    if (!id) continue;
    const owner = lookup.findIsp(kind, id);
    if (owner === undefined || !isWithin(owner, isp)) addFault(faults, field, isNone(lookup, kind, isp));
  }
}

/**
 * The ISP of a new row by `isp_id`, 0 being the operator. Adds a fault for an unknown one; then references are checked against
 * the actor's only ISP, so that other ISPs' ids are not revealed.
 */
export function checkNewIsp(
  lookup: References,
  ispId: number | null | undefined,
  faults: Faults,
  { own = null }: { own?: number | null } = {},
): Isp {
  if (ispId === undefined) return own ?? UNKNOWN;
  if (!ispId) return null;
  if (lookup.findIsp("isps", ispId) !== undefined) return ispId;
  addFault(faults, "isp_id", isNone(lookup, "isps", UNKNOWN));
  return UNKNOWN;
}

/**
 * The named ISP, by default the actor's, or the only one. Throws `invalid` for none, several without a name, or an unknown one;
 * `forbidden` outside the scope.
 */
export function ispForNewRow(tx: Pick<Db, "$client">, by: Actor, named: number | null | undefined): number {
  const ispId = ispNamed(tx, by, named);
  if (ispId !== null) return ispId;
  const isEmpty = tx.$client.query("SELECT 1 FROM isps LIMIT 1").get() === null;
  if (isEmpty)
    throw wrongIsp(phrase`there is no ISP yet; add yours first`, phrase`there is none yet; add yours first`);
  throw wrongIsp(phrase`there are several ISPs; say which`, phrase`is required, for there are several ISPs`);
}

/** The ISP of what may be the whole box's: null where the operator names none or 0. Throws as above. */
export function ispNamed(
  tx: Pick<Db, "$client">,
  by: Actor,
  named: number | null | undefined,
): number | null {
  const ispId = named || ownIsp(tx, by.scope);
  if (ispId === null) return null;
  requireOwnIsp(by, ispId);
  if (!tx.$client.query("SELECT 1 FROM isps WHERE id = ?").get(ispId))
    throw wrongIsp(phrase`there is no such ISP`, phrase`does not exist`);
  return ispId;
}

function wrongIsp(message: Phrase, fault: Phrase): DomainError {
  return new DomainError("invalid", message, { fields: { isp_id: [fault] } });
}

/** Adds the actor's ISP where none is named. */
export function inOwnIsp(db: Pick<Db, "$client">, { scope }: Actor, input: Input): Input {
  const named = input["isp_id"];
  if (named !== undefined && named !== "") return input;
  const ispId = ownIsp(db, scope);
  return ispId === null ? input : { ...input, isp_id: ispId };
}

/** Whether an owner is the same ISP, or the box. */
export function isWithin(owner: Isp, isp: Isp): boolean {
  return owner === isp || owner === null || owner === UNKNOWN || isp === UNKNOWN;
}

/** A fault of a dangling reference. */
export function isReferenceFault(message: string): boolean {
  return Object.values(kinds).some(({ one }) => message.startsWith(`is not ${one}`));
}

function isNone({ choices }: References, kind: Kind, isp: Isp): Phrase {
  const others = choices ? phrase`; ${choices(kind, isp)}` : "";
  return phrase`is not ${kinds[kind].one}${others}`;
}

/** One row at a time. */
export function storedReferences({ $client }: Db): References {
  return {
    findIsp: (kind, id) =>
      $client
        .query<{ isp: number | null }, [number]>(`SELECT isp FROM (${kinds[kind].rows}) WHERE id = ?`)
        .get(id)?.isp,
  };
}

export function ispsById({ $client }: Db, kind: Kind): Map<number, Isp> {
  const rows = $client.query<{ id: number; isp: number | null }, []>(kinds[kind].rows).all();
  return new Map(rows.map(({ id, isp }) => [id, isp]));
}
