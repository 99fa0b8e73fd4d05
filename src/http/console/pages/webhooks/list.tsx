import { type Endpoint, listEndpoints } from "../../../../domain/around/webhooks/endpoints.ts";
import { endpointHealth } from "../../../../domain/around/webhooks/health.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { Chip } from "../../../pages/parts/chip.tsx";
import { Empty } from "../../../pages/parts/empty.tsx";
import { Table } from "../../../pages/parts/table.tsx";
import { page } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { SettingsFrame } from "../settings/head.tsx";
import { heardWords, hookHref, hostOf, WEBHOOKS } from "./shown.ts";

/** Who is called of what happens, and how that goes. */
export function showWebhooks(visit: StaffVisit): Response {
  const { db, by, view } = visit;
  const { webhooks } = view.words;
  const endpoints = listEndpoints(db, by);
  const button = (
    <Button href={`${WEBHOOKS}/new`} kind="solid" icon="plus" dataKey="n" showKey="N">
      {webhooks.new}
    </Button>
  );
  return page(
    visit,
    <SettingsFrame visit={visit} current="webhooks" actions={endpoints.length > 0 ? button : undefined}>
      {endpoints.length === 0 ? (
        <section class="card">
          <Empty icon="globe" title={webhooks.none} text={webhooks.noneText}>
            {button}
          </Empty>
        </section>
      ) : (
        <>
          <p class="sentence">{webhooks.lead}</p>
          <Table
            caption={view.words.settings.tabs.webhooks}
            columns={[
              { title: webhooks.address },
              { title: webhooks.hears },
              { title: webhooks.note, low: true },
              { title: webhooks.went },
            ]}
            kind="short-rows"
          >
            {endpoints.map((endpoint) => (
              <tr>
                <td class="lead">
                  <a href={hookHref(endpoint)}>
                    <bdi>{hostOf(endpoint)}</bdi>
                  </a>
                </td>
                <td>{heardWords(view, endpoint)}</td>
                <td class="low">
                  <bdi>{endpoint.note ?? ""}</bdi>
                </td>
                <td>
                  <Went visit={visit} endpoint={endpoint} />
                </td>
              </tr>
            ))}
          </Table>
        </>
      )}
    </SettingsFrame>,
  );
}

function Went({ visit: { db, by, view }, endpoint }: { visit: StaffVisit; endpoint: Endpoint }) {
  const { short } = view.words.webhooks.goes;
  if (endpoint.disabledAt !== null) return <Chip tone="bad">{short.off}</Chip>;
  const { delivered, failed, retried, fresh } = endpointHealth(db, by, { id: endpoint.id });
  const said = (count: number) => view.format.number(count);
  const quiet = [delivered > 0 && short.good(said(delivered)), fresh > 0 && short.waiting(said(fresh))];
  const parts = quiet.filter((part) => part !== false).join(", ");
  return (
    <>
      {retried > 0 && <Chip tone="warn">{short.retried(said(retried))}</Chip>}{" "}
      {failed > 0 && <Chip tone="bad">{short.failed(said(failed))}</Chip>}{" "}
      <span class="soft-text">{retried + failed === 0 && parts === "" ? short.none : parts}</span>
    </>
  );
}
