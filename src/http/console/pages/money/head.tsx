import type { Child } from "hono/jsx";
import { type Actor, may } from "../../../../domain/staff/actor.ts";
import { Tabs } from "../../../pages/parts/tabs.tsx";
import type { ConsoleView } from "../../view.ts";
import { Frame } from "../../frame.tsx";
import type { StaffVisit } from "../../guard.ts";

/** The pages of money, with the flag that each needs. */
const pages = {
  payments: { href: "/console/money", flag: "payment_view" },
  invoices: { href: "/console/money/invoices", flag: "invoice_view" },
  owed: { href: "/console/money/owed", flag: "report_view" },
  closing: { href: "/console/money/closing", flag: "closing_own" },
  wallets: { href: "/console/money/wallets", flag: "wallet_view" },
} as const;

type MoneyPage = keyof typeof pages;
const names: readonly MoneyPage[] = ["payments", "invoices", "owed", "closing", "wallets"];

/** Where somebody begins who may not see payments; undefined: nowhere. */
export function firstOpen(by: Actor): string | undefined {
  const name = names.find((one) => may(by, pages[one].flag));
  return name && pages[name].href;
}

interface MoneyFrameProps {
  visit: StaffVisit;
  current: MoneyPage;
  /** At the end of the head. */
  actions?: Child;
  children: Child;
}

/** A page of money: its title, and the ways to the others that one may see. */
export function MoneyFrame({ visit, current, actions, children }: MoneyFrameProps) {
  const { view, by } = visit;
  const { money } = view.words;
  const tabs = names
    .filter((name) => may(by, pages[name].flag))
    .map((name) => ({ href: pages[name].href, label: money.tabs[name], current: name === current }));
  return (
    <Frame visit={visit} title={`${money.tabs[current]} · ${view.words.places.money}`} place="money">
      <div class="page-head">
        <h1>{money.tabs[current]}</h1>
        {actions !== undefined && <div class="actions">{actions}</div>}
      </div>
      <Tabs label={view.words.places.money} tabs={tabs} />
      <div class="stack">{children}</div>
    </Frame>
  );
}

/** A sum with its currency before it. */
export function sumOf({ format }: ConsoleView, minor: number, currency: string): string {
  return format.sum(minor, currency);
}
