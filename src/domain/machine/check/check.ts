import type { Db } from "../../../../db/open.ts";
import { accessState } from "../access-boxes/state.ts";
import { commandName } from "../../goods/nas/sources.ts";
import { firstPassword } from "../../people/staff/first-password.ts";
import { UNKNOWN_USERS_AN_HOUR } from "../../service/accounting/unknown-users.ts";
import { isSettingKey, settingDefinitions, storedSetting } from "../../core/settings/settings.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { permit } from "../../core/actor/permissions.ts";
import { formatTime, type Seconds } from "../../core/time/time.ts";
import { damaged, error, type Finding, ok, warning } from "./finding.ts";
import { checkAccessBoxes } from "./access-boxes.ts";
import { checkAddresses } from "./addresses.ts";
import { checkCardWallets } from "./card-wallets.ts";
import { checkIncoming } from "./incoming.ts";
import { checkCards } from "./cards.ts";
import { checkChannels } from "./channels.ts";
import { checkGuesses } from "./guesses.ts";
import { checkFeeds } from "./feeds.ts";
import { checkRecords } from "./records.ts";
import { checkMoney } from "./money.ts";
import { checkConfigs, checkLoads } from "./router-care.ts";
import { checkRouters } from "./routers.ts";
import { checkWatched } from "./watched.ts";
import { checkWebhooks } from "./webhooks.ts";

/** Checks everything in the store: integrity, keys, ledger, settings, routers, clock. Reads all of it, writes nothing. */
export function checkStore(db: Db, by: Actor, { now }: { now: Seconds }): Finding[] {
  permit(by, "checkStore");
  const integrity = checkIntegrity(db);
  // further checks would read damaged pages
  if (integrity.severity === "error") return [integrity];
  if (accessState(db).role === "access") return [integrity, checkKey(db), checkClock(db, now)];
  return [
    integrity,
    checkReferences(db),
    checkKey(db),
    ...checkMoney(db),
    ...checkCards(db),
    ...checkRecords(db),
    ...checkAddresses(db),
    ...checkSetup(db, by, { now }),
  ];
}

/** The cheap part, for a running server. */
export function checkSetup(db: Db, by: Actor, { now }: { now: Seconds }): Finding[] {
  permit(by, "checkSetup");
  if (accessState(db).role === "access") return [checkClock(db, now)];
  return [
    ...checkSettings(db),
    ...checkRouters(db, now),
    ...checkWatched(db),
    ...checkUnknownUsers(db, now),
    ...checkCrowdedHolders(db),
    ...checkFirstPassword(db),
    ...checkGuesses(db, now),
    ...checkCardWallets(db),
    ...checkIncoming(db),
    ...checkWebhooks(db, now),
    ...checkChannels(db),
    ...checkFeeds(db),
    ...checkConfigs(db, now),
    ...checkLoads(db),
    ...checkAccessBoxes(db, now),
    checkClock(db, now),
  ];
}

function checkIntegrity({ $client }: Db): Finding {
  const rows = $client.query<{ integrity_check: string }, []>("PRAGMA integrity_check(5)").all();
  const faults = rows
    .map((row) => row.integrity_check.replace(/\s*\n\s*/g, ", "))
    .filter((text) => text !== "ok");
  return faults.length === 0
    ? ok("database", "every page is sound")
    : damaged("database", `damaged: ${faults.join("; ")}; restore the last backup`, faults.length);
}

function checkReferences({ $client }: Db): Finding {
  const rows = $client.query<{ table: string }, []>("PRAGMA foreign_key_check").all();
  return rows.length === 0
    ? ok("references", "every row refers to rows that exist")
    : damaged(
        "references",
        `${rows.length} rows refer to nothing, in ${[...new Set(rows.map((row) => row.table))].join(", ")}; restore the last backup`,
        rows.length,
      );
}

/** Decrypts router secrets, and the oldest and newest password. */
export function checkKey({ $client, vault }: Pick<Db, "$client" | "vault">): Finding {
  const sealed = $client
    .query<{ sealed: Uint8Array }, []>(
      `SELECT secret_sealed AS sealed FROM nas UNION ALL
       SELECT password_sealed FROM subscribers WHERE id IN (SELECT min(id) FROM subscribers UNION SELECT max(id) FROM subscribers)`,
    )
    .all();
  const damagedSecrets = sealed.filter((row) => vault.openTextIfWhole(row.sealed) === undefined).length;
  if (damagedSecrets === 0) return ok("key", "secret.key opens the stored passwords");
  if (damagedSecrets === sealed.length)
    return error(
      "key",
      "secret.key is not the key of this database; restore both from the same backup",
      "key_wrong",
      {},
    );
  return warning(
    "key",
    `${damagedSecrets} of ${sealed.length} stored secrets were damaged; set those of routers again (gatehouse nas set); gatehouse subscriber list --secrets --json says which passwords of subscribers`,
    "key_damaged",
    { secrets: damagedSecrets },
  );
}

function checkSettings({ $client }: Db): Finding[] {
  const rows = $client
    .query<{ ispId: number; key: string; value: string }, []>(
      "SELECT isp_id AS ispId, key, value FROM settings ORDER BY isp_id, key",
    )
    .all();
  const faults = rows.flatMap(({ ispId, key, value }) => {
    const whose = ispId === 0 ? "" : ` --isp ${ispId}`;
    if (!isSettingKey(key))
      return [
        warning(
          "settings",
          `${key} is not a setting of this version and has no effect`,
          "setting_unknown",
          {},
        ),
      ];
    const { values, initially } = settingDefinitions[key];
    if (storedSetting(key, value) !== undefined) return [];
    return [
      warning(
        "settings",
        `${key} is ${value} but ${values.message}, so ${String(initially)} counts; set it again with: gatehouse settings set ${key}${whose}`,
        "setting_invalid",
        { key },
      ),
    ];
  });
  return faults.length > 0 ? faults : [ok("settings", `${rows.length} are set, and valid`)];
}

const DAY = 86_400;

/** Routers that reported more unknown sessions than are kept, since yesterday. */
function checkUnknownUsers({ $client }: Db, now: Seconds): Finding[] {
  return $client
    .query<{ id: number; name: string; address: string; total: number; lastAt: number }, [number]>(
      `SELECT nas_id AS id, name, address, total, last_at AS lastAt FROM dropped_sessions JOIN nas ON nas.id = nas_id
       WHERE last_at > ? ORDER BY nas_id`,
    )
    .all(now - DAY)
    .map(({ id, name, address, total, lastAt }) =>
      warning(
        "sessions",
        `${name} tells of more than ${UNKNOWN_USERS_AN_HOUR} sessions in an hour of names that are no subscriber's: ${total} were dropped so far, the last at ${formatTime(lastAt)}; see who they are: gatehouse sessions list --all --nas ${commandName({ name, address })} --limit 20; if they are invented, change its secret`,
        "router_strangers",
        { id, name, sessions: total },
      ),
    );
}

function checkFirstPassword(db: Db): Finding[] {
  const kept = firstPassword(db);
  if (!kept) return [];
  const { username, file } = kept;
  return [
    warning(
      "staff",
      `the first password of ${username} stands in ${file}; sign in and change it, then the file goes`,
      "first_password",
      { username },
    ),
  ];
}

/** More open sessions than a household has, below the limit kept. */
const CROWDED = 40;

/** Holders of so many open sessions that a router must be inventing them. */
function checkCrowdedHolders({ $client }: Db): Finding[] {
  return $client
    .query<{ id: number; name: string; username: string; open: number; nas: string | null }, [number]>(
      // counted by the index alone, without reading rows
      `SELECT s.id, s.name, s.username, o.open,
         (SELECT name FROM nas WHERE id = (SELECT max(nas_id) FROM sessions INDEXED BY sessions_open_subscriber
            WHERE subscriber_id = o.subscriber_id AND stopped_at IS NULL)) AS nas
       FROM (SELECT subscriber_id, count(*) AS open FROM sessions INDEXED BY sessions_open_subscriber
             WHERE stopped_at IS NULL AND subscriber_id IS NOT NULL GROUP BY subscriber_id HAVING count(*) > ?
             ORDER BY open DESC LIMIT 5) o
       JOIN subscribers s ON s.id = o.subscriber_id ORDER BY o.open DESC`,
    )
    .all(CROWDED)
    .map(({ id, name, username, open, nas }) =>
      warning(
        "sessions",
        `${nas ?? "a router"} tells of ${open} sessions of ${username} at once; the oldest are closed as lost. If nobody can have so many devices there, somebody has the router's secret: give it another one`,
        "subscriber_crowded",
        { id, name, open },
      ),
    );
}

/** A future time in the store means that the clock was set back. */
function checkClock({ $client }: Db, now: Seconds): Finding {
  const newest = $client
    .query<{ at: number | null }, []>(
      `SELECT max(at) AS at FROM (SELECT max(at) AS at FROM audit_entries UNION ALL
         SELECT max(updated_at) FROM sessions INDEXED BY sessions_open_board WHERE stopped_at IS NULL)`,
    )
    .get();
  const ahead = (newest?.at ?? 0) - now;
  if (ahead > 60)
    return error(
      "clock",
      `it says ${formatTime(now)}, but the books reach to ${formatTime(now + ahead)}; set the clock (timedatectl set-ntp true)`,
      "clock_behind",
      { at: now + ahead },
    );
  return ok("clock", `it says ${formatTime(now)}`);
}
