import { deliveryStates } from "../../../../../db/schema.ts";
import { type Delivery, listDeliveries } from "../../../../domain/around/webhooks/deliveries.ts";
import type { Endpoint } from "../../../../domain/around/webhooks/endpoints.ts";
import { endpointHealth, type EndpointHealth } from "../../../../domain/around/webhooks/health.ts";
import { FormToken } from "../../../pages/document.tsx";
import { Action, Button } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Chip, type Tone } from "../../../pages/parts/chip.tsx";
import { Empty } from "../../../pages/parts/empty.tsx";
import { Facts } from "../../../pages/parts/facts.tsx";
import { Table } from "../../../pages/parts/table.tsx";
import { Segments } from "../../../pages/parts/tabs.tsx";
import { page } from "../../answers.tsx";
import { drawerLink } from "../../frame.tsx";
import type { StaffVisit } from "../../guard.ts";
import { Older, pageOf } from "../../log.tsx";
import { SettingsFrame } from "../settings/head.tsx";
import { TrailLink } from "../trail/link.tsx";
import { Goes } from "./goes.tsx";
import { EVERYTHING, hookHref, hookOf, hostOf, typesOf } from "./shown.ts";

/** One webhook: how it goes, what was sent, and what can be done with it. */
export function showWebhook(visit: StaffVisit): Response {
  const { db, by, view } = visit;
  const endpoint = hookOf(visit);
  const health = endpointHealth(db, by, { id: endpoint.id });
  return page(
    visit,
    <SettingsFrame
      visit={visit}
      current="webhooks"
      title={view.format.name(hostOf(endpoint))}
      actions={<Buttons visit={visit} endpoint={endpoint} health={health} />}
    >
      <Goes visit={visit} endpoint={endpoint} health={health} />
      <div class="columns">
        <Deliveries visit={visit} endpoint={endpoint} />
        <About visit={visit} endpoint={endpoint} />
      </div>
      {health.fresh > 0 && <Soon href={hookHref(endpoint)} sent={health.fresh} />}
    </SettingsFrame>,
  );
}

/** Looks once more in a moment: what is on its way has been answered then. */
function Soon({ href, sent }: { href: string; sent: number }) {
  const look = { "hx-get": href, "hx-trigger": "load delay:2s", "hx-target": "#content" };
  return <div id={`hook-soon-${sent}`} {...look} hx-select="#content" hx-swap="outerMorph" />;
}

interface Props {
  visit: StaffVisit;
  endpoint: Endpoint;
}

function Buttons({ visit, endpoint, health }: Props & { health: EndpointHealth }) {
  const { view, formToken } = visit;
  const { webhooks } = view.words;
  const href = hookHref(endpoint);
  const isOff = endpoint.disabledAt !== null;
  const isFirst = health.last === null && health.fresh === 0;
  return (
    <>
      {!isOff && (
        <Action
          action={`${href}/test`}
          formToken={formToken}
          icon="play"
          kind={isFirst ? "solid" : "outline"}
        >
          {webhooks.test}
        </Action>
      )}
      <Button href={`${href}/edit`} icon="edit">
        {webhooks.edit}
      </Button>
      {!isOff && (
        <Button href={`${href}/disable`} icon="power" kind="danger" drawer>
          {webhooks.disable}
        </Button>
      )}
      <Button href={`${href}/delete`} kind="danger" drawer>
        {webhooks.delete}
      </Button>
    </>
  );
}

function About({ visit, endpoint }: Props) {
  const { view, now, formToken } = visit;
  const { webhooks } = view.words;
  const { format } = view;
  const href = hookHref(endpoint);
  const { formerUntil } = endpoint;
  const isRotating = formerUntil !== null && formerUntil > now;
  return (
    <Card title={webhooks.where} aside={<TrailLink visit={visit} entity="webhook" entityId={endpoint.id} />}>
      <div class="stack-small">
        <Facts
          facts={[
            [webhooks.address, <bdi class="hook-address">{endpoint.url}</bdi>],
            [webhooks.note, endpoint.note && <bdi>{endpoint.note}</bdi>],
            [
              webhooks.hears,
              <ul>
                {typesOf(endpoint).map((type) => (
                  <li>{type === EVERYTHING ? webhooks.everything : type}</li>
                ))}
              </ul>,
            ],
            [webhooks.localFact, endpoint.allowLocal === 1 ? webhooks.localYes : null],
            [webhooks.made, format.timeNear(endpoint.createdAt, now)],
            [
              webhooks.secretFact,
              isRotating ? webhooks.signedTwice(format.timeNear(formerUntil, now)) : webhooks.secretKept,
            ],
          ]}
        />
        <div class="actions">
          <form method="post" action={`${href}/secret`}>
            <FormToken value={formToken} />
            <Button size="small" icon="key">
              {webhooks.secret}
            </Button>
          </form>
          <Button href={`${href}/rotate`} size="small" icon="renew" drawer>
            {webhooks.rotate}
          </Button>
        </div>
      </div>
    </Card>
  );
}

const tones = { waiting: "warn", failed: "bad", cancelled: "quiet" } as const satisfies Record<string, Tone>;

function Deliveries({ visit, endpoint }: Props) {
  const { db, by, query, view } = visit;
  const { webhooks } = view.words;
  const href = hookHref(endpoint);
  const state = deliveryStates.find((one) => one === query.get("state"));
  const { rows, more } = pageOf(query, (paging) =>
    listDeliveries(db, by, { endpointId: endpoint.id, state }, paging),
  );
  const tabs = [undefined, ...deliveryStates].map((one) => ({
    href: one === undefined ? href : `${href}?state=${one}`,
    label: one === undefined ? webhooks.all : webhooks.states[one],
    current: one === state,
  }));
  return (
    <div class="stack">
      <div class="hook-bar">
        <h2>{webhooks.deliveries}</h2>
        <span class="hint">{webhooks.deliveriesLead}</span>
        <Segments label={webhooks.view} tabs={tabs} />
      </div>
      {rows.length === 0 ? (
        <section class="card">
          <Empty icon="swap" title={webhooks.noDeliveries} text={webhooks.noDeliveriesText} />
        </section>
      ) : (
        <Rows visit={visit} rows={rows} />
      )}
      <Older view={view} href={href} query={query} last={more ? rows.at(-1)?.id : undefined} />
    </div>
  );
}

function Rows({ visit: { view, now }, rows }: { visit: StaffVisit; rows: readonly Delivery[] }) {
  const { webhooks } = view.words;
  const { format } = view;
  const columns = [
    { title: webhooks.time },
    { title: webhooks.event },
    { title: webhooks.subscriber, low: true },
    { title: webhooks.state },
    { title: webhooks.attempts, end: true },
    { title: webhooks.ended },
  ];
  return (
    <Table caption={webhooks.deliveries} columns={columns} kind="short-rows">
      {rows.map((row) => {
        const open = `${hookHref({ id: row.endpointId })}/deliveries/${row.id}`;
        return (
          <tr>
            <td class="soft-text when">{format.timeNear(row.at, now)}</td>
            <td class="lead">
              <a href={open} {...drawerLink(open)}>
                {row.type}
              </a>
            </td>
            <td class="low">
              {row.subscriberId !== null && (
                <a href={`/console/subscribers/${row.subscriberId}`}>{row.subscriberId}</a>
              )}
            </td>
            <td>
              <State view={view} row={row} />
            </td>
            <td class="end">{format.number(row.attempts)}</td>
            <td class="soft-text">
              {row.state === "waiting"
                ? webhooks.next(format.timeNear(row.nextAt, now))
                : format.timeNear(row.endedAt ?? row.at, now)}
            </td>
          </tr>
        );
      })}
    </Table>
  );
}

function State({ view, row: { state } }: { view: StaffVisit["view"]; row: Delivery }) {
  const said = view.words.webhooks.stateWords[state];
  return state === "delivered" ? (
    <span class="soft-text">{said}</span>
  ) : (
    <Chip tone={tones[state]}>{said}</Chip>
  );
}
