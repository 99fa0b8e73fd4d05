import type { DecisionsNow } from "../../../../domain/service/access/decisions.ts";
import type { MinuteNow } from "../../../../domain/money/sums/traffic-now.ts";
import { Rate } from "../../../pages/charts/rate.tsx";
import { PlotKeys } from "../../../pages/charts/plot.tsx";
import { Icon } from "../../../pages/icons.tsx";
import { ShareBar } from "../../../pages/parts/bar.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { cachedFigures } from "../../figures.ts";
import type { StaffVisit } from "../../guard.ts";
import { type LoginsQuery, loginsHref, partHref } from "./query.ts";
import { reasonName } from "../../parts/phrases.ts";

interface SideProps {
  visit: StaffVisit;
  query: LoginsQuery;
  hour: DecisionsNow;
  minutes: readonly MinuteNow[];
}

export function Side(props: SideProps) {
  const { visit, query } = props;
  return (
    <div
      id="logins-side"
      data-live="logins"
      data-every="10"
      data-hold
      hx-get={partHref(query, "side")}
      hx-trigger="refresh"
      hx-target="this"
      hx-swap="outerMorph"
    >
      <Reasons {...props} />
      {props.minutes.length > 0 && <Minutes {...props} />}
      {props.hour.guessing && <Guessing visit={visit} guessing={props.hour.guessing} query={query} />}
    </div>
  );
}

function Reasons({ visit, query, hour: { since, isWhole, rejected, accepted, confined } }: SideProps) {
  const { view } = visit;
  const { side } = view.words.logins;
  const { format } = view;
  const all = rejected.reduce((sum, { logins }) => sum + logins, 0);
  const most = rejected[0]?.logins ?? 1;
  return (
    <Card
      title={isWhole ? side.title : side.since(cachedFigures(view).time(since))}
      aside={<strong class="ink">{format.number(all)}</strong>}
    >
      <ul class="reasons">
        {rejected.map(({ reason, logins }) => (
          <li>
            <a
              href={loginsHref(query, {
                reason: query.reason === reason ? undefined : reason,
                accepted: undefined,
              })}
              {...(query.reason === reason && { "aria-current": "true" as const })}
            >
              <span>{reasonName(view, reason)}</span>
              <strong>{format.number(logins)}</strong>
              <ShareBar share={logins / most} tone="bad" label={format.percent(logins / Math.max(1, all))} />
            </a>
          </li>
        ))}
      </ul>
      <p class="hint">{all === 0 ? side.nothing(accepted) : side.press(accepted, confined)}</p>
    </Card>
  );
}

function Minutes({ visit: { view }, minutes }: SideProps) {
  const { side } = view.words.logins;
  const { format } = view;
  const figures = cachedFigures(view);
  const [first, last] = [minutes[0], minutes.at(-1)];
  if (!first || !last) return null;
  const now = (of: (minute: MinuteNow) => number) => format.number(of(last));
  return (
    <Card
      title={side.minute}
      aside={
        <PlotKeys
          keys={[
            { mark: "s1", text: side.in },
            { mark: "s5", text: side.refused },
          ]}
        />
      }
    >
      <Rate
        kind="logins"
        description={side.chart(
          now(({ accepted }) => accepted),
          now(({ rejected }) => rejected),
        )}
        from={first.at}
        to={last.at}
        points={minutes.map(({ at, accepted, rejected }) => ({ at, down: accepted, up: rejected }))}
        least={10}
        format={{
          value: (value) => format.number(value),
          clock: (at) => figures.time(at),
          date: (at) => figures.day(at),
          time: (at) => figures.time(at),
        }}
        words={{ table: side.table, when: side.when, down: side.in, up: side.refused }}
        caption={side.now(now(({ accepted, rejected }) => accepted + rejected))}
      />
    </Card>
  );
}

interface GuessingProps {
  visit: StaffVisit;
  query: LoginsQuery;
  guessing: NonNullable<DecisionsNow["guessing"]>;
}

function Guessing({
  visit: { view },
  query,
  guessing: { mac, nasName, names, firstAt, lastAt },
}: GuessingProps) {
  const { guessing } = view.words.logins;
  const time = view.format.duration(lastAt - firstAt);
  const count = view.format.number(names);
  return (
    <section class="card warn-card">
      <Icon name="shield" />
      <div>
        <h2>{guessing.title}</h2>
        <p>
          {nasName === null ? guessing.text(mac, count, time) : guessing.on(mac, nasName, count, time)}{" "}
          <a href={loginsHref(query, { mac, username: undefined, reason: undefined, accepted: undefined })}>
            {guessing.who}
          </a>
        </p>
      </div>
    </section>
  );
}
