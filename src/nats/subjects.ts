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
export const BOOKS_STREAM = "books";
export const BOOKS = "gatehouse.books";
export const booksSubject = (db: HasVault) => `${BOOKS}.${secretOf(db, "books subject")}`;

/** How the object store of the backups is called, that alone until 0.2.0, and the stream that it is kept in. */
export const BACKUPS = "backups";
export const backupsOf = (db: HasVault) => `${BACKUPS}-${secretOf(db, "backups bucket")}`;
export const streamOf = (bucket: string) => `OBJ_${bucket}`;

interface HasVault {
  readonly vault: Pick<Vault, "deriveKey">;
}

const secretOf = ({ vault }: HasVault, what: string) =>
  Buffer.from(vault.deriveKey(what)).toString("hex").slice(0, 32);

/** Where a box tells the books what happened. */
export const homeOf = (box: string) => `gatehouse.home.${box}`;
export const HOMES = "gatehouse.home.*";
/** Where a box says how it is. */
export const reportOf = (box: string) => `gatehouse.state.${box}`;
export const REPORTS = "gatehouse.state.*";
/** Where a box finds the boxes' next key, sealed for it alone. */
export const KEYS = "0.0.key.";
export const keyOf = (box: string) => `${KEYS}${box}`;
/** Where the books ask a box for something. */
export const askOf = (box: string) => `gatehouse.ask.${box}`;

/** Where a box, the books and whoever restores from backups get their answers: nats-server lets a box listen at its own alone. */
export const inboxOf = (box: string) => `_INBOX.${box}`;
/** Whether a box may want its answer there: at its inbox, or one of those that 0.2.0 made by chance. */
export const isInboxOf = (box: string, subject: string) =>
  subject.startsWith(`${inboxOf(box)}.`) || /^_INBOX\.[A-Za-z0-9]{22}\./.test(subject);
export const BOOKS_INBOX = "_INBOX._books";
export const RESTORE_INBOX = "_INBOX._restore";
/** Where a box answers what the books ask it, and nobody else does; nats-server of 0.2.0's configuration lets it pass. */
export const answersOf = (box: string) => `${BOOKS_INBOX}.${box}`;

/** What a box reads the bucket with: one consumer for each of its filters. */
export const consumerOf = (box: string, index: number) => `${box}-${index}`;

/** What a box reads: all, or what stands in every box and its ISPs or branches. */
export function filtersOf(scope: Scope | null): readonly string[] {
  if (scope === null) return [">"];
  const isps = (scope.isps ?? []).map((isp) => `${isp}.>`);
  const branches = (scope.branches ?? []).map(({ isp, branch }) => `${isp}.${branch}.>`);
  return ["0.>", ...isps, ...branches];
}
