import type { Child } from "hono/jsx";
import type { FailingRenewal } from "../../../../domain/around/findings/failing-renewals.ts";
import type { Need } from "../../../../domain/machine/check/needs-someone.ts";
import type { NewDevice } from "../../../../domain/around/findings/new-devices.ts";
import type { SharedName } from "../../../../domain/around/findings/two-houses.ts";
import type { TypingMistake } from "../../../../domain/around/findings/typing-mistakes.ts";
import { setting } from "../../../../domain/core/settings/settings.ts";
import { may } from "../../../../domain/core/actor/actor.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Count } from "../../../pages/parts/chip.tsx";
import type { StaffVisit } from "../../guard.ts";
import { list, type ListColumn } from "../../parts/list.tsx";
import { NeedsSomeone } from "../../parts/needs-someone.tsx";
import { personHref } from "../../parts/hrefs.ts";

export interface Found {
  readonly devices: readonly NewDevice[] | undefined;
  readonly renewals: readonly FailingRenewal[] | undefined;
  readonly houses: readonly SharedName[] | undefined;
  readonly typing: readonly TypingMistake[] | undefined;
}

export function FindingsPage({
  visit,
  needs,
  found,
}: {
  visit: StaffVisit;
  needs: readonly Need[];
  found: Found;
}) {
  const { page } = visit.view.words.findings;
  const { devices, renewals, houses, typing } = found;
  return (
    <div class="stack">
      <h1>{page.title}</h1>
      <NeedsSomeone visit={visit} items={needs} />
      {devices && (
        <Section
          visit={visit}
          id="devices"
          title={page.devices}
          lead={page.devicesHint}
          count={devices.length}
        >
          <Devices visit={visit} rows={devices} />
        </Section>
      )}
      {renewals && (
        <Section
          visit={visit}
          id="renewals"
          title={page.renewals}
          lead={page.renewalsHint}
          count={renewals.length}
        >
          <Renewals visit={visit} rows={renewals} />
        </Section>
      )}
      {houses && (
        <Section visit={visit} id="houses" title={page.houses} lead={page.housesHint} count={houses.length}>
          <Houses visit={visit} rows={houses} />
        </Section>
      )}
      {typing && (
        <Section visit={visit} id="typing" title={page.typing} lead={page.typingHint} count={typing.length}>
          <Typing visit={visit} rows={typing} />
        </Section>
      )}
    </div>
  );
}

interface SectionProps {
  readonly visit: StaffVisit;
  readonly id: string;
  readonly title: string;
  readonly lead: string;
  readonly count: number;
  readonly children: Child;
}

function Section({ visit: { view }, id, title, lead, count, children }: SectionProps) {
  const heading = (
    <>
      {title} <Count>{view.format.number(count)}</Count>
    </>
  );
  return (
    <Card id={id} title={heading} lead={lead}>
      {children}
    </Card>
  );
}

function Person({ id, name }: { id: number; name: string }) {
  return (
    <a href={personHref(id)}>
      <bdi>{name}</bdi>
    </a>
  );
}

export const Devices = list<NewDevice>(({ view: { words, format }, now }) => {
  const { page } = words.findings;
  return {
    name: page.devices,
    columns: [
      {
        title: page.name,
        cell: ({ subscriberId, name }) => <Person id={subscriberId} name={name} />,
        narrow: "lead",
      },
      { title: page.device, cell: ({ mac }) => mac, kind: "mono" },
      { title: page.known, cell: ({ known }) => known, narrow: "low", kind: "mono" },
      { title: page.router, cell: ({ nasName }) => nasName, narrow: "low" },
      {
        title: page.times,
        cell: ({ attempts }) => format.number(attempts),
        word: page.timesWord,
        end: true,
        narrow: "sum",
      },
      { title: page.last, cell: ({ lastAt }) => format.timeNear(lastAt, now), end: true },
    ],
    empty: page.none,
  };
});

export const Renewals = list<FailingRenewal>(({ db, by, view: { words, format }, now }) => {
  const { page } = words.findings;
  const take: ListColumn<FailingRenewal> = {
    title: <span class="unseen">{page.take}</span>,
    cell: ({ subscriberId }) => (
      <Button href={`${personHref(subscriberId)}/pay`} size="small" drawer>
        {page.take}
      </Button>
    ),
    end: true,
    narrow: "act",
  };
  return {
    name: page.renewals,
    columns: [
      { title: page.due, cell: ({ expiresAt }) => format.timeNear(expiresAt, now) },
      {
        title: page.name,
        cell: ({ subscriberId, name }) => <Person id={subscriberId} name={name} />,
        narrow: "lead",
      },
      { title: page.package, cell: ({ packageName }) => packageName, narrow: "low" },
      {
        title: page.short,
        cell: ({ short, ispId }) => format.sum(short, setting(db, "currency", ispId)),
        end: true,
        narrow: "sum",
      },
      ...(may(by, "payment_take") ? [take] : []),
    ],
    empty: page.none,
  };
});

export const Houses = list<SharedName>(({ view: { words, format }, now }) => {
  const { page } = words.findings;
  const devices = ({ houses }: SharedName) =>
    houses.map(({ mac, nasName, port }) => (
      <span class="line">
        <span class="mono">{mac}</span>{" "}
        <span class="hint">{[nasName, port].filter((one) => one !== null).join(" · ")}</span>
      </span>
    ));
  return {
    name: page.houses,
    columns: [
      {
        title: page.name,
        cell: ({ subscriberId, name }) => <Person id={subscriberId} name={name} />,
        narrow: "lead",
      },
      { title: page.how, cell: ({ sign }) => page.sign[sign], narrow: "low" },
      { title: page.devicesOf, cell: (row) => <>{devices(row)}</> },
      {
        title: page.last,
        cell: ({ houses }) => format.timeNear(houses[0]?.lastAt ?? now, now),
        end: true,
        narrow: "low",
      },
    ],
    empty: page.none,
  };
});

export const Typing = list<TypingMistake>(({ view: { words, format }, now }) => {
  const { page } = words.findings;
  return {
    name: page.typing,
    columns: [
      {
        title: page.typed,
        cell: ({ username }) => <bdi>{username}</bdi>,
        narrow: "lead",
        kind: "mono",
      },
      {
        title: page.meant,
        cell: ({ meant: { subscriberId, username, name } }) => (
          <>
            <a href={personHref(subscriberId)}>
              <bdi>{username}</bdi>
            </a>{" "}
            <span class="hint">{name}</span>
          </>
        ),
      },
      { title: page.router, cell: ({ nasName }) => nasName, narrow: "low" },
      {
        title: page.times,
        cell: ({ attempts }) => format.number(attempts),
        word: page.timesWord,
        end: true,
        narrow: "sum",
      },
      { title: page.last, cell: ({ lastAt }) => format.timeNear(lastAt, now), end: true },
    ],
    empty: page.none,
  };
});
