import { accessSync, constants, statSync, type Stats } from "node:fs";
import type { Db } from "../../../db/open.ts";
import { setting } from "../settings/settings.ts";

/** What the subscriber's pages show of the ISP. */
export interface Branding {
  /** 0 is the appliance, of more than one ISP. */
  readonly ispId: number;
  readonly name: string;
  /** A path, `upload:ID`, or empty. */
  readonly logo: string;
  /** `#rrggbb`. */
  readonly color: string;
  readonly contact: readonly string[];
  readonly currency: string;
  /** How to pay, in lines; `payLink` has {amount}, {currency} and {reference} in it. Links and numbers are empty where there are none. */
  readonly payText: readonly string[];
  readonly payLink: string;
  readonly phone: string;
  readonly chat: string;
  /** The owner's own sentence to whoever has expired. */
  readonly expiredText: string;
  /** Where the portal is, as subscribers reach it. */
  readonly portalUrl: string;
  readonly address: readonly string[];
  readonly taxNumber: string;
}

/** The branding of an ISP; undefined for one that there is not. */
export function brandingOf(db: Db, ispId: number): Branding | undefined {
  const isp = db.$client.query<{ name: string }, [number]>("SELECT name FROM isps WHERE id = ?").get(ispId);
  if (!isp && ispId !== 0) return undefined;
  return {
    ispId,
    name: setting(db, "portal_name", ispId) || (isp?.name ?? ""),
    logo: setting(db, "portal_logo", ispId),
    color: setting(db, "portal_color", ispId),
    contact: linesOf(setting(db, "portal_contact", ispId)),
    currency: setting(db, "currency", ispId),
    payText: linesOf(setting(db, "portal_pay_text", ispId)),
    payLink: setting(db, "portal_pay_link", ispId),
    phone: setting(db, "portal_phone", ispId),
    chat: setting(db, "portal_chat", ispId),
    expiredText: setting(db, "portal_expired_text", ispId),
    portalUrl: setting(db, "portal_url", ispId),
    address: linesOf(setting(db, "isp_address", ispId)),
    taxNumber: setting(db, "isp_tax_number", ispId),
  };
}

function linesOf(text: string): string[] {
  return text
    .split(/[|\n]/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** The ISP of somebody who has not signed in: the only one that there is, else the appliance. */
export function ispOfAnonymous(db: Db): number {
  const [only, another] = db.$client.query<{ id: number }, []>("SELECT id FROM isps LIMIT 2").all();
  return only && !another ? only.id : 0;
}

/** Bytes of a logo. */
export const MAX_LOGO = 256 * 1024;

/** The file of a logo; undefined for one that is not there, cannot be read, or is too large to be shown. */
export function logoFile(path: string): Stats | undefined {
  return logoFault(path) === null ? statSync(path, { throwIfNoEntry: false }) : undefined;
}

/** Why a file cannot be a logo, in one sentence; null: it can. */
export function logoFault(path: string): string | null {
  try {
    accessSync(path, constants.R_OK);
    const file = statSync(path);
    if (!file.isFile()) return `${path} is not a file; name one`;
    return file.size <= MAX_LOGO ? null : `${path} is larger than 256 KB; make it smaller`;
  } catch {
    return `${path} cannot be read by the user of the service; check the path, or copy it to /var/lib/gatehouse`;
  }
}
