import type { Db } from "../../../../db/open.ts";
import type { Unshared } from "../../goods/subscribers/doubles.ts";
import { fold } from "../../core/fields/text.ts";
import type { Value } from "./imported-rows.ts";
import type { Move } from "./move.ts";
import type { PlannedSubscriber } from "./plan.ts";

/** Reports lines on shared ports: a splitter is meant, a sheet's error mostly not, and nobody can be asked line by line. */
export function tellSharedPorts({ db, ispId, notices }: Move, plans: readonly PlannedSubscriber[]): void {
  const names = ["box_number", "uplink_port", "switch_port"] as const;
  const coming = plans.filter(({ values }) => names.some((name) => values[name]));
  if (coming.length === 0) return;
  const stored = new Map(
    db.$client
      .query<Holder & Record<(typeof names)[number], string | null>, [number]>(
        `SELECT id, username, box_number, uplink_port, switch_port FROM subscribers
         WHERE isp_id = ? AND box_number IS NOT NULL AND archived_at IS NULL`,
      )
      .all(ispId)
      .map((row) => [row.id, row]),
  );
  const toPort = (own: Partial<Record<(typeof names)[number], Value>>) => {
    const [box, port] = [own.box_number, own.uplink_port ?? own.switch_port];
    return box && port ? { box, port, key: fold(`${box} ${port}`) } : undefined;
  };
  const holders = new Map<string, string>();
  const isComing = new Set(coming.map(({ id }) => id));
  for (const row of stored.values()) {
    const at = isComing.has(row.id) ? undefined : toPort(row);
    if (at) holders.set(at.key, row.username);
  }
  for (const plan of coming) {
    const at = toPort({ ...stored.get(plan.id), ...plan.values });
    if (!at) continue;
    const holder = holders.get(at.key);
    if (holder === undefined) holders.set(at.key, plan.username);
    else
      notices.add("note", plan.at, plan.username, `hangs on port ${at.port} of ${at.box}, as ${holder} does`);
  }
}

interface Holder {
  readonly id: number;
  readonly username: string;
}

/** Drops values that two may not share: the owner here keeps it, else the first gets it. Drops are reported. */
export function dropShared(move: Move, plans: readonly PlannedSubscriber[]): void {
  for (const column of move.unshared) {
    // a refused known row keeps its value, which another may have been given
    while (dropOnce(move, plans, column)) continue;
  }
}

function dropOnce(move: Move, plans: readonly PlannedSubscriber[], column: Unshared): boolean {
  const { field } = column;
  const planned = new Map(plans.filter(({ values }) => field in values).map((plan) => [plan.id, plan]));
  const holders = holdersIn(move.db, move.ispId, column, planned);
  let isRefused = false;
  for (const plan of planned.values()) {
    const value = plan.values[field] ?? null;
    if (value === null) continue;
    const key = keyOf(column, value);
    const holder = holders.get(key);
    if (holder === undefined) holders.set(key, plan);
    else if (holder.id !== plan.id) {
      move.notices.add(
        "shared",
        plan.at,
        plan.username,
        `${field} ${value} is ${holder.username}'s: left as it was`,
      );
      plan.refuse(field);
      isRefused ||= plan.isKnown;
    }
  }
  return isRefused;
}

const keyOf = ({ isFolded }: Unshared, value: Value) => (isFolded ? fold(String(value)) : String(value));

/** Rows whose value does not change. */
function holdersIn(
  { $client }: Db,
  ispId: number,
  { column, within }: Unshared,
  planned: ReadonlyMap<number, unknown>,
): Map<string, Holder> {
  const rows = $client
    .query<Holder & { key: string; ispId: number }, []>(
      `SELECT id, username, ${column} AS key, isp_id AS ispId FROM subscribers WHERE ${column} IS NOT NULL AND archived_at IS NULL`,
    )
    .all();
  const others = rows.filter((row) => !planned.has(row.id) && (!within || row.ispId === ispId));
  return new Map(
    others.map((row) => [
      String(row.key),
      row.ispId === ispId ? row : { id: row.id, username: "somebody of another ISP" },
    ]),
  );
}
