import { currentOf, type RadsecCertificate } from "../../../../domain/goods/radsec/list.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Chip } from "../../../pages/parts/chip.tsx";
import { Table } from "../../../pages/parts/table.tsx";
import type { StaffVisit } from "../../guard.ts";
import { hrefOf } from "./state.ts";

interface Props {
  visit: StaffVisit;
  nasId: number;
  certificates: readonly RadsecCertificate[];
}

/** The certificates of a router, the newest first, each with whether it counts. */
export function RadsecList({ visit, nasId, certificates }: Props) {
  const { view, now } = visit;
  const { list } = view.words.radsec;
  const { columns } = list;
  const current = currentOf(certificates, now);
  if (certificates.length === 0)
    return (
      <Card title={list.title}>
        <p class="hint">{list.none}</p>
      </Card>
    );
  return (
    <Card title={list.title}>
      <Table
        caption={list.title}
        columns={[
          { title: columns.state },
          { title: columns.until },
          { title: columns.for },
          { title: columns.made, low: true },
          { title: <span class="unseen">{list.revoke}</span> },
        ]}
        kind="two-lines"
      >
        {certificates.map((one) => (
          <Row visit={visit} nasId={nasId} one={one} isCurrent={one.id === current?.id} />
        ))}
      </Table>
    </Card>
  );
}

function Row({
  visit,
  nasId,
  one,
  isCurrent,
}: Omit<Props, "certificates"> & { one: RadsecCertificate; isCurrent: boolean }) {
  const { view, now } = visit;
  const { list } = view.words.radsec;
  const { format } = view;
  const isOver = one.notAfter <= now;
  const counts = one.revokedAt === null && !isOver;
  const state = isCurrent ? "current" : counts ? "older" : one.revokedAt === null ? "over" : "revoked";
  return (
    <tr>
      <td class="lead">
        <Chip tone={counts ? "good" : "quiet"}>{list.states[state]}</Chip>
      </td>
      <td>{format.date(one.notAfter)}</td>
      <td class="mono">{one.address}</td>
      <td class="low">
        {list.madeBy(format.timeNear(one.madeAt, now), one.madeBy)}
        {one.revokedAt !== null && `, ${list.revokedAt(format.timeNear(one.revokedAt, now))}`}
      </td>
      <td class="end">
        {counts && (
          <Button
            href={hrefOf(nasId, `/radsec/${one.id}/revoke`)}
            size="small"
            label={list.revokeWhat(one.id)}
            drawer
          >
            {list.revoke}
          </Button>
        )}
      </td>
    </tr>
  );
}
