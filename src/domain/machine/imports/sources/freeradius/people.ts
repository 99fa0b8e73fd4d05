import type { MovedSubscriber, Origin } from "../../model.ts";
import type { DumpRow } from "../../dump/row.ts";
import { ByName, type Scratch } from "../../scratch.ts";
import type { Seconds } from "../../../../core/time/time.ts";
import { readText } from "../row-text.ts";
import type { RowClock } from "../row-clock.ts";

export interface Person {
  readonly at: Origin;
  info?: Info;
  bill?: Bill;
}

type Info = Pick<
  MovedSubscriber,
  "name" | "email" | "mobile_number" | "phone_number" | "address" | "city" | "global_note" | "createdAt"
>;
type Bill = Omit<Info, "mobile_number" | "createdAt"> & {
  readonly plan: string;
  /** The next bill's day, raw. */
  readonly nextBill: string;
  readonly batch: string;
};

/** userinfo, userbillinfo and batch names. Of card columns only whether they are filled. */
export class People {
  readonly users: ByName<Person>;
  readonly batches = new Map<string, string>();
  cards = 0;
  portalPasswords = 0;
  readonly #clock: RowClock;

  constructor(scratch: Scratch, clock: RowClock) {
    this.users = new ByName(scratch);
    this.#clock = clock;
  }

  add(row: DumpRow, at: Origin): void {
    if (row.table === "batch_history") {
      this.batches.set(readText(row, "id"), readText(row, "batch_name"));
      return;
    }
    const username = readText(row, "username");
    if (username === "") return;
    const person = this.users.get(username) ?? { at };
    if (row.table === "userinfo") person.info ??= this.#info(row);
    else person.bill ??= this.#bill(row);
    this.users.set(username, person);
  }

  #info(row: DumpRow): Info {
    if (readText(row, "portalloginpassword") !== "") this.portalPasswords++;
    return {
      name: words(row, " ", "firstname", "lastname") || readText(row, "company"),
      email: readText(row, "email"),
      mobile_number: readText(row, "mobilephone"),
      phone_number: readText(row, "homephone", "workphone"),
      address: words(row, ", ", "address", "zip", "state", "country"),
      city: readText(row, "city"),
      global_note: words(row, "; ", "company", "department", "notes"),
      createdAt: this.#moment(readText(row, "creationdate")),
    };
  }

  #bill(row: DumpRow): Bill {
    if (readText(row, "creditcardnumber", "creditcardname", "creditcardverification", "creditcardexp") !== "")
      this.cards++;
    return {
      name: readText(row, "contactperson", "company"),
      email: readText(row, "email"),
      phone_number: readText(row, "phone"),
      address: words(row, ", ", "address", "zip", "state", "country"),
      city: readText(row, "city"),
      global_note: readText(row, "notes"),
      plan: readText(row, "planname"),
      nextBill: readText(row, "nextbill"),
      batch: readText(row, "batch_id"),
    };
  }

  #moment(text: string): Seconds | null {
    return this.#clock.seconds(text) ?? null;
  }
}

function words(row: DumpRow, between: string, ...columns: string[]): string {
  const texts = columns.map((column) => readText(row, column)).filter((text) => text !== "");
  return [...new Set(texts)].join(between);
}
