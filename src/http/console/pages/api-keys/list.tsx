import { type ApiKey, listKeys } from "../../../../domain/people/api-keys/api-keys.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { Chip } from "../../../pages/parts/chip.tsx";
import { page } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { KEYS, keyHref } from "../../parts/hrefs.ts";
import { list } from "../../parts/list.tsx";
import { SettingsFrame } from "../../parts/settings-frame.tsx";
import { keyStanding } from "./state.ts";

/** Which programs call, and when each did last. */
export function showKeys(visit: StaffVisit): Response {
  const { db, by, view } = visit;
  const keys = listKeys(db, by);
  const isAny = keys.length > 0;
  return page(
    visit,
    <SettingsFrame visit={visit} current="keys" actions={isAny ? newButton(visit) : undefined}>
      <Keys visit={visit} rows={keys}>
        {isAny && <p class="sentence">{view.words.apiKeys.lead}</p>}
      </Keys>
    </SettingsFrame>,
  );
}

const newButton = ({ view }: StaffVisit) => (
  <Button href={`${KEYS}/new`} kind="solid" icon="plus" dataKey="n" showKey="N">
    {view.words.apiKeys.new}
  </Button>
);

export const Keys = list<ApiKey>((visit) => {
  const { view, now } = visit;
  const { apiKeys: words, settings } = view.words;
  return {
    name: settings.tabs.keys,
    call: "listKeys",
    columns: [
      {
        title: words.name,
        cell: (key) => (
          <a href={keyHref(key)}>
            <bdi>{key.name}</bdi>
          </a>
        ),
        narrow: "lead",
      },
      { title: words.role, cell: ({ roleName }) => <bdi>{roleName ?? ""}</bdi> },
      { title: words.state, cell: (key) => <State visit={visit} of={key} /> },
      {
        title: words.used,
        cell: ({ usedAt }) =>
          usedAt === null ? words.never : words.usedNear(view.format.timeNear(usedAt, now)),
        kind: "soft-text when",
      },
    ],
    empty: { icon: "key", title: words.none, text: words.noneText, first: newButton(visit) },
  };
});

export function State({ visit: { view, now }, of: key }: { visit: StaffVisit; of: ApiKey }) {
  const { is, at } = keyStanding(key, now);
  const { short } = view.words.apiKeys;
  const said = is === "valid" ? short.valid : short[is](view.format.timeNear(at, now));
  if (is === "ended") return <Chip tone="warn">{said}</Chip>;
  return <span class="soft-text">{said}</span>;
}
