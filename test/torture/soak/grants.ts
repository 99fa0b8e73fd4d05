import type { Granted, Kind, Package, Service, Subscriber } from "./model.ts";
import type { Row } from "./sessions.ts";

export const INTERIM = 1800;
/** The setting, up/down: slower than some packages one way, and than all of them the other way. */
export const GARDEN_RATE = "3M/1M";
const GARDEN_TIMEOUT = 600;
const LONGEST = 21_474_720;

/** In the books. */
export const nameOf = ({ id }: Pick<Subscriber, "id">) => `user${id}`;

export function kindOf({ sold, until, used }: Service, now: number): Kind {
  const isUsedUp = sold.quota > 0 && used >= sold.quota;
  if (until <= now || (isUsedUp && sold.slower === null)) return "garden";
  return isUsedUp ? "slow" : "normal";
}

export function grantedTo({ staticIp }: Subscriber, { sold }: Service, kind: Kind, rate: string): Granted {
  const isGarden = kind === "garden";
  return {
    kind,
    rate: kind === "slow" ? (sold.slower ?? sold.rate) : isGarden ? gardenRate(sold) : rate,
    terms: JSON.stringify(
      isGarden ? ["garden", sold.gardenPool, sold.gardenList] : ["paid", sold.list, staticIp],
    ),
  };
}

/** The walled garden was not paid for: each way the slower of its own rate and the package's. */
function gardenRate({ rate }: Package): string {
  const most = GARDEN_RATE.split("/");
  return rate
    .split("/")
    .map((speed, way) => [speed, most[way] ?? speed].toSorted((a, b) => bitsOf(a) - bitsOf(b))[0])
    .join("/");
}

const bitsOf = (speed: string) => Number.parseInt(speed) * (speed.endsWith("M") ? 1e6 : 1e3);

export function hasGarden({ gardenPool, gardenList }: Package): boolean {
  return gardenPool !== null || gardenList !== null;
}

/** Where no Class says what a session was granted, another login has to. */
export function mayDiffer({ ip }: Row, { staticIp }: Subscriber, sold: Package): boolean {
  return hasGarden(sold) || sold.list !== null || (staticIp !== null && staticIp !== ip);
}

/** By what it was granted; where that is not known, by when it began. */
export function isDue({ started, granted }: Row, service: Service, now: number): boolean {
  const { until, crossedAt, sold } = service;
  const isExpired = until <= now;
  const kind = kindOf(service, now);
  if (kind === "normal" || granted?.kind === "garden") return false;
  if (granted) return kind === "garden" || granted.rate !== sold.slower;
  const mayBeIn = !(crossedAt !== null && started > crossedAt);
  if (!isExpired) return crossedAt !== null && mayBeIn;
  const isCutOff = sold.slower === null && sold.quota > 0 && service.used >= sold.quota;
  return started < until && (mayBeIn || !isCutOff);
}

/**
 * Whether the router of a session knows when the service ends: from the login, where nothing was sold since, or by what it was told then.
 * Who knows it is not told it again, by a top-up that adds no days.
 */
export function knowsEnd({ announced, started }: Row, { until, soldAt }: Service): boolean {
  return announced === null ? soldAt < started : announced === until;
}

export function attributesOf(
  { staticIp }: Subscriber,
  { sold, until, used }: Service,
  kind: Kind,
  now: number,
  rate: string,
): Record<string, unknown> {
  const isGarden = kind === "garden";
  const left = sold.quota - used;
  const hasLimit = kind === "normal" && sold.quota > 0;
  const list = isGarden ? sold.gardenList : sold.list;
  return {
    "Mikrotik-Rate-Limit": kind === "slow" ? sold.slower : isGarden ? gardenRate(sold) : rate,
    "Session-Timeout": isGarden ? GARDEN_TIMEOUT : Math.min(Math.max(until - now, 60), LONGEST),
    "Acct-Interim-Interval": INTERIM,
    ...(list !== null && { "Mikrotik-Address-List": list }),
    ...(isGarden && sold.gardenPool !== null && { "Framed-Pool": sold.gardenPool }),
    ...(!isGarden && staticIp !== null && { "Framed-IP-Address": staticIp }),
    ...(hasLimit && { "Mikrotik-Total-Limit": left % 2 ** 32 }),
    ...(hasLimit && left >= 2 ** 32 && { "Mikrotik-Total-Limit-Gigawords": Math.floor(left / 2 ** 32) }),
  };
}
