import { may, seesWholeIsp } from "../../../../domain/core/actor/actor.ts";
import { findCurrent } from "../../../../domain/goods/radsec/list.ts";
import { busiest, readLoad } from "../../../../domain/service/router-watch/load.ts";
import type { Nas } from "../../../../domain/goods/nas/find.ts";
import { Action } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Facts } from "../../../pages/parts/facts.tsx";
import type { StaffVisit } from "../../guard.ts";
import { AuditLogLink } from "../../parts/audit-log-link.tsx";
import type { RouterProps } from "./router.tsx";
import { routerHref } from "../../parts/hrefs.ts";

/** Settings of a router, and its signatures. */
export function RouterFacts({ visit, seen: { router, sources }, certificates }: RouterProps) {
  const { fact, facts } = visit.view.words.routers;
  const { radsec } = visit.view.words;
  const isSwapped = router.swapOctets === 1;
  return (
    <Card title={facts} aside={<AuditLogLink visit={visit} entity="nas" entityId={router.id} />}>
      <Facts
        facts={[
          [fact.address, <span class="mono">{router.address}</span>],
          [fact.kind, fact.kinds[router.kind]],
          [fact.signature, fact[router.requireMessageAuthenticator]],
          [radsec.fact, router.radsec === 1 ? describeRadsec(visit, certificates) : null],
          [fact.coa, router.radsec === 1 ? null : describeCoa(visit, router)],
          [fact.api, describeApi(visit, router)],
          [fact.mppe, router.mppe === "keys" ? null : fact.mppeKinds[router.mppe]],
          [fact.dhcp, router.dhcp === 1 ? fact.dhcpServed : null],
          [fact.shaper, router.shaper === "none" ? null : fact.shapers[router.shaper]],
          [fact.dualStack, router.dualStack === "whole" ? null : fact.dualStacks[router.dualStack]],
          [fact.processor, loadIn(visit, router.id)],
          [fact.octets, isSwapped ? fact.swapped : null],
        ]}
      />
      <Latches visit={visit} router={router} sources={sources} />
    </Card>
  );
}

/** The busiest hour of this week, and of the week before the queue change. */
function loadIn({ db, view }: StaffVisit, nasId: number): string | null {
  const { fact } = view.words.routers;
  const load = readLoad(db, nasId);
  const now = load ? busiest(load.days) : null;
  if (!load || now === null) return null;
  return load.before === null
    ? fact.busiest(now)
    : `${fact.busiest(now)}${view.words.list.semicolon}${fact.busiestBefore(load.before)}`;
}

function describeRadsec({ view, now }: StaffVisit, certificates: RouterProps["certificates"]): string {
  const { radsec } = view.words;
  const current = findCurrent(certificates, now);
  return current ? radsec.until(view.format.date(current.notAfter)) : radsec.missing;
}

function describeCoa({ view }: StaffVisit, { disconnectMethod, coaPort, coaEventTimestamp }: Nas): string {
  const { fact } = view.words.routers;
  const text = fact.coaAt(fact.method[disconnectMethod], coaPort);
  return coaEventTimestamp === 1 ? `${text}${view.words.list.comma}${fact.timestamp}` : text;
}

function describeApi({ view }: StaffVisit, router: Nas): string {
  const { fact } = view.words.routers;
  const { routerosHost, routerosPort, routerosUsername, routerosTls, routerosTlsFingerprint } = router;
  if (routerosHost === null) return fact.noApi;
  const how =
    routerosTls === 0 ? fact.clear : routerosTlsFingerprint === null ? fact.anyCertificate : fact.tls;
  return `${fact.apiAt(routerosHost, routerosPort ?? 0, routerosUsername ?? "")}${view.words.list.comma}${how}`;
}

/** A network may have many sources. */
const MOST = 20;

/** Addresses that once signed, and from then on have to. */
function Latches({
  visit,
  router,
  sources,
}: {
  visit: StaffVisit;
  router: Nas;
  sources: RouterProps["seen"]["sources"];
}) {
  const { view, now, by, formToken } = visit;
  const { fact } = view.words.routers;
  const manages = may(by, "nas_manage") && seesWholeIsp(by.scope);
  const time = (at: number) => view.format.timeNear(at, now);
  if (sources.length === 0) return <p class="hint card-foot">{fact.notSeen}</p>;
  return (
    <ul class="rows after">
      {sources.slice(0, MOST).map(({ address, authenticatorSeenAt, droppedLast }) => (
        <li>
          <span>
            {authenticatorSeenAt !== null && fact.seen(address, time(authenticatorSeenAt))}{" "}
            {droppedLast !== null && <span class="bad-text">{fact.lost(address, time(droppedLast))}</span>}
          </span>
          {manages && authenticatorSeenAt !== null && (
            <Action
              action={routerHref(router.id, "/forget")}
              formToken={formToken}
              fields={{ address }}
              size="small"
              label={fact.forgetWhat(address)}
            >
              {fact.forget}
            </Action>
          )}
        </li>
      ))}
    </ul>
  );
}
