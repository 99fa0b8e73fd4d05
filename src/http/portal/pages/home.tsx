import type { TopUpOffer } from "../../../domain/service/activation/top-up.ts";
import type { Invoice } from "../../../domain/desk/portal/history.ts";
import type { Line } from "../../../domain/desk/portal/line.ts";
import type { Renewal } from "../../../domain/desk/portal/renewal.ts";
import type { UsageDay } from "../../../domain/desk/portal/usage-chart.ts";
import { Shell, type View } from "../layout.tsx";
import { Note } from "../../pages/note.tsx";
import { Tile } from "../../pages/tile.tsx";
import { UsageChart } from "../usage-chart.tsx";
import { CodeForm } from "./card.tsx";
import { Fair, TopUps } from "./fair.tsx";
import { Hero } from "./hero.tsx";
import { Money, Renewed } from "./renew.tsx";

export interface Problem {
  kind: "bad" | "wait";
  text: string;
}

export interface HomeProps {
  view: View;
  formToken: string;
  name: string;
  line: Line;
  renewal: Renewal;
  unpaid: { count: number; amount: number };
  days: readonly UsageDay[];
  /** Cards can be redeemed here. */
  hasCards: boolean;
  /** Refusal or invoice of a renewal. */
  problem: Problem | undefined;
  renewed: Invoice | undefined;
  /** Top-ups, and the invoice of one. */
  offers: readonly TopUpOffer[];
  topped: Invoice | undefined;
}

/** Seconds before the end that offer renewal. */
const SOON = 3 * 86_400;

/** Whether renewal comes first. */
function isShort({ expiresAt, quota }: Line, now: number): boolean {
  return (expiresAt !== null && expiresAt - now < SOON) || quota?.isUsedUp === true;
}

export function HomePage({
  view,
  formToken,
  name,
  line,
  renewal,
  unpaid,
  days,
  hasCards,
  offers,
  ...state
}: HomeProps) {
  const { words, now } = view;
  const { problem, renewed, topped } = state;
  const isUrgent = isShort(line, now) || renewal.balance < 0 || (line.expiresAt === null && renewal.due > 0);
  const money = <Money view={view} renewal={renewal} formToken={formToken} isUrgent={isUrgent} />;
  const card = hasCards && (
    <section class="card have-card">
      <h2>{words.card.title}</h2>
      <CodeForm view={view} formToken={formToken} isNext={false} />
    </section>
  );
  return (
    <Shell view={view} title={words.home.title} place="home" formToken={formToken}>
      {problem !== undefined && <Note kind={problem.kind}>{problem.text}</Note>}
      {renewed !== undefined && problem === undefined && (
        <Renewed view={view} invoice={renewed} line={line} renewal={renewal} />
      )}
      {topped !== undefined && problem === undefined && (
        <Note kind="good">{words.topUp.done(view.format.name(topped.packageName))}</Note>
      )}
      <Hero view={view} name={name} line={line} />
      {isUrgent && money}
      {isUrgent && card}
      <div class="tiles">
        <PaidUntil view={view} line={line} />
        <Package view={view} line={line} />
        <Balance view={view} line={line} renewal={renewal} unpaid={unpaid} />
        <Data view={view} line={line} />
      </div>
      {(line.fair !== null || offers.length > 0) && (
        <div class="money">
          <Fair view={view} line={line} />
          <TopUps view={view} formToken={formToken} line={line} offers={offers} balance={renewal.balance} />
        </div>
      )}
      {!isUrgent && money}
      {!isUrgent && card}
      <UsageChart view={view} days={days} />
    </Shell>
  );
}

interface Part {
  view: View;
  line: Line;
}

function PaidUntil({ view: { words, format, now }, line: { expiresAt } }: Part) {
  const { home } = words;
  if (expiresAt === null) return <Tile label={home.paidUntil} value="–" hint={home.never} />;
  const left = expiresAt - now;
  if (left <= 0)
    return (
      <Tile
        label={home.paidUntil}
        value={format.date(expiresAt)}
        hint={home.ended(format.time(expiresAt))}
        tone="bad"
      />
    );
  const hint = home.until(format.time(expiresAt));
  if (left < 3600) return <Tile label={home.paidUntil} value={home.lessThanAnHour} hint={hint} tone="warn" />;
  const [count, unit] =
    left < 86_400 ? [Math.floor(left / 3600), home.left.hours] : [Math.floor(left / 86_400), home.left.days];
  return (
    <Tile
      label={home.paidUntil}
      value={format.number(count)}
      unit={unit(count)}
      hint={hint}
      tone={left < SOON ? "warn" : undefined}
    />
  );
}

function Package({ view: { words, format }, line: { packageName, rateLimit, fair } }: Part) {
  const speed = format.speed(fair ? fair.rate : rateLimit);
  const hint = speed ? words.home.speed(speed.down, speed.up) : words.home.noSpeed;
  return <Tile label={words.home.package} value={format.name(packageName)} hint={hint} />;
}

function Balance({ view, line, renewal, unpaid }: Part & Pick<HomeProps, "renewal" | "unpaid">) {
  const { balance } = renewal;
  const { words, format, brand } = view;
  const price = format.money(renewal.price, brand.currency);
  const value = format.money(balance, brand.currency);
  const { home } = words;
  if (balance < 0) {
    const hint = unpaid.count > 0 ? `${home.owing} · ${home.unpaid(unpaid.count)}` : home.owing;
    return <Tile label={home.balance} value={value} hint={hint} tone="bad" />;
  }
  if (!line.isPrepaid)
    return (
      <Tile label={home.balance} value={value} hint={unpaid.count > 0 ? home.unpaid(unpaid.count) : ""} />
    );
  const isEnough = balance >= renewal.price;
  return (
    <Tile
      label={home.balance}
      value={value}
      hint={isEnough ? home.enough(price) : home.tooLittle(price)}
      tone={isEnough ? undefined : "warn"}
    />
  );
}

function Data({ view: { words, format }, line: { quota, fair } }: Part) {
  const { home } = words;
  if (!quota && fair && fair.tiers > 0)
    return <Tile label={home.data} value={format.bytes(fair.used)} hint={home.unlimitedHint} />;
  if (!quota) return <Tile label={home.data} value={home.unlimited} hint={home.unlimitedHint} />;
  const { used, total, isUsedUp, slowsDown } = quota;
  const share = Math.min(1, used / total);
  const left = isUsedUp
    ? slowsDown
      ? home.slower
      : home.nothingLeft
    : home.dataLeft(format.bytes(total - used));
  const tone = isUsedUp ? (slowsDown ? "warn" : "bad") : share > 0.85 ? "warn" : undefined;
  const hint = home.dataUsed(format.bytes(used), format.bytes(total));
  return (
    <Tile
      label={home.data}
      value={isUsedUp ? format.percent(1) : format.percent(share)}
      hint={hint}
      tone={tone}
    >
      <svg class="quota" width="100%" height="10" aria-hidden="true">
        <rect width="100%" height="10" rx="5" />
        {used > 0 && (
          <rect class="fill" width={`${Math.max(3, Math.round(share * 100))}%`} height="10" rx="5" />
        )}
      </svg>
      <p class="hint">{left}</p>
    </Tile>
  );
}
