import type { Diagnosis } from "../../../../domain/desk/diagnosis/diagnosis-kinds.ts";
import { standings } from "../../../../domain/service/box-standing/standing.ts";
import { readRate } from "../../../../domain/goods/packages/rate-limit.ts";
import type { SessionInScope } from "../../../../domain/service/sessions/in-scope.ts";
import { makerIn } from "../../parts/device.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Facts } from "../../../pages/parts/facts.tsx";
import { ShareBar } from "../../../pages/parts/bar.tsx";
import { Rate, type RatePoint } from "../../../pages/charts/rate.tsx";
import { FormAction } from "./form-action.tsx";
import { can, shownSessions, type PageContext } from "./context.ts";

const DAY = 86_400;
const HOUR = 3600;

export function LiveCard({ context, diagnosis }: { context: PageContext; diagnosis: Diagnosis }) {
  const { head, visit } = context;
  const { live } = visit.view.words.subscriber;
  if (head.open.length === 0)
    return (
      <Card title={live.none} lead={<LastOne context={context} />}>
        <DayChart context={context} diagnosis={diagnosis} />
      </Card>
    );
  const [newest] = head.open;
  const { format } = visit.view;
  const heardAt = newest?.session.updatedAt ?? visit.now;
  const cutOff = standings(visit.db, visit.now).find(
    ({ id, state }) => id === newest?.session.viaBox && state === "cut_off",
  );
  const lead = cutOff
    ? live.asHeard(format.timeNear(heardAt, visit.now), cutOff.name)
    : live.heard(format.duration(Math.max(0, visit.now - heardAt)));
  return (
    <Card title={live.title} lead={lead}>
      {head.open.map((one) => (
        <Session context={context} one={one} />
      ))}
      <DayChart context={context} diagnosis={diagnosis} />
    </Card>
  );
}

function LastOne({ context: { head, visit, phrases } }: { context: PageContext }) {
  const { live } = visit.view.words.subscriber;
  if (head.last === null) return <>{live.never}</>;
  const { startedAt, stoppedAt, updatedAt, outputOctets, inputOctets } = head.last.session;
  const end = stoppedAt ?? updatedAt;
  const lasted = phrases.lasted(Math.max(0, end - startedAt));
  return (
    <>
      {live.last(
        phrases.near(startedAt),
        phrases.near(end),
        lasted,
        phrases.bytes(outputOctets),
        phrases.bytes(inputOctets),
      )}
    </>
  );
}

function Session({ context, one: { session, nasName } }: { context: PageContext; one: SessionInScope }) {
  const { visit, phrases, head } = context;
  const { live } = visit.view.words.subscriber;
  const maker = session.mac === null ? null : makerIn(visit.view.words, session.mac);
  return (
    <div class="halves ruled">
      <Rates context={context} session={session} />
      <Facts
        facts={[
          [live.since, phrases.near(session.startedAt)],
          [live.address, session.framedIp ?? session.framedIpv6Prefix],
          [
            live.device,
            session.mac === null ? null : (
              <>
                <span class="mono">{session.mac}</span> {maker}
              </>
            ),
          ],
          [live.router, <bdi>{nasName ?? session.nasAddress}</bdi>],
          [live.port, session.nasPortId],
          [live.data, `${phrases.bytes(session.outputOctets)} / ${phrases.bytes(session.inputOctets)}`],
        ]}
      />
      {head.open.length > 1 && can(context, "subscriber_disconnect") && (
        <FormAction context={context} to="disconnect" size="small" fields={{ session: session.id }}>
          {live.end}
        </FormAction>
      )}
    </div>
  );
}

function Rates({
  context: { head, visit },
  session,
}: {
  context: PageContext;
  session: SessionInScope["session"];
}) {
  const { live } = visit.view.words.subscriber;
  const { format } = visit.view;
  const limit = readRate(head.service?.rateLimit ?? null)?.rate ?? { down: 0, up: 0 };
  // input and output as the router sees the line
  const both = [
    [live.down, session.rateOutput, limit.down],
    [live.up, session.rateInput, limit.up],
  ] as const;
  return (
    <dl class="stack near">
      {both.map(([label, rate, most]) => (
        <div>
          <dt class="label">{label}</dt>
          <dd>
            <strong class="loud">{rate === null ? "–" : format.bits(rate)}</strong>{" "}
            <span class="hint">
              {rate === null ? live.waiting : most > 0 && live.package(format.bits(most))}
            </span>
            {rate !== null && most > 0 && (
              <ShareBar share={rate / most} label={live.of(format.bits(rate), format.bits(most))} />
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function DayChart({ context, diagnosis }: { context: PageContext; diagnosis: Diagnosis }) {
  const { head, visit, phrases } = context;
  const { view, now } = visit;
  const { live } = view.words.subscriber;
  const { format } = view;
  const sessions = shownSessions(head)
    .filter(({ session }) => (session.stoppedAt ?? now) > now - DAY)
    .toSorted((a, b) => a.session.startedAt - b.session.startedAt);
  const newest = sessions.at(-1);
  if (!newest) return null;
  const from = Math.max(now - DAY, (sessions[0]?.session.startedAt ?? now) - HOUR);
  const end = head.open.length > 0 ? undefined : (newest.session.stoppedAt ?? undefined);
  const limit = readRate(head.service?.rateLimit ?? null)?.rate.down || undefined;
  const refusal =
    "run" in diagnosis && diagnosis.run.since > from && !diagnosis.run.accepted
      ? diagnosis.run.since
      : undefined;
  return (
    <Rate
      description={live.dayOf(sessions.length)}
      from={from}
      to={now}
      points={sessions.flatMap((one) => ratePoints(one, from))}
      {...(limit !== undefined && { limit: { value: limit, text: live.package(format.bits(limit)) } })}
      spans={end === undefined ? [] : [{ from: end, to: now, mood: "bad" }]}
      moments={
        refusal === undefined
          ? []
          : [{ at: refusal, text: live.firstRefusal(phrases.near(refusal)), mood: "bad" }]
      }
      format={{
        value: (bits) => format.rate(bits),
        clock: (at) => format.near(at, at),
        date: (at) => format.longDay(at),
        time: (at) => format.weekTime(at),
      }}
      words={{ table: live.table, when: live.when, down: live.down, up: live.up }}
      caption={live.means}
    />
  );
}

function ratePoints({ session }: SessionInScope, from: number): RatePoint[] {
  const { startedAt, stoppedAt, updatedAt, inputOctets, outputOctets } = session;
  const end = Math.max(startedAt + 1, stoppedAt ?? updatedAt);
  const mean = (octets: number) => (octets * 8) / (end - startedAt);
  // input and output as the router sees the line
  const flat = { down: mean(outputOctets), up: mean(inputOctets) };
  return [
    { at: Math.max(from, startedAt), ...flat },
    { at: end, ...flat },
    { at: end, down: null, up: null },
  ];
}
