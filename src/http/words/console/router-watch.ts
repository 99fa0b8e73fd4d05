import type { Messages } from "../compiled/messages.ts";
import type {
  AboutRouter,
  WatchKind,
  WatchValues,
  Whose,
} from "../../../domain/service/router-watch/found.ts";

/** Problem, cost, and advice where no command fixes it. */
export interface WatchWords {
  readonly title: string;
  readonly cost: string;
  readonly todo?: string;
}

type WatchTable = { readonly [K in WatchKind]: (values: WatchValues[K]) => WatchWords };

export type RouterWatchWords = ReturnType<typeof routerWatchWords>;

/** For pages and command. */
export function routerWatchWords({ list, routerWatch: m }: Pick<Messages, "list" | "routerWatch">) {
  const words = (title: string, cost: string, todo?: string): WatchWords => ({
    title,
    cost,
    ...(todo !== undefined && { todo }),
  });

  const whose = ({ of, who }: Whose) => (of === "card" ? m.whose(who) : m.whose2(who));

  const findings: WatchTable = {
    radius_missing: ({ address }) =>
      words(m.findings.radius_missing.title(address), m.findings.radius_missing.cost),
    radius_changed: ({ address, properties }) =>
      words(m.findings.radius_changed.title(address, properties), m.findings.radius_changed.cost),
    radius_order: ({ first }) => words(m.findings.radius_order.title(first), m.findings.radius_order.cost),
    radius_unsigned: () => words(m.findings.radius_unsigned.title, m.findings.radius_unsigned.cost),
    radius_secret: () => words(m.findings.radius_secret.title, m.findings.radius_secret.cost),
    incoming: () => words(m.findings.incoming.title, m.findings.incoming.cost),
    incoming_firewall: () => words(m.findings.incoming_firewall.title, m.findings.incoming_firewall.cost),

    lines_ask: () => words(m.findings.lines_ask.title, m.findings.lines_ask.cost),
    lines_report: () => words(m.findings.lines_report.title, m.findings.lines_report.cost),
    hotspot_ask: ({ profile }) => words(m.findings.hotspot_ask.title(profile), m.findings.hotspot_ask.cost),
    hotspot_report: ({ profile }) =>
      words(m.findings.hotspot_report.title(profile), m.findings.hotspot_report.cost),
    interim_missing: ({ silent, sessions }) =>
      words(
        m.findings.interim_missing.title(silent, sessions),
        m.findings.interim_missing.cost,
        m.findings.interim_missing.todo,
      ),
    ipv6_accounting: () => words(m.findings.ipv6_accounting.title, m.findings.ipv6_accounting.cost),
    ghosts: ({ server }) => words(m.findings.ghosts.title(server), m.findings.ghosts.cost),
    two_queues: ({ lines, mayShare }) =>
      words(
        m.findings.two_queues.title(lines),
        m.findings.two_queues.cost,
        mayShare ? m.findings.two_queues.todo : m.findings.two_queues.todo2,
      ),
    dual_stack: ({ desired, servers }) =>
      desired === "half"
        ? words(m.findings.dual_stack.title(servers), m.findings.dual_stack.cost)
        : words(m.findings.dual_stack.title2(servers), m.findings.dual_stack.cost2),

    ppp_name: (values) =>
      words(
        values.of === "card"
          ? m.findings.ppp_name.title(whose(values))
          : m.findings.ppp_name.title2(values.name, whose(values)),
        m.findings.ppp_name.cost,
      ),
    hotspot_name: (values) =>
      words(
        values.of === "card"
          ? m.findings.hotspot_name.title(whose(values))
          : m.findings.hotspot_name.title2(values.name, whose(values)),
        m.findings.hotspot_name.cost,
      ),
    user_manager_name: (values) =>
      words(m.findings.user_manager_name.title(whose(values)), m.findings.user_manager_name.cost),
    bypassed: (values) =>
      words(m.findings.bypassed.title(values.mac, whose(values)), m.findings.bypassed.cost),

    fasttrack: ({ rule }) => words(m.findings.fasttrack.title(rule), m.findings.fasttrack.cost),
    garden_opened: ({ rule }) => words(m.findings.garden_opened.title(rule), m.findings.garden_opened.cost),
    ipv6_free: ({ where, isProfile }) =>
      words(
        isProfile ? m.findings.ipv6_free.title(where) : m.findings.ipv6_free.title2(where),
        m.findings.ipv6_free.cost,
        ...(isProfile ? [] : [m.findings.ipv6_free.todo]),
      ),
    garden_rules: ({ rules }) => words(m.findings.garden_rules.title(rules), m.findings.garden_rules.cost),
    hardware_path: ({ switch: name }) =>
      words(m.findings.hardware_path.title(name), m.findings.hardware_path.cost),
    tracking_off: () => words(m.findings.tracking_off.title, m.findings.tracking_off.cost),
    notrack: ({ rule }) => words(m.findings.notrack.title(rule), m.findings.notrack.cost),

    hotspot_forbidden: () =>
      words(
        m.findings.hotspot_forbidden.title,
        m.findings.hotspot_forbidden.cost,
        m.findings.hotspot_forbidden.todo,
      ),
    flagged: () => words(m.findings.flagged.title, m.findings.flagged.cost, m.findings.flagged.todo),
    clock_off: ({ ahead }) =>
      words(
        m.findings.clock_off.title3(
          Math.abs(ahead),
          ahead > 0 ? m.findings.clock_off.title : m.findings.clock_off.title2,
        ),
        m.findings.clock_off.cost,
        m.findings.clock_off.todo,
      ),
    no_ntp: () => words(m.findings.no_ntp.title, m.findings.no_ntp.cost),
    version_old: ({ version, least }) =>
      words(
        m.findings.version_old.title(version),
        m.findings.version_old.cost(least),
        m.findings.version_old.todo,
      ),
    version_hole: ({ version, hole, mended: fixed, address }) =>
      words(
        m.findings.version_hole.title(version, hole),
        m.findings.version_hole.cost(fixed, address),
        m.findings.version_hole.todo,
      ),
    config_unkept: ({ days }) =>
      words(
        m.findings.config_unkept.title(days),
        m.findings.config_unkept.cost,
        m.findings.config_unkept.todo,
      ),
    api_open: ({ service }) => words(m.findings.api_open.title(service), m.findings.api_open.cost),
  };

  const routerWatch = {
    ...m,
    findings,
    failed: (at: string, why: string, found: number) => m.failed2(at, why, found > 0 ? m.failed : ""),
    others: (ppp: number, hotspot: number, bypassed: number) => {
      const parts = [
        ...(ppp > 0 ? [m.othersParts(ppp)] : []),
        ...(hotspot > 0 ? [m.othersParts2(hotspot)] : []),
        ...(bypassed > 0 ? [m.othersParts3(bypassed)] : []),
      ];
      return m.others(parts.length, parts.join(list.comma));
    },
    hiddenBy: (by: string, at: string, reason: string) => `${by}${list.comma}${at}${list.colon}${reason}`,
  };

  function watchWords<K extends WatchKind>({ kind, values }: AboutRouter<K>): WatchWords {
    return findings[kind](values);
  }

  return { ...routerWatch, watchWords };
}
