import { SETTINGS } from "../../parts/hrefs.ts";
import { boxSettings, type ListedSetting, listSettings } from "../../../../domain/machine/settings/change.ts";
import { setting } from "../../../../domain/core/settings/settings.ts";
import { Button } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Chip } from "../../../pages/parts/chip.tsx";
import { Empty } from "../../../pages/parts/empty.tsx";
import { Swatch } from "../../../pages/parts/swatch.tsx";
import { Segments } from "../../../pages/parts/tabs.tsx";
import { page } from "../../answers.tsx";
import { drawerLink } from "../../frame.tsx";
import type { StaffVisit } from "../../guard.ts";
import { seeOther } from "../../../pages/respond.tsx";
import { isOperator } from "../../../../domain/core/actor/permissions.ts";
import { Facts } from "../../../pages/parts/facts.tsx";
import { may, requireFlag } from "../../../../domain/core/actor/actor.ts";
import { controls, groups, type SettingGroup } from "./controls.ts";
import { SettingsFrame } from "../../parts/settings-frame.tsx";
import { firstOpen } from "../../parts/settings-pages.ts";
import { settingText } from "./words.ts";
import { isChanged, ispHref, type Whose, whoseSettings } from "./whose.ts";

/** ISPs shown side by side; more are in a select. */
const FEW = 5;

export function showSettings(visit: StaffVisit): Response {
  const { by, query, db, view } = visit;
  const elsewhere = may(by, "setting_manage") ? undefined : firstOpen(visit);
  if (elsewhere !== undefined) return seeOther(elsewhere);
  requireFlag(by, "setting_manage");
  const whose = whoseSettings(visit, query.get("isp"));
  const word = (query.get("q") ?? "").trim().slice(0, 100);
  const all = listSettings(db, whose.by);
  const order = Object.keys(controls);
  const found = all
    .filter((one) => isAbout(visit, one, word))
    .sort((one, other) => order.indexOf(one.key) - order.indexOf(other.key));
  const { settings } = view.words;
  const changed = all.filter((one) => isChanged(whose, one)).length;
  return page(
    visit,
    <SettingsFrame visit={visit} current="settings">
      <div class="setting-bar">
        <Finder visit={visit} whose={whose} word={word} />
        <Owners visit={visit} whose={whose} />
      </div>
      <p class="hint">
        {whose.isp
          ? settings.leadIsp(view.format.name(whose.isp.name))
          : whose.isForIsp
            ? ""
            : settings.leadBox}{" "}
        {whose.isForIsp ? settings.ownCount(changed) : settings.changedCount(changed)}
      </p>
      <div id="settings-found" class="stack">
        {word !== "" && (
          <p role="status">
            {settings.found(found.length)} · <a href={ispHref(SETTINGS, whose)}>{settings.all}</a>
          </p>
        )}
        {found.length === 0 && <Empty icon="settings" title={settings.none(word)} text={settings.noneText} />}
        {groups.map((group) => (
          <Group
            visit={visit}
            whose={whose}
            group={group}
            rows={found.filter(({ key }) => controls[key].group === group)}
          />
        ))}
        {word === "" && !isOperator(by) && <OfTheBox visit={visit} />}
      </div>
    </SettingsFrame>,
  );
}

function OfTheBox({ visit: { db, by, view, isApplianceAdmin } }: { visit: StaffVisit }) {
  const { settings } = view.words;
  const { keys, operators } = boxSettings(db, by);
  const order = Object.keys(controls);
  const rows = keys.toSorted((one, other) => order.indexOf(one) - order.indexOf(other));
  return (
    <Card
      title={settings.box.title}
      lead={settings.box.lead(operators.map((name) => view.format.name(name)).join(view.words.list.comma))}
    >
      {!isApplianceAdmin() && <p class="hint">{settings.box.pages}</p>}
      <Facts facts={rows.map((key) => [settings.words[key].name, settings.words[key].text])} />
    </Card>
  );
}

/** Matches label, name and meaning. */
function isAbout({ view }: StaffVisit, { key, meaning }: ListedSetting, word: string): boolean {
  if (word === "") return true;
  const { words, groups: named } = view.words.settings;
  const { name, text } = words[key];
  const of = [key, key.replaceAll("_", " "), meaning, name, text, named[controls[key].group].name]
    .join(" ")
    .toLowerCase();
  return word
    .toLowerCase()
    .split(/\s+/)
    .every((part) => of.includes(part));
}

function Finder({ visit: { view }, whose, word }: { visit: StaffVisit; whose: Whose; word: string }) {
  const { settings } = view.words;
  return (
    <search>
      <form action={SETTINGS} method="get">
        {whose.isp && <input type="hidden" name="isp" value={String(whose.isp.id)} />}
        <input
          type="search"
          name="q"
          value={word}
          placeholder={settings.search}
          aria-label={settings.search}
          title={settings.searchHelp}
          autocomplete="off"
          maxLength={100}
          hx-get={SETTINGS}
          hx-trigger="input changed delay:200ms"
          hx-include="closest form"
          hx-select="#settings-found"
          hx-target="#settings-found"
          hx-swap="outerHTML"
          hx-sync="this:replace"
        />
        <Button icon="search" label={settings.find} />
      </form>
    </search>
  );
}

function Owners({ visit: { view }, whose }: { visit: StaffVisit; whose: Whose }) {
  const { settings } = view.words;
  if (whose.isps.length === 0) return null;
  const owners = [{ id: 0, name: settings.ofBox }, ...whose.isps];
  if (owners.length <= FEW)
    return (
      <Segments
        label={settings.whose}
        tabs={owners.map(({ id, name }) => ({
          href: id === 0 ? SETTINGS : `${SETTINGS}?isp=${id}`,
          label: <bdi>{name}</bdi>,
          current: (whose.isp?.id ?? 0) === id,
        }))}
      />
    );
  return (
    <form action={SETTINGS} method="get" class="actions">
      <select name="isp" aria-label={settings.whose}>
        {owners.map(({ id, name }) => (
          <option value={String(id)} selected={(whose.isp?.id ?? 0) === id}>
            {name}
          </option>
        ))}
      </select>
      <Button>{settings.find}</Button>
    </form>
  );
}

interface GroupProps {
  visit: StaffVisit;
  whose: Whose;
  group: SettingGroup;
  rows: readonly ListedSetting[];
}

function Group({ visit, whose, group, rows }: GroupProps) {
  if (rows.length === 0) return null;
  const { settings } = visit.view.words;
  const { name, text } = settings.groups[group];
  const isPortal = group === "portal";
  const href = ispHref(isPortal ? `${SETTINGS}/branding` : `${SETTINGS}/group/${group}`, whose);
  return (
    <Card
      id={`group-${group}`}
      title={name}
      lead={text}
      aside={
        rows.length > 1 && (
          <a href={href} aria-label={isPortal ? settings.tabs.branding : settings.changeGroupOf(name)}>
            {isPortal ? settings.tabs.branding : settings.changeGroup}
          </a>
        )
      }
    >
      <ul class="settings-list">
        {rows.map((row) => (
          <Row visit={visit} whose={whose} row={row} />
        ))}
      </ul>
    </Card>
  );
}

function Row({ visit: { view, db }, whose, row }: { visit: StaffVisit; whose: Whose; row: ListedSetting }) {
  const { settings } = view.words;
  const { key, value, initially } = row;
  const { name, text } = settings.words[key];
  const href = ispHref(
    controls[key].kind === "logo" ? `${SETTINGS}/branding` : `${SETTINGS}/set/${key}`,
    whose,
  );
  const opens = controls[key].kind === "logo" ? {} : drawerLink(href);
  return (
    <li>
      <div>
        <h3>{name}</h3>
        <p class="hint">{text}</p>
      </div>
      <div>
        <p>
          {controls[key].kind === "color" && <Swatch fill={String(value)} size={14} />}{" "}
          <bdi class={value === "" ? "soft-text" : ""}>{settingText(view, key, value)}</bdi>
        </p>
        {isChanged(whose, row) && (
          <p class="hint">
            <Chip>{whose.isForIsp ? settings.own : settings.changed}</Chip>{" "}
            {whose.isForIsp
              ? settings.inherited(settingText(view, key, setting(db, key)))
              : settings.initially(settingText(view, key, initially))}
          </p>
        )}
      </div>
      <a class="button small" href={href} aria-label={settings.changeOf(name)} {...opens}>
        {settings.change}
      </a>
    </li>
  );
}
