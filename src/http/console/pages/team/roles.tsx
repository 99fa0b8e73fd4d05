import { type RoleLine, roleTable } from "../../../../domain/people/roles/table.ts";
import { may, seesWholeIsp } from "../../../../domain/core/actor/actor.ts";
import { Icon } from "../../../pages/icons.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Chip } from "../../../pages/parts/chip.tsx";
import { Empty } from "../../../pages/parts/empty.tsx";
import { page } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import type { ConsoleView } from "../../view.ts";
import { SettingsFrame } from "../../parts/settings-frame.tsx";
import { flagGroups, type FlagName, groupNames } from "../../parts/flags.ts";
import { capital, maySentence } from "./may.tsx";
import { list, type ListColumn } from "../../parts/list.tsx";
import { pageIn } from "../../parts/pager.tsx";
import { STAFF } from "../../parts/hrefs.ts";
import { starters } from "./starters.ts";
import { settingsPages } from "../../parts/settings-pages.ts";

export const ROLES = settingsPages.roles.href;
const LIMIT = 20;

export const changesRoles = ({ by }: Pick<StaffVisit, "by">) =>
  may(by, "role_manage") && seesWholeIsp(by.scope);

export function showRoles(visit: StaffVisit): Response {
  const { db, by, view, query } = visit;
  const all = roleTable(db, by);
  const words = view.words.team.roles;
  const changes = changesRoles(visit);
  const from = (pageIn(query, { total: all.length, limit: LIMIT }) - 1) * LIMIT;
  const roles = all.slice(from, from + LIMIT);
  const held = all.reduce((sum, { staff }) => sum + staff, 0);
  return page(
    visit,
    <SettingsFrame
      visit={visit}
      current="roles"
      actions={
        changes &&
        all.length > 0 && (
          <Button href={`${ROLES}/new`} kind="solid" icon="plus" drawer dataKey="n" showKey="N">
            {words.add}
          </Button>
        )
      }
    >
      {!changes && may(by, "role_manage") && <p class="hint">{words.readOnly}</p>}
      {all.length === 0 ? (
        <NoRoles visit={visit} changes={changes} />
      ) : (
        <>
          <p class="sentence">{words.sentence(all.length, view.words.team.people(held))}</p>
          <Roles visit={visit} rows={roles} total={all.length} limit={LIMIT} />
          <Matrix view={view} roles={roles} />
        </>
      )}
    </SettingsFrame>,
  );
}

export const Roles = list<RoleLine>(({ view, by }) => {
  const words = view.words.team.roles;
  const isp: ListColumn<RoleLine> = { title: words.ofIsp, cell: ({ ispName }) => ispName, narrow: "low" };
  return {
    name: view.words.settings.tabs.roles,
    call: "listRoles",
    columns: [
      {
        title: words.name,
        cell: ({ code, name }) => (
          <a href={`${ROLES}/${code}`}>
            <bdi>{name}</bdi>
          </a>
        ),
        narrow: "lead",
      },
      ...(by.scope.ispId === null ? [isp] : []),
      {
        title: words.holds,
        cell: (role) => <Held view={view} role={role} linked={may(by, "staff_view")} />,
        narrow: "sum",
      },
      {
        title: words.factor,
        cell: ({ needsSecondFactor }) => (
          <>
            <span class="phone-only">{words.factor}&nbsp;</span>
            {needsSecondFactor === 1 ? (
              <Chip tone="good">{words.needed}</Chip>
            ) : (
              <span class="soft-text">{words.notNeeded}</span>
            )}
          </>
        ),
      },
      {
        title: words.may,
        cell: ({ flags }) => maySentence(view.words, { admin: false, flags }),
        narrow: "low",
        kind: "wide-words",
      },
    ],
    empty: words.none,
  };
});

export function Held({ view, role, linked }: { view: ConsoleView; role: RoleLine; linked: boolean }) {
  const { team } = view.words;
  if (role.staff === 0) return <span class="soft-text">{team.roles.nobody}</span>;
  const text = team.people(role.staff);
  return linked ? <a href={`${STAFF}?role=${role.code}`}>{text}</a> : <>{text}</>;
}

/** Permissions by role. */
function Matrix({ view, roles }: { view: ConsoleView; roles: readonly RoleLine[] }) {
  const { team } = view.words;
  const words = team.roles;
  return (
    <Card title={words.matrix} lead={words.matrixLead}>
      <div class="table-frame" tabindex={0} role="group" aria-label={words.matrix}>
        <table class="table matrix-table">
          <caption class="unseen">{words.matrix}</caption>
          <thead>
            <tr>
              <th scope="col">{words.permission}</th>
              {roles.map(({ code, name }) => (
                <th scope="col" class="of-role">
                  <a href={`${ROLES}/${code}`}>
                    <bdi>{name}</bdi>
                  </a>
                </th>
              ))}
            </tr>
          </thead>
          {groupNames.map((group) => (
            <tbody>
              <tr>
                <th scope="rowgroup">{team.groups[group]}</th>
                <td colspan={roles.length} />
              </tr>
              {flagGroups[group].map((flag) => (
                <FlagRow view={view} flag={flag} roles={roles} />
              ))}
            </tbody>
          ))}
        </table>
      </div>
    </Card>
  );
}

function FlagRow({ view, flag, roles }: { view: ConsoleView; flag: FlagName; roles: readonly RoleLine[] }) {
  const { team } = view.words;
  const { does, text } = team.flags[flag];
  return (
    <tr>
      <th scope="row">
        <span class="flag-name">{capital(does)}</span>
        <span class="hint">{text}</span>
      </th>
      {roles.map((role) => (
        <td class="of-role">
          {role.flags.has(flag) ? (
            <span class="good-text">
              <Icon name="check" />
              <span class="unseen">{team.roles.yes}</span>
            </span>
          ) : (
            <span class="soft-text">
              <span aria-hidden="true">·</span>
              <span class="unseen">{team.roles.no}</span>
            </span>
          )}
        </td>
      ))}
    </tr>
  );
}

function NoRoles({ visit: { view }, changes }: { visit: StaffVisit; changes: boolean }) {
  const words = view.words.team.roles;
  return (
    <section class="card no-packages">
      <Empty icon="shield" title={words.none} text={words.noneText}>
        {changes && (
          <Button href={`${ROLES}/new`} kind="solid" size="large" icon="plus" drawer dataKey="n" showKey="N">
            {words.add}
          </Button>
        )}
      </Empty>
      {changes && (
        <div class="starters">
          <p class="hint">{words.orBegin}</p>
          <ul>
            {starters.map(({ key }) => (
              <li class="card">
                <h2>{words.starters[key].name}</h2>
                <p>{words.starters[key].what}</p>
                <p class="hint">{words.starters[key].why}</p>
                <Button href={`${ROLES}/new?like=${key}`} size="small" drawer>
                  {words.beginWith}
                </Button>
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  );
}
