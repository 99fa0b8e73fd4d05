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
import { type Column, Table } from "../../../pages/parts/table.tsx";
import type { StaffVisit } from "../../guard.ts";
import { NeedsSomeone } from "./needs-someone.tsx";
import { personHref } from "./phrases.ts";

/** What was found about single subscribers; undefined: not for this member of staff to see. */
export interface Found {
  readonly devices: readonly NewDevice[] | undefined;
  readonly renewals: readonly FailingRenewal[] | undefined;
  readonly houses: readonly SharedName[] | undefined;
  readonly typing: readonly TypingMistake[] | undefined;
}

/** What needs somebody, and every finding about subscribers, a table each. */
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
  return (
    <div class="stack">
      <h1>{page.title}</h1>
      <NeedsSomeone visit={visit} items={needs} />
      {found.devices && <Devices visit={visit} rows={found.devices} />}
      {found.renewals && <Renewals visit={visit} rows={found.renewals} />}
      {found.houses && <Houses visit={visit} rows={found.houses} />}
      {found.typing && <Typing visit={visit} rows={found.typing} />}
    </div>
  );
}

interface RowsOf<T> {
  readonly visit: StaffVisit;
  readonly rows: readonly T[];
}

interface SectionProps {
  readonly visit: StaffVisit;
  readonly id: string;
  readonly title: string;
  readonly lead: string;
  readonly columns: readonly Column[];
  readonly count: number;
  readonly children: Child;
}

function Section({ visit: { view }, id, title, lead, columns, count, children }: SectionProps) {
  const heading = (
    <>
      {title} <Count>{view.format.number(count)}</Count>
    </>
  );
  return (
    <Card id={id} title={heading} lead={lead}>
      {count === 0 ? (
        <p class="hint">{view.words.findings.page.none}</p>
      ) : (
        <Table caption={title} columns={columns}>
          {children}
        </Table>
      )}
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

function Devices({ visit, rows }: RowsOf<NewDevice>) {
  const { format, words, now } = visit.view;
  const { page } = words.findings;
  const columns = [
    { title: page.name },
    { title: page.device },
    { title: page.known, low: true },
    { title: page.router, low: true },
    { title: page.times, end: true },
    { title: page.last, end: true },
  ];
  return (
    <Section
      {...{ visit, columns, id: "devices", title: page.devices, lead: page.devicesHint, count: rows.length }}
    >
      {rows.map((row) => (
        <tr>
          <td>
            <Person id={row.subscriberId} name={row.name} />
          </td>
          <td class="mono">{row.mac}</td>
          <td class="mono low">{row.known}</td>
          <td class="low">{row.nasName}</td>
          <td class="end">{format.number(row.attempts)}</td>
          <td class="end">{format.timeNear(row.lastAt, now)}</td>
        </tr>
      ))}
    </Section>
  );
}

function Renewals({ visit, rows }: RowsOf<FailingRenewal>) {
  const { format, words, now } = visit.view;
  const { page } = words.findings;
  const columns = [
    { title: page.due },
    { title: page.name },
    { title: page.package, low: true },
    { title: page.short, end: true },
    ...(may(visit.by, "payment_take") ? [{ title: <span class="unseen">{page.take}</span>, end: true }] : []),
  ];
  return (
    <Section
      {...{
        visit,
        columns,
        id: "renewals",
        title: page.renewals,
        lead: page.renewalsHint,
        count: rows.length,
      }}
    >
      {rows.map((row) => (
        <tr>
          <td>{format.timeNear(row.expiresAt, now)}</td>
          <td>
            <Person id={row.subscriberId} name={row.name} />
          </td>
          <td class="low">{row.packageName}</td>
          <td class="end">{format.sum(row.short, setting(visit.db, "currency", row.ispId))}</td>
          {may(visit.by, "payment_take") && (
            <td class="end">
              <Button href={`${personHref(row.subscriberId)}/pay`} size="small" drawer>
                {page.take}
              </Button>
            </td>
          )}
        </tr>
      ))}
    </Section>
  );
}

function Houses({ visit, rows }: RowsOf<SharedName>) {
  const { format, words, now } = visit.view;
  const { page } = words.findings;
  const columns = [
    { title: page.name },
    { title: page.how, low: true },
    { title: page.devicesOf },
    { title: page.last, end: true, low: true },
  ];
  return (
    <Section
      {...{ visit, columns, id: "houses", title: page.houses, lead: page.housesHint, count: rows.length }}
    >
      {rows.map((row) => (
        <tr>
          <td>
            <Person id={row.subscriberId} name={row.name} />
          </td>
          <td class="low">{page.sign[row.sign]}</td>
          <td>
            {row.houses.map(({ mac, nasName, port }) => (
              <span class="house">
                <span class="mono">{mac}</span>{" "}
                <span class="hint">{[nasName, port].filter((one) => one !== null).join(" · ")}</span>
              </span>
            ))}
          </td>
          <td class="end low">{format.timeNear(row.houses[0]?.lastAt ?? now, now)}</td>
        </tr>
      ))}
    </Section>
  );
}

function Typing({ visit, rows }: RowsOf<TypingMistake>) {
  const { format, words, now } = visit.view;
  const { page } = words.findings;
  const columns = [
    { title: page.typed },
    { title: page.meant },
    { title: page.router, low: true },
    { title: page.times, end: true },
    { title: page.last, end: true },
  ];
  return (
    <Section
      {...{ visit, columns, id: "typing", title: page.typing, lead: page.typingHint, count: rows.length }}
    >
      {rows.map((row) => (
        <tr>
          <td class="mono">
            <bdi>{row.username}</bdi>
          </td>
          <td>
            <a href={personHref(row.meant.subscriberId)}>
              <bdi>{row.meant.username}</bdi>
            </a>{" "}
            <span class="hint">{row.meant.name}</span>
          </td>
          <td class="low">{row.nasName}</td>
          <td class="end">{format.number(row.attempts)}</td>
          <td class="end">{format.timeNear(row.lastAt, now)}</td>
        </tr>
      ))}
    </Section>
  );
}
