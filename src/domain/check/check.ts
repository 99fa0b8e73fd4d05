import type { Db } from "../../../db/open.ts";
import { isSettingKey, settingDefinitions } from "../settings/settings.ts";
import { formatTime, type Seconds } from "../time.ts";
import { error, type Finding, ok, warning } from "./finding.ts";

/** Everything that the store itself can tell: integrity, keys, ledger, settings, routers, clock. Reads only, but all of it. */
export function checkStore(db: Db, now: Seconds): Finding[] {
  const integrity = checkIntegrity(db);
  // the rest would read the pages that are damaged
  if (integrity.severity === "error") return [integrity];
  return [integrity, checkReferences(db), checkKey(db), checkLedger(db), ...checkSetup(db, now)];
}

/** The part that costs next to nothing, for a server that is at work: settings, routers, clock. */
export function checkSetup(db: Db, now: Seconds): Finding[] {
  return [...checkSettings(db), ...checkRouters(db), checkClock(db, now)];
}

function checkIntegrity({ $client }: Db): Finding {
  const rows = $client.query<{ integrity_check: string }, []>("PRAGMA integrity_check(5)").all();
  const faults = rows
    .map((row) => row.integrity_check.replace(/\s*\n\s*/g, ", "))
    .filter((text) => text !== "ok");
  return faults.length === 0
    ? ok("database", "every page is sound")
    : error("database", `damaged: ${faults.join("; ")}; restore the last backup`);
}

function checkReferences({ $client }: Db): Finding {
  const rows = $client.query<{ table: string }, []>("PRAGMA foreign_key_check").all();
  return rows.length === 0
    ? ok("references", "every row refers to rows that exist")
    : error(
        "references",
        `${rows.length} rows refer to nothing, in ${[...new Set(rows.map((row) => row.table))].join(", ")}; restore the last backup`,
      );
}

/** The oldest and the newest sealed values open with the key of this folder. */
export function checkKey({ $client, vault }: Pick<Db, "$client" | "vault">): Finding {
  const sealed = $client
    .query<{ sealed: Uint8Array }, []>(
      `SELECT secret_sealed AS sealed FROM nas UNION ALL
       SELECT password_sealed FROM subscribers WHERE id IN (SELECT min(id) FROM subscribers UNION SELECT max(id) FROM subscribers)`,
    )
    .all();
  try {
    for (const row of sealed) vault.open(row.sealed);
    return ok("key", "secret.key opens the stored passwords");
  } catch {
    return error("key", "secret.key is not the key of this database; restore both from the same backup");
  }
}

/** Each entry's balance is the one before plus its amount, so the balance is the sum of the entries. */
function checkLedger({ $client }: Db): Finding {
  const row = $client
    .query<{ entries: number; wrong: number; first: number | null }, []>(
      `SELECT count(*) AS entries, count(CASE WHEN balance_after <> total THEN 1 END) AS wrong,
         min(CASE WHEN balance_after <> total THEN id END) AS first
       FROM (SELECT id, balance_after,
               sum(amount) OVER (PARTITION BY subscriber_id, staff_id ORDER BY id) AS total
             FROM ledger_entries)`,
    )
    .get();
  if (!row || row.wrong === 0) return ok("ledger", `${row?.entries ?? 0} entries add up to the balances`);
  return error(
    "ledger",
    `${row.wrong} balances are not the sum of their entries, the first in entry ${row.first}; restore the last backup`,
  );
}

function checkSettings({ $client }: Db): Finding[] {
  const rows = $client
    .query<{ key: string; value: string }, []>("SELECT key, value FROM settings WHERE isp_id = 0")
    .all();
  const faults = rows.flatMap(({ key, value }) => {
    if (!isSettingKey(key))
      return [warning("settings", `${key} is not a setting of this version and has no effect`)];
    const { values, initially } = settingDefinitions[key];
    if (values.read(JSON.parse(value)) !== undefined) return [];
    return [
      warning(
        "settings",
        `${key} is ${value} but ${values.message}, so ${String(initially)} counts; set it again with: gatehouse settings set ${key}`,
      ),
    ];
  });
  return faults.length > 0 ? faults : [ok("settings", `${rows.length} are set, and valid`)];
}

function checkRouters({ $client }: Db): Finding[] {
  const rows = $client
    .query<{ name: string; address: string; tls: number; fingerprint: string | null; require: string }, []>(
      `SELECT name, address, routeros_tls AS tls, routeros_tls_fingerprint AS fingerprint,
         require_message_authenticator AS require FROM nas ORDER BY id`,
    )
    .all();
  if (rows.length === 0)
    return [
      warning("routers", "there is none, so nobody can log in; add one with: gatehouse nas add NAME ADDRESS"),
    ];
  const findings = rows.flatMap(({ name, address, tls, fingerprint, require }) => {
    const found: Finding[] = [];
    if (tls === 1 && fingerprint === null) {
      found.push(
        warning("routers", `${name}: any certificate of its API is accepted; pin it with tls_fingerprint`),
      );
    }
    if (require === "no") {
      found.push(
        warning(
          "routers",
          `${name} (${address}): logins without Message-Authenticator are accepted, which allows forged answers (CVE-2024-3596); update RouterOS to 7.15 or newer and set require_message_authenticator to auto`,
        ),
      );
    }
    return found;
  });
  return findings.length > 0 ? findings : [ok("routers", `${rows.length} may ask`)];
}

/** Nothing in the books lies in the future, unless the clock was set back. */
function checkClock({ $client }: Db, now: Seconds): Finding {
  const newest = $client
    .query<{ at: number | null }, []>(
      `SELECT max(at) AS at FROM (SELECT max(at) AS at FROM audit_entries UNION ALL
         SELECT max(updated_at) FROM sessions WHERE stopped_at IS NULL)`,
    )
    .get();
  const ahead = (newest?.at ?? 0) - now;
  if (ahead > 60)
    return error(
      "clock",
      `it says ${formatTime(now)}, but the books reach to ${formatTime(now + ahead)}; set the clock (timedatectl set-ntp true)`,
    );
  return ok("clock", `it says ${formatTime(now)}`);
}
