import { all, type Condition, equal, type Value } from "../../../../db/condition.ts";
import type { Db } from "../../../../db/open.ts";
import {
  type Actor,
  requireWholeIsp,
  type Scope,
  scopeCondition,
  seesWholeIsp,
} from "../../core/actor/actor.ts";
import { everything } from "../../core/actor/operator.ts";
import { isOperator, permit } from "../../core/actor/permissions.ts";
import { fold } from "../../core/fields/text.ts";
import { countUses, type Use } from "../../core/references/uses.ts";
import { type PlaceKind, placeRules } from "./kinds.ts";
import { type Place, placeIn, requireTheirs } from "./places.ts";

/** A place with children and subscriber count. */
export interface PlaceNode {
  readonly kind: PlaceKind;
  readonly id: number | null;
  readonly name: string;
  /** null: cannot be filtered by. */
  readonly subscribers: number | null;
  readonly within: readonly PlaceNode[];
}

interface Row {
  readonly id: number;
  readonly name: string;
  readonly liesIn: number | null;
}

export interface PlaceTree {
  /** For the operator. */
  readonly isps: readonly PlaceNode[];
  readonly branches: readonly PlaceNode[];
  readonly cities: readonly PlaceNode[];
}

/** `text` keeps matching names with ancestors and descendants. Orphans are below a node without id. */
export function placeTree(
  db: Db,
  by: Actor,
  { ispId, text = "" }: { ispId: number; text?: string },
): PlaceTree {
  permit(by, "placeTree");
  const scope = { ...by.scope, ispId: by.scope.ispId ?? ispId };
  const read = (kind: "branch" | "city" | "area" | "subarea") => ({
    kind,
    rows: scope.ispId === ispId ? listRows(db, scope, kind) : [],
    counts: countBy(db, scope, `${kind}_id`),
  });
  const subareas = grouped(read("subarea"), new Map());
  const areas = grouped(read("area"), subareas);
  const cities = grouped(read("city"), areas).get(null) ?? [];
  const branches = grouped(read("branch"), new Map()).get(null) ?? [];
  const lost = [...(areas.get(null) ?? []), ...orphans("area", subareas.get(null))];
  const tree = [...cities, ...orphans("city", lost)];
  const part = fold(text.trim());
  return {
    isps: isOperator(by) ? listIsps(db) : [],
    branches: matching(branches, part),
    cities: matching(tree, part),
  };
}

/** `archived` are in no list. */
export interface InUse {
  readonly uses: readonly Use[];
  readonly archived: number;
}

/** What refers to a place, by which deletePlace refuses. Throws `not_found`, `forbidden`. */
export function placeInUse(db: Db, by: Actor, kind: PlaceKind, which: number | Place): InUse {
  permit(by, "placeInUse");
  requireTheirs(by, kind);
  requireWholeIsp(by, placeRules[kind].many);
  const { id } = placeIn(db, by.scope, kind, which);
  const gone = db.$client.query<{ n: number }, [number]>(
    `SELECT count(*) AS n FROM subscribers WHERE ${kind}_id = ? AND archived_at IS NOT NULL`,
  );
  return { uses: countUses(db, placeRules[kind].table, id), archived: gone.get(id)?.n ?? 0 };
}

function listIsps(db: Db): PlaceNode[] {
  const counts = countBy(db, everything, "isp_id");
  const rows = db.$client
    .query<Row, []>("SELECT id, name, NULL AS liesIn FROM isps ORDER BY name COLLATE NOCASE, id")
    .all();
  return grouped({ kind: "isp", rows, counts }, new Map()).get(null) ?? [];
}

type Read = { kind: PlaceKind; rows: readonly Row[]; counts: ReadonlyMap<number, number> };

/** Places by their parent; null: none. */
function grouped(
  { kind, rows, counts }: Read,
  within: ReadonlyMap<number | null, readonly PlaceNode[]>,
): Map<number | null, PlaceNode[]> {
  const found = new Map<number | null, PlaceNode[]>();
  for (const { id, name, liesIn } of rows) {
    const node = { kind, id, name, subscribers: counts.get(id) ?? 0, within: within.get(id) ?? [] };
    const beside = found.get(liesIn);
    if (beside) beside.push(node);
    else found.set(liesIn, [node]);
  }
  return found;
}

function orphans(kind: PlaceKind, nodes: readonly PlaceNode[] | undefined): PlaceNode[] {
  return nodes && nodes.length > 0 ? [{ kind, id: null, name: "", subscribers: null, within: nodes }] : [];
}

/** Places with a name, with their ancestors and descendants. */
function matching(nodes: readonly PlaceNode[], part: string): readonly PlaceNode[] {
  if (part === "") return nodes;
  return nodes.flatMap((node) => {
    if (node.id !== null && fold(node.name).includes(part)) return [node];
    const within = matching(node.within, part);
    return within.length > 0 ? [{ ...node, within }] : [];
  });
}

function listRows({ $client }: Db, { ispId, branchId }: Scope, kind: PlaceKind): Row[] {
  const { lies, ofBranch } = placeRules[kind];
  const { text, values } = all(equal("isp_id", ispId), ofBranch && equal("id", branchId));
  return $client
    .query<Row, Value[]>(
      `SELECT id, name, ${lies?.field ?? "NULL"} AS liesIn FROM ${tables[kind]} WHERE ${text} ORDER BY name COLLATE NOCASE, id`,
    )
    .all(...values);
}

const tables: Readonly<Record<PlaceKind, string>> = {
  isp: "isps",
  branch: "branches",
  city: "cities",
  area: "areas",
  subarea: "subareas",
};

/** Counts, for a whole ISP by the column's index, less archived ones. */
function countBy({ $client }: Db, scope: Scope, column: string): Map<number, number> {
  const by = (from: string, { text, values }: Condition) =>
    $client
      .query<{ id: number; n: number }, Value[]>(
        `SELECT ${column} AS id, count(*) AS n FROM ${from} WHERE ${text} AND ${column} IS NOT NULL GROUP BY ${column}`,
      )
      .all(...values);
  if (!seesWholeIsp(scope))
    return new Map(by("subscribers s", scopeCondition(scope)).map(({ id, n }) => [id, n]));
  const index = column.replace("_id", "");
  const everybody = by(`subscribers INDEXED BY subscribers_${index}`, all());
  const counts = new Map(everybody.map(({ id, n }) => [id, n]));
  const left = { text: "archived_at IS NOT NULL", values: [] };
  for (const { id, n } of by("subscribers INDEXED BY subscribers_archived", left))
    counts.set(id, (counts.get(id) ?? 0) - n);
  return counts;
}
