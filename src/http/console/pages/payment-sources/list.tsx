import { presetNames } from "../../../../domain/desk/incoming/presets.ts";
import { listPaymentSources, type Source } from "../../../../domain/desk/incoming/sources.ts";
import { permit } from "../../../../domain/core/actor/permissions.ts";
import { requireWholeIsp } from "../../../../domain/core/actor/actor.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { Chip } from "../../../pages/parts/chip.tsx";
import { page } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { list } from "../../parts/list.tsx";
import { SettingsFrame } from "../../parts/settings-frame.tsx";
import { proofWords, sourceHref, SOURCES } from "./words.ts";

export function showSources(visit: StaffVisit): Response {
  const { db, by, view } = visit;
  const sources = listPaymentSources(db, by);
  const isAny = sources.length > 0;
  return page(
    visit,
    <SettingsFrame visit={visit} current="sources" actions={isAny ? newButton(visit) : undefined}>
      <Sources visit={visit} rows={sources}>
        {isAny && <p class="sentence">{view.words.paymentSources.lead}</p>}
      </Sources>
    </SettingsFrame>,
  );
}

const newButton = ({ view }: StaffVisit) => (
  <Button href={`${SOURCES}/new`} kind="solid" icon="plus" dataKey="n" showKey="N">
    {view.words.paymentSources.new}
  </Button>
);

export const Sources = list<Source>((visit) => {
  const { view } = visit;
  const { paymentSources: words, pay, settings } = view.words;
  return {
    name: settings.tabs.sources,
    call: "listPaymentSources",
    columns: [
      {
        title: words.name,
        cell: (source) => (
          <a href={sourceHref(source)}>
            <bdi>{source.name}</bdi>
          </a>
        ),
        narrow: "lead",
      },
      { title: words.kind, cell: ({ kind }) => words.kinds[kind] },
      { title: words.proof, cell: (source) => proofWords(view, source), narrow: "low" },
      { title: words.method, cell: ({ method }) => pay.methodName(method) },
      {
        title: words.state,
        cell: ({ disabledAt }) =>
          disabledAt === null ? (
            <span class="soft-text">{words.on}</span>
          ) : (
            <Chip tone="warn">{words.off}</Chip>
          ),
      },
    ],
    empty: { icon: "money", title: words.none, text: words.noneText, first: newButton(visit) },
  };
});

/** Providers to choose from. */
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
      <ul class="grid card-links">
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
