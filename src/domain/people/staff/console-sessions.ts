import { createHash, randomBytes } from "node:crypto";
import { selectColumns } from "../../../../db/columns.ts";
import { insert } from "../../../../db/insert.ts";
import { type Db, type Tx, write, writePatiently } from "../../../../db/open.ts";
import { staff, staffSessions } from "../../../../db/schema.ts";
import { isLocked } from "../../../../db/sqlite-error.ts";
import { update } from "../../../../db/update.ts";
import { audit } from "../../core/audit/audit.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { setting, settingDefinitions, storedSetting } from "../../core/settings/settings.ts";
import type { Seconds } from "../../core/time/time.ts";
import { staffEntry, ENABLED, findStaffBySignIn, managedStaff, type StaffRow } from "./accounts.ts";
import { type Actor, requireFlag } from "../../core/actor/actor.ts";
import { endPush } from "../push/devices.ts";
import { verifyPassword } from "./passwords.ts";
import { permit } from "../../core/actor/permissions.ts";
import { ADMIN } from "../../core/actor/profile-types.ts";
import { actorWith, requireEnabled, staffById, wrongCredentials } from "./sign-in.ts";

/** Seconds at the most. */
export const CONSOLE_SESSION_LIFE = 12 * 3600;
/** Beyond it the oldest ends. */
const MAX_SESSIONS = 20;
/** Seconds between two updates. */
const SEEN_EVERY = 60;
const LONGEST_USER_AGENT = 300;

/** The missing step of a sign-in. */
export type ConsoleNeeds = "nothing" | "code" | "enrolment";

export interface ConsoleSession {
  readonly by: Actor;
  readonly account: StaffRow;
  readonly key: string;
  readonly needs: ConsoleNeeds;
}

export interface ListedSession {
  readonly key: string;
  readonly createdAt: Seconds;
  readonly seenAt: Seconds;
  readonly expiresAt: Seconds;
  readonly source: string;
  readonly userAgent: string | null;
}

interface Credentials {
  username: string;
  password: string;
  source: string;
  userAgent: string | null;
  now: Seconds;
}

/** Signs in by username or e-mail; `id` is the cookie's secret, stored as SHA-256. Throws `unauthenticated`, `forbidden` when disabled, `overloaded`. */
export async function signInToConsole(
  db: Db,
  { username, password, source, userAgent, now }: Credentials,
): Promise<{ id: string; needs: ConsoleNeeds }> {
  const found = findStaffBySignIn(db, username);
  const matches = await verifyPassword(password, found?.passwordHash, { source });
  if (!found || !matches) throw wrongCredentials();
  return writePatiently(db, (tx) => {
    const account = staffById(tx, found.id); // as it is now: verifying took its time
    if (account?.passwordHash !== found.passwordHash) throw wrongCredentials();
    requireEnabled(account);
    const id = openSession(tx, { staffId: account.id, source, userAgent, now });
    const session = consoleSession(tx, id, { now, source });
    if (!session) throw new Error("the session that was opened is not there");
    const { by, needs } = session;
    audit(tx, by, now, { ...staffEntry(account, "staff.console_sign_in"), after: { needs } });
    return { id, needs };
  });
}

export function openSession(
  tx: Tx,
  { staffId, source, userAgent, now }: Omit<Credentials, "username" | "password"> & { staffId: number },
): string {
  tx.$client
    .query(
      `DELETE FROM staff_sessions WHERE id IN (SELECT id FROM staff_sessions WHERE staff_id = ?
         ORDER BY created_at DESC, rowid DESC LIMIT -1 OFFSET ${MAX_SESSIONS - 1})`,
    )
    .run(staffId);
  const id = randomBytes(32).toString("base64url");
  insert(tx, staffSessions, {
    id: hashId(id),
    staffId,
    createdAt: now,
    seenAt: now,
    expiresAt: now + CONSOLE_SESSION_LIFE,
    source,
    userAgent: userAgent?.slice(0, LONGEST_USER_AGENT) ?? null,
  });
  return id;
}

/** Account and session in one statement. */
interface Found extends StaffRow {
  readonly sessionKey: string;
  readonly seenAt: Seconds;
  readonly secondFactorAt: Seconds | null;
  readonly roleNeedsSecondFactor: 0 | 1 | null;
  readonly flags: string | null;
  readonly idleMinutes: string | null;
  readonly adminsNeedSecondFactor: string | null;
}

const selectSession = `
  SELECT ${selectColumns(staff, "a")}, s.id AS sessionKey, s.seen_at AS seenAt, s.second_factor_at AS secondFactorAt,
    r.needs_second_factor AS roleNeedsSecondFactor,
    (SELECT group_concat(flag) FROM role_permissions WHERE role_code = a.role_code AND value = 1) AS flags,
    (SELECT value FROM settings WHERE isp_id = 0 AND key = 'console_idle_minutes') AS idleMinutes,
    (SELECT value FROM settings WHERE isp_id = 0 AND key = 'admins_need_second_factor') AS adminsNeedSecondFactor
  FROM staff_sessions s JOIN staff a ON a.id = s.staff_id LEFT JOIN roles r ON r.code = a.role_code
  WHERE s.id = ? AND s.expires_at > ? AND a.status = ${ENABLED}`;

/** The session with scope and flags of now; undefined: unknown, expired, idle or disabled. `quiet`: an automatic request, which is no activity. */
export function consoleSession(
  db: Db,
  id: string,
  { now, source, quiet = false }: { now: Seconds; source: string; quiet?: boolean },
): ConsoleSession | undefined {
  const found = db.$client.query<Found, [string, number]>(selectSession).get(hashId(id), now);
  if (!found || found.seenAt <= now - idleSeconds(found.idleMinutes)) return undefined;
  const { sessionKey: key, seenAt, flags } = found;
  if (!quiet && now - seenAt >= SEEN_EVERY) void noteSeen(db, key, now);
  const by = actorWith(found, flags === null ? [] : flags.split(","), source);
  return { by, account: found, key, needs: findNeeds(found) };
}

/** A given code stands for a factor that was removed since. */
function findNeeds(found: Found): ConsoleNeeds {
  if (found.totpSecret !== null) return found.secondFactorAt === null ? "code" : "nothing";
  const { profileType, roleNeedsSecondFactor, adminsNeedSecondFactor } = found;
  const isNeeded =
    roleNeedsSecondFactor === 1 ||
    (profileType === ADMIN && storedOrInitial("admins_need_second_factor", adminsNeedSecondFactor) === true);
  return isNeeded ? "enrolment" : "nothing";
}

function storedOrInitial(
  key: "console_idle_minutes" | "admins_need_second_factor",
  stored: string | null,
): unknown {
  return (stored === null ? undefined : storedSetting(key, stored)) ?? settingDefinitions[key].initially;
}

function idleSeconds(stored: string | null): Seconds {
  return Number(storedOrInitial("console_idle_minutes", stored)) * 60;
}

/** Notes in the background that a session was used; skipped on a locked store. */
async function noteSeen(db: Db, key: string, now: Seconds): Promise<void> {
  try {
    await writePatiently(db, (tx) => update(tx, staffSessions, { seenAt: now }, { id: key }));
  } catch (error) {
    if (!isLocked(error)) throw error;
  }
}

export function closeConsoleSession(
  db: Db,
  { id, source, now }: { id: string; source: string; now: Seconds },
): void {
  write(db, (tx) => {
    const session = consoleSession(tx, id, { now, source, quiet: true });
    if (session) remove(tx, session.account.id, hashId(id));
    if (session) audit(tx, session.by, now, staffEntry(session.account, "staff.console_sign_out"));
  });
}

const selectListed = `
  SELECT id AS key, created_at AS createdAt, seen_at AS seenAt, expires_at AS expiresAt, source, user_agent AS userAgent
  FROM staff_sessions WHERE staff_id = ? AND expires_at > ? AND seen_at > ? ORDER BY seen_at DESC, created_at DESC`;

/** Sessions silent since then are idle. */
export const readIdleSince = (db: Db, now: Seconds): Seconds =>
  now - setting(db, "console_idle_minutes") * 60;

/** Own, or of a managed account. Throws `forbidden`, `not_found`. */
export function listConsoleSessions(
  db: Db,
  by: Actor,
  { staffId }: { staffId: number },
  { now, idleSince = readIdleSince(db, now) }: { now: Seconds; idleSince?: Seconds },
): ListedSession[] {
  permit(by, "listConsoleSessions");
  requireOwnOrManaged(db, by, staffId);
  return db.$client.query<ListedSession, [number, number, number]>(selectListed).all(staffId, now, idleSince);
}

/** Own, or of a managed account. Throws `forbidden`, `not_found`. */
export function endConsoleSession(
  db: Db,
  by: Actor,
  { staffId, key }: { staffId: number; key: string },
  { now }: { now: Seconds },
): void {
  permit(by, "endConsoleSession");
  write(db, (tx) => {
    const account = requireOwnOrManaged(tx, by, staffId);
    const found = tx.$client
      .query<{ source: string }, [string, number]>(
        "SELECT source FROM staff_sessions WHERE id = ? AND staff_id = ?",
      )
      .get(key, staffId);
    if (!found) throw new DomainError("not_found", phrase`that session has ended already`);
    remove(tx, staffId, key);
    audit(tx, by, now, {
      ...staffEntry(account, "staff.console_end"),
      before: { sessions: 1, source: found.source },
    });
  });
}

/** All others of the own account, or all of a managed one. Returns the number. */
export function endOtherConsoleSessions(
  db: Db,
  by: Actor,
  { staffId, key = "" }: { staffId: number; key?: string },
  { now }: { now: Seconds },
): number {
  permit(by, "endOtherConsoleSessions");
  return write(db, (tx) => {
    const account = requireOwnOrManaged(tx, by, staffId);
    const ended = endOthers(tx, staffId, key);
    if (ended > 0)
      audit(tx, by, now, { ...staffEntry(account, "staff.console_end"), before: { sessions: ended } });
    return ended;
  });
}

export function endOthers(tx: Tx, staffId: number, key: string): number {
  endPush(tx, { staffId }, { but: key });
  return tx.$client.query("DELETE FROM staff_sessions WHERE staff_id = ? AND id <> ?").run(staffId, key)
    .changes;
}

/** Throws `forbidden`, `not_found`. */
export function requireOwnOrManaged(db: Db, by: Actor, staffId: number): StaffRow {
  const own = by.staffId === staffId ? staffById(db, staffId) : undefined;
  if (own) return own;
  requireFlag(by, "staff_manage");
  return managedStaff(db, by, { staffId });
}

function remove(tx: Tx, staffId: number, key: string): void {
  tx.$client.query("DELETE FROM staff_sessions WHERE id = ?").run(key);
  endPush(tx, { staffId }, { tokenId: key });
}

export function hashId(id: string): string {
  return createHash("sha256").update(id).digest("base64url");
}
