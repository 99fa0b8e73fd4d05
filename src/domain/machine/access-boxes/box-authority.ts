import type { Db } from "../../../../db/open.ts";
import { splitZone } from "../../core/networks/zone.ts";
import { type Authority, NotOwn, type Owner } from "../../service/accounting/authority.ts";
import type { Seconds } from "../../core/time/time.ts";
import { parseScope, type Scope } from "../../service/box-standing/box-scope.ts";

export interface ReportingNode {
  readonly id: number;
  readonly name: string;
  readonly scope: string | null;
  readonly createdAt: Seconds;
}

/** `1.11` a branch, `1.0` an ISP without a branch, `0.0` everybody. */
type Place = string;

/** Logins in which a session's Class is looked for. */
const LOGINS = 200;
/** Seconds in which a re-added box may report its earlier journal. */
const FORMER = 30 * 86_400;

export class NodeAuthorities {
  readonly #statements: Statements;

  constructor(db: Pick<Db, "$client">) {
    this.#statements = prepare(db);
  }

  /** For one box and one batch. */
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
    // its former place, and the present one until the move is published
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
 * What a box may report: subscribers and cards in its scope, or formerly so; routers of its ISPs that no other box has. A
 * re-added box may also report for its former scope.
 */
export class NodeAuthority implements Authority {
  readonly box: number;
  readonly #name: string;
  readonly #createdAt: Seconds;
  readonly #scope: Scope | null;
  readonly #statements: Statements;
  readonly #now: Seconds;
  /** The time of the reported row. */
  #happened: Seconds;
  #former: readonly (Scope | null)[] | undefined;
  // cached for a batch of a few hundred people and routers
  readonly #owned = new Map<string, boolean>();
  readonly #routers = new Map<string, number | null>();

  constructor({ id, name, scope, createdAt }: ReportingNode, statements: Statements, now: Seconds) {
    this.box = id;
    this.#name = name;
    this.#createdAt = createdAt;
    this.#scope = parseScope({ scope });
    this.#statements = statements;
    this.#now = now;
    this.#happened = now;
  }

  /** The age of the row asked about next, in seconds. */
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

  /** The router of a report; null: deleted meanwhile. Throws NotOwn for one of another box or ISP. */
  requireRouter(nasId: number | null, nasAddress: string): number | null {
    const key = `${nasId} ${nasAddress}`;
    let known = this.#routers.get(key);
    if (known === undefined) this.#routers.set(key, (known = this.#findRouter(nasId, nasAddress)));
    return known;
  }

  /** Whether the box's word counts for a router's address everywhere: no other box serves it, or this one serves all. */
  speaksFor(nasId: number, nasAddress: string): boolean {
    if (this.requireRouter(nasId, nasAddress) !== nasId) return false;
    const { address = "" } = this.#statements.router.get(nasId) ?? {};
    const { host, zone } = splitZone(address);
    const isIts = host.includes("/") || address === nasAddress;
    return isIts && (this.#scope === null || zone === this.#name);
  }

  #findRouter(nasId: number | null, nasAddress: string): number | null {
    const { zone } = splitZone(nasAddress);
    // by its address at that time: the router may have moved to another box since
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
      // deleted ones belong to nobody
      owns =
        stands === undefined ||
        isWithin(this.#scope, stands) ||
        known.all(key).some(({ place }) => isWithin(this.#scope, place));
      this.#owned.set(key, owns);
    }
    return owns || this.#ownedBefore(key);
  }

  /** Whether a re-added box owned it before, and reports of that time. */
  #ownedBefore(key: string): boolean {
    if (this.#happened > this.#createdAt || this.#now > this.#createdAt + FORMER) return false;
    const { subscriber, card, former } = this.#statements;
    this.#former ??= former.all(this.#name, this.#createdAt).map((node) => parseScope(node));
    if (this.#former.length === 0) return false;
    const stands = (key.startsWith("s") ? subscriber : card).get(Number(key.slice(2)))?.place ?? "";
    return this.#former.some((scope) => isWithin(scope, stands));
  }
}

function isWithin(scope: Scope | null, placeOrSubject: string): boolean {
  if (scope === null) return true;
  const [isp = 0, branch = 0] = placeOrSubject.split(".").slice(0, 2).map(Number);
  return (
    isp === 0 ||
    (scope.isps ?? []).includes(isp) ||
    (scope.branches ?? []).some((one) => one.isp === isp && one.branch === branch)
  );
}
