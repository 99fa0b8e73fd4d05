import type { CarriedOut } from "../../../../domain/goods/router-setup/carry-out.ts";
import type { EndedConnections } from "../../../../domain/goods/router-setup/garden/connections.ts";
import type { Change } from "../../../../domain/goods/router-setup/plan.ts";
import type { Left } from "../../../../domain/goods/router-setup/parts.ts";
import type { ProofStep } from "../../../../domain/goods/router-setup/prove.ts";

/** For pages and command. */
export const routerSetup = {
  action: "Set up by its API",
  title: (name: string) => `Set up ${name} by its API`,
  removeTitle: (name: string) => `Take our settings off ${name}`,
  lead: "We sign in to the router, read what it has and show you what would change. Nothing changes before you say yes.",
  login: "Who signs in",
  username: "Login of the router",
  usernameHelp:
    "One of its group full. It is used now and forgotten; what stays is an account of ours that may do less.",
  password: "Its password",
  port: "Port of its API",
  portHelp: "Empty: 8728, with TLS 8729.",
  portFault: "must be a port from 1 to 65535, or empty",
  tls: "TLS",
  choices: "What you may choose",
  dns: "Whom the walled garden asks for names",
  dnsHelp:
    "One or two IPv4 addresses, in place of the setting. Empty: those of the setting, else the router, else whom it asks itself.",
  noDns: (text: string) =>
    `${text} is no resolver; it must be one or two IPv4 addresses such as 10.0.0.53, 10.0.0.54`,
  disablesFastTrack: "Switch FastTrack off where it cannot be kept from subscribers",
  disablesFastTrackHelp:
    "FastTrack takes them past their speed and the walled garden. Without it the processor of the router has more to do.",
  shutsIpv6: "Of hotspots and DHCP lines let only the IPv6 pass that we delegate",
  shutsIpv6Help: "Who is expired there has none then. A hotspot works reliably by IPv4 alone.",
  isTriedOnly: "Leave out what was not tried on such a router",
  isTriedOnlyHelp:
    "The list of interfaces in the profile of who has expired on RouterOS 6.49, and keeping FastTrack from all lines that dial in at once.",
  hotspotName: "DNS name of its hotspots",
  hotspotNameHelp: "Such as login.example.net. Empty: they keep what they have.",
  server: "Where it asks",
  serverHelp:
    "Empty: this box. Of access boxes their addresses, the nearest first: 10.1.0.2, 10.0.0.1:1822. One that is not named is asked no more.",
  noServer: (text: string) =>
    `${text} is no address; it must be an IP address, or several such as 10.0.0.2, 10.0.0.1:1822`,
  look: "Look what would change",
  removeLink: "Take our settings off again",
  setupLink: "Set it up",
  paste: "Or paste commands",
  difference: (name: string, version: string) => `${name} runs RouterOS ${version}`,
  nothing: "Nothing to change",
  nothingText: "All that is wanted is there already.",
  nothingLeft: "Nothing of ours is there.",
  counts: (added: number, changed: number, removed: number) =>
    [
      ...(added > 0 ? [`${added} added`] : []),
      ...(changed > 0 ? [`${changed} changed`] : []),
      ...(removed > 0 ? [`${removed} taken away`] : []),
    ].join(", "),
  added: "Added",
  changed: "Changed",
  removed: "Taken away",
  left: "Left as it is",
  same: (names: string) => `As it should be: ${names}.`,
  yes: "Make it so",
  yesRemove: "Take them off",
  prove: "Prove that it works",
  no: "Leave it",
  nobody: "Nobody is cut off.",
  nobodyText: "Lines that are up stay up; they ask us at their next dial-in.",
  kept: (minutes: number) => `The login waits in memory for your answer, ${minutes} minutes at most.`,
  over: "The login is forgotten",
  overText: "Nobody said yes in time, or the program began anew. Sign in once more.",
  other: "It is not as it was shown",
  otherText: "Somebody changed the router in between. Nothing was done; this is the difference now.",
  running: "Making it so",
  progress: (done: number, all: number) => `${done} of ${all} done`,
  proving: "All is made. Proving it",
  again: "Look again",
  done: (name: string) => `${name} is set up`,
  doneUnproven: (name: string) => `${name} is set up, and not all of it is proven`,
  doneRemoved: (name: string) => `Our settings are off ${name}`,
  doneText: "What we made has the comment gatehouse. Once more makes no second difference.",
  doneRemovedText: "What was there before is back.",
  connections: (connections: EndedConnections) =>
    connections.kind === "left"
      ? "Connections that lines have open go past the rules until they close: start the router anew when nobody minds."
      : `${connections.count} connections of lines that went past the rules were ended; they open anew.`,
  undone: "It did not work, and was undone",
  halfway: "It stopped half way",
  failed: (what: string, why: string) => `${what} failed: ${why}.`,
  undoneText: "What was done before that was undone: the router is as it was.",
  halfwayText: (why: string, stays: string) =>
    `Not all of it could be undone: ${why}. What stays, or may: ${stays}. Set it up once more: it goes on from there.`,
  notReached: "The router was not set up",
  proof: "The proof",
  checks: {
    login: "A login from its side",
    heard: "First packet",
    reachable: "Reached",
    coa: "Disconnect-Requests, there and back",
    secret: "Secret",
    api: "Our account",
    permissions: "What our account may",
    clock: "Its clock",
  } satisfies Record<ProofStep["check"], string>,
  states: { ok: "good", failed: "fails", skipped: "not yet" },
  toRouter: "To the router",
  places: {
    "/radius": "Where it asks",
    "/radius/incoming": "Listening to us",
    "/ppp/aaa": "Lines ask us and report",
    "/ip/firewall/filter": "Firewall rule",
    "/ip/firewall/nat": "Redirect of who has expired",
    "/ip/firewall/address-list": "Address list of the walled garden",
    "/ip/firewall/mangle": "Mangle rule",
    "/ipv6/firewall/filter": "IPv6 firewall rule",
    "/ipv6/firewall/address-list": "IPv6 prefixes of lines",
    "/interface/list": "List of interfaces",
    "/interface/list/member": "Interface of a list",
    "/ppp/profile": "PPP profile",
    "/ip/hotspot/profile": "Hotspot profile",
    "/user/group": "Group of our account",
    "/user": "Our account",
    "/system/ntp/client": "Clock by the network",
    "/ppp/secret": "Local name of a line",
    "/ip/hotspot/user": "Local name of a hotspot",
    "/ip/hotspot/ip-binding": "Device that goes past the hotspot",
    "/user-manager/user": "Name in its User Manager",
    "/tool/user-manager/user": "Name in its User Manager",
    "/interface/pppoe-server/server": "PPPoE server",
    "/interface/ethernet/switch": "Switch chip",
    "/ip/firewall/raw": "Raw firewall rule",
    "/ip/firewall/connection/tracking": "Connection tracking",
    "/ip/service": "Service of the router",
    "/queue/type": "Kind of queue",
    "/ip/hotspot/user/profile": "Profile of hotspot users",
  },
  hidden: "not shown",
  none: "nothing",
  isNow: (name: string, value: string) => `${name} ${value}`,
  turns: (name: string, before: string, after: string) => `${name} from ${before} to ${after}`,
  before: "before all others of its chain",
  leftWords: {
    same: (what) => what,
    others_first: (what) => `${what} is asked over RADIUS before us, for it stands first in /radius.`,
    no_hotspot: () => "No hotspot runs there, so no hotspot profile is changed.",
    no_menu: (what) => `It has no ${what}: a package that is not installed.`,
    version: (what) =>
      `Its version does not know ${what}: update it to 7.15 or later, so that nobody can forge our answers.`,
    has_clock: () => "It has somebody to set its clock by already.",
    fasttrack_left: (what) =>
      `FastTrack (${what}) takes subscribers past their speed and the walled garden, and its rule has matchers of yours where ours would have to stand: it stays, unless you have it switched off.`,
    fasttrack_price: (what) =>
      `FastTrack (${what}) is kept from subscribers, so that they have the speed they pay for. The price: more work for the router's processor, also for what goes over a PPPoE line of its own.`,
    pool_missing: (what) => `It has no pool ${what}, from which expired subscribers are to get an address.`,
    profile_unsure: (what) =>
      what === "tunnel"
        ? "Its L2TP, PPTP, SSTP and OpenVPN servers have different profiles, and a login does not say which it came by: expired lines there keep the IPv6 of their profile."
        : `Servers of the service ${what} have different profiles, and a login does not say which it came by: expired lines there keep the IPv6 of their profile.`,
    ipv6_open: (what) =>
      `On ${what} lines do not dial in, so IPv6 that they have besides is not shut for who is expired, unless you choose so. A hotspot works reliably by IPv4 alone.`,
    unseen: (what) =>
      `It does not show the secret for ${what}, so that was not compared; the proof says whether it is right.`,
    changed_since: (what) => `${what} was changed by somebody since, and stays.`,
    no_shaper: (what) =>
      `RouterOS ${what} has no queues that keep lines from lagging at full rate: update it to 7.1 or later. Its queues stay as they are.`,
    two_queues: (what) =>
      `The DHCP server ${what} gives a line one queue for IPv4 and another for IPv6, so that 20 Mbit/s are 20 and 20: set allow-dual-stack-queue=yes on both of its servers.`,
    in_use: (what) => `The group ${what} stays, for others are in it.`,
  } satisfies Record<Left["reason"], (what: string) => string>,
};

const boolWords: Readonly<Record<string, string>> = { true: "yes", false: "no", "": routerSetup.none };
const secrets = new Set(["secret", "password"]);
const format = (name: string, value: string) =>
  secrets.has(name) ? routerSetup.hidden : (boolWords[value] ?? value);

const places: Readonly<Record<string, string>> = routerSetup.places;

export const placeOfChange = ({ menu }: Pick<Change, "menu">) => places[menu] ?? menu;

export function valuesOfChange({ kind, values, before, place, key }: Change): string[] {
  const { isNow, turns } = routerSetup;
  const describe = (row: Change["values"]) =>
    Object.entries(row).flatMap(([name, value]) => (value === "" ? [] : [isNow(name, format(name, value))]));
  if (kind === "add") return [...describe(values), ...(place === undefined ? [] : [routerSetup.before])];
  if (kind === "remove") return describe(before);
  const name = key["name"] ?? key["address"] ?? key["action"];
  const changed = Object.entries(values).map(([property, value]) =>
    turns(
      property,
      before[property] === undefined ? routerSetup.hidden : format(property, before[property]),
      format(property, value),
    ),
  );
  return name === undefined ? changed : [`${name}:`, ...changed];
}

export function leftInWords(left: readonly Left[]): string[] {
  const same = [
    ...new Set(left.filter(({ reason }) => reason === "same").map(({ what }) => places[what] ?? what)),
  ];
  const others = left
    .filter(({ reason }) => reason !== "same")
    .map(({ reason, what }) => routerSetup.leftWords[reason](what));
  return [...new Set(others), ...(same.length > 0 ? [routerSetup.same(same.join(", "))] : [])];
}

export function failureInWords(outcome: Exclude<CarriedOut, { kind: "done" }>): string[] {
  const { failed, halfwayText, undoneText } = routerSetup;
  const why = failed(placeOfChange(outcome.failed), outcome.reason);
  if (outcome.kind === "undone") return [why, undoneText];
  return [why, halfwayText(outcome.since, [...new Set(outcome.stays.map(placeOfChange))].join(", "))];
}
