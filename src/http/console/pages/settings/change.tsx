import { writePatiently } from "../../../../../db/open.ts";
import { DomainError, type FieldErrors } from "../../../../domain/core/errors/errors.ts";
import { phrase } from "../../../../domain/core/errors/phrase.ts";
import type { Input } from "../../../../domain/core/fields/fields.ts";
import {
  listSettings,
  type ListedSetting,
  resetSetting,
} from "../../../../domain/machine/settings/change.ts";
import {
  changeSettings,
  type PlannedChange,
  plannedSettings,
} from "../../../../domain/machine/settings/planned.ts";
import { isSettingKey, setting } from "../../../../domain/core/settings/settings.ts";
import { requireFlag } from "../../../../domain/core/actor/actor.ts";
import { attempt } from "../../attempt.ts";
import { FormToken } from "../../../pages/document.tsx";
import { Action, Button } from "../../../pages/parts/button.tsx";
import { Chip } from "../../../pages/parts/chip.tsx";
import { readTextField } from "../../../pages/text-of.ts";
import { drawer, page, part, flash } from "../../answers.tsx";
import type { StaffVisit } from "../../guard.ts";
import { controls, groups, type SettingGroup } from "./controls.ts";
import { describeEffect } from "./effect.ts";
import { SettingsFrame } from "../../parts/settings-frame.tsx";
import { SettingInput } from "./input.tsx";
import { SETTINGS } from "../../parts/hrefs.ts";
import { sentValues, textIn } from "./sent.ts";
import { settingText } from "./words.ts";
import { sureDrawer } from "./sure.tsx";
import { isChanged, ispHref, type Whose, whoseSettings } from "./whose.ts";
import { DrawerForm } from "../../drawer-form.tsx";

interface FormState {
  readonly faults?: FieldErrors;
  readonly values?: Input;
}

export function showSetting(
  visit: StaffVisit,
  { faults = {}, values }: FormState = {},
  key = visit.params["key"] ?? "",
): Response {
  const { view, formToken, query } = visit;
  const whose = whoseSettings(visit, values ? values["isp"] : query.get("isp"));
  const listed = listedSetting(visit, whose, key);
  const { settings } = view.words;
  const back = ispHref(SETTINGS, whose);
  const action = `${SETTINGS}/save`;
  const value = (values && textIn(view, values, listed.key)) ?? String(listed.value);
  return drawer(visit, {
    title: settings.words[listed.key].name,
    lead: whose.isp
      ? view.format.name(whose.isp.name)
      : whose.isForIsp
        ? settings.ofTheIsp
        : settings.ofTheBox,
    place: "settings",
    back,
    status: Object.keys(faults).length > 0 ? 422 : 200,
    children: (
      <>
        <DrawerForm action={action} visit={visit}>
          <div class="drawer-body">
            <input type="hidden" name="key" value={listed.key} />
            {whose.isp && <input type="hidden" name="isp" value={String(whose.isp.id)} />}
            <div
              hx-post={`${SETTINGS}/effect`}
              hx-trigger="input delay:250ms"
              hx-include="closest form"
              hx-target="#effect"
              hx-swap="outerHTML"
              hx-sync="this:replace"
            >
              <SettingInput
                visit={{ ...visit, by: whose.by }}
                name={listed.key}
                value={value}
                fault={faults[listed.key]?.join(" ")}
              />
            </div>
            <Effect visit={visit} whose={whose} listed={listed} value={value} />
            <Facts visit={visit} whose={whose} listed={listed} />
          </div>
          <div class="drawer-foot">
            <Button kind="solid" size="large">
              {settings.save}
            </Button>
          </div>
        </DrawerForm>
        {isChanged(whose, listed) && (
          <div class="drawer-body">
            <Action
              action={`${SETTINGS}/reset`}
              formToken={formToken}
              fields={{ key: listed.key, ...(whose.isp && { isp: whose.isp.id }) }}
              icon="renew"
            >
              {whose.isForIsp ? settings.resetIsp : settings.reset}
            </Action>
          </div>
        )}
      </>
    ),
  });
}

function listedSetting({ db }: StaffVisit, { by }: Whose, key: string): ListedSetting {
  const found = listSettings(db, by).find((one) => one.key === key);
  if (!found) throw new DomainError("not_found", phrase`there is no setting ${key} that is yours`);
  return found;
}

interface OneProps {
  visit: StaffVisit;
  whose: Whose;
  listed: ListedSetting;
}

/** Consequences of a value, updated while typing. */
function Effect({ visit, whose, listed: { key }, value }: OneProps & { value: string }) {
  const { view } = visit;
  const { settings } = view.words;
  return (
    <div id="effect" class="sums" role="status">
      <strong>{settings.whatFollows}</strong>
      <p>{describeEffect(visit, whose, key, value)}</p>
    </div>
  );
}

function Facts({ visit: { view, db }, whose, listed }: OneProps) {
  const { key, initially } = listed;
  const { settings } = view.words;
  return (
    <div class="stack close hint">
      <p>
        {isChanged(whose, listed) && <Chip>{whose.isForIsp ? settings.own : settings.changed}</Chip>}{" "}
        {whose.isForIsp
          ? settings.inherited(settingText(view, key, setting(db, key)))
          : settings.initially(settingText(view, key, initially))}
      </p>
      <p class="mono">{settings.key(key)}</p>
    </div>
  );
}

export function showGroup(
  visit: StaffVisit,
  { faults = {}, values }: FormState = {},
  named = visit.params["group"] ?? "",
): Response {
  const { view, formToken, db, query } = visit;
  requireFlag(visit.by, "setting_manage");
  const whose = whoseSettings(visit, values ? values["isp"] : query.get("isp"));
  const group = groupNamed(named);
  const rows = listSettings(db, whose.by).filter(({ key }) => controls[key].group === group);
  if (rows.length === 0)
    throw new DomainError("not_found", phrase`there are no settings ${named} that are yours`);
  const { settings } = view.words;
  return page(
    visit,
    <SettingsFrame visit={visit} current="settings" title={settings.groups[group].name}>
      <form method="post" action={`${SETTINGS}/save`} class="card stack setting-form">
        <FormToken value={formToken} />
        <input type="hidden" name="group" value={group} />
        {whose.isp && <input type="hidden" name="isp" value={String(whose.isp.id)} />}
        <p class="hint">
          {whose.isp ? settings.leadIsp(view.format.name(whose.isp.name)) : settings.groups[group].text}
        </p>
        <div class="fields">
          {rows.map(({ key, value }) => (
            <SettingInput
              visit={{ ...visit, by: whose.by }}
              name={key}
              value={(values && textIn(view, values, key)) ?? String(value)}
              fault={faults[key]?.join(" ")}
            />
          ))}
        </div>
        <div class="actions">
          <Button kind="solid">{settings.saveAll}</Button>
          <Button href={ispHref(SETTINGS, whose)}>{settings.back}</Button>
        </div>
      </form>
    </SettingsFrame>,
    { status: Object.keys(faults).length > 0 ? 422 : 200 },
  );
}

function groupNamed(name: string): SettingGroup {
  const group = groups.find((one) => one === name);
  if (group) return group;
  throw new DomainError("not_found", phrase`there are no settings ${name}`);
}

export async function saveSettings(visit: StaffVisit, input: Input): Promise<Response> {
  requireFlag(visit.by, "setting_manage");
  const whose = whoseSettings(visit, input["isp"]);
  const values = sentValues(visit, whose, input);
  const planned = await attempt(visit, () => plannedSettings(visit.db, whose.by, { values }));
  if (planned instanceof DomainError) {
    if (planned.kind !== "invalid") throw planned;
    return again(visit, input, planned.fields ?? {});
  }
  if (planned.some(({ key }) => controls[key].asks) && readTextField(input, "sure", 3) !== "yes")
    return sureDrawer(visit, { whose, planned, input });
  // after the check above: only this is retried while another connection writes
  await writePatiently(visit.db, (tx) =>
    changeSettings(tx, whose.by, { changes: planned }, { now: visit.now }),
  );
  return flash(visit, changeWords(visit, whose, planned), ispHref(SETTINGS, whose));
}

function again(visit: StaffVisit, values: Input, faults: FieldErrors): Response {
  const key = readTextField(values, "key", 60);
  if (key !== "") return showSetting(visit, { values, faults }, key);
  return showGroup(visit, { values, faults }, readTextField(values, "group", 60));
}

function changeWords(visit: StaffVisit, whose: Whose, planned: readonly PlannedChange[]) {
  const { settings } = visit.view.words;
  const [first] = planned;
  if (!first) return { kind: "wait" as const, title: settings.unchanged, text: settings.unchangedText };
  if (planned.length > 1) return { kind: "good" as const, title: settings.savedMany(planned.length) };
  const { key, after } = first;
  const title = settings.saved(settings.words[key].name, settingText(visit.view, key, after));
  return { kind: "good" as const, title, text: describeEffect(visit, whose, key, String(after)) };
}

export function reset(visit: StaffVisit, input: Input): Response {
  const { db, now, view } = visit;
  const whose = whoseSettings(visit, input["isp"]);
  const key = readTextField(input, "key", 60);
  resetSetting(db, whose.by, { key }, { now });
  const { settings } = view.words;
  const { value } = listedSetting(visit, whose, key);
  const title = isSettingKey(key)
    ? settings.resetDone(settings.words[key].name, settingText(view, key, value))
    : "";
  return flash(visit, { kind: "good", title }, ispHref(SETTINGS, whose));
}

/** Consequences while typing. */
export function showEffect(visit: StaffVisit, input: Input): Response {
  requireFlag(visit.by, "setting_manage");
  const whose = whoseSettings(visit, input["isp"]);
  const listed = listedSetting(visit, whose, readTextField(input, "key", 60));
  const value = textIn(visit.view, input, listed.key) ?? "";
  return part(visit, <Effect visit={visit} whose={whose} listed={listed} value={value} />);
}
