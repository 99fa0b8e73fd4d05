import type { StaffVisit } from "../../guard.ts";
import type { ApplianceStore } from "../../../../domain/machine/appliance/store.ts";
import { Card } from "../../../pages/parts/card.tsx";
import { Table } from "../../../pages/parts/table.tsx";

/** The versions that the database went through, and what was put aside on the way. */
export function History({
  visit: { view },
  store: { migrations, aside },
}: {
  visit: StaffVisit;
  store: ApplianceStore;
}) {
  const { words, format } = view;
  const { appliance: a } = words.backups;
  return (
    <>
      <Card title={a.aside} lead={aside.length > 0 ? undefined : a.asideNone}>
        {aside.length > 0 && (
          <>
            <p class="hint">{a.asideText}</p>
            <Table
              caption={a.aside}
              columns={[{ title: a.name }, { title: a.at }, { title: words.backups.size, end: true }]}
            >
              {aside.map(({ name, at, bytes }) => (
                <tr>
                  <td class="mono backup-file">{name}</td>
                  <td>{format.date(at)}</td>
                  <td class="end">{format.bytes(bytes)}</td>
                </tr>
              ))}
            </Table>
          </>
        )}
      </Card>
      <details class="card">
        <summary>{a.history}</summary>
        <Table caption={a.history} columns={[{ title: a.migration }, { title: a.at, end: true }]}>
          {migrations.map(({ tag, at }) => (
            <tr>
              <td class="mono">{tag}</td>
              <td class="end">{format.time(at)}</td>
            </tr>
          ))}
        </Table>
      </details>
    </>
  );
}
