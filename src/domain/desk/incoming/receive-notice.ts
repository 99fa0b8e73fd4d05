import { createHash } from "node:crypto";
import { Type } from "@sinclair/typebox";
import type { Db } from "../../../../db/open.ts";
import {
  addFault,
  amountAboveZero,
  field,
  from,
  id,
  type Input,
  text,
  type Values,
} from "../../core/fields/fields.ts";
import { type Faults, rejectFaults } from "../../core/errors/errors.ts";
import { phrase } from "../../core/errors/phrase.ts";
import { ispForNewRow } from "../../core/references/references.ts";
import type { Actor } from "../../core/actor/actor.ts";
import type { Seconds } from "../../core/time/time.ts";
import { type Arrived, receivePayment } from "./receive.ts";
import type { Source } from "./sources.ts";
import type { Named } from "./who.ts";

export const noticeFields = {
  external_id: text(200),
  provider: text(60),
  amount: amountAboveZero,
  currency: field(
    Type.String({ pattern: "^[A-Za-z]{3}$" }),
    phrase`must be the code of a currency, such as USD`,
    (code) => code.toUpperCase(),
  ),
  /** In the server's zone or with an offset; a day is its first second. */
  paid_at: from,
  method: text(20),
  user_id: id,
  username: text(64),
  invoice: text(40),
  reference: text(100),
};
export const noticeRequired = ["external_id", "provider", "amount", "currency", "paid_at"] as const;
const naming = ["user_id", "username", "invoice", "reference"] as const;

export type NoticeInput = Values<typeof noticeFields> & { isp_id?: number | null | undefined } & {
  [K in (typeof noticeRequired)[number]]: NonNullable<Values<typeof noticeFields>[K]>;
};

interface Handling {
  readonly now: Seconds;
  /** Null: an account. */
  readonly source: Source | null;
  readonly toAnswer: (arrived: Omit<Arrived, "answer">) => string;
}

/** Books or keeps a program's notice; repeats get the first answer. Throws `invalid` with every fault, `conflict` for another body, `forbidden`. */
export function receiveNotice(
  db: Db,
  by: Actor,
  { values, input }: { values: NoticeInput; input: Input },
  { now, source, toAnswer }: Handling,
): Arrived {
  const faults: Faults = {};
  const named = namedBy(values, faults);
  rejectFaults(faults);
  const ispId = ispForNewRow(db, by, values.isp_id);
  const { external_id: externalId, provider, amount, currency, paid_at: paidAt } = values;
  const raw = sortedText(input);
  const notice = {
    ispId,
    sourceId: source?.id ?? null,
    provider,
    externalId,
    amount,
    currency,
    paidAt,
    method: source?.method ?? values.method ?? "online",
    named,
    payer: null,
    raw,
    bodyHash: createHash("sha256").update(raw).digest(),
  };
  return receivePayment(db, by, notice, { now, onOther: "refuse", toAnswer });
}

function namedBy(values: NoticeInput, faults: Faults): Named {
  const sent = naming.filter((name) => values[name] !== undefined && values[name] !== null);
  const [by] = sent;
  if (sent.length > 1)
    addFault(faults, sent[1] ?? "", phrase`say whose it is once: by ${sent.join(" or by ")}`);
  if (by === undefined) {
    addFault(faults, "reference", phrase`say whose it is: by user_id, username, invoice or reference`);
    return { by: "nothing", text: null };
  }
  return { by, text: String(values[by]) };
}

/** Canonical, for form and JSON. */
function sortedText(input: Input): string {
  const sorted = Object.entries(input).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify(sorted.map(([name, value]) => [name, String(value)]));
}
