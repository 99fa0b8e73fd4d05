import { STAFF } from "../../parts/hrefs.ts";
import { listRoles } from "../../../../domain/people/roles/roles.ts";
import { may } from "../../../../domain/core/actor/actor.ts";
import { ADMIN, RESELLER } from "../../../../domain/core/actor/profile-types.ts";
import { type StaffLine, staffTable } from "../../../../domain/people/staff/table.ts";
import { type ResellerWallet, resellerWallets } from "../../../../domain/money/wallets/resellers.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { Chip } from "../../../pages/parts/chip.tsx";
import { page } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import type { ConsoleView } from "../../view.ts";
import { SettingsFrame } from "../../parts/settings-frame.tsx";
import { maySentence, toAllowed } from "./may.tsx";
import type { Filter } from "../../parts/filters.tsx";
import { list, type ListColumn } from "../../parts/list.tsx";
import { pageCounted } from "../../parts/pager.tsx";

const LIMIT = 100;

/** A Reseller has no accounts to manage. */
export const managesStaff = ({ by }: Pick<StaffVisit, "by">) =>
  may(by, "staff_manage") && by.scope.salespersonId === null;

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
  const { rows, total } = pageCounted(query, LIMIT, (paging) =>
    staffTable(db, by, filter, { now, ...paging }),
  );
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
      <Staff visit={visit} rows={rows} total={total} limit={LIMIT}>
        <p class="sentence">{words.sentence(total, words.noFactor(open.length))}</p>
      </Staff>
    </SettingsFrame>,
  );
}

function numberIn(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name) ?? "";
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

function buildFilters({ view, db, by }: StaffVisit): readonly Filter[] {
  const words = view.words.team.staff;
  const kinds = Object.entries(words.kinds).map(([value, label]) => ({ value, label }));
  const roles = may(by, "role_view") ? listRoles(db, by) : [];
  const role: Filter = {
    name: "role",
    kind: "choice",
    label: words.role,
    options: roles.map(({ code, name }) => ({ value: code, label: name })),
  };
  return [
    { name: "q", kind: "text", label: words.text },
    { name: "kind", kind: "choice", label: words.kind, options: kinds },
    ...(roles.length > 0 ? [role] : []),
    {
      name: "status",
      kind: "choice",
      label: words.status,
      options: [
        { value: "1", label: words.enabled },
        { value: "0", label: words.disabled },
      ],
    },
    { name: "branch", kind: "kept" },
  ];
}

export const Staff = list<StaffLine>((visit, rows) => {
  const { view, by, now } = visit;
  const { format, words: all } = view;
  const words = all.team.staff;
  const wallets = readWallets(visit, rows);
  const branch: ListColumn<StaffLine> = {
    title: words.branch,
    cell: ({ branchName }) => branchName ?? <span class="soft-text">{words.wholeIsp}</span>,
    narrow: "low",
  };
  const money: ListColumn<StaffLine>[] = [
    {
      title: words.wallet,
      cell: ({ id }) => {
        const wallet = wallets?.get(id);
        return wallet && walletCell(view, wallet);
      },
      end: true,
      narrow: "sum",
    },
    {
      title: words.limit,
      cell: ({ id, creditLimit }) => wallets?.has(id) && format.amount(creditLimit),
      end: true,
      narrow: "low",
    },
  ];
  return {
    name: all.settings.tabs.staff,
    call: "staffPage",
    kind: "staff-table two-lines",
    filters: buildFilters(visit),
    columns: [
      {
        title: words.name,
        cell: ({ id, name, username, status }) => (
          <>
            <a href={`${STAFF}/${id}`}>
              <bdi>{name}</bdi>
            </a>{" "}
            <span class="mono soft-text">{username}</span> {status !== 1 && <Chip>{words.disabled}</Chip>}
          </>
        ),
        narrow: "lead",
        kind: "of-name",
      },
      {
        title: words.kind,
        cell: ({ profileType, roleName }) => (
          <>
            {words.kinds[profileType]}
            {roleName !== null && (
              <span class="phone-only">
                {"\u00a0·\u00a0"}
                <bdi>{roleName}</bdi>
              </span>
            )}
          </>
        ),
        kind: "of-kind",
      },
      {
        title: words.role,
        cell: (row) => (
          <>
            {row.profileType !== ADMIN && <RoleCell view={view} row={row} linked={may(by, "role_view")} />}
            <span class="hint">{maySentence(all, toAllowed(row))}</span>
          </>
        ),
        kind: "of-role",
      },
      ...(rows.some(({ branchId }) => branchId !== null) ? [branch] : []),
      {
        title: words.lastSignIn,
        cell: ({ lastSignInAt: at }) =>
          at === null ? <span class="soft-text">{words.never}</span> : format.timeNear(at, now),
        kind: "of-last",
      },
      {
        title: words.factor,
        cell: (row) => (
          <>
            <span class="phone-only">{words.factor}&nbsp;</span>
            <FactorCell view={view} row={row} />
          </>
        ),
        kind: "of-factor",
      },
      { title: words.sessions, cell: ({ sessions }) => sessions, end: true, narrow: "low" },
      ...(wallets ? money : []),
    ],
    empty: { icon: "people", title: words.none, text: words.noneText },
  };
});

const walletCell = ({ format }: ConsoleView, { balance, currency }: ResellerWallet) => (
  <span class={balance < 0 ? "bad-text" : ""}>{format.sum(balance, currency)}</span>
);

/** Resellers' balances, for who may see wallets. */
export function readWallets(
  { db, by, now }: StaffVisit,
  rows: readonly StaffLine[],
): ReadonlyMap<number, ResellerWallet> | undefined {
  if (!may(by, "wallet_view") || !rows.some(({ profileType }) => profileType === RESELLER)) return undefined;
  return new Map(resellerWallets(db, by, { now }).map((wallet) => [wallet.staffId, wallet]));
}

export function RoleCell({ view, row, linked }: { view: ConsoleView; row: StaffLine; linked: boolean }) {
  if (row.roleCode === null || row.roleName === null)
    return <span class="soft-text">{row.profileType === ADMIN ? "–" : view.words.team.staff.noRole}</span>;
  const name = <bdi>{row.roleName}</bdi>;
  return linked ? <a href={`/console/settings/roles/${row.roleCode}`}>{name}</a> : name;
}

/** The second factor: on, off, or required and missing. */
export function FactorCell({ view, row }: { view: ConsoleView; row: StaffLine }) {
  const words = view.words.team.staff;
  if (row.hasSecondFactor) return <span class="good-text">{words.on}</span>;
  if (row.needsSecondFactor) return <span class="warn-text">{words.needed}</span>;
  return <span class={row.profileType === ADMIN ? "warn-text" : "soft-text"}>{words.off}</span>;
}
