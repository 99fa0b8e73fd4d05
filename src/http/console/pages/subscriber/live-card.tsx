import type { Matter } from "../../../../domain/desk/matter/matter-kinds.ts";
import { standings } from "../../../../domain/service/box-standing/standing.ts";
import { readRate } from "../../../../domain/goods/packages/rate-limit.ts";
import type { SessionInScope } from "../../../../domain/service/sessions/in-scope.ts";
import { makerOf } from "../../../../domain/goods/devices/maker.ts";
import { Card } from "../../../pages/parts/card.tsx";
import { Facts } from "../../../pages/parts/facts.tsx";
import { ShareBar } from "../../../pages/parts/bar.tsx";
import { DayChart } from "./day-chart.tsx";
import { FormAction } from "./form-action.tsx";
import { can, type Shown } from "./shown.ts";

/** What is open now, as last heard. */
export function LiveCard({ shown, matter }: { shown: Shown; matter: Matter }) {
  const { head, visit } = shown;
  const { live } = visit.view.words.subscriber;
  if (head.open.length === 0)
    return (
      <Card title={live.none} lead={<LastOne shown={shown} />}>
        <DayChart shown={shown} matter={matter} />
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
        <Session shown={shown} one={one} />
      ))}
      <DayChart shown={shown} matter={matter} />
    </Card>
  );
}

function LastOne({ shown: { head, visit, say } }: { shown: Shown }) {
  const { live } = visit.view.words.subscriber;
  if (head.last === null) return <>{live.never}</>;
  const { startedAt, stoppedAt, updatedAt, outputOctets, inputOctets } = head.last.session;
  const end = stoppedAt ?? updatedAt;
  const lasted = say.lasted(Math.max(0, end - startedAt));
  return (
    <>
      {live.last(say.near(startedAt), say.near(end), lasted, say.bytes(outputOctets), say.bytes(inputOctets))}
    </>
  );
}

function Session({ shown, one: { session, nasName } }: { shown: Shown; one: SessionInScope }) {
  const { visit, say, head } = shown;
  const { live } = visit.view.words.subscriber;
  const maker = session.mac === null ? null : makerOf(session.mac);
  return (
    <div class="live-session">
      <Rates shown={shown} session={session} />
      <Facts
        facts={[
          [live.since, say.near(session.startedAt)],
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
          [live.data, `${say.bytes(session.outputOctets)} / ${say.bytes(session.inputOctets)}`],
        ]}
      />
      {head.open.length > 1 && can(shown, "subscriber_disconnect") && (
        <FormAction shown={shown} to="disconnect" size="small" fields={{ session: session.id }}>
          {live.end}
        </FormAction>
      )}
    </div>
  );
}

function Rates({ shown: { head, visit }, session }: { shown: Shown; session: SessionInScope["session"] }) {
  const { live } = visit.view.words.subscriber;
  const { format } = visit.view;
  const limit = readRate(head.service?.rateLimit ?? null)?.rate ?? { down: 0, up: 0 };
  // input and output are the router's: from and to the subscriber
  const both = [
    [live.down, session.rateOutput, limit.down],
    [live.up, session.rateInput, limit.up],
  ] as const;
  return (
    <dl class="live-rates">
      {both.map(([label, rate, most]) => (
        <div>
          <dt class="label">{label}</dt>
          <dd>
            <strong>{rate === null ? "–" : format.bits(rate)}</strong>{" "}
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
