import type { Child } from "hono/jsx";
import { isSetupOpen } from "../../../../domain/machine/setup/setup.ts";
import { may, ownIsp } from "../../../../domain/core/actor/actor.ts";
import { Icon } from "../../../pages/icons.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import { Dot } from "../../../pages/parts/chip.tsx";
import { Empty } from "../../../pages/parts/empty.tsx";
import type { StaffVisit } from "../../guard.ts";
import { listPlaces } from "../../places.ts";
import { Expirations, TakenDays } from "./days.tsx";
import { Figures } from "./figures.tsx";
import { ExpireToday, Rejected } from "./lists.tsx";
import { lists } from "./links.ts";
import { Needs, NeedsLater } from "./needs-someone.tsx";
import { PlotCard } from "./plot.tsx";
import { Routers } from "./routers.tsx";
import { seesRouters } from "../../parts/may.ts";

interface Part {
  readonly show: (props: { visit: StaffVisit }) => Child;
  /** Hidden from others. */
  readonly isFor: (visit: StaffVisit) => boolean;
  /** A placeholder for what is slow to find. */
  readonly first?: (props: { visit: StaffVisit }) => Child;
}

const has = (flag: string) => (visit: StaffVisit) => may(visit.by, flag);

/** Each updates itself. */
export const parts = {
  figures: { show: Figures, isFor: () => true },
  plot: { show: PlotCard, isFor: ({ by }) => seesRouters(by) },
  needs: { show: Needs, isFor: has("subscriber_view"), first: NeedsLater },
  taken: {
    show: TakenDays,
    isFor: ({ db, by }) => may(by, "payment_view") && ownIsp(db, by.scope) !== null,
  },
  expirations: { show: Expirations, isFor: has("subscriber_view") },
  expire: { show: ExpireToday, isFor: has("subscriber_view") },
  rejected: { show: Rejected, isFor: has("session_view") },
  routers: { show: Routers, isFor: ({ by }) => seesRouters(by) },
} satisfies Record<string, Part>;

type PartName = keyof typeof parts;

const rows: readonly { readonly kind: string; readonly names: readonly PartName[] }[] = [
  { kind: "wide", names: ["plot", "needs"] },
  { kind: "even", names: ["taken", "expirations"] },
  { kind: "even", names: ["expire", "rejected", "routers"] },
];

export function Today({ visit }: { visit: StaffVisit }) {
  const { view, by, now } = visit;
  const { today } = view.words;
  return (
    <>
      <header class="page-head">
        <h1>{today.title}</h1>
        <span class="hint">{view.format.wholeTime(now)}</span>
        <span class="chip good no-print">
          <Dot state="online" />
          {today.live}
        </span>
        <div class="actions">
          {may(by, "closing_own") && by.scope.salespersonId === null && (
            <Button href={lists.closing} icon="money">
              {today.closeDay}
            </Button>
          )}
        </div>
      </header>
      <div class="today">
        {isSetupOpen(visit.db, by) && (
          <p class="note wait">
            <Icon name="alert" />
            <span>
              {today.setupOpen} <a href="/console/start">{today.setupGoOn}</a>
            </span>
          </p>
        )}
        {listPlaces(by).flat().length === 1 && (
          <div class="card">
            <Empty icon="today" title={today.empty} text={today.emptyText} />
          </div>
        )}
        <TodayPart visit={visit} name="figures" />
        {rows.map(({ kind, names }) => {
          const visible = names.filter((name) => parts[name].isFor(visit));
          if (visible.length === 0) return null;
          return (
            <div class={`today-row ${kind} of-${visible.length}`}>
              {visible.map((name) => (
                <TodayPart visit={visit} name={name} />
              ))}
            </div>
          );
        })}
      </div>
    </>
  );
}

function TodayPart({ visit, name }: { visit: StaffVisit; name: PartName }) {
  const { show, first }: Part = parts[name];
  const Show = first ?? show;
  return <Show visit={visit} />;
}
