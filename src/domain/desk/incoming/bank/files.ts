import { createHash } from "node:crypto";
import { insert } from "../../../../../db/insert.ts";
import { type Db, type Tx, write } from "../../../../../db/open.ts";
import { bankFiles } from "../../../../../db/schema.ts";
import { audit } from "../../../core/audit/audit.ts";
import { type Faults, rejectFaults } from "../../../core/errors/errors.ts";
import { type Phrase, phrase } from "../../../core/errors/phrase.ts";
import { type Input, readFields, scopeId, text } from "../../../core/fields/fields.ts";
import { setting } from "../../../core/settings/settings.ts";
import { ispForNewRow } from "../../../core/references/references.ts";
import { type Actor, requireWholeIsp } from "../../../core/actor/actor.ts";
import { permit } from "../../../core/actor/permissions.ts";
import type { Seconds } from "../../../core/time/time.ts";
import { receiveWithin } from "../receive.ts";
import { bankColumns, type BankLine, bankLines } from "./lines.ts";
import { type Guess, guesser } from "./match.ts";

export const BANK = "bank";
const LONGEST = 1_000_000;

export const bankFileFields = {
  isp_id: scopeId,
  name: text(200),
  content: text(LONGEST, { lines: true }),
  method: text(20),
  ...bankColumns,
};
export const bankFileRequired = ["name", "content", "date_column", "amount_column", "text_column"] as const;

/** `known`: in an earlier file; `left_out`: not incoming. */
export interface ReadLine extends BankLine {
  readonly state: "new" | "known" | "left_out";
  readonly guess: Guess | null;
  /** null: not stored. */
  readonly incomingId: number | null;
}

interface At {
  readonly now: Seconds;
}

/** Reads only. Throws `invalid` with every fault, `forbidden`. */
export function previewBankFile(db: Db, by: Actor, input: Input): ReadLine[] {
  permit(by, "previewBankFile");
  requireWholeIsp(by, "bank files");
  const { ispId, lines } = readFile(db, by, input);
  return look(db, ispId, lines);
}

/** Stores new lines as waiting; books nothing. Throws `invalid` with every fault, `forbidden`. */
export function takeBankFile(db: Db, by: Actor, input: Input, { now }: At): ReadLine[] {
  permit(by, "takeBankFile");
  requireWholeIsp(by, "bank files");
  const { ispId, name, columns, lines } = readFile(db, by, input);
  return write(db, (tx) => {
    const looked = look(tx, ispId, lines);
    const take = (line: ReadLine): ReadLine =>
      line.state === "new" ? { ...line, incomingId: keep(tx, by, { ispId, name, line }, now) } : line;
    const taken = looked.map(take);
    const id = insert(tx, bankFiles, {
      ispId,
      name,
      columns: JSON.stringify(columns),
      lines: lines.length,
      createdAt: now,
      createdBy: by.staffId,
    });
    const count = taken.filter(({ state }) => state === "new").length;
    audit(tx, by, now, {
      action: "bank_file.take",
      entity: "bank_file",
      entityId: id,
      ispId,
      after: { name, lines: lines.length, new: count },
    });
    return taken;
  });
}

function readFile(db: Db, by: Actor, input: Input) {
  const faults: Faults = {};
  const {
    isp_id,
    name,
    content,
    method: _,
    ...columns
  } = readFields(bankFileFields, input, faults, {
    required: bankFileRequired,
  });
  rejectFaults(faults);
  const ispId = ispForNewRow(db, by, isp_id);
  return { ispId, name: name ?? "", columns, lines: bankLines(content ?? "", columns) };
}

function look(db: Pick<Db, "$client">, ispId: number, lines: readonly BankLine[]): ReadLine[] {
  const guess = guesser(db, ispId);
  const known = db.$client.query<{ id: number }, [number, string, string]>(
    "SELECT id FROM incoming_payments WHERE isp_id = ? AND provider = ? AND external_id = ?",
  );
  const keys = new Set<string>();
  const lookAt = (line: BankLine): ReadLine => {
    if (line.fault !== null) return { ...line, state: "left_out", guess: null, incomingId: null };
    const incomingId = known.get(ispId, BANK, line.key)?.id ?? null;
    const isKnown = incomingId !== null || keys.has(line.key);
    keys.add(line.key);
    return { ...line, state: isKnown ? "known" : "new", guess: guess(line), incomingId };
  };
  return lines.map(lookAt);
}

const why: Record<Guess["by"], (username: string) => Phrase> = {
  reference: (username) => phrase`its reference names ${username}; book it by a press`,
  name: (username) => phrase`its payer is called as ${username}; book it by a press`,
  amount: (username) => phrase`its amount is that of the open invoice of ${username}; book it by a press`,
};

function keep(
  tx: Tx,
  by: Actor,
  { ispId, name, line }: { ispId: number; name: string; line: ReadLine },
  now: Seconds,
): number {
  const { key, amount, at, payer, guess } = line;
  const raw = JSON.stringify([name, line.line, key, line.text, payer]);
  const reason = guess ? why[guess.by](guess.username) : phrase`nobody is known by what it says`;
  const notice = {
    ispId,
    sourceId: null,
    provider: BANK,
    externalId: key,
    amount,
    currency: setting(tx, "currency", ispId),
    paidAt: at,
    method: BANK,
    payer,
    raw,
    bodyHash: createHash("sha256").update(raw).digest(),
    named:
      line.text === "" ? ({ by: "nothing", text: null } as const) : ({ by: "any", text: line.text } as const),
    reason,
    guess: guess?.subscriberId ?? null,
  };
  return receiveWithin(tx, by, notice, { now, onOther: "keep" }).id;
}
