import { may, seesWholeIsp } from "../../../../domain/core/actor/actor.ts";
import type { PlaceKind } from "../../../../domain/people/places/kinds.ts";
import type { PlaceNode } from "../../../../domain/people/places/tree.ts";
import type { StaffVisit } from "../../guard.ts";
import { settingsPages } from "../../parts/settings-pages.ts";

export const PLACES = settingsPages.places.href;

export const changesPlaces = ({ by }: Pick<StaffVisit, "by">) =>
  may(by, "place_manage") && seesWholeIsp(by.scope);

/** The address of the form of a new place, within a parent where one is given. */
export function newHref(ispId: number, kind: PlaceKind, within: number | null = null): string {
  return `${PLACES}/new?kind=${kind}&isp=${ispId}${within === null ? "" : `&in=${within}`}`;
}

export interface Row {
  readonly node: PlaceNode;
  readonly depth: number;
}

/** Depth first. */
export function flat(nodes: readonly PlaceNode[], depth = 0): Row[] {
  return nodes.flatMap((node) => [{ node, depth }, ...flat(node.within, depth + 1)]);
}
