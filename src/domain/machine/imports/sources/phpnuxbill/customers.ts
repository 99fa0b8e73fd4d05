import type { MovedSubscriber } from "../../model.ts";
import type { ReadOptions } from "../../source.ts";
import { rawText, readText } from "../row-text.ts";
import { RowClock } from "../row-clock.ts";
import { type Bought, inOrder, parseConnection } from "./lines.ts";
import type { Plans } from "./plans.ts";
import type { Kept, Tables } from "./tables.ts";

const utc = new RowClock("UTC");

export interface Around {
  readonly tables: Tables;
  readonly plans: Plans;
  readonly options: ReadOptions;
  readonly clock: RowClock;
}

export function toSubscriber(id: string, kept: Kept, around: Around): MovedSubscriber {
  const { tables, plans, options, clock } = around;
  const { at, row } = kept;
  const portalName = rawText(row, "username");
  const recharges = inOrder(tables.findRecharges(id, portalName), options.now, clock);
  const [last] = recharges;
  tellOthers(recharges, portalName, options);
  const line = readLogin(kept, last, tables);
  if (line.username !== portalName)
    options.notices.add(
      "note",
      at,
      line.username,
      `its line logs in as ${line.username} (pppoe_username); to the portal it was ${portalName} there`,
    );
  return {
    at,
    ...line,
    ...readPerson(id, kept, around),
    ...readLock(kept, line.username, options),
    package: last ? plans.findOrAddKey(last.entry.plan, last.entry.name, last.entry.at) : null,
    router: last && tables.routers.has(last.entry.routers) ? last.entry.routers : null,
    service: last ? { expiresAt: last.endsAt } : null,
    static_ip: line.connection === "hotspot" ? null : readText(row, "pppoe_ip") || null,
    ...(paysByBalance(tables) && { autoRenew: readText(row, "auto_renewal") === "1" }),
    balance: readText(row, "balance") || null,
    history: tables.findTransactions(id, portalName).flatMap(({ since, text }) => {
      const bookedAt = clock.seconds(since);
      return bookedAt === undefined ? [] : [{ at: bookedAt, text }];
    }),
  };
}

/** The line's login. FreeRADIUS knows the portal's name, routers the PPPoE name. */
function readLogin(
  { row }: Kept,
  last: Bought | undefined,
  tables: Tables,
): Pick<MovedSubscriber, "username" | "password" | "connection"> {
  const pppName = rawText(row, "pppoe_username");
  const type = parseConnection(last?.entry.type ?? "") ?? parseConnection(readText(row, "service_type"));
  const connection = type ?? (pppName === "" ? null : "ppp");
  const [own, ppp] = [rawText(row, "password"), rawText(row, "pppoe_password")];
  const password = (connection === "ppp" && ppp !== "" ? ppp : own) || ppp;
  const plan = last && tables.plans.get(last.entry.plan)?.row;
  const isByRadius = plan !== undefined && readText(plan, "device") === "Radius";
  return {
    username: connection === "ppp" && pppName !== "" && !isByRadius ? pppName : rawText(row, "username"),
    password: toPassword(password),
    connection,
  };
}

function toPassword(text: string): MovedSubscriber["password"] {
  if (text === "") return { lost: "none" };
  return /^\$(2[aby]|argon2\w*|[156])\$/.test(text) ? { lost: "hashed" } : text;
}

function readLock(
  { at, row }: Kept,
  username: string,
  { notices }: ReadOptions,
): Pick<MovedSubscriber, "enabled"> {
  const status = readText(row, "status") || "Active";
  const enabled = status.toLowerCase() === "active";
  if (!enabled) notices.add("note", at, username, `is ${status} there, and disabled here`);
  return { enabled };
}

/** auto_renewal is set for all, and has a meaning only with balances. */
const paysByBalance = ({ settings }: Tables) =>
  settings.size === 0 || settings.get("enable_balance") === "yes";

function tellOthers(recharges: readonly Bought[], username: string, { notices }: ReadOptions): void {
  const [first, ...others] = recharges.filter(({ isOn }) => isOn);
  for (const { entry } of others)
    notices.add(
      "term_left",
      entry.at,
      username,
      `also has ${entry.name} (${entry.type}, until ${entry.until}); here a subscriber has one package, ${first?.entry.name ?? ""}`,
    );
}

/** Names of custom fields for an id number. */
const IDENTITY = /^(nic|cnic|nik|ktp|national ?id.*|id ?(card|number|no\.?)|identity.*|passport.*)$/i;

function readPerson(
  id: string,
  { at, row }: Kept,
  { tables, options: { notices } }: Around,
): Partial<MovedSubscriber> {
  const [latitude, longitude] = readText(row, "coordinates").split(/[,;\s]+/);
  const fields = tables.fields.get(id) ?? [];
  const identity = fields.find(([name, value]) => IDENTITY.test(name.replaceAll("_", " ")) && value !== "");
  for (const [name, value] of fields)
    if (/\bbill$/i.test(name) && !/:0?$/.test(value) && value !== "")
      notices.add(
        "term_left",
        at,
        readText(row, "username"),
        `pays ${name} ${value} with each renewal there; here it would be an item of its own`,
      );
  const notes = fields
    .filter((field) => field !== identity && field[1] !== "" && !/^(invoice|expired date)$/i.test(field[0]))
    .map(([name, value]) => `${name}: ${value}`);
  const seller = tables.staff.get(readText(row, "created_by"))?.row;
  const isSeller = seller !== undefined && /^(agent|sales)$/i.test(readText(seller, "user_type"));
  return {
    name: readText(row, "fullname"),
    address: [readText(row, "address"), readText(row, "state"), readText(row, "zip")]
      .filter((part) => part !== "")
      .join(", "),
    city: readText(row, "city"),
    area: readText(row, "district"),
    mobile_number: readText(row, "phonenumber"),
    email: readText(row, "email"),
    nic_number: identity?.[1] ?? null,
    latitude: latitude || null,
    longitude: longitude || null,
    global_note: notes.join("; ") || null,
    salesperson: isSeller ? readText(seller, "username") : null,
    // a TIMESTAMP, dumped in UTC
    createdAt: utc.seconds(readText(row, "created_at").slice(0, 19)) ?? null,
  };
}
