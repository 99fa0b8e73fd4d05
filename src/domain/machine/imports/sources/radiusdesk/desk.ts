import { kindCalled } from "../../../../goods/nas/kinds.ts";
import type { DumpRow } from "../../dump/row.ts";
import type { MovedRouter, MovedVoucher, Origin } from "../../model.ts";
import { ByName, type List, OfUsers } from "../../scratch.ts";
import type { ReadOptions } from "../../source.ts";
import { sourceTime } from "../../dates.ts";
import { Tables } from "../freeradius/tables.ts";
import { rawText, readNumber, readText } from "../row-text.ts";

const own = [
  "permanent_users",
  "profiles",
  "vouchers",
  "top_ups",
  "realms",
  "devices",
  "dynamic_clients",
  "nas",
  "users",
] as const;
const radius = ["radcheck", "radreply", "radgroupcheck", "radgroupreply", "radusergroup", "radacct"];
export const tablesToRead: ReadonlySet<string> = new Set([...own, ...radius]);

export interface DeskUser {
  readonly at: Origin;
  readonly id: string;
  readonly username: string;
  readonly row: Readonly<Record<(typeof userColumns)[number], string>>;
}

const userColumns = [
  "name",
  "surname",
  "address",
  "phone",
  "email",
  "auth_type",
  "active",
  "data_used",
  "data_cap",
  "realm",
  "realm_id",
  "profile",
  "from_date",
  "to_date",
  "static_ip",
  "extra_name",
  "extra_value",
  "created",
  "site",
  "session_limit",
  "cloud_id",
  "ppsk",
] as const;

/** Added data, time or days. */
export interface TopUp {
  readonly at: number;
  readonly text: string;
}

export class Desk {
  readonly tables: Tables;
  readonly users: List<DeskUser>;
  readonly names: ByName<1>;
  readonly vouchers: List<MovedVoucher>;
  readonly routers = new Map<string, MovedRouter>();
  readonly realms = new Map<string, string>();
  readonly topUps: OfUsers<TopUp>;
  readonly devices: OfUsers<{ readonly at: Origin; readonly mac: string }>;
  readonly profiles = new Map<string, Origin>();
  readonly clouds = new Set<string>();
  staff = 0;
  readonly spentCodes: List<{ readonly at: Origin; readonly code: string }>;
  readonly #options: ReadOptions;

  constructor(options: ReadOptions) {
    const { scratch } = options.notices;
    this.#options = options;
    this.tables = new Tables(options);
    this.users = scratch.list();
    this.names = new ByName(scratch);
    this.vouchers = scratch.list();
    this.spentCodes = scratch.list();
    this.topUps = new OfUsers(scratch);
    this.devices = new OfUsers(scratch);
  }

  add(row: DumpRow, file: string): void {
    const at = { file, line: row.line };
    switch (row.table) {
      case "permanent_users":
        return this.#addUser(row, at);
      case "profiles":
        this.profiles.set(readText(row, "name"), at);
        return;
      case "realms":
        this.realms.set(readText(row, "id"), readText(row, "name"));
        return;
      case "vouchers":
        return this.#addVoucher(row, at);
      case "top_ups":
        return this.#addTopUp(row);
      case "devices":
        return this.#addDevice(row, at);
      case "nas":
      case "dynamic_clients":
        return this.#addRouter(row, at);
      case "users":
        this.staff++;
        return;
      default:
        this.tables.add(row, file);
    }
  }

  #addUser(source: DumpRow, at: Origin): void {
    const username = rawText(source, "username");
    if (username === "") return;
    const texts = userColumns.map((column) => [column, readText(source, column)] as const);
    const row = Object.fromEntries(texts) as DeskUser["row"];
    this.clouds.add(row.cloud_id);
    this.users.push({ at, id: readText(source, "id"), username, row });
    this.names.set(username, 1);
  }

  #addVoucher(row: DumpRow, at: Origin): void {
    const code = readText(row, "name");
    const { now, zone, notices } = this.#options;
    if (code === "") return;
    const expire = sourceTime(readText(row, "expire"), zone);
    if (readText(row, "status") !== "new" || (expire !== undefined && expire < now)) {
      this.spentCodes.push({ at, code });
      return;
    }
    const password = readText(row, "password");
    if (password !== "" && password !== code)
      notices.add("note", at, "a voucher", "has a password beside its name there; its name is its code here");
    const [package_, batch] = [readText(row, "profile"), readText(row, "batch")];
    const validity = parseValidity(readText(row, "time_valid"));
    this.vouchers.push({
      at,
      code,
      kind: "access",
      package: package_ || null,
      price: null,
      batch: batch || null,
      endsAt: expire ?? null,
      validity,
      uptimeSeconds: readUptime(row, validity),
    });
  }

  #addTopUp(row: DumpRow): void {
    const moment = sourceTime(readText(row, "created"), this.#options.zone);
    if (moment === undefined) return;
    const kind = readText(row, "type");
    const amount = readNumber(row, kind) ?? 0;
    const what =
      kind === "data"
        ? `${amount} bytes`
        : kind === "time"
          ? `${amount} seconds of time online`
          : `${amount} days`;
    const comment = readText(row, "comment");
    const text = `Top-up of ${what}${comment === "" ? "" : `: ${comment}`}`;
    this.topUps.add(readText(row, "permanent_user_id"), { at: moment, text });
  }

  #addDevice(row: DumpRow, at: Origin): void {
    this.devices.add(readText(row, "permanent_user_id"), { at, mac: readText(row, "name") });
  }

  /** Routers known by NAS-Identifier alone have no address, and share a secret. */
  #addRouter(row: DumpRow, at: Origin): void {
    const isDynamic = row.table === "dynamic_clients" || readText(row, "connection_type") === "dynamic";
    const key = isDynamic ? readText(row, "nasidentifier", "name", "nasname") : readText(row, "nasname");
    if (key === "") return;
    const name = readText(row, "shortname", "name", "nasname") || key;
    const address = isDynamic ? null : key;
    const secret = rawText(row, "secret") || null;
    const kind = kindCalled(readText(row, "type"));
    if (!this.routers.has(key)) this.routers.set(key, { at, key, name, address, secret, kind });
  }
}

const MOST_SECONDS = 316_224_000;

type Validity = NonNullable<MovedVoucher["validity"]>;

/** Seconds online that a user has; null: no such limit, or one longer than its validity. */
function readUptime(row: DumpRow, validity: Validity | null): number | null {
  const cap = Math.min(readNumber(row, "time_cap") ?? 0, MOST_SECONDS);
  const lasts = validity === null ? Infinity : validity.count * (validity.unit === "day" ? 86_400 : 3600);
  return cap > 0 && cap < lasts ? cap : null;
}

/** "1-00-00-00" from the first login, as whole hours; null: as its profile. */
function parseValidity(text: string): Validity | null {
  const [, days, hours, minutes, seconds] = /^(\d{1,4})-(\d{1,2})-(\d{1,2})-(\d{1,2})$/.exec(text) ?? [];
  const whole = Number(days ?? 0) * 24 + Number(hours ?? 0);
  const count = Math.min(10_000, whole + (Number(minutes ?? 0) + Number(seconds ?? 0) > 0 ? 1 : 0));
  if (count === 0) return null;
  return count % 24 === 0 ? { count: count / 24, unit: "day" } : { count, unit: "hour" };
}
