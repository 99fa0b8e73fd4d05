import { eq } from "drizzle-orm";
import type { Db } from "../../../db/open.ts";
import { isps } from "../../../db/schema.ts";
import { setting } from "../settings/settings.ts";

/** What the subscriber's pages show of the ISP. */
export interface Branding {
  /** 0 is the appliance, of more than one ISP. */
  readonly ispId: number;
  readonly name: string;
  /** A path, or empty. */
  readonly logo: string;
  /** `#rrggbb`. */
  readonly color: string;
  readonly contact: readonly string[];
  readonly currency: string;
}

/** The branding of an ISP; undefined for one that there is not. */
export function brandingOf(db: Db, ispId: number): Branding | undefined {
  const isp = db.select({ name: isps.name }).from(isps).where(eq(isps.id, ispId)).get();
  if (!isp && ispId !== 0) return undefined;
  return {
    ispId,
    name: setting(db, "portal_name", ispId) || (isp?.name ?? ""),
    logo: setting(db, "portal_logo", ispId),
    color: setting(db, "portal_color", ispId),
    contact: setting(db, "portal_contact", ispId)
      .split(/[|\n]/)
      .map((line) => line.trim())
      .filter((line) => line !== ""),
    currency: setting(db, "currency", ispId),
  };
}

/** The ISP of somebody who has not signed in: the only one that there is, else the appliance. */
export function ispOfStrangers(db: Db): number {
  const [only, another] = db.select({ id: isps.id }).from(isps).limit(2).all();
  return only && !another ? only.id : 0;
}
