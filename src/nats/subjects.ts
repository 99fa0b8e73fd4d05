import type { Vault } from "../../db/vault.ts";
import type { Scope } from "../domain/service/box-standing/box-scope.ts";

/** The bucket of what access boxes are told. */
export const BUCKET = "access";
export const STREAM = `KV_${BUCKET}`;
/** Keys that every box reads. */
export const BEAT = "0.0.beat";
export const COMPLETE = "complete";
/** Which books count, signed by them. */
export const HEAD = "0.0.epoch";

/*
 * Whoever asks nats-server for something says where the answer goes to, and a consumer where it delivers; nobody holds that against what
 * they may publish. So what no box may write into has names that no box knows: they end with what follows from the appliance's master key.
 */

/** The stream of what changed in the books, and how its subject begins; that alone until 0.2.0. */
export const PRIMARY_STREAM = "books";
export const BOOKS = "gatehouse.books";
export const primarySubject = (db: HasVault) => `${BOOKS}.${secretOf(db, "books subject")}`;

/** How the object store of the backups is called, that alone until 0.2.0, and the stream that it is kept in. */
export const BACKUPS = "backups";
export const backupsOf = (db: HasVault) => `${BACKUPS}-${secretOf(db, "backups bucket")}`;
export const streamOf = (bucket: string) => `OBJ_${bucket}`;

interface HasVault {
  readonly vault: Pick<Vault, "deriveKey">;
}

const secretOf = ({ vault }: HasVault, what: string) =>
  Buffer.from(vault.deriveKey(what)).toString("hex").slice(0, 32);

export const homeOf = (node: string) => `gatehouse.home.${node}`;
export const HOMES = "gatehouse.home.*";
export const reportOf = (node: string) => `gatehouse.state.${node}`;
export const REPORTS = "gatehouse.state.*";
/** Where a box finds the boxes' next key, sealed for it alone. */
export const KEYS = "0.0.key.";
export const keyOf = (node: string) => `${KEYS}${node}`;
export const askOf = (node: string) => `gatehouse.ask.${node}`;

/** Where a box, the books and whoever restores from backups get their answers: nats-server lets a box listen at its own alone. */
export const inboxOf = (node: string) => `_INBOX.${node}`;
/** Whether a box may want its answer there: at its inbox, or one of those that 0.2.0 made by chance. */
export const isInboxOf = (node: string, subject: string) =>
  subject.startsWith(`${inboxOf(node)}.`) || /^_INBOX\.[A-Za-z0-9]{22}\./.test(subject);
export const PRIMARY_INBOX = "_INBOX._books";
export const RESTORE_INBOX = "_INBOX._restore";
/** Where a box answers what the books ask it, and nobody else does; nats-server of 0.2.0's configuration lets it pass. */
export const answersOf = (node: string) => `${PRIMARY_INBOX}.${node}`;

/** What a box reads the bucket with: one consumer for each of its filters. */
export const consumerOf = (node: string, index: number) => `${node}-${index}`;

/** What a box reads: all, or what stands in every box and its ISPs or branches. */
export function filtersOf(scope: Scope | null): readonly string[] {
  if (scope === null) return [">"];
  const isps = (scope.isps ?? []).map((isp) => `${isp}.>`);
  const branches = (scope.branches ?? []).map(({ isp, branch }) => `${isp}.${branch}.>`);
  return ["0.>", ...isps, ...branches];
}
