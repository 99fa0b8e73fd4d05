import type { Granted, Kind, Package, Service, Subscriber } from "./model.ts";
import type { Row } from "./sessions.ts";

export const INTERIM = 1800;
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
    rate: kind === "slow" ? (sold.slower ?? sold.rate) : isGarden ? sold.rate : rate,
    terms: JSON.stringify(
      isGarden ? ["garden", sold.gardenPool, sold.gardenList] : ["paid", sold.list, staticIp],
    ),
  };
}

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
    "Mikrotik-Rate-Limit": kind === "slow" ? sold.slower : isGarden ? sold.rate : rate,
    "Session-Timeout": isGarden ? GARDEN_TIMEOUT : Math.min(Math.max(until - now, 60), LONGEST),
    "Acct-Interim-Interval": INTERIM,
    ...(list !== null && { "Mikrotik-Address-List": list }),
    ...(isGarden && sold.gardenPool !== null && { "Framed-Pool": sold.gardenPool }),
    ...(!isGarden && staticIp !== null && { "Framed-IP-Address": staticIp }),
    ...(hasLimit && { "Mikrotik-Total-Limit": left % 2 ** 32 }),
    ...(hasLimit && left >= 2 ** 32 && { "Mikrotik-Total-Limit-Gigawords": Math.floor(left / 2 ** 32) }),
  };
}
