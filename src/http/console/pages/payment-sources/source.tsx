import { type Incoming, listIncoming } from "../../../../domain/desk/incoming/list.ts";
import { parseProvider, type Source } from "../../../../domain/desk/incoming/sources.ts";
import { setting } from "../../../../domain/core/settings/settings.ts";
import { may } from "../../../../domain/core/actor/actor.ts";
import { Action, Button } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Facts } from "../../../pages/parts/facts.tsx";
import { Verdict } from "../../../pages/parts/verdict.tsx";
import { page } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { sumWords } from "../../parts/money-frame.tsx";
import { arrivedHref } from "../../parts/hrefs.ts";
import { Terminal } from "../../parts/terminal.tsx";
import { RowButtons } from "../../parts/plain.tsx";
import { SettingsFrame } from "../../parts/settings-frame.tsx";
import { AuditLogLink } from "../../parts/audit-log-link.tsx";
import { findPreset, proofWords, readSource, sourceHref } from "./words.ts";

const NEWEST = 10;

export function showSource(visit: StaffVisit): Response {
  const { view } = visit;
  const source = readSource(visit);
  return page(
    visit,
    <SettingsFrame
      visit={visit}
      current="sources"
      title={source.name}
      actions={<Buttons visit={visit} source={source} />}
    >
      {source.disabledAt !== null && <Off visit={visit} source={source} />}
      <div class="split">
        <div class="stack">
          {source.kind === "signed" ? (
            <Card title={view.words.paymentSources.signedTitle}>
              <p>{view.words.paymentSources.signedText}</p>
            </Card>
          ) : (
            <Address visit={visit} source={source} />
          )}
          {may(visit.by, "payment_match") && <Came visit={visit} source={source} />}
        </div>
        <Known visit={visit} source={source} />
      </div>
    </SettingsFrame>,
  );
}

interface Props {
  visit: StaffVisit;
  source: Source;
}

function Buttons({ visit: { view }, source }: Props) {
  const { paymentSources: words } = view.words;
  const href = sourceHref(source);
  return (
    <RowButtons href={href} words={words} isOff={source.disabledAt !== null}>
      <Button href={`${href}/rotate`} icon="renew" drawer>
        {source.kind === "signed" ? words.rotateSecret : words.rotateAddress}
      </Button>
    </RowButtons>
  );
}

function Off({ visit: { view, now, formToken }, source }: Props) {
  const { paymentSources: words } = view.words;
  return (
    <Verdict
      tone="warn"
      icon="power"
      label={words.label}
      title={words.offTitle}
      text={words.offText(view.format.timeNear(source.disabledAt ?? now, now))}
      actions={
        <Action action={`${sourceHref(source)}/enable`} formToken={formToken} kind="solid" icon="check">
          {words.enable}
        </Action>
      }
    />
  );
}

/** The whole URL where the portal's is set: both are on one listener. */
function Address({ visit, source }: Props) {
  const { db, view } = visit;
  const { paymentSources: words } = view.words;
  const portal = setting(db, "portal_url", source.ispId).replace(/\/+$/, "");
  const base = URL.parse(portal)?.origin ?? "";
  return (
    <Card title={words.address} lead={words.addressWhere(words.presets[findPreset(source) ?? "own"].where)}>
      <div class="stack near">
        <Terminal id="address" label={words.address} visit={visit}>
          {`${base}/pay/${source.key ?? ""}`}
        </Terminal>
        {base === "" && <p class="hint">{words.addressPath}</p>}
      </div>
    </Card>
  );
}

function Known({ visit, source }: Props) {
  const { view, now } = visit;
  const { paymentSources: words, pay } = view.words;
  const networks = source.kind === "signed" ? [] : (parseProvider(source).addresses ?? []);
  return (
    <Card
      title={words.facts}
      aside={<AuditLogLink visit={visit} entity="payment_source" entityId={source.id} />}
    >
      <Facts
        facts={[
          [words.kind, words.kinds[source.kind]],
          [words.proof, proofWords(view, source)],
          [words.addresses, networks.length === 0 ? null : <bdi class="mono">{networks.join(", ")}</bdi>],
          [words.method, pay.methodName(source.method)],
          [words.madeAt, view.format.timeNear(source.createdAt, now)],
        ]}
      />
    </Card>
  );
}

function Came({ visit, source }: Props) {
  const { db, by, view } = visit;
  const { paymentSources: words } = view.words;
  const newest = { before: Number.MAX_SAFE_INTEGER, limit: NEWEST };
  const rows = listIncoming(db, by, { view: "all", provider: source.name }, newest);
  return (
    <Card
      title={words.lastArrived}
      lead={words.arrivedLead}
      aside={<a href="/console/money/arrived?view=all">{words.seeArrived}</a>}
    >
      {rows.length === 0 ? (
        <p class="hint">{words.nothingYet}</p>
      ) : (
        <ul class="rows">
          {rows.map((row) => (
            <Arrived visit={visit} row={row} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function Arrived({ visit: { view, now }, row }: { visit: StaffVisit; row: Incoming }) {
  return (
    <li>
      <a href={arrivedHref(row)}>{sumWords(view, row)}</a>
      <span class="soft-text">{view.format.timeNear(row.receivedAt, now)}</span>
      <span class="push">
        {row.name === null ? view.words.arrived.states[row.state] : <bdi>{row.name}</bdi>}
      </span>
    </li>
  );
}
