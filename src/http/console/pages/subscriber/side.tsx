import { loginReply } from "../../../../domain/service/access/login-reply.ts";
import { forStaff } from "../../../../domain/service/access/outcomes.ts";
import { makerIn } from "../../parts/device.tsx";
import { statementTail } from "../../../../domain/money/billing/statement.ts";
import type { Notes } from "../../../../domain/goods/subscribers/notes.ts";
import { localDay } from "../../../../domain/core/time/time.ts";
import { Card } from "../../../pages/parts/card.tsx";
import { Facts } from "../../../pages/parts/facts.tsx";
import { Swatch } from "../../../pages/parts/swatch.tsx";
import { told } from "../../attempt.ts";
import { drawerLink } from "../../frame.tsx";
import { AttributeList, Rejected } from "../../parts/attributes.tsx";
import { fibreColor } from "../../parts/fibre.ts";
import { can, type PageContext } from "./context.ts";

const ENTRIES = 4;

export function MoneyCard({ context }: { context: PageContext }) {
  const { head, visit, phrases, base } = context;
  const { side } = visit.view.words.subscriber;
  if (head.money === null) return null;
  const { balance, owed } = head.money;
  const [oldest] = owed;
  const words =
    balance > 0
      ? side.inCredit
      : balance === 0
        ? side.paidUp
        : oldest
          ? side.owedSince(phrases.near(oldest.createdAt))
          : side.owed;
  const seesAll = can(context, "wallet_view");
  return (
    <Card id="money" title={side.money} aside={seesAll && <a href={`${base}/statement`}>{side.statement}</a>}>
      <p>
        <strong class={balance < 0 ? "loud bad-text" : "loud"}>{phrases.money(balance)}</strong>{" "}
        <span class="hint">{words}</span>
      </p>
      {seesAll && <Entries context={context} />}
    </Card>
  );
}

function Entries({ context: { visit, head } }: { context: PageContext }) {
  const { view, db, by } = visit;
  const { side } = view.words.subscriber;
  const entries = statementTail(db, by, { subscriber: head.subscriber, count: ENTRIES });
  if (entries.length === 0) return <p class="hint">{side.noMoney}</p>;
  return (
    <table class="side-entries">
      <caption class="unseen">{side.money}</caption>
      <tbody>
        {entries.map(({ createdAt, kind, method, packageName, amount, balanceAfter }) => (
          <tr>
            <td class="soft-text">
              {view.format.isSameDay(createdAt, visit.now)
                ? view.format.timeOfDay(createdAt)
                : view.format.day(localDay(createdAt))}
            </td>
            <td>
              {kind === "activation" ? packageName : view.words.timeline.short({ entry: kind, method })}
            </td>
            <td class={amount > 0 ? "end good-text" : "end"}>
              {kind !== "history" && view.format.amount(amount, { plus: true })}
            </td>
            <td class="end soft-text">{view.format.amount(balanceAfter)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function LineCard({ context }: { context: PageContext }) {
  const { head, visit, base } = context;
  const { side } = visit.view.words.subscriber;
  const { subscriber: s, names } = head;
  const edits = can(context, "subscriber_edit") || can(context, "subscriber_plant");
  const area = [names.area, names.subarea].filter(Boolean).join(visit.view.words.list.comma) || null;
  const kind = s.anyConnection === 1 ? side.anyKind : (side.kinds[s.connectionTypeId - 1] ?? "");
  return (
    <Card
      title={side.line}
      aside={
        edits && (
          <a href={`${base}/edit`} {...drawerLink(`${base}/edit`)}>
            {side.edit}
          </a>
        )
      }
    >
      <Facts
        facts={[
          [side.area, area],
          [side.box, hasBox(context) ? <Box context={context} /> : null],
          [side.device, <Device context={context} />],
          [side.address, <Address context={context} />],
          [side.prefix, s.delegatedIpv6Prefix ?? (s.poolPrefix === null ? null : side.given(s.poolPrefix))],
          [side.optionLine, s.circuitId === null ? null : <span class="mono">{s.circuitId}</span>],
          [side.optionSwitch, s.remoteId === null ? null : <span class="mono">{s.remoteId}</span>],
          [side.router, <bdi>{[names.nas, kind].filter(Boolean).join(visit.view.words.list.comma)}</bdi>],
          [side.soldBy, names.salesperson],
        ]}
      />
      <RouterAttributes context={context} />
    </Card>
  );
}

/** Attributes of a login now. */
function RouterAttributes({ context: { head, visit } }: { context: PageContext }) {
  const { view, db, now } = visit;
  const nasId = head.open[0]?.session.nasId ?? head.subscriber.nasId;
  const login = loginReply(db, { ...head.subscriber, nasId }, { now });
  if (!login) return null;
  const { router, attributes } = login;
  return (
    <details class="folded">
      <summary>{view.words.subscriber.side.told(view.words.routers.fact.kinds[router])}</summary>
      {"rejected" in attributes ? (
        <Rejected why={told(view, forStaff(attributes.rejected))} />
      ) : (
        <AttributeList attributes={attributes} />
      )}
    </details>
  );
}

function hasBox({ head: { subscriber } }: PageContext): boolean {
  const { boxNumber, uplinkPort, fiberCode, fiberColor } = subscriber;
  return [boxNumber, uplinkPort, fiberCode, fiberColor].some((one) => one !== null);
}

function Box({ context: { head, visit } }: { context: PageContext }) {
  const { side } = visit.view.words.subscriber;
  const { boxNumber, uplinkPort, fiberCode, fiberColor } = head.subscriber;
  const color = fibreColor(fiberColor);
  const fibre = [fiberCode, fiberColor].filter(Boolean).join(" ");
  const port = uplinkPort && side.port(uplinkPort);
  return (
    <>
      {boxNumber !== null && <a href={`/console/boxes/${encodeURIComponent(boxNumber)}`}>{boxNumber}</a>}
      {boxNumber !== null && (port || fibre) && visit.view.words.list.comma}
      {[port, fibre && side.fibre(fibre)].filter(Boolean).join(visit.view.words.list.comma)}
      {color && " "}
      {color && <Swatch fill={color} />}
    </>
  );
}

function Device({ context: { head, visit } }: { context: PageContext }) {
  const { side } = visit.view.words.subscriber;
  const { macAddress, macLock } = head.subscriber;
  const mac = macAddress ?? head.open[0]?.session.mac ?? null;
  if (mac === null) return <>{side.noDevice}</>;
  return (
    <>
      {makerIn(visit.view.words, mac)} <span class="mono">{mac}</span>
      {visit.view.words.list.comma}
      {macLock === 1 ? side.locked : side.notLocked}
    </>
  );
}

function Address({ context: { head, visit } }: { context: PageContext }) {
  const { side } = visit.view.words.subscriber;
  const { staticIp, poolIp } = head.subscriber;
  if (staticIp !== null) return <>{side.fixed(staticIp)}</>;
  if (poolIp !== null) return <>{side.given(poolIp)}</>;
  const now = head.open[0]?.session.framedIp;
  const was = head.last?.session.framedIp;
  return (
    <>
      {[side.fromPool, now ? side.now(now) : was ? side.was(was) : ""]
        .filter(Boolean)
        .join(visit.view.words.list.comma)}
    </>
  );
}

export function NotesCard({ context, notes }: { context: PageContext; notes: Notes }) {
  const { visit, base } = context;
  const { view, now } = visit;
  const { side } = view.words.subscriber;
  const add = `${base}/note`;
  const all = notes.staffNotes.toReversed();
  return (
    <Card
      title={side.notes}
      aside={
        can(context, "subscriber_note") && (
          <a href={add} {...drawerLink(add)}>
            {side.add}
          </a>
        )
      }
    >
      {notes.globalNote !== "" && <p class="note-text">{notes.globalNote}</p>}
      {notes.globalNote === "" && all.length === 0 && <p class="hint">{side.noNotes}</p>}
      {all.map(({ note, addedByName, createdAt }) => (
        <div class="ruled">
          <p class="note-text">{note}</p>
          <p class="hint">
            <bdi>{addedByName}</bdi>, {view.format.near(createdAt, now)}
          </p>
        </div>
      ))}
    </Card>
  );
}
