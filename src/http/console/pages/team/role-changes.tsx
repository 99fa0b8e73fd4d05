import type { Input } from "../../../../domain/core/fields/fields.ts";
import type { RoleLine } from "../../../../domain/people/roles/table.ts";
import { type Actor, may } from "../../../../domain/core/actor/actor.ts";
import { Icon } from "../../../pages/icons.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import type { ConsoleView } from "../../view.ts";
import { readValues } from "../../parts/refused.ts";
import { type FlagName, flagNames } from "../../parts/flags.ts";

/** The id of the form, for its button outside. */
export const FORM = "role-flags";

export interface FlagChange {
  readonly flag: FlagName;
  readonly isGranted: boolean;
}

export function listChanges(role: RoleLine, by: Actor, ticked: ReadonlySet<string>): FlagChange[] {
  return flagNames
    .filter((flag) => may(by, flag) && role.flags.has(flag) !== ticked.has(flag))
    .map((flag) => ({ flag, isGranted: ticked.has(flag) }));
}

export const tickedIn = (input: Input): ReadonlySet<string> => new Set(readValues(input, "flag"));

/** A digest: other changes, or a role changed meanwhile, have to be read again. */
export const changesMark = (changes: readonly FlagChange[]) =>
  changes.map(({ flag, isGranted }) => `${isGranted ? "+" : "-"}${flag}`).join(" ");

interface ChangesProps {
  view: ConsoleView;
  role: RoleLine;
  changes: readonly FlagChange[];
}

export function Changes({ view, role, changes }: ChangesProps) {
  const { team } = view.words;
  const words = team.roles;
  const who = words.who(view.format.name(role.name), role.staff);
  return (
    <div id="changes">
      <Card title={words.changes}>
        <input type="hidden" name="seen" value={changesMark(changes)} form={FORM} />
        <div role="status">
          {changes.length === 0 ? (
            <p class="hint">{words.noChange}</p>
          ) : (
            <ul class="may-list">
              {changes.map(({ flag, isGranted }) => (
                <li>
                  <span class={isGranted ? "good-text" : "bad-text"}>
                    <Icon name={isGranted ? "plus" : "close"} />
                  </span>
                  <span>{(isGranted ? words.will : words.willNot)(who, team.flags[flag].does)}</span>
                </li>
              ))}
            </ul>
          )}
        </div>
        <div class="actions after">
          <Button form={FORM} kind={changes.length === 0 ? "outline" : "solid"}>
            {changes.length === 0 ? words.preview : team.save}
          </Button>
        </div>
      </Card>
    </div>
  );
}
