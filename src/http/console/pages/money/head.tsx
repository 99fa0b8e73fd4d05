import type { Child } from "hono/jsx";
import { countOpenIncoming } from "../../../../domain/desk/incoming/list.ts";
import { type Actor, may, seesWholeIsp } from "../../../../domain/core/actor/actor.ts";
import { Tabs } from "../../../pages/parts/tabs.tsx";
import type { ConsoleView } from "../../view.ts";
import { Frame } from "../../frame.tsx";
import type { StaffVisit } from "../../guard.ts";

interface Page {
  readonly href: string;
  readonly flag: string;
  /** Not for accounts of a branch or of a reseller. */
  readonly ofWholeIsp?: boolean;
}

/** The pages of money, with the flag that each needs. */
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

/** Where somebody begins who may not see payments; undefined: nowhere. */
export function firstOpen(by: Actor): string | undefined {
  const name = names.find((one) => isOpen(by, one));
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
  const { view, by, db } = visit;
  const { money } = view.words;
  const tabs = names
    .filter((name) => isOpen(by, name))
    .map((name) => {
      const waiting = name === "arrived" ? countOpenIncoming(db, by) : 0;
      const count = waiting === 0 ? undefined : view.format.number(waiting);
      return { href: pages[name].href, label: money.tabs[name], current: name === current, count };
    });
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
