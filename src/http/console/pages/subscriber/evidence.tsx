import type { Evidence } from "../../../../domain/desk/diagnosis/diagnosis-kinds.ts";
import { Icon } from "../../../pages/icons.tsx";
import { Table } from "../../../pages/parts/table.tsx";
import type { PageContext } from "./context.ts";

/** Decisions, ended sessions, a failed renewal, debt. */
export function EvidenceTable({
  context,
  evidence,
}: {
  context: PageContext;
  evidence: readonly Evidence[];
}) {
  const { head, caption } = context.visit.view.words.diagnosis.evidence;
  return (
    <>
      <EvidenceLine context={context} evidence={evidence} />
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
          <Row context={context} one={one} />
        ))}
      </Table>
    </>
  );
}

/** The newest evidence in one line, for a phone. */
function EvidenceLine({ context, evidence }: { context: PageContext; evidence: readonly Evidence[] }) {
  const { view, now } = context.visit;
  const { evidence: words } = view.words.diagnosis;
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
  if (context.head.counts.logins === null) return <p class="evidence-line">{content}</p>;
  return (
    <a class="plain evidence-line" href={`${context.base}/logins`}>
      {content}
    </a>
  );
}

function Row({ context: { visit, phrases }, one }: { context: PageContext; one: Evidence }) {
  const { format, words } = visit.view;
  const { evidence, reasonOf, causeOf } = words.diagnosis;
  const isToday = format.date(one.at) === format.date(visit.now);
  const when = <td class="soft-text">{isToday ? format.clock(one.at) : phrases.near(one.at)}</td>;
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
    const lasted = phrases.lasted(Math.max(0, (stoppedAt ?? one.at) - startedAt));
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
        {one.kind === "renewal" ? one.reason : evidence.unpaid(phrases.money(one.invoice.open))}
      </td>
    </tr>
  );
}
