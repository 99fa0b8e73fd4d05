import type { SubscriberUsage } from "../../../../domain/service/sessions/usage-of.ts";
import { Bars } from "../../../pages/charts/bars.tsx";
import { ShareBar } from "../../../pages/parts/bar.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { storedTold } from "../../attempt.ts";
import { type PageContext, can } from "./context.ts";
import { type FairStanding, fairStanding } from "../../../../domain/service/fair-use/terms.ts";
import { Facts } from "../../../pages/parts/facts.tsx";
import { drawerLink } from "../../frame.tsx";

const GB = 1e9;

export function UsageCard({ context, usage }: { context: PageContext; usage: SubscriberUsage }) {
  const { visit, phrases } = context;
  const { side, live } = visit.view.words.subscriber;
  const { format } = visit.view;
  const { days, quota, pace } = usage;
  const total = days.reduce((sum, { down, up }) => sum + down + up, 0);
  const share = quota ? quota.used / quota.total : 0;
  return (
    <Card title={side.usage} lead={side.days(days.length)}>
      {total === 0 ? (
        <p class="hint">{side.unused}</p>
      ) : (
        <Bars
          description={side.usageSays(phrases.bytes(total), days.length)}
          series={[{ name: side.usage, tone: "s1" }]}
          bars={days.map(({ period, down, up }, index) => ({
            label: String(period % 100),
            head: format.day(period),
            values: [(down + up) / GB],
            isNow: index === days.length - 1,
          }))}
          value={(value) => format.number(value)}
          exact={(value) => phrases.bytes(value * GB)}
          words={{ table: live.table, when: live.when }}
          kind="low"
        />
      )}
      {quota && (
        <>
          <p class="quota">
            <span>
              <strong>{phrases.bytes(quota.used)}</strong>{" "}
              {quota.since === null
                ? side.usedOf(phrases.bytes(quota.total))
                : side.usedSince(phrases.bytes(quota.total), phrases.near(quota.since))}
            </span>
            <strong>{format.percent(share)}</strong>
          </p>
          <ShareBar
            share={share}
            label={format.percent(share)}
            {...(share >= 1 ? { tone: "bad" } : share > 0.9 ? { tone: "warn" } : {})}
          />
        </>
      )}
      {pace && (
        <p class={pace.isEnough ? "hint" : "hint warn-text"}>
          {(pace.isEnough ? side.enough : side.tooLittle)(phrases.bytes(pace.atEnd), phrases.near(pace.end))}
        </p>
      )}
      <Months context={context} usage={usage} />
    </Card>
  );
}

function Months({
  context: { visit, phrases },
  usage: { months },
}: {
  context: PageContext;
  usage: SubscriberUsage;
}) {
  const { side, live } = visit.view.words.subscriber;
  if (months.length === 0) return null;
  return (
    <details class="folded quiet months">
      <summary>{side.months}</summary>
      <table class="side-entries">
        <caption class="unseen">{side.months}</caption>
        <thead>
          <tr>
            <th>{side.month}</th>
            <th class="end">{live.down}</th>
            <th class="end">{live.up}</th>
          </tr>
        </thead>
        <tbody>
          {months.toReversed().map(({ period, down, up }) => (
            <tr>
              <td>{visit.view.format.yearMonth(period)}</td>
              <td class="end">{phrases.bytes(down)}</td>
              <td class="end">{phrases.bytes(up)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

/** The current tier and hours, what is left, and the next reset. */
export function FairCard({ context }: { context: PageContext }) {
  const { head, visit, phrases, base } = context;
  const { fairUse } = visit.view.words;
  const { service } = head;
  if (!service || service.expiresAt <= visit.now) return null;
  const standing = fairStanding(service, visit.now);
  const refused = head.open.find(({ session }) => session.rateRefused !== null)?.session.rateRefused ?? null;
  if (!standing) return null;
  const { used, total, nextAfter, returnsAt, isByCalendar, free, extra } = standing;
  const to = `${base}/top-up`;
  const most = nextAfter ?? used;
  const at = phrases.near(returnsAt);
  return (
    <Card
      id="fair-use"
      title={fairUse.title}
      aside={
        can(context, "subscriber_activate") && (
          <a href={to} {...drawerLink(to)}>
            {fairUse.topUp}
          </a>
        )
      }
    >
      {total > 0 && standing.isUsedUp && service.quotaExceeded === "reject" ? (
        <p>
          <strong class="warn-text">{fairUse.usedUp}</strong>
        </p>
      ) : (
        <Sentence context={context} standing={standing} />
      )}
      {refused !== null && (
        <p class="hint bad-text">
          {`${fairUse.refused}${visit.view.words.list.colon}${storedTold(visit.view, refused)}`}
        </p>
      )}
      {nextAfter !== null && (
        <ShareBar
          share={most === 0 ? 0 : used / most}
          label={visit.view.format.percent(most === 0 ? 0 : Math.min(1, used / most))}
          {...(standing.tier > 0 && { tone: "warn" as const })}
        />
      )}
      <Facts
        facts={[
          [
            fairUse.used,
            total > 0 ? fairUse.usedOf(phrases.bytes(used), phrases.bytes(total)) : phrases.bytes(used),
          ],
          [fairUse.left, describeLeft(context, standing)],
          [fairUse.returns, isByCalendar ? fairUse.byCalendar(at) : fairUse.byRenewal(at)],
          [fairUse.extra, extra > 0 ? phrases.bytes(extra) : null],
          [fairUse.notCounted, free > 0 ? phrases.bytes(free) : null],
        ]}
      />
    </Card>
  );
}

function describeLeft(
  { visit, phrases }: PageContext,
  { left, nextRate, tiers }: FairStanding,
): string | null {
  const { fairUse } = visit.view.words;
  if (left === null) return tiers > 0 ? fairUse.nothingLeft : null;
  return nextRate === null
    ? fairUse.leftOnly(phrases.bytes(left))
    : fairUse.leftUntil(phrases.bytes(left), phrases.rate(nextRate));
}

function Sentence({
  context: { visit, phrases },
  standing,
}: {
  context: PageContext;
  standing: FairStanding;
}) {
  const { fairUse } = visit.view.words;
  const { rate, tier, tiers, isUsedUp, hours } = standing;
  const rateText = phrases.rate(rate);
  const isFree = visit.view.format.speed(rate) === undefined;
  const isSlow = (tier > 0 || isUsedUp) && hours?.hasRate !== true;
  const state = isUsedUp && tier === 0 ? fairUse.usedUp : tier > 0 ? fairUse.tierOf(tier, tiers) : null;
  return (
    <p>
      <strong class={isSlow ? "warn-text" : ""}>
        {isFree ? fairUse.runsFree : isSlow ? fairUse.slow(rateText) : fairUse.runs(rateText)}
      </strong>
      {state !== null && <span class="hint"> {state}</span>}
      {hours && (
        <>
          <br />
          {(hours.isFree ? fairUse.free : fairUse.hours)(phrases.near(hours.until))}
        </>
      )}
    </p>
  );
}
