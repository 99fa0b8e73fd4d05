import type { Life } from "./life.ts";
import { BOXES, type Line, PORTS, type Router } from "./town.ts";

const HOUR = 3600;
const DAY = 86_400;
/** The area whose devices are switched off and on by a clock each night. */
const CLOCKED = 2;

/** Something that really went dark, and what has to be told of it. */
export interface Truth {
  readonly kind: "router" | "area" | "box";
  readonly router: number | null;
  readonly area: number | null;
  readonly box: string | null;
  readonly from: number;
  readonly until: number;
  /** Lines that were online and went. */
  lines: number;
  /** A router that restarts within two minutes may be told, and need not. */
  readonly isSlight: boolean;
  /** Seconds between the reports of a router; null: of what is told by others. */
  readonly interim: number | null;
}

/** What happens on every day that is no outage: people, devices, the clock, staff. */
export function ordinaryDay(life: Life, midnight: number): void {
  for (const line of life.town.lines) {
    // a line flaps and is back at once
    if (life.draw() < 0.25)
      goAt(life, line, midnight + life.between(0, DAY), "Lost-Carrier", life.between(1, 15));
    // somebody switches off for the night, or for a while
    if (life.draw() < 0.35)
      goAt(life, line, midnight + eveningOf(life), "Lost-Carrier", life.between(HOUR, 9 * HOUR));
    // devices that dial anew each night
    if (line.id % 5 < 3)
      goAt(life, line, midnight + 4 * HOUR + life.between(0, 1200), "User-Request", life.between(2, 12));
    if (line.area === CLOCKED)
      goAt(life, line, midnight + 3.5 * HOUR + life.between(0, 20), "Lost-Carrier", life.between(90, 150));
    // a service ends at midnight and is renewed in the morning
    if (life.draw() < 0.03) goAt(life, line, midnight, "Session-Timeout", life.between(7 * HOUR, 11 * HOUR));
  }
  if (life.draw() > 0.05) return;
  const area = life.between(1, life.town.areas + 1);
  const at = midnight + life.between(9 * HOUR, 17 * HOUR);
  for (const line of life.town.lines)
    if (line.area === area) goAt(life, line, at + life.between(0, 30), "Admin-Reset", life.between(60, 120));
}

function goAt(life: Life, line: Line, at: number, cause: string, away: number): void {
  life.at(at, () => {
    if (line.session) life.end(line, cause, at + away);
  });
}

/** Mostly between nine and midnight. */
const eveningOf = (life: Life) =>
  life.draw() < 0.6 ? life.between(21 * HOUR, 24 * HOUR) : life.between(7 * HOUR, 24 * HOUR);

/** A box, or a leg of it, loses its fibre. */
export function boxOutage(life: Life, at: number): Truth {
  const box = life.between(1, life.town.areas * BOXES + 1);
  const lines = life.town.lines.filter((line) => line.box === box);
  const leg = life.draw() < 0.4 ? lines.slice(PORTS / 2) : lines;
  return goTogether(life, leg, {
    kind: "box",
    router: null,
    area: null,
    box: `BOX-${box}`,
    from: at,
    isSlight: false,
    interim: null,
    until: at + life.between(300, 8 * HOUR),
  });
}

/** A street loses its power, or a cable is cut. */
export function areaOutage(life: Life, at: number): Truth {
  const area = life.between(1, life.town.areas + 1);
  const share = 0.5 + life.draw() / 2;
  const lines = life.town.lines.filter((line) => line.area === area && life.draw() < share);
  return goTogether(life, lines, {
    kind: "area",
    router: null,
    area,
    box: null,
    from: at,
    isSlight: false,
    interim: null,
    until: at + life.between(300, 6 * HOUR),
  });
}

/** Each is missed by the router within some seconds, and is back some seconds after the end. */
function goTogether(life: Life, lines: readonly Line[], what: Omit<Truth, "lines">): Truth {
  const truth = { ...what, lines: 0 };
  for (const line of lines)
    life.at(what.from + life.between(0, 20), () => {
      if (line.session) truth.lines++;
      life.end(line, "Lost-Carrier", what.until + life.between(0, 60));
    });
  return truth;
}

/** A router is away for minutes or hours, with its power or without the way to us; or it restarts. */
export function routerOutage(life: Life, at: number, { isSlight }: { isSlight: boolean }): Truth {
  const router = routerOf(life);
  const until = at + (isSlight ? life.between(50, 100) : life.between(900, 3 * HOUR));
  const truth: Truth = {
    kind: "router",
    router: router.id,
    area: null,
    box: null,
    from: at,
    until,
    lines: 0,
    isSlight,
    interim: router.interim,
  };
  life.at(at, () => {
    truth.lines = life.town.lines.filter((line) => line.router === router && line.session).length;
    if (isSlight || life.draw() < 0.5) life.restart(router, until);
    else life.cutOff(router, until);
  });
  return truth;
}

function routerOf(life: Life): Router {
  const router = life.town.routers[life.between(0, life.town.routers.length)];
  if (!router) throw new Error("there is no router");
  return router;
}
