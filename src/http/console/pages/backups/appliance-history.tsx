import type { StaffVisit } from "../../guard.ts";
import type { ApplianceStore } from "../../../../domain/machine/appliance/store.ts";
import { Card } from "../../../pages/parts/card.tsx";
import { list, PLAIN } from "../../parts/list.tsx";

interface HistoryProps {
  visit: StaffVisit;
  store: ApplianceStore;
}

export function History({ visit, store: { migrations, aside } }: HistoryProps) {
  const { appliance: a } = visit.view.words.backups;
  return (
    <>
      <Card title={a.aside}>
        {aside.length > 0 && <p class="hint">{a.asideText}</p>}
        <Aside visit={visit} rows={aside} />
      </Card>
      <details class="card">
        <summary>{a.history}</summary>
        <Migrations visit={visit} rows={migrations} />
      </details>
    </>
  );
}

export const Aside = list<ApplianceStore["aside"][number]>(({ view: { format, words } }) => {
  const { appliance: a, size } = words.backups;
  return {
    name: a.aside,
    kind: PLAIN,
    columns: [
      { title: a.name, narrow: "lead", kind: "mono breaks", cell: ({ name }) => name },
      { title: a.at, cell: ({ at }) => format.date(at) },
      { title: size, end: true, cell: ({ bytes }) => format.bytes(bytes) },
    ],
    empty: a.asideNone,
  };
});

export const Migrations = list<ApplianceStore["migrations"][number]>(({ view: { format, words } }) => {
  const { appliance: a } = words.backups;
  return {
    name: a.history,
    kind: PLAIN,
    columns: [
      { title: a.migration, narrow: "lead", kind: "mono", cell: ({ tag }) => tag },
      { title: a.at, end: true, cell: ({ at }) => format.time(at) },
    ],
    empty: a.history,
  };
});
