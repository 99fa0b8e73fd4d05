import type { Db } from "../../../../db/open.ts";
import { readGarden } from "../../goods/router-setup/garden.ts";
import { isOtherKind } from "../../goods/nas/kind.ts";
import { kindTraits, type NasKind } from "../../goods/nas/kinds.ts";
import { commandName, findUnauthenticated, type Unauthenticated } from "../../goods/nas/sources.ts";
import { listCertificates, renewalFault } from "../../goods/radsec/list.ts";
import type { Seconds } from "../../core/time/time.ts";
import { type Finding, ok, warning } from "./finding.ts";

const NAMED = 5;
const SUBJECT = "routers";

interface Row {
  id: number;
  ispId: number;
  kind: NasKind;
  name: string;
  address: string;
  host: string | null;
  tls: number;
  fingerprint: string | null;
  require: string;
  radsec: number;
  gardenTold: string | null;
  fastTrackLeft: number;
}

/** Unsafe RADIUS or API connections, and dropped requests. */
export function checkRouters(db: Db, now: Seconds): Finding[] {
  const rows = db.$client
    .query<Row, []>(
      `SELECT id, isp_id AS ispId, kind, name, address, routeros_host AS host, routeros_tls AS tls,
         routeros_tls_fingerprint AS fingerprint, require_message_authenticator AS require, radsec,
         garden_told AS gardenTold, fast_track_left AS fastTrackLeft FROM nas ORDER BY id`,
    )
    .all();
  if (rows.length === 0)
    return [
      warning(
        SUBJECT,
        "there is none, so nobody can log in; add one with: gatehouse nas add NAME ADDRESS",
        "routers_none",
        {},
      ),
    ];
  const dropped = Map.groupBy(findUnauthenticated(db, now), ({ nasId }) => nasId);
  const refused = refusedRates(db);
  const findings = rows.flatMap((row) => [
    ...apiFaults(row),
    ...authenticatorFaults(row),
    ...kindFaults(db, row),
    ...gardenFaults(db, row),
    ...connectionFaults(row),
    ...radsecFaults(db, row, now),
    ...named(row, dropped.get(row.id) ?? []),
    ...rateFindings(row, refused),
  ]);
  return findings.length > 0 ? findings : [ok(SUBJECT, `${rows.length} may ask`)];
}

interface Refused {
  readonly nasId: number;
  readonly sessions: number;
  readonly reason: string;
}

function refusedRates({ $client }: Db): readonly Refused[] {
  return $client
    .query<Refused, []>(
      `SELECT nas_id AS nasId, count(*) AS sessions, min(rate_refused) AS reason FROM sessions INDEXED BY sessions_open_refused
       WHERE stopped_at IS NULL AND rate_refused IS NOT NULL AND nas_id IS NOT NULL GROUP BY nas_id`,
    )
    .all();
}

function rateFindings({ id, name }: Row, refused: readonly Refused[]): Finding[] {
  return refused
    .filter(({ nasId }) => nasId === id)
    .map(({ sessions, reason }) =>
      warning(
        SUBJECT,
        `${name}: ${sessions} open ${sessions === 1 ? "session goes" : "sessions go"} on at another rate than hours and tiers say: ${reason}`,
        "router_rate",
        { id, name, sessions },
      ),
    );
}

function apiFaults({ id, name, address, host, tls, fingerprint }: Row): Finding[] {
  const set = `gatehouse nas set ${commandName({ name, address })}`;
  if (tls === 1 && fingerprint === null)
    return [
      warning(
        SUBJECT,
        `${name}: any certificate of its API is accepted; pin it with: ${set} --routeros-tls-fingerprint SHA256`,
        "router_api_unpinned",
        { id, name },
      ),
    ];
  if (tls === 1 || host === null) return [];
  return [
    warning(
      SUBJECT,
      `${name}: its RouterOS API is spoken to without TLS, so its password can be read on the way; give the router's service api-ssl a certificate (gatehouse nas test prints how where there is none), then: ${set} --routeros-tls`,
      "router_api_plain",
      { id, name },
    ),
  ];
}

/** A kind that does not fit the router, and a walled garden that it lacks. */
function kindFaults(db: Db, { id, ispId, name, address, host, kind }: Row): Finding[] {
  if (kind === "mikrotik")
    return isOtherKind(db, { id, kind, routerosHost: host })
      ? [
          warning(
            SUBJECT,
            `${name}: its reports are not those of RouterOS, so it may not understand the rates that it is told; say what it is: gatehouse nas set ${commandName({ name, address })} --kind KIND`,
            "router_kind",
            { id, name },
          ),
        ]
      : [];
  if (kindTraits[kind].list !== null) return [];
  const confined = db.$client
    .query<{ name: string }, [number]>(
      "SELECT name FROM packages WHERE isp_id = ? AND expired_address_list IS NOT NULL AND expired_pool IS NULL ORDER BY id LIMIT 1",
    )
    .get(ispId);
  return confined
    ? [
        warning(
          SUBJECT,
          `${name}: ${kind} knows no address lists, so who is expired is refused there; give the package ${confined.name} an expired_pool`,
          "router_no_lists",
          { id, name, pack: confined.name },
        ),
      ]
    : [];
}

/** Rules of an older version allow any name server, and a DNS tunnel through one. */
function gardenFaults(db: Db, row: Row): Finding[] {
  const garden = readGarden(db, row);
  if (garden === null || garden === row.gardenTold) return [];
  const { id, name, kind } = row;
  const how =
    kind === "mikrotik"
      ? `paste anew what this prints: gatehouse nas script ${commandName(row)}, or have it done by: gatehouse nas setup ${commandName(row)}`
      : `see what this prints: gatehouse nas script ${commandName(row)}`;
  return [
    warning(
      SUBJECT,
      `${name}: was not told yet whom lines in the walled garden may ask for names and how fast they are, so who is expired may have a way out for nothing there; ${how}`,
      "router_garden",
      { id, name },
    ),
  ];
}

/** FastTrack was left on, so that connections of expired subscribers cannot be ended. */
function connectionFaults({ id, name, address, fastTrackLeft }: Row): Finding[] {
  if (fastTrackLeft < 2) return [];
  return [
    warning(
      SUBJECT,
      `${name}: old connections of lines that have run out live on until they close, for FastTrack was left to subscribers and there are more than 20,000 connections to look through; have it switched off by: gatehouse nas setup ${commandName({ name, address })} --disable-fasttrack`,
      "router_connections",
      { id, name },
    ),
  ];
}

function authenticatorFaults({ id, name, address, require }: Row): Finding[] {
  const set = `gatehouse nas set ${commandName({ name, address })}`;
  if (require === "no")
    return [
      warning(
        SUBJECT,
        `${name} (${address}): logins without Message-Authenticator are accepted, which allows forged answers (CVE-2024-3596); update RouterOS to 7.15 or newer, then: ${set} --require-message-authenticator auto`,
        "router_forgeable",
        { id, name },
      ),
    ];
  if (require === "auto" && address.includes("/"))
    return [
      warning(
        SUBJECT,
        `${name} (${address}) is a network: logins from each of its addresses are accepted without Message-Authenticator until that address has sent one; add its routers one by one, or when all of them send it: ${set} --require-message-authenticator yes`,
        "router_network",
        { id, name },
      ),
    ];
  return [];
}

/** A certificate that ends soon or is missing; the router's page has the same words. */
function radsecFaults(db: Db, { id, name, address, radsec }: Row, now: Seconds): Finding[] {
  if (radsec === 0) return [];
  const fault = renewalFault(listCertificates(db, id), now);
  return fault === undefined
    ? []
    : [
        warning(
          SUBJECT,
          `${name}: ${fault}; make one with: gatehouse nas radsec ${commandName({ name, address })}`,
          "router_radsec",
          { id, name },
        ),
      ];
}

function named({ id, name }: Row, sources: readonly Unauthenticated[]): Finding[] {
  const dropped = sources
    .slice(0, NAMED)
    .map(({ address, words }) => warning(SUBJECT, words, "router_dropped", { id, name, address }));
  const rest = sources.length - dropped.length;
  if (rest === 0) return dropped;
  const more = `${rest} more addresses of that router are dropped likewise; see: gatehouse nas list --json`;
  return [...dropped, warning(SUBJECT, more, "router_dropped_more", { id, name, addresses: rest })];
}
