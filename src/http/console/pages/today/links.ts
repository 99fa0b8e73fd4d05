import type { Seconds } from "../../../../domain/core/time/time.ts";
import { localDay } from "../../../../domain/core/time/time.ts";

/** Lists behind figures. */
export const lists = {
  online: "/console/online",
  onlineSubscribers: "/console/subscribers?line=online",
  active: "/console/subscribers?status=active",
  payments: "/console/money",
  sales: "/console/money/invoices",
  owing: "/console/money/owed",
  wallets: "/console/money/wallets",
  closing: "/console/money/closing",
  logins: "/console/logins",
};

/** Services that end on these local days. */
export function expiring(first: number, last: number, status: "active" | "expired"): string {
  return `/console/subscribers?status=${status}&expires_from=${dashed(first)}&expires_to=${dashed(last)}`;
}

export const subscriber = (id: number) => `/console/subscribers/${id}`;
export const pay = (id: number) => `/console/subscribers/${id}/pay`;
export const personLoginsHref = (username: string) => `/console/logins?who=${encodeURIComponent(username)}`;
export const router = (id: number) => `/console/routers/${id}`;
export const onlineAt = (id: number) => `/console/online?router=${id}`;

/** The local day some days from now. */
export function dayFrom(now: Seconds, days: number): number {
  return localDay(now + days * 86_400);
}

function dashed(day: number): string {
  const text = String(day);
  return `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`;
}
