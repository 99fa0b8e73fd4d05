import { type Endpoint, listEndpoints } from "../../../../domain/around/webhooks/endpoints.ts";
import { endpointHealth } from "../../../../domain/around/webhooks/health.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { Chip } from "../../../pages/parts/chip.tsx";
import { page } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { list } from "../../parts/list.tsx";
import { SettingsFrame } from "../../parts/settings-frame.tsx";
import { eventWords, hookHost } from "./words.ts";
import { hookHref, WEBHOOKS } from "../../parts/hrefs.ts";

export function showWebhooks(visit: StaffVisit): Response {
  const { db, by, view } = visit;
  const endpoints = listEndpoints(db, by);
  return page(
    visit,
    <SettingsFrame
      visit={visit}
      current="webhooks"
      actions={endpoints.length > 0 ? newButton(visit) : undefined}
    >
      <Webhooks visit={visit} rows={endpoints}>
        {endpoints.length > 0 && <p class="sentence">{view.words.webhooks.lead}</p>}
      </Webhooks>
    </SettingsFrame>,
  );
}

const newButton = ({ view }: StaffVisit) => (
  <Button href={`${WEBHOOKS}/new`} kind="solid" icon="plus" dataKey="n" showKey="N">
    {view.words.webhooks.new}
  </Button>
);

export const Webhooks = list<Endpoint>((visit) => {
  const { view } = visit;
  const { webhooks, settings } = view.words;
  return {
    name: settings.tabs.webhooks,
    call: "listEndpoints",
    columns: [
      {
        title: webhooks.address,
        cell: (endpoint) => (
          <a href={hookHref(endpoint)}>
            <bdi>{hookHost(endpoint)}</bdi>
          </a>
        ),
        narrow: "lead",
      },
      { title: webhooks.hears, cell: (endpoint) => eventWords(view, endpoint) },
      { title: webhooks.note, cell: ({ note }) => <bdi>{note ?? ""}</bdi>, narrow: "low" },
      { title: webhooks.went, cell: (endpoint) => <Went visit={visit} endpoint={endpoint} /> },
    ],
    empty: { icon: "globe", title: webhooks.none, text: webhooks.noneText, first: newButton(visit) },
  };
});

function Went({ visit: { db, by, view }, endpoint }: { visit: StaffVisit; endpoint: Endpoint }) {
  const { short } = view.words.webhooks.goes;
  if (endpoint.disabledAt !== null) return <Chip tone="bad">{short.off}</Chip>;
  const { delivered, failed, retried, fresh } = endpointHealth(db, by, endpoint);
  const formatted = (count: number) => view.format.number(count);
  const quiet = [
    delivered > 0 && short.good(formatted(delivered)),
    fresh > 0 && short.waiting(formatted(fresh)),
  ];
  const parts = quiet.filter((part) => part !== false).join(view.words.list.comma);
  return (
    <>
      {retried > 0 && <Chip tone="warn">{short.retried(formatted(retried))}</Chip>}{" "}
      {failed > 0 && <Chip tone="bad">{short.failed(formatted(failed))}</Chip>}{" "}
      <span class="soft-text">{retried + failed === 0 && parts === "" ? short.none : parts}</span>
    </>
  );
}
