import { type Incoming, countOpenIncoming } from "../../../domain/desk/incoming/list.ts";
import type { StaffVisit } from "../guard.ts";
import type { ConsoleView } from "../view.ts";
import type { Child } from "hono/jsx";
import { type Actor, may, seesWholeIsp } from "../../../domain/core/actor/actor.ts";
import { TabbedFrame } from "./tabbed-frame.tsx";

interface Page {
  readonly href: string;
  readonly flag: string;
  /** Hidden from accounts of a branch or reseller. */
  readonly ofWholeIsp?: boolean;
}

/** Pages with the flag of each. */
const pages = {
  payments: { href: "/console/money", flag: "payment_view" },
  invoices: { href: "/console/money/invoices", flag: "invoice_view" },
  owed: { href: "/console/money/owed", flag: "report_view" },
  closing: { href: "/console/money/closing", flag: "closing_own" },
  arrived: { href: "/console/money/arrived", flag: "payment_match", ofWholeIsp: true },
  wallets: { href: "/console/money/wallets", flag: "wallet_view" },
} as const satisfies Record<string, Page>;

type MoneyPage = keyof typeof pages;
const names: readonly MoneyPage[] = ["payments", "invoices", "owed", "arrived", "closing", "wallets"];

function isOpen(by: Actor, name: MoneyPage): boolean {
  const { flag, ofWholeIsp = false }: Page = pages[name];
  return may(by, flag) && (!ofWholeIsp || seesWholeIsp(by.scope));
}

export function firstOpen(by: Actor): string | undefined {
  const name = names.find((one) => isOpen(by, one));
  return name && pages[name].href;
}

interface MoneyFrameProps {
  visit: StaffVisit;
  current: MoneyPage;
  /** Of a page that hangs on it. */
  title?: string;
  actions?: Child;
  /** Payments to confirm, where counted. */
  waiting?: number;
  children: Child;
}

export function MoneyFrame({ current, waiting, ...props }: MoneyFrameProps) {
  const { view, by, db } = props.visit;
  const { tabs: named } = view.words.money;
  const tabs = names
    .filter((name) => isOpen(by, name))
    .map((name) => {
      const open = name === "arrived" ? (waiting ?? countOpenIncoming(db, by)) : 0;
      const count = open === 0 ? undefined : view.format.number(open);
      return { href: pages[name].href, label: named[name], current: name === current, count };
    });
  return <TabbedFrame {...props} place="money" tabs={tabs} named={named[current]} />;
}

export function formatSum({ format }: ConsoleView, minor: number, currency: string): string {
  return format.sum(minor, currency);
}

/** The sum with its currency; none where it could not be read. */
export function sumWords({ format, words }: ConsoleView, { amount, currency }: Incoming): string {
  if (amount === 0) return words.arrived.noAmount;
  return currency === "" ? format.amount(amount) : format.sum(amount, currency);
}
