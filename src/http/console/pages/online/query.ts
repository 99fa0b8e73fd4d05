import { ONLINE } from "../../parts/hrefs.ts";
import type { OnlineOrder } from "../../../../domain/service/sessions/online.ts";
import type { OnlineFilter } from "../../../../domain/service/sessions/online-filter.ts";

export interface OnlineQuery extends Omit<OnlineFilter, "subscriberIds"> {
  /** Names in use by several devices. */
  readonly twoHouses: boolean | undefined;
  readonly order: OnlineOrder;
  readonly ascending: boolean;
  readonly page: number;
}

export const PAGE_ROWS = 50;
const orders: readonly OnlineOrder[] = ["down", "up", "uptime", "data"];
/** The fastest first. */
export const USUAL_ORDER = "-down";

export function onlineQuery(query: URLSearchParams): OnlineQuery {
  const id = (name: string) => {
    const value = query.get(name) ?? "";
    return /^[1-9]\d{0,14}$/.test(value) ? Number(value) : undefined;
  };
  const sort = query.get("sort") || USUAL_ORDER;
  return {
    nasId: id("router"),
    packageId: id("package"),
    areaId: id("area"),
    payPage: query.get("pay") === "1" || undefined,
    twoHouses: query.get("houses") === "1" || undefined,
    order: orders.find((order) => order === sort.replace("-", "")) ?? "down",
    ascending: !sort.startsWith("-"),
    page: id("page") ?? 1,
  };
}

/** Changes start at the first page. */
export function onlineHref(filter: OnlineQuery, change: Partial<OnlineQuery> = {}): string {
  const { nasId, packageId, areaId, payPage, twoHouses, order, ascending, page } = {
    ...filter,
    page: 1,
    ...change,
  };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ router: nasId, package: packageId, area: areaId }))
    if (value !== undefined) query.set(name, String(value));
  if (payPage) query.set("pay", "1");
  if (twoHouses) query.set("houses", "1");
  const sort = `${ascending ? "" : "-"}${order}`;
  if (sort !== USUAL_ORDER) query.set("sort", sort);
  if (page > 1) query.set("page", String(page));
  return query.size === 0 ? ONLINE : `${ONLINE}?${query}`;
}

export function isNarrowed({ nasId, packageId, areaId, payPage, twoHouses }: OnlineQuery): boolean {
  return [nasId, packageId, areaId, payPage, twoHouses].some((value) => value !== undefined);
}
