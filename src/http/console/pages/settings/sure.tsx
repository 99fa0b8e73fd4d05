import type { Input } from "../../../../domain/core/fields/fields.ts";
import type { PlannedChange } from "../../../../domain/machine/settings/planned.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { readTextField } from "../../../pages/text-of.ts";
import { drawer } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { describeEffect } from "./effect.ts";
import { SETTINGS } from "../../parts/hrefs.ts";
import { settingText } from "./words.ts";
import { ispHref, type Whose } from "./whose.ts";
import { DrawerForm } from "../../drawer-form.tsx";

interface SureProps {
  whose: Whose;
  planned: readonly PlannedChange[];
  input: Input;
}

/** Changes and consequences, before they are stored. */
export function sureDrawer(visit: StaffVisit, { whose, planned, input }: SureProps): Response {
  const { view } = visit;
  const { settings } = view.words;
  const key = readTextField(input, "key", 60);
  const group = readTextField(input, "group", 60);
  const back = ispHref(key === "" ? `${SETTINGS}/group/${group}` : `${SETTINGS}/set/${key}`, whose);
  const action = `${SETTINGS}/save`;
  return drawer(visit, {
    title: settings.sure,
    lead: settings.sureText,
    place: "settings",
    back,
    children: (
      <DrawerForm action={action} visit={visit}>
        <div class="drawer-body">
          <input type="hidden" name="sure" value="yes" />
          <input type="hidden" name={key === "" ? "group" : "key"} value={key === "" ? group : key} />
          {whose.isp && <input type="hidden" name="isp" value={String(whose.isp.id)} />}
          {planned.map((change) => (
            <Change visit={visit} whose={whose} change={change} />
          ))}
        </div>
        <div class="drawer-foot">
          <Button kind="solid" size="large">
            {settings.sureSave}
          </Button>
          <Button href={back} drawer={key !== ""}>
            {settings.sureBack}
          </Button>
        </div>
      </DrawerForm>
    ),
  });
}

function Change({ visit, whose, change }: { visit: StaffVisit; whose: Whose; change: PlannedChange }) {
  const { view } = visit;
  const { settings } = view.words;
  const { key, before, after } = change;
  return (
    <section class="quoted stack close">
      <input type="hidden" name={key} value={String(after)} />
      <h3>{settings.words[key].name}</h3>
      <p class="strong">
        <bdi>{settings.from(settingText(view, key, before), settingText(view, key, after))}</bdi>
      </p>
      <p class="hint">{describeEffect(visit, whose, key, String(after))}</p>
    </section>
  );
}
