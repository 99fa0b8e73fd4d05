import { combine, type Pair, type Profile } from "../freeradius/pairs.ts";
import type { Tables } from "../freeradius/tables.ts";
import type { Leave } from "../freeradius/terms.ts";

/** Items of RADIUSdesk for caps. */
const TOTAL_DATA = "rd-total-data";
const RESET_DATA = "rd-reset-type-data";
const CAP_DATA = "rd-cap-type-data";
const TOTAL_TIME = "rd-total-time";
const RESET_TIME = "rd-reset-type-time";

/** The groups of a profile, merged. */
export interface DeskProfile {
  readonly profile: Profile;
  /** Each subscriber has its own sum, which top-ups increase. */
  readonly isToppedUp: boolean;
}

/** Profiles by name, merged as in FreeRADIUS. */
export class DeskProfiles {
  readonly #tables: Tables;
  readonly #leave: Leave;
  readonly #found = new Map<string, DeskProfile>();

  constructor(tables: Tables, leave: Leave) {
    this.#tables = tables;
    this.#leave = leave;
  }

  named(name: string): DeskProfile {
    const known = this.#found.get(name);
    if (known !== undefined) return known;
    const members = this.#tables.listMemberships(name).toSorted((a, b) => a.priority - b.priority);
    const groups = members.map(
      ({ group }) => this.#tables.groups.get(group) ?? { name: group, check: [], reply: [] },
    );
    const { control, reply, conditions } = combine(null, groups);
    const check = [...withoutOwn(control, this.#leave), ...this.#readCaps(control, name), ...conditions];
    const hasReset = control.some((pair) => pair.name === RESET_DATA);
    const made = {
      profile: { name, check, reply: reply.filter((pair) => pair.name !== "fall-through") },
      isToppedUp: hasReset && !control.some((pair) => pair.name === TOTAL_DATA),
    };
    this.#found.set(name, made);
    return made;
  }

  /** As FreeRADIUS counters: a monthly `Rd-Total-Data` is `Max-Monthly-Octets`. */
  #readCaps(control: readonly Pair[], owner: string): Pair[] {
    const find = (name: string): Pair | undefined => control.find((pair) => pair.name === name);
    const every = (name: string): string => resetPeriod(find(name)?.value.toLowerCase() ?? "");
    const caps: Pair[] = [];
    const data = find(TOTAL_DATA);
    const time = find(TOTAL_TIME);
    if (data !== undefined && find(CAP_DATA)?.value.toLowerCase() === "soft") {
      this.#leave(data, "it is a soft cap there, which counts and stops nobody");
    } else if (data !== undefined) {
      caps.push({ ...data, owner, op: ":=", name: `max-${every(RESET_DATA)}-octets` });
    }
    if (time !== undefined) caps.push({ ...time, owner, op: ":=", name: `max-${every(RESET_TIME)}-session` });
    return caps;
  }
}

export function readTotal(profile: Profile | undefined): number | undefined {
  const text = profile?.check.findLast(({ name }) => name === TOTAL_DATA)?.value ?? "";
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

export function findCheck(profile: Profile | undefined, name: string): string | undefined {
  return profile?.check.findLast((pair) => pair.name === name)?.value;
}

/** Items handled elsewhere, or not of a package. */
const read = new Set([
  ...[TOTAL_DATA, RESET_DATA, CAP_DATA, TOTAL_TIME, RESET_TIME, "rd-cap-type-time", "user-profile"],
  ...["rd-user-type", "rd-realm", "rd-account-disabled", "rd-account-activation-time", "rd-auth-type"],
  ...["rd-mac-check", "rd-auto-mac", "rd-device-owner", "rd-voucher"],
]);

/** Items of FreeRADIUS; RADIUSdesk's own without a meaning here are reported. */
export function withoutOwn(pairs: readonly Pair[], leave: Leave): Pair[] {
  return pairs.filter((pair) => {
    const isOwn = pair.name.startsWith("rd-") && !read.has(pair.name);
    if (isOwn) leave(pair, "there is nothing like it here");
    return !isOwn && !read.has(pair.name);
  });
}

function resetPeriod(reset: string): string {
  return reset === "daily" || reset === "weekly" || reset === "monthly" ? reset : "all";
}

/** A topped-up sum as an item. */
export function makeSum(at: Pair["at"], owner: string, bytes: number): Pair {
  const name = "max-all-octets";
  return {
    at,
    owner,
    table: "radgroupcheck",
    attribute: "Rd-Total-Data",
    name,
    op: ":=",
    value: String(bytes),
  };
}
