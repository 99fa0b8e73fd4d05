import type { Evidence } from "../../../../domain/desk/matter/matter-kinds.ts";
import { Icon } from "../../../pages/icons.tsx";
import { Table } from "../../../pages/parts/table.tsx";
import type { Shown } from "./shown.ts";

/** What shows how the line stands: the newest decisions, a session that ended, a renewal that failed, what is unpaid. */
export function EvidenceTable({ shown, evidence }: { shown: Shown; evidence: readonly Evidence[] }) {
  const { head, caption } = shown.visit.view.words.matter.evidence;
  return (
    <>
      <EvidenceLine shown={shown} evidence={evidence} />
      <Table
        caption={caption}
        kind="evidence"
        columns={[
          { title: head.when },
          { title: head.what },
          { title: head.why },
          { title: head.device },
          { title: head.times, end: true },
        ]}
      >
        {evidence.map((one) => (
          <Row shown={shown} one={one} />
        ))}
      </Table>
    </>
  );
}

/** On a telephone: the newest of it in one line, which leads to the rest. */
function EvidenceLine({ shown, evidence }: { shown: Shown; evidence: readonly Evidence[] }) {
  const { view, now } = shown.visit;
  const { evidence: words } = view.words.matter;
  const [first] = evidence;
  if (first?.kind !== "login" || first.run.accepted) return null;
  const { times, since, at, isMore } = first.run;
  const content = (
    <>
      <strong>{words.rejectedTimes(times, isMore)}</strong>{" "}
      <span class="hint">{words.sinceLast(view.format.near(since, now), view.format.near(at, now))}</span>
      <Icon name="forward" />
    </>
  );
  if (shown.head.counts.logins === null) return <p class="evidence-line">{content}</p>;
  return (
    <a class="plain evidence-line" href={`${shown.base}/logins`}>
      {content}
    </a>
  );
}

function Row({ shown: { visit, say }, one }: { shown: Shown; one: Evidence }) {
  const { format, words } = visit.view;
  const { evidence, reasonOf, causeOf } = words.matter;
  const isToday = format.date(one.at) === format.date(visit.now);
  const when = <td class="soft-text">{isToday ? format.clock(one.at) : say.near(one.at)}</td>;
  if (one.kind === "login") {
    const { run } = one;
    return (
      <tr>
        {when}
        <td class={run.accepted ? "good-text" : "bad-text"}>
          <Icon name={run.accepted ? "check" : "close"} />{" "}
          {run.accepted ? evidence.accepted : evidence.rejected}
        </td>
        <td>{reasonOf(run.reason)}</td>
        <td class="mono">{run.mac}</td>
        <td class="end soft-text">{run.times > 1 && evidence.times(run.times, run.isMore)}</td>
      </tr>
    );
  }
  if (one.kind === "session") {
    const { startedAt, stoppedAt, terminateCause, mac } = one.of.session;
    const lasted = say.lasted(Math.max(0, (stoppedAt ?? one.at) - startedAt));
    return (
      <tr>
        {when}
        <td class="soft-text">
          <Icon name="power" /> {evidence.ended}
        </td>
        <td>{evidence.after(causeOf(terminateCause), lasted)}</td>
        <td class="mono">{mac}</td>
        <td />
      </tr>
    );
  }
  return (
    <tr>
      {when}
      <td>{one.kind === "renewal" ? evidence.renewal : evidence.invoice(one.invoice.number ?? "")}</td>
      <td colspan={3}>
        {one.kind === "renewal" ? one.reason : evidence.unpaid(say.money(one.invoice.open))}
      </td>
    </tr>
  );
}
