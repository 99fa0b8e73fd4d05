import type { Db } from "../../../../db/open.ts";
import { setting } from "../../core/settings/settings.ts";
import { CLEAR_SYMBOLS } from "../../goods/codes/codes.ts";
import type { CardBatch } from "./standing.ts";

/** An ISP's hotspot and portal settings; empty where unset. */
export interface Hotspot {
  /** dns-name of the router's hotspot, such as login.hotspot. */
  readonly address: string;
  readonly isHttps: boolean;
  readonly wifiName: string;
  readonly wifiPassword: string;
  readonly portalUrl: string;
}

export function readHotspot(db: Db, ispId: number): Hotspot {
  return {
    address: setting(db, "hotspot_address", ispId),
    isHttps: setting(db, "hotspot_https", ispId),
    wifiName: setting(db, "wifi_name", ispId),
    wifiPassword: setting(db, "wifi_password", ispId),
    portalUrl: setting(db, "portal_url", ispId),
  };
}

/**
 * URL for a card's QR code. An access card logs in at the router; others lead to the portal without the code, which a phone
 * would keep in its history. null: the address is not set.
 */
export function cardQr(hotspot: Hotspot, kind: CardBatch["kind"], code: string): string | null {
  const { address, isHttps, portalUrl } = hotspot;
  if (kind !== "access") return portalUrl || null;
  if (address === "") return null;
  const encoded = encodeURIComponent(code);
  return `${isHttps ? "https" : "http"}://${address}/login?username=${encoded}&password=${encoded}`;
}

/** Wi-Fi QR code; null without a name. */
export function wifiQr({ wifiName, wifiPassword }: Hotspot): string | null {
  if (wifiName === "") return null;
  const name = `S:${escaped(wifiName)};`;
  return wifiPassword === "" ? `WIFI:T:nopass;${name};` : `WIFI:T:WPA;${name}P:${escaped(wifiPassword)};;`;
}

/** Escapes the format's separators; an all-hexadecimal name needs quotes, or phones read it as bytes. */
function escaped(text: string): string {
  const plain = text.replaceAll(/[\\;,":]/g, String.raw`\$&`);
  return /^(?:[0-9a-fA-F]{2})+$/.test(text) ? `"${plain}"` : plain;
}

/** Name of the batch's package; null: it is of refills. */
export function findPackageName({ $client }: Pick<Db, "$client">, { packageId }: CardBatch): string | null {
  if (packageId === null) return null;
  const found = $client
    .query<{ name: string }, [number]>("SELECT name FROM packages WHERE id = ?")
    .get(packageId);
  return found?.name ?? null;
}

/** A made-up code of the batch's form, for previews. */
export function sampleCode({
  prefix,
  length,
  alphabet,
}: Pick<CardBatch, "prefix" | "length" | "alphabet">): string {
  const symbols = alphabet ?? CLEAR_SYMBOLS;
  const drawn = Array.from({ length: length ?? 8 }, (_, at) => symbols[(at * 7 + 3) % symbols.length]);
  return prefix + drawn.join("");
}
