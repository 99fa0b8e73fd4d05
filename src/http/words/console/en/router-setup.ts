import type { CarriedOut } from "../../../../domain/goods/router-setup/carry-out.ts";
import type { Change, Left } from "../../../../domain/goods/router-setup/plan.ts";
import type { ProofStep } from "../../../../domain/goods/router-setup/prove.ts";

/** What setting a router up by its API says, on its pages and by the command. */
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
    "/ip/firewall/address-list": "Address that who has expired reaches",
    "/ip/hotspot/profile": "Hotspot profile",
    "/user/group": "Group of our account",
    "/user": "Our account",
    "/system/ntp/client": "Clock by the network",
  },
  hidden: "not shown",
  none: "nothing",
  isNow: (name: string, value: string) => `${name} ${value}`,
  turns: (name: string, before: string, after: string) => `${name} from ${before} to ${after}`,
  before: "before the first rule that drops",
  leftWords: {
    same: (what) => what,
    others_first: (what) => `${what} is asked over RADIUS before us, for it stands first in /radius.`,
    no_hotspot: () => "No hotspot runs there, so no hotspot profile is changed.",
    no_menu: (what) => `It has no ${what}: a package that is not installed.`,
    version: (what) =>
      `Its version does not know ${what}: update it to 7.15 or later, so that nobody can forge our answers.`,
    has_clock: () => "It has somebody to set its clock by already.",
    accepted_before: (what) =>
      `A rule of chain forward lets everything through before ours${what === "" ? "" : ` (${what})`}: who is expired is not stopped while it stands there.`,
    unseen: (what) =>
      `It does not show the secret for ${what}, so that was not compared; the proof says whether it is right.`,
    changed_since: (what) => `${what} was changed by somebody since, and stays.`,
    in_use: (what) => `The group ${what} stays, for others are in it.`,
  } satisfies Record<Left["reason"], (what: string) => string>,
};

const shownTruths: Readonly<Record<string, string>> = { true: "yes", false: "no", "": routerSetup.none };
const secrets = new Set(["secret", "password"]);
const shown = (name: string, value: string) =>
  secrets.has(name) ? routerSetup.hidden : (shownTruths[value] ?? value);

const places: Readonly<Record<string, string>> = routerSetup.places;

/** What a change is about: `Firewall rule`. */
export const placeOfChange = ({ menu }: Pick<Change, "menu">) => places[menu] ?? menu;

/** The values of a change in words, one a property: `interim-update from 0s to 5m`. */
export function valuesOfChange({ kind, values, before, place, key }: Change): string[] {
  const { isNow, turns } = routerSetup;
  const told = (row: Change["values"]) =>
    Object.entries(row).flatMap(([name, value]) => (value === "" ? [] : [isNow(name, shown(name, value))]));
  if (kind === "add") return [...told(values), ...(place === undefined ? [] : [routerSetup.before])];
  if (kind === "remove") return told(before);
  const name = key["name"] ?? key["address"];
  const changed = Object.entries(values).map(([property, value]) =>
    turns(
      property,
      before[property] === undefined ? routerSetup.hidden : shown(property, before[property]),
      shown(property, value),
    ),
  );
  return name === undefined ? changed : [`${name}:`, ...changed];
}

/** What stays, in sentences; those that are as they should be in one. */
export function leftInWords(left: readonly Left[]): string[] {
  const same = [
    ...new Set(left.filter(({ reason }) => reason === "same").map(({ what }) => places[what] ?? what)),
  ];
  const others = left
    .filter(({ reason }) => reason !== "same")
    .map(({ reason, what }) => routerSetup.leftWords[reason](what));
  return [...new Set(others), ...(same.length > 0 ? [routerSetup.same(same.join(", "))] : [])];
}

/** What came of a set-up that did not go through. */
export function failureInWords(outcome: Exclude<CarriedOut, { kind: "done" }>): string[] {
  const { failed, halfwayText, undoneText } = routerSetup;
  const why = failed(placeOfChange(outcome.failed), outcome.reason);
  if (outcome.kind === "undone") return [why, undoneText];
  return [why, halfwayText(outcome.since, [...new Set(outcome.stays.map(placeOfChange))].join(", "))];
}
