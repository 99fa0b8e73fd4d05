import type { Origin } from "../../model.ts";
import type { DumpRow } from "../../dump/row.ts";
import { OfUsers, type Scratch } from "../../scratch.ts";
import { rawText, textOf } from "../row-text.ts";

export interface Kept {
  readonly at: Origin;
  readonly row: DumpRow;
}

const byId = ["tbl_customers", "tbl_plans", "tbl_bandwidth", "tbl_routers", "tbl_pool", "tbl_users"] as const;
const byOwner = ["tbl_customers_fields", "tbl_user_recharges", "tbl_transactions"] as const;
const other = ["tbl_appconfig", "tbl_voucher", "nas"] as const;

/** Tables without rad_acct, which adds each update to the ones before. */
export const tablesToRead: ReadonlySet<string> = new Set([...byId, ...byOwner, ...other]);

export const onDisk: ReadonlySet<string> = new Set(["tbl_transactions"]);

export interface Recharge {
  readonly at: Origin;
  readonly id: number;
  readonly username: string;
  readonly plan: string;
  readonly name: string;
  readonly routers: string;
  readonly type: string;
  readonly status: string;
  readonly until: string;
}

export interface Booking {
  readonly since: string;
  readonly text: string;
}

export class Tables {
  readonly customers = new Map<string, Kept>();
  readonly plans = new Map<string, Kept>();
  readonly bandwidths = new Map<string, Kept>();
  readonly routers = new Map<string, Kept>();
  readonly pools = new Map<string, Kept>();
  readonly staff = new Map<string, Kept>();
  readonly settings = new Map<string, string>();
  /** By customer id; without one by "=" and username. */
  readonly recharges = new Map<string, Recharge[]>();
  readonly transactions: OfUsers<Booking>;
  readonly fields = new Map<string, [name: string, value: string][]>();
  readonly vouchers: Kept[] = [];
  readonly spentCodes: { readonly at: Kept["at"]; readonly code: string }[] = [];
  readonly nas: Kept[] = [];

  constructor(scratch: Scratch) {
    this.transactions = new OfUsers(scratch);
  }

  end(): void {
    this.transactions.end();
  }

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
        return keep(this.recharges, ownerOf(row, "customer_id"), rechargeOf(kept));
      default:
        return this.transactions.add(ownerOf(row, "user_id"), bookingOf(row));
    }
  }

  /** By id, or by name in older versions. */
  rechargesOf(id: string, username: string): readonly Recharge[] {
    return [id, nameKey(username)].flatMap((key) => this.recharges.get(key) ?? []);
  }

  transactionsOf(id: string, username: string): readonly Booking[] {
    return [id, nameKey(username)].flatMap((key) => this.transactions.of(key));
  }

  #addField(row: DumpRow): void {
    const customer = textOf(row, "customer_id");
    const fields = this.fields.get(customer) ?? [];
    this.fields.set(customer, fields);
    fields.push([textOf(row, "field_name"), textOf(row, "field_value")]);
  }
}

/** MySQL ignores case. */
export const nameKey = (username: string) => `=${username.trim().toLowerCase()}`;

/** A customer's id, else its name. */
function ownerOf(row: DumpRow, column: string): string {
  const customer = textOf(row, column);
  return customer === "" || customer === "0" ? nameKey(rawText(row, "username")) : customer;
}

function keep<T>(entries: Map<string, T[]>, key: string, entry: T): void {
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
