import type { Db } from "../../../db/open.ts";
import { commandName, findUnauthenticated, type Unauthenticated } from "../nas/sources.ts";
import { certificatesOf, renewalFault } from "../radsec/list.ts";
import type { Seconds } from "../time.ts";
import { type Finding, ok, warning } from "./finding.ts";

/** Sources of one NAS that are named; a network may have thousands. */
const NAMED = 5;

interface Row {
  id: number;
  name: string;
  address: string;
  host: string | null;
  tls: number;
  fingerprint: string | null;
  require: string;
  radsec: number;
}

/** Routers that reach us, or that we reach, less safely than they could; and those whose requests are dropped. */
export function checkRouters(db: Db, now: Seconds): Finding[] {
  const rows = db.$client
    .query<Row, []>(
      `SELECT id, name, address, routeros_host AS host, routeros_tls AS tls,
         routeros_tls_fingerprint AS fingerprint, require_message_authenticator AS require, radsec FROM nas ORDER BY id`,
    )
    .all();
  if (rows.length === 0)
    return [
      warning("routers", "there is none, so nobody can log in; add one with: gatehouse nas add NAME ADDRESS"),
    ];
  const dropped = Map.groupBy(findUnauthenticated(db, now), ({ nasId }) => nasId);
  const findings = rows.flatMap((row) =>
    [
      ...apiFaults(row),
      ...authenticatorFaults(row),
      ...radsecFaults(db, row, now),
      ...named(dropped.get(row.id) ?? []),
    ].map((message) => warning("routers", message)),
  );
  return findings.length > 0 ? findings : [ok("routers", `${rows.length} may ask`)];
}

function apiFaults({ name, address, host, tls, fingerprint }: Row): string[] {
  const set = `gatehouse nas set ${commandName({ name, address })}`;
  if (tls === 1 && fingerprint === null)
    return [
      `${name}: any certificate of its API is accepted; pin it with: ${set} --routeros-tls-fingerprint SHA256`,
    ];
  if (tls === 1 || host === null) return [];
  return [
    `${name}: its RouterOS API is spoken to without TLS, so its password can be read on the way; give the router's service api-ssl a certificate (gatehouse nas test prints how where there is none), then: ${set} --routeros-tls`,
  ];
}

function authenticatorFaults({ name, address, require }: Row): string[] {
  const set = `gatehouse nas set ${commandName({ name, address })}`;
  if (require === "no")
    return [
      `${name} (${address}): logins without Message-Authenticator are accepted, which allows forged answers (CVE-2024-3596); update RouterOS to 7.15 or newer, then: ${set} --require-message-authenticator auto`,
    ];
  if (require === "auto" && address.includes("/"))
    return [
      `${name} (${address}) is a network: logins from each of its addresses are accepted without Message-Authenticator until that address has sent one; add its routers one by one, or when all of them send it: ${set} --require-message-authenticator yes`,
    ];
  return [];
}

/** A certificate that ends soon, or is missing; the same words on the router's page. */
function radsecFaults(db: Db, { id, name, address, radsec }: Row, now: Seconds): string[] {
  if (radsec === 0) return [];
  const fault = renewalFault(certificatesOf(db, id), now);
  return fault === undefined
    ? []
    : [`${name}: ${fault}; make one with: gatehouse nas radsec ${commandName({ name, address })}`];
}

function named(sources: readonly Unauthenticated[]): string[] {
  const words = sources.slice(0, NAMED).map((source) => source.words);
  const rest = sources.length - words.length;
  return rest > 0
    ? [...words, `${rest} more addresses of that router are dropped likewise; see: gatehouse nas list --json`]
    : words;
}
