import { DomainError } from "../../../../domain/core/errors/errors.ts";
import { phrase } from "../../../../domain/core/errors/phrase.ts";
import type { Input } from "../../../../domain/core/fields/fields.ts";
import { updatePermissions } from "../../../../domain/people/roles/permissions.ts";
import { needSecondFactor } from "../../../../domain/people/roles/roles.ts";
import { type RoleLine, roleTable } from "../../../../domain/people/roles/table.ts";
import { may } from "../../../../domain/core/actor/actor.ts";
import { permit } from "../../../../domain/core/actor/permissions.ts";
import { startSeeingAs } from "../../../../domain/people/staff/see-as.ts";
import { staffTable } from "../../../../domain/people/staff/table.ts";
import { pathId } from "../../../form.ts";
import { attempt } from "../../attempt.ts";
import { Note } from "../../../pages/note.tsx";
import { Action, Button } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { seeOther } from "../../../pages/respond.tsx";
import { page, part, flash } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { SettingsFrame } from "../../parts/settings-frame.tsx";
import { sentence } from "../../parts/phrases.ts";
import { AuditLogLink } from "../../parts/audit-log-link.tsx";
import { MayPage, maySentence } from "./may.tsx";
import { Changes, changesMark, listChanges, tickedIn } from "./role-changes.tsx";
import { changesRoles, Held, ROLES } from "./roles.tsx";
import { SeeAs } from "./staff.tsx";
import { STAFF } from "../../parts/hrefs.ts";
import { Ticks } from "./role-ticks.tsx";

/** Holders that are listed. */
const HOLDERS = 8;

/** Throws `not_found`. */
export function roleIn({ db, by, params }: StaffVisit): RoleLine {
  const code = pathId("role", params["code"] ?? null);
  const [role] = roleTable(db, by, { code });
  if (!role) throw new DomainError("not_found", phrase`there is no role ${code}`);
  return role;
}

interface FormState {
  readonly ticked?: ReadonlySet<string>;
  readonly problem?: string;
  readonly status?: number;
}

export function showRole(visit: StaffVisit, { ticked, problem, status = 200 }: FormState = {}): Response {
  const role = roleIn(visit);
  const { view, by } = visit;
  const words = view.words.team.roles;
  const changes = changesRoles(visit);
  const flags = ticked ?? role.flags;
  return page(
    visit,
    <SettingsFrame
      visit={visit}
      current="roles"
      title={role.name}
      actions={changes && <RoleButtons view={view} code={role.code} />}
    >
      {problem !== undefined && <Note kind="wait">{problem}</Note>}
      <div class="split">
        <div>
          <Card
            title={words.mayTitle}
            aside={
              <>
                <AuditLogLink visit={visit} entity="role" entityId={role.code} />
                <a href={`${ROLES}/${role.code}/may`}>{view.words.team.staff.mayAll}</a>
              </>
            }
          >
            <div class="stack near">
              <p>{maySentence(view.words, { admin: false, flags: role.flags })}</p>
              {mayLookAs(visit, role) && <SeeAs visit={visit} action={`${ROLES}/${role.code}/see-as`} />}
            </div>
          </Card>
          <Ticks visit={visit} role={role} ticked={flags} canEdit={changes} />
        </div>
        <aside>
          {changes && <Changes view={view} role={role} changes={listChanges(role, by, flags)} />}
          <Factor visit={visit} role={role} changes={changes} />
          <Holders visit={visit} role={role} />
        </aside>
      </div>
    </SettingsFrame>,
    { status },
  );
}

/** Whether the viewer may see the console as this role. */
function mayLookAs({ by }: StaffVisit, role: RoleLine): boolean {
  const mayBoth = may(by, "staff_manage") && may(by, "role_manage") && by.scope.salespersonId === null;
  return mayBoth && (by.admin || [...role.flags].every((flag) => by.flags.has(flag)));
}

function RoleButtons({ view, code }: { view: StaffVisit["view"]; code: number }) {
  const words = view.words.team.roles;
  return (
    <>
      <Button href={`${ROLES}/${code}/rename`} icon="edit" drawer>
        {words.rename}
      </Button>
      <Button href={`${ROLES}/${code}/copy`} icon="copy" drawer>
        {words.copy}
      </Button>
      <Button href={`${ROLES}/${code}/delete`} icon="close" kind="danger" drawer>
        {words.remove}
      </Button>
    </>
  );
}

export function previewFlags(visit: StaffVisit, input: Input): Response {
  permit(visit.by, "updatePermissions");
  const role = roleIn(visit);
  const changes = listChanges(role, visit.by, tickedIn(input));
  return part(visit, <Changes view={visit.view} role={role} changes={changes} />);
}

/** Saves changes that were read; shows others first. */
export async function saveFlags(visit: StaffVisit, input: Input): Promise<Response> {
  const { db, by, now, view } = visit;
  permit(by, "updatePermissions");
  const role = roleIn(visit);
  const ticked = tickedIn(input);
  const changes = listChanges(role, by, ticked);
  const words = view.words.team.roles;
  if (changes.length === 0) return showRole(visit);
  if (input["seen"] !== changesMark(changes)) return showRole(visit, { ticked, problem: words.checkFirst });
  const sent = Object.fromEntries(changes.map(({ flag, isGranted }) => [flag, isGranted ? 1 : 0]));
  const done = await attempt(visit, async () =>
    updatePermissions(db, by, { code: role.code, sent }, { now }),
  );
  if (done instanceof DomainError)
    return showRole(visit, { ticked, problem: sentence(done.message), status: 422 });
  const title = words.savedFlags(view.format.name(role.name));
  return flash(visit, { kind: "good", title, text: words.savedText(done.length) }, `${ROLES}/${role.code}`);
}

function Factor({
  visit: { view, formToken },
  role,
  changes,
}: {
  visit: StaffVisit;
  role: RoleLine;
  changes: boolean;
}) {
  const words = view.words.team.roles;
  const on = role.needsSecondFactor === 1;
  return (
    <Card title={words.factorTitle}>
      <div class="stack near">
        <p>{on ? words.factorOn : words.factorOff}</p>
        {changes && (
          <Action
            action={`${ROLES}/${role.code}/factor`}
            formToken={formToken}
            fields={{ needed: on ? 0 : 1 }}
            icon="shield"
            size="small"
          >
            {on ? words.switchOff : words.switchOn}
          </Action>
        )}
      </div>
    </Card>
  );
}

export async function switchFactor(visit: StaffVisit, input: Input): Promise<Response> {
  const { db, by, now, view } = visit;
  const role = roleIn(visit);
  const needed = input["needed"] === "1" ? 1 : 0;
  const done = await attempt(visit, async () =>
    needSecondFactor(db, by, { code: role.code, needed }, { now }),
  );
  if (done instanceof DomainError) {
    const what = { title: view.words.team.staff.notDone, text: sentence(done.message) };
    return flash(visit, { kind: "bad", ...what }, `${ROLES}/${role.code}`);
  }
  const words = view.words.team.roles;
  const name = view.format.name(role.name);
  const what =
    needed === 1 ? { title: words.nowOn(name), text: words.nowOnText } : { title: words.nowOff(name) };
  return flash(visit, { kind: "good", ...what }, `${ROLES}/${role.code}`);
}

function Holders({ visit, role }: { visit: StaffVisit; role: RoleLine }) {
  const { view, db, by, now } = visit;
  if (!may(by, "staff_view")) return null;
  const words = view.words.team.roles;
  const { rows } = staffTable(db, by, { roleCode: role.code }, { now, limit: HOLDERS, offset: 0 });
  return (
    <Card title={words.holders} aside={<Held view={view} role={role} linked />}>
      {rows.length === 0 ? (
        <p class="hint">{words.noHolders}</p>
      ) : (
        <ul class="rows">
          {rows.map(({ id, name }) => (
            <li>
              <a href={`${STAFF}/${id}`}>
                <bdi>{name}</bdi>
              </a>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

export function showRoleMay(visit: StaffVisit): Response {
  const role = roleIn(visit);
  const { view } = visit;
  const { team } = view.words;
  const allowed = { admin: false, flags: role.flags };
  return page(
    visit,
    <SettingsFrame
      visit={visit}
      current="roles"
      title={team.may.title(role.name)}
      actions={<Button href={`${ROLES}/${role.code}`}>{role.name}</Button>}
    >
      <p class="sentence">{maySentence(view.words, allowed)}</p>
      {mayLookAs(visit, role) && <SeeAs visit={visit} action={`${ROLES}/${role.code}/see-as`} />}
      <MayPage view={view} allowed={allowed} />
    </SettingsFrame>,
  );
}

/** Shows the console as this role from the next page on. */
export async function seeAsRole(visit: StaffVisit): Promise<Response> {
  const { db, by, now, needs, sessionKey, view } = visit;
  const { code } = roleIn(visit);
  const done = await attempt(visit, async () => startSeeingAs(db, by, { roleCode: code }, { now }));
  if (done instanceof DomainError) {
    const what = { title: view.words.team.staff.notDone, text: sentence(done.message) };
    return flash(visit, { kind: "bad", ...what }, `${ROLES}/${code}`);
  }
  needs.seeing.begin(sessionKey, { roleCode: code }, now);
  return seeOther("/console");
}
