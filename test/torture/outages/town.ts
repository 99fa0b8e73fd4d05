import type { Db } from "../../../db/open.ts";
import { aSubscriber, by, loadIsp, NAS_SECRET } from "../../support/isp.ts";
import { importDataSet } from "../../../src/domain/machine/imports/data-set/import.ts";
import { formatTime } from "../../../src/domain/core/time/time.ts";

/** Lines of a box, and boxes of an area; a router serves two areas. */
export const PORTS = 16;
export const BOXES = 4;
export const LINES = PORTS * BOXES;
export const INTERIM = 900;

/** A line, as the world knows it. */
export interface Line {
  readonly id: number;
  readonly box: number;
  readonly area: number;
  readonly router: Router;
  session: { readonly id: string; readonly from: number } | undefined;
  /** Until when it cannot dial, whatever keeps it from it. */
  darkUntil: number;
}

export interface Router {
  readonly id: number;
  readonly address: string;
  /** Seconds between its reports of a session, whatever it is asked for. */
  readonly interim: number;
  /** Nothing of it arrives before. */
  awayUntil: number;
}

export interface Town {
  readonly routers: readonly Router[];
  readonly lines: readonly Line[];
  readonly areas: number;
}

/** An ISP with so many areas, all in service for two years; the last router reports half as often as it should. */
export async function openTown(db: Db, areas: number, now: number): Promise<Town> {
  const count = Math.ceil(areas / 2);
  const routers = Array.from({ length: count }, (_, index) => ({
    id: 10 + index,
    address: `127.0.20.${index + 1}`,
    interim: index === count - 1 ? INTERIM * 2 : INTERIM,
    awayUntil: 0,
  }));
  const lines = routers
    .flatMap((router, index) =>
      Array.from({ length: 2 * LINES }, (_, place): Line => {
        const id = index * 2 * LINES + place + 1;
        const [box, area] = [Math.ceil(id / PORTS), Math.ceil(id / LINES)];
        return { id, box, area, router, session: undefined, darkUntil: 0 };
      }),
    )
    .filter(({ area }) => area <= areas);
  await loadIsp(db, { settings: { acct_interim_interval: INTERIM } });
  const data = {
    areas: Array.from({ length: areas }, (_, index) => ({
      id: index + 1,
      isp_id: 1,
      name: `Area ${index + 1}`,
    })),
    nas: routers.map(({ id, address }) => ({
      id,
      isp_id: 1,
      name: `router${id}`,
      address,
      secret: NAS_SECRET,
    })),
    subscribers: lines.map(({ id, box, area }) =>
      aSubscriber(id, {
        area_id: area,
        box_number: `BOX-${box}`,
        uplink_port: String(((id - 1) % PORTS) + 1),
        current_expiration_date: formatTime(now + 2 * 366 * 86_400),
      }),
    ),
  };
  await importDataSet(db, by, data, { now });
  return { routers, lines, areas };
}
