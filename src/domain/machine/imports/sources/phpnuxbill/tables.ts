import type { Origin } from "../../model.ts";
import type { DumpRow } from "../../dump/row.ts";
import { OfUsers, type Scratch } from "../../scratch.ts";
import { rawText, readText } from "../row-text.ts";

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
    const id = readText(row, "id");
    switch (row.table) {
      case "tbl_customers":
        return void this.customers.set(id, kept);
      case "tbl_plans":
        return void this.plans.set(id, kept);
      case "tbl_bandwidth":
        return void this.bandwidths.set(id, kept);
      case "tbl_routers":
        return void this.routers.set(readText(row, "name"), kept);
      case "tbl_pool":
        return void this.pools.set(id, kept);
      case "tbl_users":
        return void this.staff.set(id, kept);
      case "tbl_appconfig":
        return void this.settings.set(readText(row, "setting"), readText(row, "value"));
      case "nas":
        return void this.nas.push(kept);
      case "tbl_voucher":
        if (readText(row, "status") === "0") this.vouchers.push(kept);
        else this.spentCodes.push({ at: kept.at, code: readText(row, "code") });
        return;
      case "tbl_customers_fields":
        return this.#addField(row);
      case "tbl_user_recharges":
        return keep(this.recharges, readOwner(row, "customer_id"), toRecharge(kept));
      default:
        return this.transactions.add(readOwner(row, "user_id"), toBooking(row));
    }
  }

  /** By id, or by name in older versions. */
  findRecharges(id: string, username: string): readonly Recharge[] {
    return [id, nameKey(username)].flatMap((key) => this.recharges.get(key) ?? []);
  }

  findTransactions(id: string, username: string): readonly Booking[] {
    return [id, nameKey(username)].flatMap((key) => this.transactions.of(key));
  }

  #addField(row: DumpRow): void {
    const customer = readText(row, "customer_id");
    const fields = this.fields.get(customer) ?? [];
    this.fields.set(customer, fields);
    fields.push([readText(row, "field_name"), readText(row, "field_value")]);
  }
}

/** MySQL ignores case. */
export const nameKey = (username: string) => `=${username.trim().toLowerCase()}`;

/** A customer's id, else its name. */
function readOwner(row: DumpRow, column: string): string {
  const customer = readText(row, column);
  return customer === "" || customer === "0" ? nameKey(rawText(row, "username")) : customer;
}

function keep<T>(entries: Map<string, T[]>, key: string, entry: T): void {
  const list = entries.get(key);
  if (list) list.push(entry);
  else entries.set(key, [entry]);
}

function toRecharge({ at, row }: Kept): Recharge {
  return {
    at,
    id: Number(readText(row, "id")),
    username: rawText(row, "username"),
    plan: readText(row, "plan_id"),
    name: readText(row, "namebp"),
    routers: readText(row, "routers"),
    type: readText(row, "type"),
    status: readText(row, "status").toLowerCase(),
    until: readUntil(row),
  };
}

function toBooking(row: DumpRow): Booking {
  const until = readUntil(row);
  const parts = [
    ...["invoice", "plan_name", "price"].map((column) => readText(row, column)),
    until === "" ? "" : `until ${until}`,
    ...["method", "note"].map((column) => readText(row, column)),
  ];
  const text = parts.filter((part) => part !== "").join(", ");
  return {
    since: `${readText(row, "recharged_on")} ${readText(row, "recharged_time") || "00:00:00"}`,
    text: text.replace(/\s+/g, " "),
  };
}

const readUntil = (row: DumpRow) => `${readText(row, "expiration")} ${readText(row, "time")}`.trim();
