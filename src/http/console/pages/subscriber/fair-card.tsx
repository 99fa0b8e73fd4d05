import { type FairStanding, fairStanding } from "../../../../domain/service/fair-use/standing.ts";
import { ShareBar } from "../../../pages/parts/bar.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Facts } from "../../../pages/parts/facts.tsx";
import { drawerLink } from "../../frame.tsx";
import { can, type Shown } from "./shown.ts";

/** Which tier and hours are on, what is left, and when it counts anew. */
export function FairCard({ shown }: { shown: Shown }) {
  const { head, visit, say, base } = shown;
  const { fairUse } = visit.view.words;
  const { service } = head;
  if (!service || service.expiresAt <= visit.now) return null;
  const standing = fairStanding(service, visit.now);
  const refused = head.open.find(({ session }) => session.rateRefused !== null)?.session.rateRefused;
  if (!standing) return null;
  const { used, total, nextAfter, returnsAt, isByCalendar, free, extra } = standing;
  const to = `${base}/top-up`;
  const most = nextAfter ?? used;
  const at = say.near(returnsAt);
  return (
    <Card
      id="fair-use"
      title={fairUse.title}
      aside={
        can(shown, "subscriber_activate") && (
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
        <Sentence shown={shown} standing={standing} />
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
          [fairUse.used, total > 0 ? fairUse.usedOf(say.bytes(used), say.bytes(total)) : say.bytes(used)],
          [fairUse.left, leftOf(shown, standing)],
          [fairUse.returns, isByCalendar ? fairUse.byCalendar(at) : fairUse.byRenewal(at)],
          [fairUse.extra, extra > 0 ? say.bytes(extra) : null],
          [fairUse.notCounted, free > 0 ? say.bytes(free) : null],
        ]}
      />
    </Card>
  );
}

function leftOf({ visit, say }: Shown, { left, nextRate, tiers }: FairStanding): string | null {
  const { fairUse } = visit.view.words;
  if (left === null) return tiers > 0 ? fairUse.nothingLeft : null;
  return nextRate === null
    ? fairUse.leftOnly(say.bytes(left))
    : fairUse.leftUntil(say.bytes(left), say.rate(nextRate));
}

function Sentence({ shown: { visit, say }, standing }: { shown: Shown; standing: FairStanding }) {
  const { fairUse } = visit.view.words;
  const { rate, tier, tiers, isUsedUp, hours } = standing;
  const shownRate = say.rate(rate);
  const isFree = visit.view.format.speed(rate) === undefined;
  const isSlow = (tier > 0 || isUsedUp) && hours?.hasRate !== true;
  const state = isUsedUp && tier === 0 ? fairUse.usedUp : tier > 0 ? fairUse.tierOf(tier, tiers) : null;
  return (
    <p>
      <strong class={isSlow ? "warn-text" : ""}>
        {isFree ? fairUse.runsFree : isSlow ? fairUse.slow(shownRate) : fairUse.runs(shownRate)}
      </strong>
      {state !== null && <span class="hint"> {state}</span>}
      {hours && (
        <>
          <br />
          {(hours.isFree ? fairUse.free : fairUse.hours)(say.near(hours.until))}
        </>
      )}
    </p>
  );
}
