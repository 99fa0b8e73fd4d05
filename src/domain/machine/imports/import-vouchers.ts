import type { Tx } from "../../../../db/open.ts";
import {
  type ImportedBatch,
  type ImportedCode,
  importAgain,
  importCards,
  voidUnused,
} from "../../service/cards/import.ts";
import {
  CLEAR_SYMBOLS,
  CodeKeys,
  cardNumber,
  DIGITS,
  lengthNeeded,
  normalCode,
} from "../../goods/codes/codes.ts";
import { hideCodesInBooks } from "../../service/cards/hide-codes.ts";
import { formatAmount, parseAmount } from "../../core/amounts/money.ts";
import type { Actor } from "../../core/actor/actor.ts";
import { cleanText, cutText } from "./clean.ts";
import { JudgedCodes, masked } from "./judge-codes.ts";
import { moment } from "./measures.ts";
import type { Moved, MovedVoucher } from "./model.ts";
import { type Counts, type Move, noCounts } from "./move.ts";
import type { ImportedPackage } from "./import-packages.ts";

/** Cards of a batch at the most. */
const BATCH = 10_000;
/** Characters of a batch's name. */
const NOTE = 200;

interface Code extends ImportedCode {
  readonly place: string;
}

interface PlannedBatch {
  readonly batch: ImportedBatch;
  readonly codes: Code[];
  readonly undone: (Code & { readonly cardId: number })[];
}

export interface ReportedCards {
  readonly name: string | null;
  readonly kind: MovedVoucher["kind"];
  readonly package: string | null;
  readonly price: string;
  readonly cards: number;
}

export interface ImportedVouchers {
  readonly counts: Counts;
  readonly batches: readonly ReportedCards[];
  /** After everything referred to. */
  readonly write: (tx: Tx, by: Actor) => void;
}

interface Around {
  readonly packages: ReadonlyMap<string, ImportedPackage>;
  /** Folded usernames of this run. */
  readonly names: { has: (key: string) => boolean };
  readonly dryRun: boolean;
}

/** Makes cards of unused codes, a batch for each batch, package and price there. Known ones stay, unless used there since. */
export function importVouchers(
  move: Move,
  { vouchers, spentCodes = [] }: Pick<Moved, "vouchers" | "spentCodes">,
  { packages, names, dryRun }: Around,
): ImportedVouchers {
  const { db, notices } = move;
  const counts = noCounts();
  const keys = new CodeKeys(db.vault);
  const judged = new JudgedCodes(move, names);
  const planned = new Map<string, PlannedBatch & { readonly reported: ReportedCards }>();
  let [guessable, revived] = [0, 0];
  for (const voucher of vouchers) {
    counts.found++;
    const code = normalCode(voucher.code);
    const key = keys.of(code);
    const place = key.toString("base64url");
    const judgement = judged.judge(voucher, { code, key, place });
    if (judgement.is === "known") {
      counts.same++;
      continue;
    }
    const sold = voucher.package === null ? undefined : packages.get(voucher.package);
    const refused = judgement.is === "refused" ? judgement.why : undefined;
    const batch = refused ?? (judgement.is === "double" ? null : toBatch(move, voucher, sold));
    if (batch === null || typeof batch === "string") {
      counts.refused++;
      if (batch !== null) notices.add("refused", voucher.at, masked(voucher.code), batch);
      continue;
    }
    counts.new++;
    if (isGuessable(code)) guessable++;
    const what = JSON.stringify(batch);
    const entry = planned.get(what) ?? {
      batch,
      codes: [],
      undone: [],
      reported: toReported(batch, sold),
    };
    planned.set(what, entry);
    const sealed = dryRun ? key : db.vault.seal(code);
    if (judgement.is === "undone") {
      revived++;
      entry.undone.push({ key, sealed, place, cardId: judgement.cardId });
      continue;
    }
    entry.codes.push({ key, sealed, place });
    if (entry.codes.length === 1)
      notices.add("voucher", voucher.at, batch.note ?? move.source, reportedWords(entry.reported));
  }
  const spent = listSpent(move, spentCodes, keys);
  counts.changed = spent.length;
  tellWhole(move, { guessable, revived });
  const entries = [...planned.values()];
  return {
    counts,
    batches: entries.flatMap(({ reported, codes }) =>
      codes.length === 0 ? [] : [{ ...reported, cards: codes.length }],
    ),
    write: (tx, by) => {
      for (const entry of entries) writeBatch(tx, by, move, entry);
      if (entries.length > 0) hideCodesInBooks(tx);
      const reason = `used in ${move.source}`;
      for (const id of spent) voidUnused(tx, id, { staffId: by.staffId, reason, now: move.now });
    },
  };
}

const isGuessable = (code: string) =>
  code.length < lengthNeeded(/^\d+$/.test(code) ? DIGITS : CLEAR_SYMBOLS, 1);

/** The batch of a voucher, or why it cannot come. */
function toBatch(
  move: Move,
  { at, kind, batch: name, price: statedPrice, endsAt, validity, uptimeSeconds, code }: MovedVoucher,
  sold: ImportedPackage | undefined,
): ImportedBatch | string {
  if (kind !== "refill" && !sold)
    return "its package is not known there any more, so that nobody knows what it gives; give its holder a card of here";
  const read =
    statedPrice === null || statedPrice.trim() === "" ? undefined : parseAmount(statedPrice.trim());
  if (statedPrice !== null && statedPrice.trim() !== "" && (read === undefined || read < 0))
    move.notices.add("junk", at, masked(code), `the price ${cutText(statedPrice, 40)} is none`);
  const ofPackage = Number(sold?.values["price"] ?? 0);
  const price = read !== undefined && read >= 0 ? read : ofPackage;
  if (kind === "refill" && price === 0) return "what it brings into a wallet is not known";
  return {
    ispId: move.ispId,
    kind,
    packageId: kind === "refill" ? null : (sold?.id ?? null),
    price,
    note: cutText(cleanText(name ?? ""), NOTE) || null,
    origin: move.source,
    endsAt: endsAt === null || endsAt === undefined ? null : (moment(endsAt) ?? null),
    validity: validity ?? null,
    uptimeSeconds: uptimeSeconds ?? null,
  };
}

function toReported({ note, kind, price }: ImportedBatch, sold: ImportedPackage | undefined): ReportedCards {
  return {
    name: note,
    kind,
    package: kind === "refill" ? null : (sold?.name ?? null),
    price: formatAmount(price),
    cards: 0,
  };
}

function reportedWords({ kind, package: of, price }: ReportedCards): string {
  if (kind === "refill") return `come as refill cards of ${price}`;
  return kind === "access"
    ? `come as access cards of ${of}, ${price} each: the code is name and password`
    : `come as package cards of ${of}, ${price} each: a subscriber enters the code, in the portal or at the desk`;
}

function tellWhole({ notices }: Move, { guessable, revived }: { guessable: number; revived: number }): void {
  if (revived > 0)
    notices.add("note", null, "cards", `cards of a move that was undone are good again: ${revived}`);
  if (guessable > 0)
    notices.add(
      "note",
      null,
      "cards",
      `codes that are short enough to be guessed in time, which codes made here are not: ${guessable}; use them up first`,
    );
}

/** Cards imported, unused here, but used there. */
function listSpent({ db, imported, notices }: Move, codes: Moved["spentCodes"], keys: CodeKeys): number[] {
  const selectState = db.$client.query<{ state: string }, [number]>("SELECT state FROM cards WHERE id = ?");
  const spent = new Set<number>();
  for (const { at, code } of codes ?? []) {
    const before = imported.get("voucher", keys.of(normalCode(code)).toString("base64url"));
    const state = before && selectState.get(before.rowId)?.state;
    if (!before || state === undefined || state === "void" || spent.has(before.rowId)) continue;
    const number = cardNumber(before.rowId);
    if (state === "new") {
      spent.add(before.rowId);
      notices.add("voucher_spent", at, number, "opens nothing here any more");
    } else notices.add("kept_here", at, number, `was used there, and is ${state} here`);
  }
  return [...spent];
}

/** Restores undone cards of an untouched batch; makes others anew. */
function writeBatch(tx: Tx, by: Actor, { imported, now }: Move, { batch, ...planned }: PlannedBatch): void {
  const again = planned.undone.filter(({ cardId, place }) => {
    const isGood = importAgain(tx, cardId, batch);
    if (isGood) imported.put("voucher", place, { rowId: cardId, isMade: true, fields: {} });
    return !isGood;
  });
  const codes = [...again, ...planned.codes];
  for (let from = 0; from < codes.length; from += BATCH) {
    const part = codes.slice(from, from + BATCH);
    const ids = importCards(tx, by, batch, { codes: part, now });
    for (const [index, { place }] of part.entries())
      imported.put("voucher", place, { rowId: ids[index] ?? 0, isMade: true, fields: {} });
  }
}
