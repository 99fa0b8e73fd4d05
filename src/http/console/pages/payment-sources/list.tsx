import { presetNames } from "../../../../domain/desk/incoming/presets.ts";
import { listPaymentSources, type Source } from "../../../../domain/desk/incoming/sources.ts";
import { permit } from "../../../../domain/core/actor/permissions.ts";
import { requireWholeIsp } from "../../../../domain/core/actor/actor.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { Chip } from "../../../pages/parts/chip.tsx";
import { Empty } from "../../../pages/parts/empty.tsx";
import { Table } from "../../../pages/parts/table.tsx";
import { page } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { SettingsFrame } from "../settings/head.tsx";
import { proofWords, sourceHref, SOURCES } from "./shown.ts";

/** Who tells of payments. */
export function showSources(visit: StaffVisit): Response {
  const { db, by, view } = visit;
  const { paymentSources: words } = view.words;
  const sources = listPaymentSources(db, by);
  const button = (
    <Button href={`${SOURCES}/new`} kind="solid" icon="plus" dataKey="n" showKey="N">
      {words.new}
    </Button>
  );
  return page(
    visit,
    <SettingsFrame visit={visit} current="sources" actions={sources.length > 0 ? button : undefined}>
      {sources.length === 0 ? (
        <section class="card">
          <Empty icon="money" title={words.none} text={words.noneText}>
            {button}
          </Empty>
        </section>
      ) : (
        <>
          <p class="sentence">{words.lead}</p>
          <Rows visit={visit} sources={sources} />
        </>
      )}
    </SettingsFrame>,
  );
}

function Rows({ visit: { view }, sources }: { visit: StaffVisit; sources: readonly Source[] }) {
  const { paymentSources: words, pay, settings } = view.words;
  const columns = [
    { title: words.name },
    { title: words.kind },
    { title: words.proof, low: true },
    { title: words.method },
    { title: words.state },
  ];
  return (
    <Table caption={settings.tabs.sources} columns={columns} kind="short-rows">
      {sources.map((source) => (
        <tr>
          <td class="lead">
            <a href={sourceHref(source)}>
              <bdi>{source.name}</bdi>
            </a>
          </td>
          <td>{words.kinds[source.kind]}</td>
          <td class="low">{proofWords(view, source)}</td>
          <td>{pay.methodName(source.method)}</td>
          <td>
            {source.disabledAt === null ? (
              <span class="soft-text">{words.on}</span>
            ) : (
              <Chip tone="warn">{words.off}</Chip>
            )}
          </td>
        </tr>
      ))}
    </Table>
  );
}

/** What a source can begin with. */
export function choosePreset(visit: StaffVisit): Response {
  const { by, view } = visit;
  permit(by, "createPaymentSource");
  requireWholeIsp(by, "payment sources");
  const { paymentSources: words } = view.words;
  const choices = [
    ...presetNames.map((name) => ({
      key: name,
      name: words.presets[name].name,
      what: words.presets[name].what,
    })),
    { key: "signed", ...words.signed },
  ];
  return page(
    visit,
    <SettingsFrame visit={visit} current="sources" title={words.choose}>
      <p class="sentence">{words.chooseLead}</p>
      <ul class="source-choices">
        {choices.map(({ key, name, what }) => (
          <li class="card">
            <h2>
              <a href={`${SOURCES}/new/${key}`}>{name}</a>
            </h2>
            <p class="hint">{what}</p>
          </li>
        ))}
      </ul>
    </SettingsFrame>,
  );
}
