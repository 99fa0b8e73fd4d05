import { DomainError } from "../../../core/errors/errors.ts";
import { phrase } from "../../../core/errors/phrase.ts";
import type { Found, Left } from "../parts.ts";
import { isSince } from "../versions.ts";
import { fastTrackMenus, findFastTracks } from "./fast-track.ts";
import { MARK } from "../mark.ts";
import { fits, isYes } from "../values.ts";
import type { RouterModel } from "./model.ts";
import { LINE_INTERFACES } from "./names.ts";
import { defaultPools, poolRanges, sharedRange, unknownPools } from "./pools.ts";
import { planGardenProfiles, profileChoice } from "./profiles.ts";

export interface SetupChoices {
  /** Absent or empty: the setting's. */
  readonly resolvers?: readonly string[] | undefined;
  /** Disables FastTrack rules that cannot be narrowed. */
  readonly disablesFastTrack?: boolean | undefined;
  readonly shutsIpv6?: boolean | undefined;
  readonly isTriedOnly?: boolean | undefined;
}

/** Pools that an ISP's packages name. */
export interface PoolsOfIsp {
  readonly expired: readonly string[];
  readonly paid: {
    readonly pools: readonly string[];
    readonly isDefault: boolean;
    readonly ranges: readonly string[];
  };
}

/** What is known of a router that was not read. */
export const NOTHING_FOUND: Found = {
  ranges: [],
  profiles: [],
  hasHotspot: false,
  fastTracks: [],
  lineInterfaces: [],
  ipv6: { interfaces: [], prefixes: [] },
  left: [],
};

/** Findings of a router, and what stays open. Throws `refused` where active subscribers would be confined. */
export function foundOn(
  model: RouterModel,
  name: string,
  { pools, choices, isConfining }: { pools: PoolsOfIsp; choices: SetupChoices; isConfining: boolean },
): Found {
  const isTried = choices.isTriedOnly === true;
  const ranges = poolRanges(model, pools.expired);
  const paid = poolRanges(model, [...pools.paid.pools, ...(pools.paid.isDefault ? defaultPools(model) : [])]);
  const shared = sharedRange(ranges, [...paid, ...pools.paid.ranges]);
  if (shared !== undefined)
    throw new DomainError(
      "refused",
      phrase`the pool of expired subscribers has ${shared} on ${name}, from which who has paid gets addresses too; give packages an expired_pool of its own, or an expired_address_list. Nothing was changed`,
    );
  const profiles = isConfining
    ? planGardenProfiles(model, { hasInterfaceList: !isTried || isSince(model.version, "7.0") })
    : [];
  const tracks = findFastTracks(model, { isPppMatched: !isTried });
  const fastTracks = tracks.flatMap(({ menu, rule, narrowing }) => {
    const values = narrowing ?? (choices.disablesFastTrack ? { disabled: "yes" } : undefined);
    return values ? [{ menu, rule, values }] : [];
  });
  const names = [...new Set([...model.lines.hotspots, ...model.lines.dhcp])];
  const isListUsed =
    fastTracks.some(({ values }) => Object.values(values).includes(`!${LINE_INTERFACES}`)) ||
    fastTrackMenus.some((menu) =>
      model.rows(menu).some((row) => Object.values(row).includes(`!${LINE_INTERFACES}`)),
    );
  const isIpv6Shut = choices.shutsIpv6 ?? hasShutIpv6(model);
  const isIpv6 = isConfining && names.length > 0 && model.has("/ipv6/firewall/filter");
  const called = (rule: (typeof tracks)[number]["rule"]) => rule["comment"] || (rule["chain"] ?? "");
  const listLeft = (reason: Left["reason"], all: readonly string[]): Left[] =>
    all.map((what) => ({ part: "walled", reason, what }));
  const unsure = isConfining ? profileChoice(model.servers, profiles).unsure : [];
  return {
    ranges,
    profiles,
    hasHotspot: model.lines.hotspots.length > 0,
    fastTracks,
    lineInterfaces: isListUsed ? names : [],
    ipv6:
      isIpv6 && isIpv6Shut
        ? { interfaces: names, prefixes: delegated(model) }
        : { interfaces: [], prefixes: [] },
    left: [
      ...listLeft("pool_missing", unknownPools(model, pools.expired)),
      ...listLeft("profile_unsure", unsure),
      ...listLeft(
        "fasttrack_left",
        tracks
          .filter(({ narrowing }) => !narrowing && !choices.disablesFastTrack)
          .map(({ rule }) => called(rule)),
      ),
      ...listLeft(
        "fasttrack_price",
        tracks
          .filter(({ rule, narrowing }) => narrowing && !fits(rule, narrowing))
          .map(({ rule }) => called(rule)),
      ),
      ...listLeft("ipv6_open", isIpv6 && !isIpv6Shut ? [names.join(", ")] : []),
    ],
  };
}

/** Whether our rules shut IPv6. */
const hasShutIpv6 = (model: RouterModel) =>
  model
    .rows("/ipv6/firewall/filter")
    .some((row) => row["comment"] === MARK && row["in-interface"] !== undefined && !isYes(row["disabled"]));

/** DHCPv6 delegation prefixes. */
function delegated(model: RouterModel): string[] {
  const servers = model.rows("/ipv6/dhcp-server");
  const pools = new Set(servers.flatMap((row) => [row["address-pool"], row["prefix-pool"]]));
  return model
    .rows("/ipv6/pool")
    .filter((row) => pools.has(row["name"]))
    .flatMap((row) => row["prefix"] ?? []);
}
