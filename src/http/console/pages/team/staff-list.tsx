import { listRoles } from "../../../../domain/people/roles/roles.ts";
import { may } from "../../../../domain/core/actor/actor.ts";
import { ADMIN, RESELLER } from "../../../../domain/core/actor/profile-types.ts";
import { type StaffLine, staffTable } from "../../../../domain/people/staff/table.ts";
import { type ResellerWallet, resellerWallets } from "../../../../domain/money/wallets/resellers.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { Chip } from "../../../pages/parts/chip.tsx";
import { Empty } from "../../../pages/parts/empty.tsx";
import { Field, Select } from "../../../pages/parts/field.tsx";
import { Table } from "../../../pages/parts/table.tsx";
import { page } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import type { ConsoleView } from "../../view.ts";
import { pageAsked } from "../../page-links.tsx";
import { SettingsFrame } from "../settings/head.tsx";
import { allowedOf, maySentence } from "./may.tsx";
import { Pages } from "./paged.tsx";

export const STAFF = "/console/settings/staff";
const LIMIT = 100;

/** Whether somebody adds accounts and changes those of others; a Reseller has none. */
export const managesStaff = ({ by }: Pick<StaffVisit, "by">) =>
  may(by, "staff_manage") && by.scope.salespersonId === null;

/** Who works here: what they are, when they were last here, and how their account is kept. */
export function showStaff(visit: StaffVisit): Response {
  const { db, by, now, query, view } = visit;
  const words = view.words.team.staff;
  const filter = {
    text: (query.get("q") ?? "").trim().slice(0, 100),
    profileType: numberIn(query, "kind"),
    roleCode: numberIn(query, "role"),
    branchId: numberIn(query, "branch"),
    status: numberIn(query, "status"),
  };
  const offset = Math.min((pageAsked(query) - 1) * LIMIT, 1e9);
  const { rows, total } = staffTable(db, by, filter, { now, limit: LIMIT, offset });
  const open = rows.filter((row) => row.profileType === ADMIN && row.status === 1 && !row.hasSecondFactor);
  return page(
    visit,
    <SettingsFrame
      visit={visit}
      current="staff"
      actions={
        managesStaff(visit) && (
          <Button href={`${STAFF}/new`} kind="solid" icon="plus" drawer dataKey="n" showKey="N">
            {words.add}
          </Button>
        )
      }
    >
      <p class="sentence">{words.sentence(total, words.noFactor(open.length))}</p>
      <Filters visit={visit} />
      {rows.length === 0 ? (
        <section class="card">
          <Empty icon="people" title={words.none} text={words.noneText} />
        </section>
      ) : (
        <>
          <Rows visit={visit} rows={rows} />
          <Pages visit={visit} total={total} limit={LIMIT} path={STAFF} />
        </>
      )}
    </SettingsFrame>,
  );
}

function numberIn(query: URLSearchParams, name: string): number | undefined {
  const typed = query.get(name) ?? "";
  return /^\d{1,9}$/.test(typed) ? Number(typed) : undefined;
}

function Filters({ visit: { view, query, db, by } }: { visit: StaffVisit }) {
  const words = view.words.team.staff;
  const roles = may(by, "role_view") ? listRoles(db, by) : [];
  const value = (name: string) => query.get(name) ?? "";
  return (
    <form class="team-filters" action={STAFF} method="get" role="search">
      {value("branch") !== "" && <input type="hidden" name="branch" value={value("branch")} />}
      <Field
        name="q"
        type="search"
        label={words.text}
        value={value("q")}
        attributes={{ maxlength: 100, autocomplete: "off" }}
      />
      <Select
        name="kind"
        label={words.kind}
        value={value("kind")}
        options={[
          { value: "", label: words.anyKind },
          ...Object.entries(words.kinds).map(([type, label]) => ({ value: type, label })),
        ]}
      />
      {roles.length > 0 && (
        <Select
          name="role"
          label={words.role}
          value={value("role")}
          options={[
            { value: "", label: words.anyRole },
            ...roles.map(({ code, name }) => ({ value: code, label: name })),
          ]}
        />
      )}
      <Select
        name="status"
        label={words.status}
        value={value("status")}
        options={[
          { value: "", label: words.anyStatus },
          { value: "1", label: words.enabled },
          { value: "0", label: words.disabled },
        ]}
      />
      <Button icon="search">{view.words.team.find}</Button>
    </form>
  );
}

function Rows({ visit, rows }: { visit: StaffVisit; rows: readonly StaffLine[] }) {
  const { view, by, now } = visit;
  const words = view.words.team.staff;
  const wallets = walletsOf(visit, rows);
  const showsBranch = rows.some(({ branchId }) => branchId !== null);
  const columns = [
    { title: words.name },
    { title: words.kind },
    { title: words.role },
    ...(showsBranch ? [{ title: words.branch, low: true }] : []),
    { title: words.lastSignIn },
    { title: words.factor },
    { title: words.sessions, end: true, low: true },
    ...(wallets
      ? [
          { title: words.wallet, end: true },
          { title: words.limit, end: true, low: true },
        ]
      : []),
  ];
  return (
    <Table caption={view.words.settings.tabs.staff} kind="staff-table two-lines" columns={columns}>
      {rows.map((row) => {
        const wallet = wallets?.get(row.id);
        return (
          <tr>
            <td class="of-name">
              <a href={`${STAFF}/${row.id}`}>
                <bdi>{row.name}</bdi>
              </a>{" "}
              <span class="mono soft-text">{row.username}</span>{" "}
              {row.status !== 1 && <Chip>{words.disabled}</Chip>}
            </td>
            <td class="of-kind">
              {words.kinds[row.profileType]}
              {row.roleName !== null && (
                <span class="phone-only">
                  {"\u00a0·\u00a0"}
                  <bdi>{row.roleName}</bdi>
                </span>
              )}
            </td>
            <td class="of-role">
              {row.profileType !== ADMIN && <RoleOf view={view} row={row} linked={may(by, "role_view")} />}
              <span class="hint">{maySentence(view.words, allowedOf(row))}</span>
            </td>
            {showsBranch && (
              <td class="low">{row.branchName ?? <span class="soft-text">{words.wholeIsp}</span>}</td>
            )}
            <td class="of-last">
              {row.lastSignInAt === null ? (
                <span class="soft-text">{words.never}</span>
              ) : (
                view.format.timeNear(row.lastSignInAt, now)
              )}
            </td>
            <td class="of-factor">
              <span class="phone-only">{words.factor}&nbsp;</span>
              <FactorOf view={view} row={row} />
            </td>
            <td class="end low">{row.sessions}</td>
            {wallets && <td class="end sum">{wallet && moneyOf(view, wallet)}</td>}
            {wallets && <td class="end low">{wallet && view.format.amount(row.creditLimit)}</td>}
          </tr>
        );
      })}
    </Table>
  );
}

const moneyOf = ({ format }: ConsoleView, { balance, currency }: ResellerWallet) => (
  <span class={balance < 0 ? "bad-text" : ""}>{format.sum(balance, currency)}</span>
);

/** What Resellers among them hold, for who may see wallets. */
export function walletsOf(
  { db, by, now }: StaffVisit,
  rows: readonly StaffLine[],
): ReadonlyMap<number, ResellerWallet> | undefined {
  if (!may(by, "wallet_view") || !rows.some(({ profileType }) => profileType === RESELLER)) return undefined;
  return new Map(resellerWallets(db, by, { now }).map((wallet) => [wallet.staffId, wallet]));
}

/** The name of somebody's role, which leads to it. */
export function RoleOf({ view, row, linked }: { view: ConsoleView; row: StaffLine; linked: boolean }) {
  if (row.roleCode === null || row.roleName === null)
    return <span class="soft-text">{row.profileType === ADMIN ? "–" : view.words.team.staff.noRole}</span>;
  const name = <bdi>{row.roleName}</bdi>;
  return linked ? <a href={`/console/settings/roles/${row.roleCode}`}>{name}</a> : name;
}

/** On, off, or needed and not there yet. */
export function FactorOf({ view, row }: { view: ConsoleView; row: StaffLine }) {
  const words = view.words.team.staff;
  if (row.hasSecondFactor) return <span class="good-text">{words.on}</span>;
  if (row.needsSecondFactor) return <span class="warn-text">{words.needed}</span>;
  return <span class={row.profileType === ADMIN ? "warn-text" : "soft-text"}>{words.off}</span>;
}
