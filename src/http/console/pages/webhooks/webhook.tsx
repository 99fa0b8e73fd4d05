import { deliveryStates } from "../../../../../db/schema.ts";
import { type Delivery, listDeliveries } from "../../../../domain/around/webhooks/deliveries.ts";
import type { Endpoint } from "../../../../domain/around/webhooks/endpoints.ts";
import { endpointHealth, type EndpointHealth } from "../../../../domain/around/webhooks/health.ts";
import { FormToken } from "../../../pages/document.tsx";
import { Action, Button } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Chip, type Tone } from "../../../pages/parts/chip.tsx";
import { Facts } from "../../../pages/parts/facts.tsx";
import { page } from "../../answers.tsx";
import { drawerLink } from "../../frame.tsx";
import type { StaffVisit } from "../../guard.ts";
import { list } from "../../parts/list.tsx";
import { readPage } from "../../parts/pager.tsx";
import { RowButtons } from "../../parts/plain.tsx";
import { SettingsFrame } from "../../parts/settings-frame.tsx";
import { AuditLogLink } from "../../parts/audit-log-link.tsx";
import { Goes } from "./goes.tsx";
import { EVERYTHING, hookHost, parseTypes, readHook } from "./words.ts";
import { hookHref } from "../../parts/hrefs.ts";

export function showWebhook(visit: StaffVisit): Response {
  const { db, by, view } = visit;
  const endpoint = readHook(visit);
  const health = endpointHealth(db, by, endpoint);
  return page(
    visit,
    <SettingsFrame
      visit={visit}
      current="webhooks"
      title={view.format.name(hookHost(endpoint))}
      actions={<Buttons visit={visit} endpoint={endpoint} health={health} />}
    >
      <Goes visit={visit} endpoint={endpoint} health={health} />
      <div class="split">
        <Deliveries visit={visit} endpoint={endpoint} />
        <About visit={visit} endpoint={endpoint} />
      </div>
      {health.fresh > 0 && <Soon href={hookHref(endpoint)} sent={health.fresh} />}
    </SettingsFrame>,
  );
}

/** Looks again once the test should be answered. */
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
      <RowButtons href={href} words={webhooks} isOff={isOff}>
        {!isOff && (
          <Button href={`${href}/resend`} icon="renew" drawer>
            {webhooks.resend}
          </Button>
        )}
      </RowButtons>
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
    <Card
      title={webhooks.where}
      aside={<AuditLogLink visit={visit} entity="webhook" entityId={endpoint.id} />}
    >
      <div class="stack near">
        <Facts
          facts={[
            [webhooks.address, <bdi class="breaks">{endpoint.url}</bdi>],
            [webhooks.note, endpoint.note && <bdi>{endpoint.note}</bdi>],
            [
              webhooks.hears,
              <ul>
                {parseTypes(endpoint).map((type) => (
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
  const state = deliveryStates.find((one) => one === query.get("state"));
  const { rows, last } = readPage(query, (paging) =>
    listDeliveries(db, by, { endpointId: endpoint.id, state }, paging),
  );
  return (
    <div class="stack">
      <div class="row">
        <h2>{webhooks.deliveries}</h2>
        <span class="hint">{webhooks.deliveriesLead}</span>
      </div>
      <DeliveryList visit={visit} rows={rows} last={last} />
    </div>
  );
}

export const DeliveryList = list<Delivery>((visit) => {
  const { view, now } = visit;
  const { format, words } = view;
  const { webhooks } = words;
  return {
    name: webhooks.deliveries,
    filters: [
      {
        name: "state",
        kind: "views",
        label: webhooks.view,
        options: [
          { value: "", label: webhooks.all },
          ...deliveryStates.map((value) => ({ value, label: webhooks.states[value] })),
        ],
      },
    ],
    columns: [
      { title: webhooks.time, cell: ({ at }) => format.timeNear(at, now), kind: "soft-text when" },
      {
        title: webhooks.event,
        cell: ({ id, endpointId, type }) => {
          const open = `${hookHref({ id: endpointId })}/deliveries/${id}`;
          return (
            <a href={open} {...drawerLink(open)}>
              {type}
            </a>
          );
        },
        narrow: "lead",
      },
      {
        title: webhooks.subscriber,
        cell: ({ subscriberId: id }) => id !== null && <a href={`/console/subscribers/${id}`}>{id}</a>,
        narrow: "low",
      },
      { title: webhooks.state, cell: (row) => <State view={view} row={row} /> },
      { title: webhooks.attempts, cell: ({ attempts }) => format.number(attempts), end: true },
      {
        title: webhooks.ended,
        cell: ({ state, nextAt, endedAt, at }) =>
          state === "waiting"
            ? webhooks.next(format.timeNear(nextAt, now))
            : format.timeNear(endedAt ?? at, now),
        kind: "soft-text",
      },
    ],
    empty: { icon: "swap", title: webhooks.noDeliveries, text: webhooks.noDeliveriesText },
  };
});

function State({ view, row: { state } }: { view: StaffVisit["view"]; row: Delivery }) {
  const formatted = view.words.webhooks.stateWords[state];
  return state === "delivered" ? (
    <span class="soft-text">{formatted}</span>
  ) : (
    <Chip tone={tones[state]}>{formatted}</Chip>
  );
}
