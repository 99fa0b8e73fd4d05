import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { demoRoles } from "../../../scripts/demo-roles.ts";
import { openReader, openStore } from "../../../db/open.ts";
import { consoleRoutes } from "../../../src/http/console/routes.ts";
import { officeStore } from "../../domain/core/actor/operations/call.ts";
import { Appliance, portOf } from "../../support/appliance.ts";
import { insertRole, insertStaff } from "../../support/people.ts";
import { NOW } from "../../support/store.ts";
import { PROXY } from "../target.ts";
import { poison } from "./poison.ts";

/** Every page and form that the console has: a new one is attacked without a word here. */
export const routes = consoleRoutes;

/** An account of each kind, by its username; the password of each is the same. */
export const accounts = {
  admin: "ada",
  operator: "box",
  reseller: "rex",
  otherReseller: "rob",
  branch: "mia",
  otherBranch: "max",
  noFlag: "nil",
  otherTenant: "sue",
  Clerk: "demo-clerk",
  Technician: "demo-technician",
  Manager: "demo-manager",
  Reseller: "demo-reseller",
} as const;
export type Account = keyof typeof accounts;
export const PASSWORD = "secret-1";
/** May do what a Manager may, and needs a second factor first, which it does not have. */
export const NEWCOMER = "newcomer";

export interface World extends AsyncDisposable {
  readonly origin: string;
  readonly publicOrigin: string;
  readonly acct: number;
  readonly auth: number;
  readonly dataFolder: string;
  /** Columns of text that say what they should not. */
  readonly columns: number;
  readonly appliance: Appliance;
}

/** The real executable on the books of two ISPs, every text of which is hostile. */
export async function openWorld(): Promise<World> {
  const appliance = new Appliance({
    GATEHOUSE_PUBLIC_LISTEN: "127.0.0.1:0",
    GATEHOUSE_TRUSTED_PROXIES: PROXY,
  });
  try {
    const dataFolder = join(appliance.folder, "data");
    const columns = await fill(dataFolder);
    const addresses = await appliance.serve();
    return {
      appliance,
      dataFolder,
      columns,
      origin: `http://${addresses.http}`,
      publicOrigin: `http://${addresses.public ?? ""}`,
      auth: portOf(addresses.radius_auth),
      acct: portOf(addresses.radius_acct),
      [Symbol.asyncDispose]: () => appliance[Symbol.asyncDispose](),
    };
  } catch (error) {
    await appliance[Symbol.asyncDispose]();
    throw error;
  }
}

async function fill(dataFolder: string): Promise<number> {
  using store = await officeStore();
  const { db } = store;
  let code = 50;
  for (const [role, flags] of Object.entries(demoRoles)) {
    insertRole(db, code, 1, role, [...flags]);
    const isReseller = role === "Reseller";
    await insertStaff(db, `demo-${role.toLowerCase()}`, {
      profile_type: isReseller ? 3 : 2,
      role_code: code++,
    });
  }
  insertRole(db, code, 1, "Newcomer", [...demoRoles.Manager]);
  await insertStaff(db, NEWCOMER, { profile_type: 2, role_code: code });
  db.$client.query("UPDATE roles SET needs_second_factor = 1 WHERE code = ?").run(code);
  const columns = poison(db);
  db.$client.run("PRAGMA wal_checkpoint(TRUNCATE)");
  mkdirSync(dataFolder, { recursive: true });
  cpSync(store.folder, dataFolder, { recursive: true });
  const copy = openStore(dataFolder, { now: NOW }); // that it is whole
  copy.$client.close();
  return columns;
}

/** What no attack may change: rows of everything that people make. */
export function stateOf(dataFolder: string): string {
  const db = openReader(dataFolder);
  try {
    const tables = [
      ...["roles", "role_permissions", "staff", "staff_recovery_codes", "staff_tokens", "staff_preferences"],
      ...["subscribers", "services", "ledger_entries", "invoices", "payments", "closings", "packages"],
      ...["isps", "branches", "cities", "areas", "subareas", "nas", "settings", "logos", "bulk_jobs"],
      ...["staff_notes", "extensions", "freezes", "subscriber_tokens", "setup_steps"],
    ];
    return tables.map((table) => JSON.stringify(db.$client.query(`SELECT * FROM ${table}`).all())).join("\n");
  } finally {
    db.$client.close();
  }
}
