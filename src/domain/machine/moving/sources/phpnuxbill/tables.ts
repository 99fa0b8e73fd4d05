import type { Origin } from "../../model.ts";
import type { DumpRow } from "../../dump/row.ts";
import { rawText, textOf } from "../row-text.ts";

/** A row that is kept, and where it stands. */
export interface Kept {
  readonly at: Origin;
  readonly row: DumpRow;
}

const byId = ["tbl_customers", "tbl_plans", "tbl_bandwidth", "tbl_routers", "tbl_pool", "tbl_users"] as const;
const byOwner = ["tbl_customers_fields", "tbl_user_recharges", "tbl_transactions"] as const;
const other = ["tbl_appconfig", "tbl_voucher", "nas"] as const;

/** The tables that are read. rad_acct is none of them: it adds each update to those before. */
export const wantedTables: ReadonlySet<string> = new Set([...byId, ...byOwner, ...other]);

/** What a row of tbl_user_recharges says. */
export interface Recharge {
  readonly at: Origin;
  readonly id: number;
  readonly username: string;
  readonly plan: string;
  readonly name: string;
  readonly routers: string;
  readonly type: string;
  readonly status: string;
  /** Date and time as they stand there. */
  readonly until: string;
}

/** What a row of tbl_transactions says, of which there are the most. */
export interface Booking {
  /** Date and time as they stand there. */
  readonly since: string;
  readonly text: string;
}

/** What a copy of phpnuxbill's database says. */
export class Tables {
  readonly customers = new Map<string, Kept>();
  readonly plans = new Map<string, Kept>();
  readonly bandwidths = new Map<string, Kept>();
  readonly routers = new Map<string, Kept>();
  readonly pools = new Map<string, Kept>();
  readonly staff = new Map<string, Kept>();
  readonly settings = new Map<string, string>();
  /** By id of the customer; those of none, by username after an "=". */
  readonly recharges = new Map<string, Recharge[]>();
  readonly transactions = new Map<string, Booking[]>();
  readonly fields = new Map<string, [name: string, value: string][]>();
  readonly vouchers: Kept[] = [];
  readonly spentCodes: { readonly at: Kept["at"]; readonly code: string }[] = [];
  readonly nas: Kept[] = [];

  add(row: DumpRow, file: string): void {
    const kept = { at: { file, line: row.line }, row };
    const id = textOf(row, "id");
    switch (row.table) {
      case "tbl_customers":
        return void this.customers.set(id, kept);
      case "tbl_plans":
        return void this.plans.set(id, kept);
      case "tbl_bandwidth":
        return void this.bandwidths.set(id, kept);
      case "tbl_routers":
        return void this.routers.set(textOf(row, "name"), kept);
      case "tbl_pool":
        return void this.pools.set(id, kept);
      case "tbl_users":
        return void this.staff.set(id, kept);
      case "tbl_appconfig":
        return void this.settings.set(textOf(row, "setting"), textOf(row, "value"));
      case "nas":
        return void this.nas.push(kept);
      case "tbl_voucher":
        if (textOf(row, "status") === "0") this.vouchers.push(kept);
        else this.spentCodes.push({ at: kept.at, code: textOf(row, "code") });
        return;
      case "tbl_customers_fields":
        return this.#addField(row);
      case "tbl_user_recharges":
        return keep(this.recharges, row, textOf(row, "customer_id"), rechargeOf(kept));
      default:
        return keep(this.transactions, row, textOf(row, "user_id"), bookingOf(row));
    }
  }

  /** What is of a customer by its id, or by its name where older versions know no id. */
  ofCustomer<T>(entries: ReadonlyMap<string, readonly T[]>, id: string, username: string): readonly T[] {
    return [...(entries.get(id) ?? []), ...(entries.get(nameKey(username)) ?? [])];
  }

  #addField(row: DumpRow): void {
    const customer = textOf(row, "customer_id");
    const fields = this.fields.get(customer) ?? [];
    this.fields.set(customer, fields);
    fields.push([textOf(row, "field_name"), textOf(row, "field_value")]);
  }
}

/** MySQL does not tell names apart by case. */
export const nameKey = (username: string) => `=${username.trim().toLowerCase()}`;

function keep<T>(entries: Map<string, T[]>, row: DumpRow, customer: string, entry: T): void {
  const key = customer === "" || customer === "0" ? nameKey(rawText(row, "username")) : customer;
  const list = entries.get(key);
  if (list) list.push(entry);
  else entries.set(key, [entry]);
}

function rechargeOf({ at, row }: Kept): Recharge {
  return {
    at,
    id: Number(textOf(row, "id")),
    username: rawText(row, "username"),
    plan: textOf(row, "plan_id"),
    name: textOf(row, "namebp"),
    routers: textOf(row, "routers"),
    type: textOf(row, "type"),
    status: textOf(row, "status").toLowerCase(),
    until: untilOf(row),
  };
}

/** In words, as a line of history. */
function bookingOf(row: DumpRow): Booking {
  const until = untilOf(row);
  const parts = [
    ...["invoice", "plan_name", "price"].map((column) => textOf(row, column)),
    until === "" ? "" : `until ${until}`,
    ...["method", "note"].map((column) => textOf(row, column)),
  ];
  const text = parts.filter((part) => part !== "").join(", ");
  return {
    since: `${textOf(row, "recharged_on")} ${textOf(row, "recharged_time") || "00:00:00"}`,
    text: text.replace(/\s+/g, " "),
  };
}

const untilOf = (row: DumpRow) => `${textOf(row, "expiration")} ${textOf(row, "time")}`.trim();
