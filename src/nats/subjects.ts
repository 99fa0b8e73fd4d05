import type { Vault } from "../../db/vault.ts";
import type { Scope } from "../domain/service/box-standing/box-scope.ts";

/** The bucket read by access boxes. */
export const BUCKET = "access";
export const STREAM = `KV_${BUCKET}`;
/** Keys that every access box reads. */
export const BEAT = "0.0.beat";
export const COMPLETE = "complete";
/** The head: which primary counts, signed by it. */
export const HEAD = "0.0.epoch";

/*
 * A request names its reply subject and a consumer its delivery subject, and nats-server does not check these against the
 * publish permissions. So subjects that no access box may write to have names that no box can know: they end with a value
 * derived from the appliance's master key.
 */

/** The primary's change stream and the prefix of its subject; just this name until 0.2.0. */
export const PRIMARY_STREAM = "books";
export const BOOKS = "gatehouse.books";
export const primarySubject = (db: HasVault) => `${BOOKS}.${deriveSecretName(db, "books subject")}`;

/** The object store of the backups (just this name until 0.2.0), and its stream. */
export const BACKUPS = "backups";
export const backupsBucket = (db: HasVault) => `${BACKUPS}-${deriveSecretName(db, "backups bucket")}`;
export const bucketStream = (bucket: string) => `OBJ_${bucket}`;

interface HasVault {
  readonly vault: Pick<Vault, "deriveKey">;
}

const deriveSecretName = ({ vault }: HasVault, what: string) =>
  Buffer.from(vault.deriveKey(what)).toString("hex").slice(0, 32);

export const homeSubject = (node: string) => `gatehouse.home.${node}`;
export const HOMES = "gatehouse.home.*";
export const reportSubject = (node: string) => `gatehouse.state.${node}`;
export const REPORTS = "gatehouse.state.*";
/** Prefix of the keys under which an access box finds the next box key, sealed for it alone. */
export const KEYS = "0.0.key.";
export const nodeKey = (node: string) => `${KEYS}${node}`;
export const askSubject = (node: string) => `gatehouse.ask.${node}`;

/** Inbox prefix of an access box, of the primary, and of a restore: nats-server allows a box only its own. */
export const nodeInbox = (node: string) => `_INBOX.${node}`;
/** Whether a reply subject belongs to the box: its inbox, or a random one of 0.2.0. */
export const isNodeInbox = (node: string, subject: string) =>
  subject.startsWith(`${nodeInbox(node)}.`) || /^_INBOX\.[A-Za-z0-9]{22}\./.test(subject);
export const PRIMARY_INBOX = "_INBOX._books";
export const RESTORE_INBOX = "_INBOX._restore";
/** The subject at which an access box answers the primary; the configuration of 0.2.0 allows it too. */
export const answersSubject = (node: string) => `${PRIMARY_INBOX}.${node}`;

/** The name of a box's consumer: one for each of its filters. */
export const consumerName = (node: string, index: number) => `${node}-${index}`;

/** The filters of an access box: everything, or what is common plus its ISPs or branches. */
export function scopeFilters(scope: Scope | null): readonly string[] {
  if (scope === null) return [">"];
  const isps = (scope.isps ?? []).map((isp) => `${isp}.>`);
  const branches = (scope.branches ?? []).map(({ isp, branch }) => `${isp}.${branch}.>`);
  return ["0.>", ...isps, ...branches];
}
