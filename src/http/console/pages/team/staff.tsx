import { DomainError } from "../../../../domain/core/errors/errors.ts";
import { phrase } from "../../../../domain/core/errors/phrase.ts";
import { may } from "../../../../domain/core/actor/actor.ts";
import { ADMIN, RESELLER } from "../../../../domain/core/actor/profile-types.ts";
import { readIdleSince } from "../../../../domain/people/staff/console-sessions.ts";
import { type StaffLine, staffTable } from "../../../../domain/people/staff/table.ts";
import { pathId } from "../../../form.ts";
import { FormToken } from "../../../pages/document.tsx";
import { Action, Button } from "../../../pages/parts/button.tsx";
import { CallLink } from "../../../pages/parts/call-link.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Chip } from "../../../pages/parts/chip.tsx";
import { Facts } from "../../../pages/parts/facts.tsx";
import { page } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { SettingsFrame } from "../../parts/settings-frame.tsx";
import { AuditLogLink } from "../../parts/audit-log-link.tsx";
import { MayPage, maySentence, toAllowed } from "./may.tsx";
import { FactorCell, managesStaff, readWallets, RoleCell } from "./staff-list.tsx";
import { STAFF } from "../../parts/hrefs.ts";
import { Lately, Sessions } from "./staff-lately.tsx";

/** Throws `not_found`. */
export function readAccount(
  { db, by, now, params }: StaffVisit,
  idleSince = readIdleSince(db, now),
): StaffLine {
  const staffId = pathId("staff account", params["id"] ?? null);
  const [row] = staffTable(db, by, { staffId }, { now, idleSince, limit: 1, offset: 0 }).rows;
  if (!row) throw new DomainError("not_found", phrase`there is no staff account ${staffId}`);
  return row;
}

/** Nobody manages an account with more permissions. */
export function manages(visit: Pick<StaffVisit, "by">, row: StaffLine): boolean {
  const { by } = visit;
  if (!managesStaff(visit)) return false;
  return by.admin || (row.profileType !== ADMIN && row.flags.every((flag) => by.flags.has(flag)));
}

export function showAccount(visit: StaffVisit): Response {
  const { view, by, db, now } = visit;
  const idleSince = readIdleSince(db, now);
  const row = readAccount(visit, idleSince);
  const words = view.words.team.staff;
  const managed = manages(visit, row);
  const isOwn = row.id === by.staffId;
  return page(
    visit,
    <SettingsFrame
      visit={visit}
      current="staff"
      title={row.name}
      actions={
        <>
          {isOwn && <Button href="/console/me">{words.myAccount}</Button>}
          {managed && <Buttons visit={visit} row={row} isOwn={isOwn} />}
        </>
      }
    >
      <div class="split">
        <div>
          <May visit={visit} row={row} seen={managed && !isOwn} />
          {(managed || isOwn) && <Sessions visit={visit} row={row} idleSince={idleSince} />}
          <Lately visit={visit} row={row} />
        </div>
        <div>
          <Account visit={visit} row={row} />
        </div>
      </div>
    </SettingsFrame>,
  );
}

function Buttons({ visit, row, isOwn }: { visit: StaffVisit; row: StaffLine; isOwn: boolean }) {
  const { view, formToken } = visit;
  const words = view.words.team.staff;
  const href = `${STAFF}/${row.id}`;
  return (
    <>
      <Button href={`${href}/edit`} icon="edit" drawer>
        {words.edit}
      </Button>
      {!isOwn && (
        <>
          <Button href={`${href}/password`} icon="key" drawer>
            {words.newPassword}
          </Button>
          {row.hasSecondFactor && (
            <Button href={`${href}/factor`} icon="shield" drawer>
              {words.resetFactor}
            </Button>
          )}
          {row.status === 1 ? (
            <Button href={`${href}/disable`} kind="danger" icon="power" drawer>
              {words.disable}
            </Button>
          ) : (
            <Action action={`${href}/enable`} formToken={formToken} icon="check">
              {words.enable}
            </Action>
          )}
        </>
      )}
    </>
  );
}

function Account({ visit, row }: { visit: StaffVisit; row: StaffLine }) {
  const { view, by, now } = visit;
  const words = view.words.team.staff;
  const wallet = readWallets(visit, [row])?.get(row.id);
  const { format } = view;
  return (
    <Card title={words.facts} aside={<AuditLogLink visit={visit} entity="staff" entityId={row.id} />}>
      <Facts
        facts={[
          [words.username, <span class="mono">{row.username}</span>],
          [words.status, row.status === 1 ? words.enabled : <Chip>{words.disabled}</Chip>],
          [words.kind, words.kinds[row.profileType] ?? null],
          [words.role, <RoleCell view={view} row={row} linked={may(by, "role_view")} />],
          [words.isp, by.scope.ispId === null ? (row.ispName ?? words.operator) : null],
          [words.branch, row.branchName ?? words.wholeIsp],
          [words.email, row.email],
          [words.phone, row.phone && <CallLink number={row.phone} missing="" />],
          [words.factor, <FactorCell view={view} row={row} />],
          [
            words.lastSignIn,
            row.lastSignInAt === null ? words.never : format.timeNear(row.lastSignInAt, now),
          ],
          [
            words.wallet,
            wallet ? (
              <a href={`/console/money/wallets/${row.id}`}>{format.sum(wallet.balance, wallet.currency)}</a>
            ) : null,
          ],
          [words.limit, row.profileType === RESELLER ? format.amount(row.creditLimit) : null],
          [
            words.customers,
            row.profileType === RESELLER && may(by, "subscriber_view") ? (
              <a href={`/console/subscribers?salesperson=${row.id}`}>{words.seeCustomers}</a>
            ) : null,
          ],
        ]}
      />
    </Card>
  );
}

function May({ visit, row, seen }: { visit: StaffVisit; row: StaffLine; seen: boolean }) {
  const { view, by } = visit;
  const { team } = view.words;
  return (
    <Card title={team.staff.mayTitle} aside={<a href={`${STAFF}/${row.id}/may`}>{team.staff.mayAll}</a>}>
      <div class="stack near">
        <p>{maySentence(view.words, toAllowed(row))}</p>
        <Reach visit={visit} row={row} />
        {seen && row.status === 1 && may(by, "role_manage") && (
          <SeeAs visit={visit} action={`${STAFF}/${row.id}/see-as`} />
        )}
      </div>
    </Card>
  );
}

function Reach({ visit: { view }, row }: { visit: StaffVisit; row: StaffLine }) {
  const words = view.words.team.may;
  if (row.profileType === RESELLER) return <p class="hint">{words.reseller}</p>;
  if (row.branchName !== null) return <p class="hint">{words.branch(view.format.name(row.branchName))}</p>;
  return null;
}

export function SeeAs({ visit: { view, formToken, seeing }, action }: { visit: StaffVisit; action: string }) {
  if (seeing) return null;
  const words = view.words.team.seeing;
  return (
    <form method="post" action={action} class="see-as">
      <FormToken value={formToken} />
      <Button icon="person">{words.start}</Button>
      <span class="hint">{words.startHint}</span>
    </form>
  );
}

export function showMay(visit: StaffVisit): Response {
  const row = readAccount(visit);
  const { view, by } = visit;
  const { team } = view.words;
  return page(
    visit,
    <SettingsFrame
      visit={visit}
      current="staff"
      title={team.may.title(row.name)}
      actions={<Button href={`${STAFF}/${row.id}`}>{row.name}</Button>}
    >
      <p class="sentence">{maySentence(view.words, toAllowed(row))}</p>
      <Reach visit={visit} row={row} />
      {manages(visit, row) && row.id !== by.staffId && row.status === 1 && may(by, "role_manage") && (
        <SeeAs visit={visit} action={`${STAFF}/${row.id}/see-as`} />
      )}
      <MayPage view={view} allowed={toAllowed(row)} />
    </SettingsFrame>,
  );
}
