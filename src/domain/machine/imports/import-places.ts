import { fold } from "../../core/fields/text.ts";
import { cleanText, cutText, isJunk } from "./clean.ts";
import type { ImportRow, Move } from "./move.ts";

type PlaceKind = "branch" | "city" | "area" | "subarea";

interface Place {
  readonly id: number;
  readonly name: string;
  readonly within: number | null;
}

const tables = { branch: "branches", city: "cities", area: "areas", subarea: "subareas" } as const;
const stored = {
  branch: "SELECT id, name, NULL AS within FROM branches WHERE isp_id = ? ORDER BY id",
  city: "SELECT id, name, NULL AS within FROM cities WHERE isp_id = ? ORDER BY id",
  area: "SELECT id, name, city_id AS within FROM areas WHERE isp_id = ? ORDER BY id",
  subarea: "SELECT id, name, area_id AS within FROM subareas WHERE isp_id = ? ORDER BY id",
};
const lies = { branch: undefined, city: undefined, area: "city_id", subarea: "area_id" } as const;

export class ImportedPlaces {
  readonly made: Record<PlaceKind, ImportRow[]> = { branch: [], city: [], area: [], subarea: [] };
  readonly #move: Move;
  readonly #known = new Map<PlaceKind, Place[]>();
  readonly #found = new Map<string, number>();

  constructor(move: Move) {
    this.#move = move;
    for (const kind of ["branch", "city", "area", "subarea"] as const)
      this.#known.set(kind, move.db.$client.query<Place, [number]>(stored[kind]).all(move.ispId));
  }

  /** null without a name. An unplaced area matches anywhere. */
  findOrAdd(kind: PlaceKind, value: string | null | undefined, within: number | null = null): number | null {
    const name = cutText(cleanText(value ?? ""), 120);
    if (name === "" || isJunk(name)) return null;
    const key = `${within ?? 0} ${fold(name)}`;
    const place = `${kind} ${key}`;
    const id = this.#found.get(place) ?? this.#find(kind, { key, name, within });
    this.#found.set(place, id);
    return id;
  }

  #find(
    kind: PlaceKind,
    { key, name, within }: { key: string; name: string; within: number | null },
  ): number {
    const known = this.#known.get(kind) ?? [];
    const before = this.#move.imported.get(kind, key);
    const renamed = known.find(({ id }) => id === before?.rowId);
    if (renamed) return renamed.id;
    const named = known.filter((place) => fold(place.name) === fold(name));
    const found = named.find((place) => place.within === within) ?? (within === null ? named[0] : undefined);
    const id = found?.id ?? this.#move.ids.next(tables[kind]);
    this.#move.imported.put(kind, key, { rowId: id, isMade: !found, fields: { name } });
    if (found) return id;
    const parent = lies[kind];
    const row = { id, name, ...(parent !== undefined && within !== null && { [parent]: within }) };
    this.made[kind].push(kind === "branch" ? row : { ...row, isp_id: this.#move.ispId });
    known.push({ id, name, within });
    return id;
  }
}
