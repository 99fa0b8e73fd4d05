import type { RoleLine } from "../../../../domain/people/roles/table.ts";
import { may } from "../../../../domain/core/actor/actor.ts";
import { FormToken } from "../../../pages/document.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import type { StaffVisit } from "../../guard.ts";
import { flagGroups, type FlagName, type FlagGroup, groupNames } from "../../parts/flags.ts";
import { capital } from "./may.tsx";
import { FORM } from "./role-changes.tsx";
import { ROLES } from "./roles.tsx";

interface TicksProps {
  visit: StaffVisit;
  role: RoleLine;
  ticked: ReadonlySet<string>;
  canEdit: boolean;
}

export function Ticks({ visit, role, ticked, canEdit }: TicksProps) {
  const { view, formToken } = visit;
  const action = `${ROLES}/${role.code}`;
  const words = view.words.team;
  const groups = groupNames.map((group) => (
    <Card title={words.groups[group]}>
      <Group visit={visit} group={group} ticked={ticked} canEdit={canEdit} />
    </Card>
  ));
  if (!canEdit) return <div class="stack">{groups}</div>;
  return (
    <form
      id={FORM}
      class="stack"
      method="post"
      action={action}
      hx-post={`${action}/preview`}
      hx-trigger="input delay:120ms from:this"
      hx-target="#changes"
      hx-swap="outerMorph"
      hx-sync="this:replace"
    >
      <FormToken value={formToken} />
      {groups}
    </form>
  );
}

function Group({ visit, group, ticked, canEdit }: Omit<TicksProps, "role"> & { group: FlagGroup }) {
  const { view, by } = visit;
  return (
    <ul>
      {flagGroups[group].map((flag) => (
        <li>
          <Tick
            view={view}
            flag={flag}
            checked={ticked.has(flag)}
            canChange={canEdit && may(by, flag)}
            viewerHas={may(by, flag)}
          />
        </li>
      ))}
    </ul>
  );
}

interface TickProps {
  view: StaffVisit["view"];
  flag: FlagName;
  checked: boolean;
  canChange: boolean;
  /** Who lacks a permission cannot give it. */
  viewerHas: boolean;
}

function Tick({ view, flag, checked, canChange, viewerHas }: TickProps) {
  const { team } = view.words;
  const { does, text } = team.flags[flag];
  return (
    <label class={canChange ? "flag" : "flag closed"}>
      <input
        type="checkbox"
        name="flag"
        value={flag}
        checked={checked}
        disabled={!canChange}
        aria-describedby={`flag-${flag}`}
      />
      <span class="flag-name">{capital(does)}</span>
      <span id={`flag-${flag}`} class="hint">
        {text}
        {!viewerHas && <em> {capital(team.roles.notYours)}.</em>}
      </span>
    </label>
  );
}
