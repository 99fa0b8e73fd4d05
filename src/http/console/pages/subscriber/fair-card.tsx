import { type FairStanding, fairStanding } from "../../../../domain/service/fair-use/standing.ts";
import { ShareBar } from "../../../pages/parts/bar.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Facts } from "../../../pages/parts/facts.tsx";
import { drawerLink } from "../../frame.tsx";
import { can, type PageContext } from "./context.ts";

/** The current tier and hours, what is left, and the next reset. */
export function FairCard({ context }: { context: PageContext }) {
  const { head, visit, phrases, base } = context;
  const { fairUse } = visit.view.words;
  const { service } = head;
  if (!service || service.expiresAt <= visit.now) return null;
  const standing = fairStanding(service, visit.now);
  const refused = head.open.find(({ session }) => session.rateRefused !== null)?.session.rateRefused;
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
      {refused !== undefined && (
        <p class="hint bad-text">
          {fairUse.refused}: {refused}
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
          [fairUse.left, leftOf(context, standing)],
          [fairUse.returns, isByCalendar ? fairUse.byCalendar(at) : fairUse.byRenewal(at)],
          [fairUse.extra, extra > 0 ? phrases.bytes(extra) : null],
          [fairUse.notCounted, free > 0 ? phrases.bytes(free) : null],
        ]}
      />
    </Card>
  );
}

function leftOf({ visit, phrases }: PageContext, { left, nextRate, tiers }: FairStanding): string | null {
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
