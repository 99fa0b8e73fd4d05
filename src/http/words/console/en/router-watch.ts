import type {
  AboutRouter,
  WatchKind,
  WatchValues,
  Whose,
} from "../../../../domain/service/router-watch/found.ts";

/** Problem, cost, and advice where no command fixes it. */
export interface WatchWords {
  readonly title: string;
  readonly cost: string;
  readonly todo?: string;
}

type WatchTable = { readonly [K in WatchKind]: (values: WatchValues[K]) => WatchWords };

const words = (title: string, cost: string, todo?: string): WatchWords => ({
  title,
  cost,
  ...(todo !== undefined && { todo }),
});

const whose = ({ of, who }: Whose) => (of === "card" ? `the card ${who}` : `the subscriber ${who}`);
const many = (count: number, one: string, more = `${one}s`) =>
  count === 1 ? `one ${one}` : `${count} ${more}`;

const findings: WatchTable = {
  radius_missing: ({ address }) =>
    words(
      `It does not ask us for logins (${address})`,
      "Nobody logs in by us there, and nothing of what is used is counted.",
    ),
  radius_changed: ({ address, properties }) =>
    words(
      `Its way to us was changed (${address}): ${properties}`,
      "Logins or reports do not reach us as they should, so lines fail, or are not counted.",
    ),
  radius_order: ({ first }) =>
    words(
      `It asks ${first} before us`,
      "Whoever is let in there is online without us: not counted, not billed, and with another speed.",
    ),
  radius_unsigned: () =>
    words(
      "It takes answers that are not signed",
      "Somebody between it and us can forge them, and let anybody in (CVE-2024-3596).",
    ),
  radius_secret: () =>
    words(
      "It has another secret than ours",
      "It does not believe our answers, or we drop what it sends: nobody new comes online.",
    ),
  incoming: () =>
    words(
      "It does not take our requests",
      "We cannot end a session or change its speed: who expires stays online until the session ends by itself.",
    ),
  incoming_firewall: () =>
    words(
      "Its firewall does not let our requests in",
      "We cannot end a session or change its speed: who expires stays online until the session ends by itself.",
    ),

  lines_ask: () =>
    words(
      "Its lines do not ask us",
      "PPP lines log in by names that stand in the router, or not at all; none of them is billed.",
    ),
  lines_report: () =>
    words("Its lines do not report", "What they use is not counted, and nobody sees who is online."),
  hotspot_ask: ({ profile }) =>
    words(
      `The hotspot profile ${profile} does not ask us`,
      "Its guests log in by names that stand in the router, or not at all; cards do not work.",
    ),
  hotspot_report: ({ profile }) =>
    words(
      `The hotspot profile ${profile} does not report`,
      "What its guests use is not counted, so their data and time never run out.",
    ),
  interim_missing: ({ silent, sessions }) =>
    words(
      `Sessions do not report while they are up: ${silent} of the last ${sessions}`,
      "Data is counted when a session ends, so who has used it up goes on, and sessions are taken for lost.",
      "Where its settings are right, look whether packets of accounting get lost on the way.",
    ),
  ipv6_accounting: () =>
    words(
      "It counts IPv6 apart",
      "What is used by IPv6 may be missing in data volumes, so they last too long.",
    ),
  ghosts: ({ server }) =>
    words(
      `The PPPoE server ${server} does not see when a line is gone`,
      "Lines that are gone stay in its list, are counted as online and keep their address.",
    ),
  two_queues: ({ lines, mayShare }) =>
    words(
      lines === 1
        ? "One line has its speed twice: once for IPv4, and once for IPv6"
        : `${lines} lines have their speed twice: once for IPv4, and once for IPv6`,
      "Who bought 20 Mbit/s may get 20 and 20 at the same time.",
      mayShare
        ? "Their devices do not say by which address they have IPv4, so the router cannot give them one queue for both. Give them half of the speed each way, or IPv4 alone."
        : "The DHCP servers there keep IPv4 and IPv6 apart. Let them share one queue first; lines that still have two then get half each, or IPv4 alone.",
    ),
  dual_stack: ({ desired, servers }) =>
    desired === "half"
      ? words(
          `Lines are to have half of their speed in each of two queues, and ${many(servers, "DHCP server")} there may give them one for both`,
          "A line with one queue for both gets half of what is sold.",
        )
      : words(
          `Lines by DHCP are to have IPv4 alone, and ${many(servers, "DHCP server gives", "DHCP servers give")} them IPv6`,
          "They have their speed twice, once for IPv4 and once for IPv6, until that is taken away there.",
        ),

  ppp_name: (values) =>
    words(
      values.of === "card"
        ? `The code of ${whose(values)} is a PPP secret of the router`
        : `The PPP secret ${values.name} is ${whose(values)}`,
      "The router lets it in by itself and never asks us: online for ever, and never billed.",
    ),
  hotspot_name: (values) =>
    words(
      values.of === "card"
        ? `The code of ${whose(values)} is a hotspot user of the router`
        : `The hotspot user ${values.name} is ${whose(values)}`,
      "The router lets it in by itself and never asks us: online for ever, and never billed.",
    ),
  user_manager_name: (values) =>
    words(
      `The User Manager of the router has ${whose(values)}`,
      "Where the router asks its User Manager, it is let in there, and never billed by us.",
    ),
  bypassed: (values) =>
    words(
      `${values.mac}, a device of ${whose(values)}, goes past the hotspot`,
      "It is online without a login: not counted, not billed, at full speed.",
    ),

  fasttrack: ({ rule }) =>
    words(
      `FastTrack takes lines past their speed: ${rule}`,
      "Their connections pass no speed limit and no rule, so sold speeds do not hold, and who has expired goes on. Kept from lines, the processor has more to do.",
    ),
  garden_opened: ({ rule }) =>
    words(
      `A rule of somebody opens the walled garden: ${rule}`,
      "Who has expired, or used up their data, reaches for nothing what it lets through.",
    ),
  ipv6_free: ({ where, isProfile }) =>
    words(
      isProfile
        ? `The PPP profile ${where} gives lines IPv6 without asking us`
        : `Lines at ${where} get IPv6 without asking us`,
      "Who has expired keeps IPv6, and with it much of the internet.",
      ...(isProfile
        ? []
        : [
            "Where no button mends it: set the router up anew and have IPv6 of these lines shut, or take IPv6 off that interface.",
          ]),
    ),
  garden_rules: ({ rules }) =>
    words(
      `The walled garden there is not as it should be: ${many(rules, "difference")}`,
      "Who has expired, or used up their data, may reach the internet for nothing.",
    ),
  hardware_path: ({ switch: name }) =>
    words(
      `The switch chip ${name} routes lines by itself`,
      "What it forwards passes no speed limit and no rule: sold speeds and the walled garden do not hold. Without it the processor has more to do.",
    ),
  tracking_off: () =>
    words(
      "It does not track connections",
      "Redirects and rules of the walled garden do not work, so who has expired is not stopped.",
    ),
  notrack: ({ rule }) =>
    words(
      `A rule keeps packets of lines from being tracked: ${rule}`,
      "Redirects and rules of the walled garden do not work for them, so who has expired is not stopped.",
    ),

  hotspot_forbidden: () =>
    words(
      "Its device-mode forbids hotspots",
      "The hotspot that is set up there does not run.",
      "The command has to be confirmed at the router within five minutes: press its button, or take its power away and give it back.",
    ),
  flagged: () =>
    words(
      "It suspects that somebody broke into it",
      "RouterOS found settings that intruders leave behind, and forbids some of its own commands.",
      "Look at its log, scheduler, scripts and users, or install it anew with Netinstall; then take the flag off. The command has to be confirmed at the router: press its button, or take its power away and give it back.",
    ),
  clock_off: ({ ahead }) =>
    words(
      `Its clock is ${many(Math.abs(ahead), "second")} ${ahead > 0 ? "ahead of" : "behind"} ours`,
      "Its log, its certificates and rules by the hour go wrong.",
      "Where it has a time server already, see whether it reaches that: /system ntp client print",
    ),
  no_ntp: () =>
    words(
      "No time server sets its clock",
      "After a power cut it may not know the time: certificates fail, and logs lie.",
    ),
  version_old: ({ version, least }) =>
    words(
      `It runs RouterOS ${version}`,
      `Older than ${least}, it has holes that are known and lacks what we tell it.`,
      "Keep a backup of it, then: /system package update install",
    ),
  version_hole: ({ version, hole, mended: fixed, address }) =>
    words(
      `RouterOS ${version} has the hole ${hole}`,
      `Closed by ${fixed}. What it lets somebody do: ${address}`,
      "Keep a backup of it, then: /system package update install",
    ),
  config_unkept: ({ days }) =>
    words(
      `Its configuration was not kept for ${many(days, "day")}`,
      "If the router breaks, nobody knows what was set there.",
      "Read its configuration on this page: what stands there then says why it could not be kept at night.",
    ),
  api_open: ({ service }) =>
    words(`Its ${service} answers everybody`, "Anybody who reaches the router can try passwords there."),
};

export const routerWatch = {
  findings,
  title: "What is not as it should be",
  lead: "Read from the router itself, every few minutes and after each set-up. Nothing is changed without you.",
  none: "All that was looked at is as it should be.",
  never: "It was not looked at yet.",
  off: "Looking at routers is switched off in the settings.",
  noApi: "It is not looked at: there is no account for its API. Set it up by its API, and there is one.",
  read: (at: string) => `Read ${at}.`,
  failed: (at: string, why: string, found: number) =>
    `Not read ${at}: ${why}.${found > 0 ? " What was found before stands below." : ""}`,
  failedNext: "If our account there is gone or has another password, set the router up by its API once more.",
  unlooked: (count: number) =>
    count === 1 ? "One thing was not looked at" : `${count} things were not looked at`,
  since: (at: string) => `since ${at}`,
  pending: "Seen once; it counts when the next look sees it too.",
  others: (ppp: number, hotspot: number, bypassed: number) => {
    const parts = [
      ...(ppp > 0 ? [many(ppp, "PPP secret")] : []),
      ...(hotspot > 0 ? [many(hotspot, "hotspot user")] : []),
      ...(bypassed > 0
        ? [many(bypassed, "device that goes past the hotspot", "devices that go past the hotspot")]
        : []),
    ];
    return parts.length === 0 ? "" : `It has ${parts.join(", ")} that nobody of ours has.`;
  },
  levels: { error: "error", warning: "warning" },
  look: "Look again",
  looked: (name: string) => `${name} was read`,
  lookedText: (count: number) =>
    count === 0
      ? "All is as it should be."
      : `${many(count, "thing is", "things are")} not as they should be.`,
  notLooked: (name: string) => `${name} could not be read`,
  mend: "Show what mends it",
  mendAll: (count: number) => `Show what mends all ${count}`,
  mendEverything: (count: number) => `Show what mends all ${count} of these at once`,
  more: (count: number) => `${count} more of these`,
  mendChanges: "What would change",
  mendTitle: (name: string) => `Mend ${name}`,
  mendLead: "This is what would change at the router. Nothing changes before you say yes.",
  mendGone: "It is not there any more: somebody mended it meanwhile.",
  mendYes: "Make it so",
  mendNeeds: "Our account there may only read",
  mendNeedsText: "Sign in as somebody of the group full or write. The login is used now and forgotten.",
  mended: (name: string) => `${name} is mended`,
  mendedText: "It was read again; what is found there still stands below.",
  choose: "Half each, or no IPv6 there",
  chooseTitle: "Lines with IPv4 and IPv6",
  chooseText: (name: string) =>
    `For every line by DHCP at ${name}, from its next lease on. After Save, what this takes at the router stands among what was found there, with its button.`,
  chooseLabel: "What they get",
  chosen: (name: string) => `Lines at ${name} get what you chose`,
  command: "At the router",
  hide: "It is meant so",
  hideTitle: "It is meant so",
  hideText: "It is not shown any more, and nobody is told of it, until what stands at the router changes.",
  reason: "Why",
  reasonHelp: "For whoever looks after you.",
  hidden: (name: string) => `Hidden at ${name}`,
  hiddenTitle: "Meant so",
  hiddenBy: (by: string, at: string, reason: string) => `${by}, ${at}: ${reason}`,
  show: "Show it again",
  shown: "It is shown again",
  notShown: "It could not be shown again",
} as const;

export function watchWords<K extends WatchKind>({ kind, values }: AboutRouter<K>): WatchWords {
  return findings[kind](values);
}
