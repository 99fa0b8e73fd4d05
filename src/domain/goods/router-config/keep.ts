import { insert } from "../../../../db/insert.ts";
import { type Db, type Tx, writePatiently } from "../../../../db/open.ts";
import { routerConfigs, routerConfigTries } from "../../../../db/schema.ts";
import { type Actor, requireWholeIsp } from "../../core/actor/actor.ts";
import { everything } from "../../core/actor/operator.ts";
import { permit } from "../../core/actor/permissions.ts";
import { audit } from "../../core/audit/audit.ts";
import { DomainError } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { localDay, type Seconds, yearsAhead } from "../../core/time/time.ts";
import { type Nas, nasById } from "../nas/find.ts";
import { alone } from "../router-setup/alone.ts";
import { type ConfigCopy, listCopies, openCopy } from "./copies.ts";
import { MOST_CONFIG, type ReadConfig, type ReadRouterConfig } from "./read.ts";
import { isPartial } from "./statements.ts";

/** Newest copies kept. */
const NEWEST = 30;
/** Years of monthly copies. */
const YEARS = 3;

export interface KeptConfig {
  readonly copy: ConfigCopy;
  /** Else the last one was seen again. */
  readonly isNew: boolean;
  readonly note: string | null;
}

/**
 * Stores a copy if more than its head line changed. Throws `not_found`, `refused` without RouterOS or account, `router_failed`,
 * `conflict` during another read.
 */
export async function keepConfig(
  db: Db,
  by: Actor,
  nasId: number,
  { now, read }: { now: Seconds; read: ReadRouterConfig },
): Promise<KeptConfig> {
  permit(by, "keepConfig");
  requireWholeIsp(by, "routers");
  const kept = await readAndKeep(db, nasById(db, by.scope, nasId), { now, read });
  await writePatiently(db, (tx) => {
    const { name, ispId } = nasById(tx, by.scope, nasId);
    const after = { name, copy: kept.copy.id, changed: kept.isNew };
    audit(tx, by, now, { action: "nas.config_kept", entity: "nas", entityId: nasId, ispId, after });
  });
  return kept;
}

/** Reads and keeps a configuration without asking for permission; records failures too. */
export async function readAndKeep(
  db: Db,
  router: Nas,
  { now, read }: { now: Seconds; read: ReadRouterConfig },
): Promise<KeptConfig> {
  if (router.kind !== "mikrotik")
    throw new DomainError(
      "refused",
      phrase`${router.name} is of kind ${router.kind}; only RouterOS is asked for it`,
      { code: "no_router_api" },
    );
  try {
    const config = await alone(db, router, () => read(router));
    if (Buffer.byteLength(config.text) > MOST_CONFIG)
      throw new DomainError(
        "refused",
        phrase`the configuration of ${router.name} is longer than ${MOST_CONFIG} bytes, which is the most that is kept`,
      );
    return await writePatiently(db, (tx) => {
      nasById(tx, everything, router.id); // it may be gone by now
      note(tx, router.id, { triedAt: now, failure: null, note: config.note });
      return { ...keep(tx, router.id, config, now), note: config.note };
    });
  } catch (error) {
    if (!(error instanceof DomainError) || error.kind === "not_found" || error.kind === "conflict")
      throw error;
    const { message } = error;
    await writePatiently(db, (tx) => note(tx, router.id, { triedAt: now, failure: message, note: null }));
    throw error;
  }
}

function note(
  tx: Tx,
  nasId: number,
  row: { triedAt: Seconds; failure: string | null; note: string | null },
): void {
  insert(tx, routerConfigTries, { nasId, ...row }, { replacing: ["nasId"] });
}

function keep(
  tx: Tx,
  nasId: number,
  { text, source, version }: ReadConfig,
  now: Seconds,
): { copy: ConfigCopy; isNew: boolean } {
  const last = listCopies(tx, nasId).find((copy) => copy.source === source);
  const isNew = !last || withoutHead(openCopy(tx, nasId, last.id).text) !== withoutHead(text);
  if (isNew)
    insert(tx, routerConfigs, {
      nasId,
      keptAt: now,
      seenAt: now,
      source,
      version,
      bytes: Buffer.byteLength(text),
      isPartial: isPartial(text) ? 1 : 0,
      textSealed: tx.vault.seal(Bun.gzipSync(text)),
    });
  else
    tx.$client
      .query<unknown, [number, number]>("UPDATE router_configs SET seen_at = ? WHERE id = ?")
      .run(now, last.id);
  forget(tx, nasId, now);
  const copy = listCopies(tx, nasId).find(({ id }) => isNew || id === last.id);
  if (!copy) throw new Error("a configuration that was kept is gone");
  return { copy, isNew };
}

/** The text without its head line, which has the time. */
const withoutHead = (text: string) => text.slice(text.indexOf("\n") + 1);

/** Deletes copies beyond the newest and the first of each month. */
function forget(tx: Tx, nasId: number, now: Seconds): void {
  const old = listCopies(tx, nasId).slice(NEWEST);
  const firsts = new Map(old.map(({ id, keptAt }) => [Math.floor(localDay(keptAt) / 100), id]));
  const months = new Set(firsts.values());
  for (const { id, keptAt } of old)
    if (!months.has(id) || yearsAhead(keptAt, YEARS) <= now)
      tx.$client.query<unknown, [number]>("DELETE FROM router_configs WHERE id = ?").run(id);
}
