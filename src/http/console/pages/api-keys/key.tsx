import { may, seesWholeIsp } from "../../../../domain/core/actor/actor.ts";
import type { ApiKey } from "../../../../domain/people/api-keys/api-keys.ts";
import { keyCalls, type LoggedCall } from "../../../../domain/people/api-keys/calls.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Facts } from "../../../pages/parts/facts.tsx";
import { page } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { AuditLogLink } from "../../parts/audit-log-link.tsx";
import { flagDoes } from "../../parts/flags.ts";
import { auditLogHref, keyHref } from "../../parts/hrefs.ts";
import { list } from "../../parts/list.tsx";
import { readPage } from "../../parts/pager.tsx";
import { SettingsFrame } from "../../parts/settings-frame.tsx";
import { State } from "./list.tsx";
import { keyIn } from "./state.ts";

interface Props {
  visit: StaffVisit;
  of: ApiKey;
}

/** One key: its calls, what is known of it, and what can be done with it. */
export function showKey(visit: StaffVisit): Response {
  const key = keyIn(visit);
  return page(
    visit,
    <SettingsFrame
      visit={visit}
      current="keys"
      title={key.name}
      actions={key.revokedAt === null ? <Buttons visit={visit} of={key} /> : undefined}
    >
      <div class="split">
        <Calls visit={visit} of={key} />
        <Known visit={visit} of={key} />
      </div>
    </SettingsFrame>,
  );
}

function Buttons({ visit: { view }, of: key }: Props) {
  const { apiKeys: words } = view.words;
  const href = keyHref(key);
  return (
    <>
      <Button href={`${href}/edit`} icon="edit">
        {words.edit}
      </Button>
      <Button href={`${href}/rotate`} icon="renew" drawer>
        {words.rotate}
      </Button>
      <Button href={`${href}/revoke`} kind="danger" drawer>
        {words.revoke}
      </Button>
    </>
  );
}

function Calls({ visit, of: key }: Props) {
  const { db, by, query, view } = visit;
  const { calls } = view.words.apiKeys;
  const failed = query.get("failed") === "1" ? 1 : 0;
  const { rows, last } = readPage(query, (paging) => keyCalls(db, by, { key, failed }, paging));
  return (
    <div class="stack">
      <div class="row">
        <h2>{calls.title}</h2>
        <span class="hint">{calls.lead}</span>
      </div>
      <CallList visit={visit} rows={rows} last={last} />
    </div>
  );
}

export const CallList = list<LoggedCall>((visit) => {
  const { view, now, query } = visit;
  const { calls } = view.words.apiKeys;
  return {
    name: calls.title,
    call: "keyCalls",
    filters: [
      {
        name: "failed",
        kind: "views",
        label: calls.answer,
        options: [
          { value: "", label: calls.all },
          { value: "1", label: calls.failed },
        ],
      },
    ],
    columns: [
      { title: calls.at, cell: ({ at }) => view.format.timeNear(at, now), kind: "soft-text when" },
      {
        title: calls.call,
        cell: ({ method, path }) => (
          <bdi class="mono">
            {method} {path}
          </bdi>
        ),
        narrow: "lead",
      },
      {
        title: calls.answer,
        cell: ({ status }) => <span class={status >= 400 ? "bad-text" : "good-text"}>{status}</span>,
        narrow: "sum",
        end: true,
      },
      {
        title: calls.took,
        cell: ({ milliseconds }) => view.format.milliseconds(milliseconds),
        narrow: "low",
        end: true,
      },
      { title: calls.from, cell: ({ address }) => <bdi class="mono">{address}</bdi>, narrow: "low" },
    ],
    empty: query.get("failed") === "1" ? calls.noneNarrowed : calls.none,
  };
});

function Known({ visit, of: key }: Props) {
  const { view, now, by } = visit;
  const { apiKeys: words } = view.words;
  const near = (at: number) => view.format.timeNear(at, now);
  const { id, roleName, flags, addresses, formerUntil, usedAt, usedFrom, createdAt } = key;
  const isRotating = formerUntil !== null && formerUntil > now;
  const seesTrail = may(by, "audit_view") && seesWholeIsp(by.scope);
  return (
    <Card title={words.facts} aside={<AuditLogLink visit={visit} entity="api_key" entityId={id} />}>
      <Facts
        facts={[
          [words.state, <State visit={visit} of={key} />],
          [words.calledAs, <bdi class="mono">{key.key}</bdi>],
          [words.role, roleName === null ? null : <bdi>{roleName}</bdi>],
          [words.may, roleName === null ? null : <May visit={visit} flags={flags} roleName={roleName} />],
          [
            words.addresses,
            addresses === null ? words.anywhere : <bdi>{addresses.replaceAll(",", ", ")}</bdi>,
          ],
          [words.secret, isRotating ? words.formerUntil(near(formerUntil)) : words.secretKept],
          [words.used, usedAt === null ? words.never : words.usedAt(near(usedAt), usedFrom ?? "")],
          [words.madeAt, near(createdAt)],
          [
            words.trail,
            seesTrail ? (
              <a href={auditLogHref({ values: { staff_id: String(id) } })}>{words.trailLink}</a>
            ) : null,
          ],
        ]}
      />
    </Card>
  );
}

function May({
  visit: { view },
  flags,
  roleName,
}: {
  visit: StaffVisit;
  flags: string | null;
  roleName: string;
}) {
  const { apiKeys: words, team } = view.words;
  if (flags === null) return <>{words.whole(view.format.name(roleName))}</>;
  return (
    <>
      {flags
        .split(",")
        .map((flag) => flagDoes(team, flag) ?? flag)
        .join(view.words.list.comma)}
    </>
  );
}
