import type { DroppedKind, Seen } from "../../../../domain/goods/nas/arrivals.ts";
import type { RouterStanding, RouterState } from "../../../../domain/service/outages/states.ts";
import { pathId } from "../../../form.ts";
import type { LineState } from "../../../pages/parts/chip.tsx";
import type { StaffVisit } from "../../guard.ts";

/** Throws not_found. */
export const readRouterId = ({ params }: Pick<StaffVisit, "params">) => pathId("NAS", params["id"] ?? null);

/** Seconds; per-minute counts are up to two minutes old. */
const NOW = 180;

export const dots: Readonly<Record<RouterStanding, LineState>> = {
  heard: "online",
  never: "offline",
  dropped: "refused",
  silent: "refused",
};

export function stateText(
  { view, now }: Pick<StaffVisit, "view" | "now">,
  { standing, heardAt, dropped }: RouterState,
): string {
  const { stateText: words } = view.words.routers;
  const time = (at: number) => view.format.timeNear(at, now);
  if (heardAt === null || standing === "never") return words.never;
  if (standing === "silent") return words.silent(time(heardAt));
  if (standing === "dropped") return words.dropped(time(newest(dropped)?.last ?? heardAt));
  return now - heardAt < NOW ? words.now : words.heard(view.format.duration(now - heardAt));
}

export function newest(dropped: readonly (Seen & { readonly kind: DroppedKind })[]) {
  return dropped.toSorted((a, b) => b.last - a.last)[0];
}

/** `12, wrong secret`; empty without any. */
export function droppedText({ view }: Pick<StaffVisit, "view">, { dropped }: RouterState): string {
  const { routers } = view.words;
  return dropped
    .map(({ kind, count }) => routers.droppedOf(count, routers.kinds[kind]))
    .join(view.words.list.semicolon);
}

export function takesChanges({ needs }: StaffVisit, nasId: number): boolean | undefined {
  const coa = needs.routerTests.of(nasId)?.steps?.find(({ check }) => check === "coa");
  return coa === undefined || coa.status === "skipped" ? undefined : coa.status === "ok";
}
