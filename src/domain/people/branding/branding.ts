import { accessSync, constants, statSync, type Stats } from "node:fs";
import type { Db } from "../../../../db/open.ts";
import { readSettings, type SettingKey } from "../../core/settings/settings.ts";

export interface Branding {
  readonly stored: Stored;
  /** 0 is the appliance, of more than one ISP. */
  readonly ispId: number;
  readonly name: string;
  /** A path, `upload:ID`, or empty. */
  readonly logo: string;
  /** `#rrggbb`. */
  readonly color: string;
  readonly contact: readonly string[];
  readonly currency: string;
  /** How to pay, in lines; `payLink` has {amount}, {currency}, {reference} and {username} in it. Links and numbers are empty where there are none. */
  readonly payText: readonly string[];
  readonly payLink: string;
  readonly phone: string;
  readonly chat: string;
  /** Shown to expired subscribers. */
  readonly expiredText: string;
  readonly portalUrl: string;
  readonly address: readonly string[];
  readonly taxNumber: string;
}

export const brandKeys = [
  "portal_name",
  "portal_color",
  "portal_contact",
  "portal_phone",
  "portal_chat",
  "portal_url",
  "portal_pay_text",
  "portal_pay_link",
  "portal_expired_text",
  "isp_address",
  "isp_tax_number",
] as const satisfies readonly SettingKey[];
export type BrandKey = (typeof brandKeys)[number];
const publicKeys = [...brandKeys, "portal_logo", "currency", "payment_link"] as const;

interface Stored {
  readonly ispId: number;
  readonly isp: string;
  readonly values: ReturnType<typeof readSettings<(typeof publicKeys)[number]>>;
}

/** Name, colours and logo of an ISP; undefined: it is unknown. */
export function findBranding(db: Db, ispId: number): Branding | undefined {
  const isp = db.$client.query<{ name: string }, [number]>("SELECT name FROM isps WHERE id = ?").get(ispId);
  if (!isp && ispId !== 0) return undefined;
  return brandingFrom({ ispId, isp: isp?.name ?? "", values: readSettings(db, publicKeys, ispId) });
}

/** `overrides` replace stored values, for a preview. */
export function brandingFrom(
  stored: Stored,
  overrides: Readonly<Partial<Record<BrandKey, string>>> = {},
): Branding {
  const value = { ...stored.values, ...overrides };
  return {
    stored,
    ispId: stored.ispId,
    name: value.portal_name || stored.isp,
    logo: value.portal_logo,
    color: value.portal_color,
    contact: splitLines(value.portal_contact),
    currency: value.currency,
    payText: splitLines(value.portal_pay_text),
    payLink: value.portal_pay_link || value.payment_link,
    phone: value.portal_phone,
    chat: value.portal_chat,
    expiredText: value.portal_expired_text,
    portalUrl: value.portal_url,
    address: splitLines(value.isp_address),
    taxNumber: value.isp_tax_number,
  };
}

/** The first package on sale, for a preview; 0: of any ISP. null: none. */
export function firstSold(
  { $client }: Db,
  ispId: number,
): {
  name: string;
  price: number;
  rateLimit: string | null;
} | null {
  return $client
    .query<{ name: string; price: number; rateLimit: string | null }, [number, number]>(
      `SELECT name, price, rate_limit AS rateLimit FROM packages
       WHERE status = 1 AND isp_id = iif(? = 0, isp_id, ?) ORDER BY id LIMIT 1`,
    )
    .get(ispId, ispId);
}

function splitLines(text: string): string[] {
  return text
    .split(/[|\n]/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** The ISP before a sign-in: the only one, else the appliance. */
export function anonymousIsp(db: Db): number {
  const [only, another] = db.$client.query<{ id: number }, []>("SELECT id FROM isps LIMIT 2").all();
  return only && !another ? only.id : 0;
}

/** Bytes. */
export const MAX_LOGO = 256 * 1024;

/** The stat of a logo; undefined: it is missing, unreadable or too large. */
export function logoFile(path: string): Stats | undefined {
  return logoFault(path) === null ? statSync(path, { throwIfNoEntry: false }) : undefined;
}

/** One sentence; null: none. */
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
