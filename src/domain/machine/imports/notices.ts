import type { Origin } from "./model.ts";
import { Scratch } from "./scratch.ts";

/** Kinds of notices, in the report's order. Refused rows do not come; others come with changes. */
export const noticeHeadings = {
  undecided: "Has to be said before anybody is brought in: do they get in, or are they cut off?",
  refused: "Could not come",
  new_password: "Has a new password, because the old one is not known in clear text",
  nt_only: "Only the NT hash is known: has a new password, because PAP and CHAP need clear text",
  double: "Stands there more than once",
  shared: "Shares its phone, identity or e-mail with somebody",
  name_changed: "Has another username here, because RADIUS would not find the old one",
  no_expiry: "Had no end there; each row says when it ends here",
  no_service: "Comes without a service",
  any_connection: "May log in over PPPoE and at hotspots, because the source does not say which",
  no_password_login: "Was let in without its password there, and is not here",
  junk: "Had a value that means nothing, which is left empty",
  package_made: "Has terms of its own, and so a package of its own",
  no_price: "The price is not known: set it before the first renewal",
  term_left: "Has a term that there is none of here",
  kept_here: "Was changed here since; ours stays",
  money_kept: "Money or term moved here since; ours stays",
  gone: "Is no longer there; nothing was done to it here",
  voucher: "Prepaid codes nobody has used, which are cards here",
  voucher_spent: "Was used there since it came; its card is void here",
  left_out: "Left out on purpose",
  note: "To know",
} as const;

export type NoticeKind = keyof typeof noticeHeadings;

export interface Notice {
  readonly kind: NoticeKind;
  /** null: of no single row. */
  readonly at: Origin | null;
  /** A username, group or table. */
  readonly who: string;
  /** A sentence, with both values of a conflict. Never a password. */
  readonly text: string;
}

/** The text cut, for a field may have megabytes. */
function short(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most).toWellFormed()}…`;
}

/** Rows of a kind that are kept; more are only counted. */
const KEPT = 100_000;

/** Notices, in the scratch database. */
export class Notices {
  readonly scratch: Scratch;
  readonly #table: string;
  readonly #counts = new Map<NoticeKind, number>();

  constructor(scratch = new Scratch()) {
    this.scratch = scratch;
    this.#table = scratch.table(
      "told",
      "id INTEGER PRIMARY KEY, kind TEXT, file TEXT, line INTEGER, who TEXT, text TEXT",
    );
    scratch.index(this.#table, "kind");
  }

  add(kind: NoticeKind, at: Origin | null, who: string, text: string): void {
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    if (count > KEPT) return;
    this.scratch.write(
      `INSERT INTO ${this.#table} (kind, file, line, who, text) VALUES (?, ?, ?, ?, ?)`,
      ...[kind, at && short(at.file, 120), at && at.line, short(who, 120), short(text, 500)],
    );
  }

  /** In order; of a kind, or all. */
  *each(kind?: NoticeKind): Generator<Notice, void> {
    const all = `SELECT * FROM ${this.#table} WHERE id > ?`;
    const rows =
      kind === undefined
        ? this.scratch.each<StoredNotice>(all)
        : this.scratch.each<StoredNotice>(`${all} AND kind = ?`, kind);
    for (const { kind, file, line, who, text } of rows)
      yield { kind, at: file === null ? null : { file, line }, who, text };
  }

  get rows(): readonly Notice[] {
    return [...this.each()];
  }

  count(kind: NoticeKind): number {
    return this.#counts.get(kind) ?? 0;
  }
}

interface StoredNotice extends Omit<Notice, "at"> {
  readonly id: number;
  readonly file: string | null;
  readonly line: number;
}
