import type { TopUp } from "./fair.ts";
import type { FakeNas, FakeNasBehaviour, NasRequest } from "../../support/fake-nas.ts";
import type { RadiusClient } from "../../support/radius-client.ts";
import type { Box } from "../box.ts";
import type { Calendar } from "./calendar.ts";
import type { Card } from "./cards/terms.ts";
import type { Model, Package, Period, Subscriber } from "./model.ts";
import type { Report, RouterSession } from "./sessions.ts";

/** A device of a subscriber, or of a guest with a card, at the router that it was seen at last. */
export interface Device {
  readonly number: number;
  readonly subscriber: Subscriber | undefined;
  /** What its guest has; nobody has one for good. */
  card: Card | undefined;
  readonly mac: string;
  /** As it is typed. */
  username: string;
  /** Octets in half an hour. */
  readonly appetite: number;
  router: Router;
  live: Live | undefined;
}

/** A session that a router has. */
export interface Live {
  readonly session: RouterSession;
  readonly device: Device;
  input: number;
  output: number;
  countedAt: number;
  nextUpdate: number;
  /** The router ends it by itself a second before this. */
  deadline: number;
  /** The newest update as it was sent. */
  sent?: { datagram: Buffer; report: Report } | undefined;
}

/** A router: what it has online, and the requests it was sent. */
export class Router {
  readonly address: string;
  readonly echoesClass: boolean;
  readonly nas: FakeNas;
  readonly client: RadiusClient;
  readonly live = new Map<string, Live>();
  /** What it has ended because it was asked to, and the books have not been held against yet. */
  readonly acknowledged = new Set<string>();
  /** Until when its accounting is lost on the way. */
  outUntil = 0;
  /** Sessions since the boot, by device where the id says which. */
  readonly counters = new Map<number, number>();
  readonly used = new Map<string, number>();

  constructor(address: string, echoesClass: boolean, nas: FakeNas, client: RadiusClient) {
    this.address = address;
    this.echoesClass = echoesClass;
    this.nas = nas;
    this.client = client;
  }

  /** The lowest address that no session here has. */
  freeAddress(isGarden: boolean): string {
    const taken = new Set([...this.live.values()].map(({ session }) => session.ip));
    const net = `10.${this.address.split(".").at(-1)}.${isGarden ? 9 : 0}`;
    for (let host = 1; ; host++) if (!taken.has(`${net}.${host}`)) return `${net}.${host}`;
  }
}

/** A record that comes late: with a delay that says so. */
export interface Late {
  readonly report: Report;
  readonly router: Router;
  readonly due: number;
}

/** An ISP with its routers, devices and books, and what happens to it by the draw. */
export interface World {
  readonly box: Box;
  readonly model: Model;
  readonly routers: readonly Router[];
  readonly subscribers: readonly Subscriber[];
  readonly devices: readonly Device[];
  readonly packages: readonly Package[];
  readonly fairPackage: Package;
  readonly topUps: readonly TopUp[];
  readonly draw: () => number;
  readonly calendar: Calendar;
  readonly addDuration: (from: number | Period, sold: Package) => Period;
  readonly late: Late[];
  readonly counts: Record<
    | "records"
    | "logins"
    | "sales"
    | "credits"
    | "reboots"
    | "ended"
    | "slowed"
    | "lost"
    | "cardLogins"
    | "cardSales"
    | "redeemed"
    | "voided"
    | "rates"
    | "topUps",
    number
  >;
  readonly faults: string[];
  /** What happened to each subscriber and card, so that a difference can be understood. */
  readonly history: Map<string, string[]>;
  /** Changes of rate that the model has asked for, all in all. */
  applied: number;
  /** The product did not do what was due; to wait for it once is enough. */
  isStuck: boolean;
}

export function pick<T>(draw: () => number, all: readonly T[]): T {
  const one = all[Math.floor(draw() * all.length)];
  if (one === undefined) throw new Error("nothing to pick from");
  return one;
}

export const between = (draw: () => number, low: number, high: number) =>
  low + Math.floor(draw() * (high - low));

export function note(world: World, holder: string, what: string): void {
  const lines = world.history.get(holder) ?? [];
  lines.push(`${world.box.now} ${what}`);
  if (lines.length > 100) lines.splice(0, 50);
  world.history.set(holder, lines);
}

/** How a router answers: what it does not have is gone. What it ends sends its Stop, at once, late or never. */
export function answer(world: World, router: Router, request: NasRequest): FakeNasBehaviour {
  const text = (type: number) =>
    Buffer.from(request.attributes.find(([one]) => one === type)?.[1] ?? "", "hex").toString();
  const key = text(1) === "" ? keyOf(router, text(44)) : `${text(1)} ${text(44)}`;
  const live = router.live.get(key);
  if (!live && router.acknowledged.has(key)) return {}; // the same request once more
  if (!live) return { answer: "nak", errorCause: 503 };
  if (request.code === 43) {
    const timeout = Buffer.from(request.attributes.find(([one]) => one === 27)?.[1] ?? "", "hex");
    if (timeout.length === 4 && live.deadline !== Infinity)
      live.deadline = live.session.start + timeout.readUInt32BE();
    return {};
  }
  router.acknowledged.add(key);
  end(world, live, "Admin-Reset");
  return {};
}

/** Without a User-Name a session is known by all else. */
function keyOf({ live, acknowledged }: Router, sessionId: string): string {
  const isIt = (key: string) => key.endsWith(` ${sessionId}`);
  return [...live.keys()].find(isIt) ?? [...acknowledged].find(isIt) ?? "";
}

/** A session ends at its router; its Stop is on the way, or lost. */
export function end(world: World, live: Live, cause: string): void {
  const { draw, late, box } = world;
  const { device, session } = live;
  const { router } = device;
  count(live, box.now, draw);
  leave(live);
  const luck = draw();
  if (luck < 0.1 || router.outUntil > box.now) return note(world, session.holder, `${cause}, Stop lost`);
  const due = luck < 0.25 ? box.now + between(draw, 60, 3600) : box.now;
  const report = reportOf(live, "Stop", box.now, cause);
  late.push({ report, router, due });
  // the last update was overtaken by the Stop
  if (draw() < 0.1)
    late.push({ report: { ...report, kind: "Interim-Update", cause: undefined }, router, due: due + 1 });
}

/** The session is no longer at its router, which tells nobody. */
export function leave({ device, session }: Live): void {
  device.router.live.delete(`${session.username} ${session.id}`);
  device.live = undefined;
}

/** What was used since the counters were looked at last. */
export function count(live: Live, now: number, draw: () => number): void {
  const share = ((now - live.countedAt) / 1800) * live.device.appetite;
  live.input += Math.floor(share * 0.2 * draw());
  live.output += Math.floor(share * draw());
  live.countedAt = now;
}

export function reportOf(live: Live, kind: Report["kind"], now: number, cause?: string): Report {
  const { session, input, output } = live;
  return { kind, session, at: now, time: now - session.start, input, output, cause };
}
