import type { Db } from "../../../../db/open.ts";
import { splitZone } from "../../core/networks/zone.ts";
import { type Authority, NotOwn, type Owner } from "../../service/accounting/authority.ts";
import type { Seconds } from "../../core/time/time.ts";
import { type Scope, scopeOf } from "../../service/box-standing/box-scope.ts";

/** A box, as far as what it may tell of depends on it. */
export interface ReportingNode {
  readonly id: number;
  readonly name: string;
  readonly scope: string | null;
  readonly createdAt: Seconds;
}

/** `1.11` is a branch of an ISP, `1.0` what has none of its branches, `0.0` everybody's. */
type Place = string;

/** Logins of one owner among which the Class of a session is looked for. */
const LOGINS = 200;
/** Seconds in which a box that was added anew under its name may tell what it kept from before. */
const FORMER = 30 * 86_400;

/** What each access box may tell of, on one connection, its statements prepared once. */
export class NodeAuthorities {
  readonly #statements: Statements;

  constructor(db: Pick<Db, "$client">) {
    this.#statements = prepare(db);
  }

  /** Of one box, for what it tells at once. */
  of(node: ReportingNode, now: Seconds): NodeAuthority {
    return new NodeAuthority(node, this.#statements, now);
  }
}

type Statements = ReturnType<typeof prepare>;

function prepare({ $client }: Pick<Db, "$client">) {
  const place = "ifnull(isp_id, 0) || '.' || ifnull(branch_id, 0) AS place";
  return {
    subscriber: $client.query<{ place: Place }, [number]>(`SELECT ${place} FROM subscribers WHERE id = ?`),
    card: $client.query<{ place: Place }, [number]>(
      `SELECT ${place} FROM card_batches WHERE id = (SELECT batch_id FROM cards WHERE id = ?)`,
    ),
    // where it was told before it moved, and where it stands until the move is published
    known: $client.query<{ place: Place }, [string]>(
      "SELECT place FROM access_told WHERE key = ?1 UNION ALL SELECT subject FROM access_keys WHERE key = ?1",
    ),
    router: $client.query<{ ispId: number; address: string }, [number]>(
      "SELECT isp_id AS ispId, address FROM nas WHERE id = ?",
    ),
    routerAt: $client.query<{ ispId: number }, [string]>("SELECT isp_id AS ispId FROM nas WHERE address = ?"),
    former: $client.query<{ scope: string | null }, [string, Seconds]>(
      "SELECT scope FROM access_boxes WHERE name = ? AND removed_at <= ?",
    ),
    granted: $client.query<{ found: number }, [number, Buffer]>(
      `SELECT 1 AS found FROM (SELECT class, accepted FROM auth_log WHERE subscriber_id = ? ORDER BY id DESC LIMIT ${LOGINS})
       WHERE accepted = 1 AND class = ?`,
    ),
  };
}

/**
 * What one box may tell of: the subscribers and cards of its scope, and those that it was told of before they moved elsewhere; routers of
 * its ISPs that no other box has. A box that was added anew, for fewer, may tell of its earlier ones what it kept from before.
 */
export class NodeAuthority implements Authority {
  readonly box: number;
  readonly #name: string;
  readonly #createdAt: Seconds;
  readonly #scope: Scope | null;
  readonly #statements: Statements;
  readonly #now: Seconds;
  /** When what is told of just now was. */
  #happened: Seconds;
  #former: readonly (Scope | null)[] | undefined;
  // a batch is of a few hundred people and routers
  readonly #owned = new Map<string, boolean>();
  readonly #routers = new Map<string, number | null>();

  constructor({ id, name, scope, createdAt }: ReportingNode, statements: Statements, now: Seconds) {
    this.box = id;
    this.#name = name;
    this.#createdAt = createdAt;
    this.#scope = scopeOf({ scope });
    this.#statements = statements;
    this.#now = now;
    this.#happened = now;
  }

  /** What is asked from now on is of a row that was so many seconds ago. */
  ofRow({ age }: { readonly age: Seconds }): void {
    this.#happened = this.#now - age;
  }

  owns({ subscriberId, cardId }: Owner): boolean {
    if (this.#scope === null) return true;
    if (subscriberId !== null) return this.#ownsKey("s", subscriberId);
    return cardId === null || this.#ownsKey("c", cardId);
  }

  wasGranted({ subscriberId }: Owner, sessionClass: Buffer | null): boolean {
    if (subscriberId === null || sessionClass === null) return false;
    return this.#statements.granted.get(subscriberId, sessionClass) !== null;
  }

  /**
   * The number of the router by which something came, null where the books have it no more. Throws NotOwn for one that is another box's or
   * another ISP's.
   */
  routerOf(nasId: number | null, nasAddress: string): number | null {
    const key = `${nasId} ${nasAddress}`;
    let known = this.#routers.get(key);
    if (known === undefined) this.#routers.set(key, (known = this.#routerOf(nasId, nasAddress)));
    return known;
  }

  /**
   * Whether what the box says of that address of a router holds for the router everywhere: no other box is asked from there, or this one is
   * for everybody.
   */
  speaksFor(nasId: number, nasAddress: string): boolean {
    if (this.routerOf(nasId, nasAddress) !== nasId) return false;
    const { address = "" } = this.#statements.router.get(nasId) ?? {};
    const { host, zone } = splitZone(address);
    const isIts = host.includes("/") || address === nasAddress;
    return isIts && (this.#scope === null || zone === this.#name);
  }

  #routerOf(nasId: number | null, nasAddress: string): number | null {
    const { zone } = splitZone(nasAddress);
    // by the address of that time: a router that is another box's since was this one's then
    if (zone !== null && zone !== this.#name) throw new NotOwn(`the router ${nasAddress} is of another box`);
    const router = nasId === null ? null : this.#statements.router.get(nasId);
    const isps = [router?.ispId, this.#statements.routerAt.get(nasAddress)?.ispId];
    for (const isp of isps)
      if (isp !== undefined && !this.#hasIsp(isp))
        throw new NotOwn(`the router ${nasAddress} is of an ISP that the box is not for`);
    return router ? nasId : null;
  }

  #hasIsp(ispId: number): boolean {
    const { isps = [], branches = [] } = this.#scope ?? {};
    return this.#scope === null || isps.includes(ispId) || branches.some(({ isp }) => isp === ispId);
  }

  #ownsKey(letter: "s" | "c", id: number): boolean {
    const key = `${letter}.${id}`;
    let owns = this.#owned.get(key);
    if (owns === undefined) {
      const { subscriber, card, known } = this.#statements;
      const stands = (letter === "s" ? subscriber : card).get(id)?.place;
      // whoever is no more is nobody's
      owns =
        stands === undefined ||
        isWithin(this.#scope, stands) ||
        known.all(key).some(({ place }) => isWithin(this.#scope, place));
      this.#owned.set(key, owns);
    }
    return owns || this.#ownedBefore(key);
  }

  /** Whether it was this box's before it was added anew, and is told of that time. */
  #ownedBefore(key: string): boolean {
    if (this.#happened > this.#createdAt || this.#now > this.#createdAt + FORMER) return false;
    const { subscriber, card, former } = this.#statements;
    this.#former ??= former.all(this.#name, this.#createdAt).map((node) => scopeOf(node));
    if (this.#former.length === 0) return false;
    const stands = (key.startsWith("s") ? subscriber : card).get(Number(key.slice(2)))?.place ?? "";
    return this.#former.some((scope) => isWithin(scope, stands));
  }
}

/** Whether a box of that scope is told what stands at a place, or under a subject. */
function isWithin(scope: Scope | null, placeOrSubject: string): boolean {
  if (scope === null) return true;
  const [isp = 0, branch = 0] = placeOrSubject.split(".").slice(0, 2).map(Number);
  return (
    isp === 0 ||
    (scope.isps ?? []).includes(isp) ||
    (scope.branches ?? []).some((one) => one.isp === isp && one.branch === branch)
  );
}
