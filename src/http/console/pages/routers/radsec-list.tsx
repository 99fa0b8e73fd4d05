import { findCurrent, type RadsecCertificate } from "../../../../domain/goods/radsec/list.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Chip } from "../../../pages/parts/chip.tsx";
import type { StaffVisit } from "../../guard.ts";
import { list } from "../../parts/list.tsx";
import { routerHref } from "../../parts/hrefs.ts";

interface Props {
  visit: StaffVisit;
  certificates: readonly RadsecCertificate[];
}

export function RadsecList({ visit, certificates }: Props) {
  return (
    <Card title={visit.view.words.radsec.list.title}>
      <Certificates visit={visit} rows={certificates} />
    </Card>
  );
}

export const Certificates = list<RadsecCertificate>(({ view, now }, certificates) => {
  const { words, format } = view;
  const { list: phrases } = words.radsec;
  const { columns } = phrases;
  const current = findCurrent(certificates, now);
  const counts = ({ revokedAt, notAfter }: RadsecCertificate) => revokedAt === null && notAfter > now;
  const stateOf = (one: RadsecCertificate) => {
    if (one.id === current?.id) return "current";
    if (counts(one)) return "older";
    return one.revokedAt === null ? "over" : "revoked";
  };
  return {
    name: phrases.title,
    columns: [
      {
        title: columns.state,
        cell: (one) => <Chip tone={counts(one) ? "good" : "quiet"}>{phrases.states[stateOf(one)]}</Chip>,
        narrow: "lead",
      },
      { title: columns.until, cell: ({ notAfter }) => format.date(notAfter) },
      { title: columns.for, cell: ({ address }) => address, kind: "mono" },
      {
        title: columns.made,
        cell: ({ madeAt, madeBy, revokedAt }) =>
          [
            phrases.madeBy(format.timeNear(madeAt, now), madeBy),
            ...(revokedAt === null ? [] : [phrases.revokedAt(format.timeNear(revokedAt, now))]),
          ].join(view.words.list.comma),
        narrow: "low",
      },
      {
        title: <span class="unseen">{phrases.revoke}</span>,
        cell: (one) =>
          counts(one) && (
            <Button
              href={routerHref(one.nasId, `/radsec/${one.id}/revoke`)}
              size="small"
              label={phrases.revokeWhat(one.id)}
              drawer
            >
              {phrases.revoke}
            </Button>
          ),
        end: true,
        narrow: "act",
      },
    ],
    empty: phrases.none,
  };
});
