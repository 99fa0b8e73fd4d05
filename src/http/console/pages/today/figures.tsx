import { sumDaysAhead } from "../../../../domain/around/today/expirations.ts";
import { monthEarlier, owedNow, ownWallet } from "../../../../domain/around/today/money.ts";
import { standingNow } from "../../../../domain/around/today/standing.ts";
import { reportSales } from "../../../../domain/around/reports/money.ts";
import { may, ownIsp, seesMoney } from "../../../../domain/core/actor/actor.ts";
import { localDay, startOfDay } from "../../../../domain/core/time/time.ts";
import { Figure } from "../../../pages/parts/figure.tsx";
import type { StaffVisit } from "../../guard.ts";
import { readAhead, readReceived } from "./once.ts";
import { dayFrom, expiring, lists } from "./links.ts";
import { refreshing } from "./live.ts";

const WEEK = 7;

export function Figures({ visit }: { visit: StaffVisit }) {
  const { by, db, view } = visit;
  const hasMoney = ownIsp(db, by.scope) !== null;
  return (
    <section
      id="today-figures"
      class="figures"
      aria-label={view.words.today.figures}
      {...refreshing("/console/today/figures", ["sessions", "money"])}
    >
      {may(by, "subscriber_view") && <People visit={visit} />}
      {hasMoney && may(by, "payment_view") && <Taken visit={visit} />}
      {hasMoney && may(by, "report_view") && <Sales visit={visit} />}
      {hasMoney && may(by, "report_view") && <Owed visit={visit} />}
      {may(by, "wallet_view") && <Wallet visit={visit} />}
    </section>
  );
}

function People({ visit }: { visit: StaffVisit }) {
  const { db, by, now, openSessions, view } = visit;
  const { format, words } = view;
  const { today } = words;
  const { online, onlineBefore, active, subscribers, lapsed } = standingNow(db, by, { now, openSessions });
  const week = sumDaysAhead(readAhead(visit).slice(0, WEEK + 1));
  const since = onlineBefore === null ? null : online - onlineBefore;
  return (
    <>
      <Figure
        label={today.online}
        value={format.number(online)}
        hint={
          since === null ? "" : <Change difference={since} text={today.onYesterday(format.change(since))} />
        }
        href={may(by, "session_view") ? lists.online : lists.onlineSubscribers}
      />
      <Figure
        label={today.active}
        value={format.number(active)}
        hint={today.ofSubscribers(subscribers)}
        href={lists.active}
      />
      <Figure
        label={today.expiring}
        value={format.number(week.expiring)}
        hint={seesMoney(by) ? today.needMoneyFirst(week.needMoney) : ""}
        href={expiring(localDay(now), dayFrom(now, WEEK), "active")}
      />
      <Figure
        label={today.lapsed}
        value={format.number(lapsed)}
        hint={today.notRenewed}
        href={expiring(dayFrom(now, -WEEK), localDay(now), "expired")}
      />
    </>
  );
}

/** The sign and the colour both tell. */
function Change({ difference, text }: { difference: number; text: string }) {
  return <span class={difference > 0 ? "good-text" : ""}>{text}</span>;
}

function Taken({ visit }: { visit: StaffVisit }) {
  const { by, view } = visit;
  const { format, words } = view;
  const { currency, taken, payments, own, back, elsewhere } = readReceived(visit);
  const { today } = words;
  const isReseller = by.scope.salespersonId !== null;
  return (
    <Figure
      label={today.taken}
      unit={format.currencySign(currency)}
      isUnitLast={format.isSignLast(currency)}
      value={format.amount(taken)}
      hint={[
        today.payments(payments, format.number(own.payments)),
        back > 0 && today.lessBack(format.amount(back)),
        elsewhere > 0 && (isReseller ? today.byIsp : today.byResellers)(format.amount(elsewhere)),
      ]
        .filter(Boolean)
        .join(view.words.list.semicolon)}
      href={lists.payments}
    />
  );
}

function Sales({ visit: { db, by, now, view } }: { visit: StaffVisit }) {
  const { format, words, brand } = view;
  const { today } = words;
  const last = localDay(now);
  const before = monthEarlier(last);
  const first = (day: number) => day - (day % 100) + 1;
  const sold = (from: number, to: number) =>
    reportSales(db, by, { from: startOfDay(from), to: startOfDay(to), by: [] }).rows.reduce(
      (sum, { net }) => sum + net,
      0,
    );
  const [sum, earlier] = [sold(first(last), last), sold(first(before), before)];
  const days = format.shortDayRange(first(before), before);
  return (
    <Figure
      label={today.sales}
      unit={format.currencySign(brand.currency)}
      isUnitLast={format.isSignLast(brand.currency)}
      value={format.amount(sum)}
      hint={
        earlier === 0 ? (
          today.noSalesBefore(days)
        ) : (
          <Change
            difference={sum - earlier}
            text={today.onMonth(format.changePercent((sum - earlier) / Math.abs(earlier)), days)}
          />
        )
      }
      href={lists.sales}
    />
  );
}

function Owed({ visit: { db, by, view } }: { visit: StaffVisit }) {
  const { format, words } = view;
  const { currency, owed, subscribers } = owedNow(db, by);
  return (
    <Figure
      label={words.today.owed}
      unit={format.currencySign(currency)}
      isUnitLast={format.isSignLast(currency)}
      value={format.amount(owed)}
      hint={words.today.byOwing(subscribers)}
      href={lists.owing}
    />
  );
}

function Wallet({ visit: { db, by, now, view } }: { visit: StaffVisit }) {
  const { format, words } = view;
  const { today } = words;
  const wallet = ownWallet(db, by, { now });
  if (!wallet) return null;
  const sign = {
    unit: format.currencySign(wallet.currency),
    isUnitLast: format.isSignLast(wallet.currency),
  };
  return (
    <>
      <Figure
        label={today.wallet}
        {...sign}
        value={format.amount(wallet.balance)}
        hint={wallet.creditLimit > 0 ? today.mayOwe(format.amount(wallet.creditLimit)) : today.prepaid}
        href={lists.wallets}
        {...(wallet.balance < 0 && { tone: "bad" as const })}
      />
      <Figure
        label={today.commission}
        {...sign}
        value={format.amount(wallet.commission)}
        hint={today.commissionHint}
        href={lists.wallets}
      />
    </>
  );
}
