import { writePatiently } from "../../../../../db/open.ts";
import { DomainError, type FieldErrors } from "../../../../domain/core/errors/errors.ts";
import type { Input } from "../../../../domain/core/fields/fields.ts";
import { type BrandKey, brandKeys } from "../../../../domain/people/branding/branding.ts";
import { changeLogo, resetSetting } from "../../../../domain/machine/settings/change.ts";
import { changeSettings, plannedSettings } from "../../../../domain/machine/settings/planned.ts";
import { setting } from "../../../../domain/core/settings/settings.ts";
import { requireFlag } from "../../../../domain/core/actor/actor.ts";
import { attempt } from "../../attempt.ts";
import { Segments } from "../../../pages/parts/tabs.tsx";
import { framingHeaders, seeOther } from "../../../pages/respond.tsx";
import { readTextField } from "../../../pages/text-of.ts";
import { page, part, flash } from "../../answers.tsx";
import { brandingScript } from "../../assets.ts";
import type { StaffVisit } from "../../guard.ts";
import { BrandForm, LogoForm } from "./brand-form.tsx";
import { Contrast } from "./contrast.tsx";
import { SettingsFrame } from "../../parts/settings-frame.tsx";
import { BRANDING, type Look, looks, readLook } from "./preview.tsx";
import { sentValues } from "./sent.ts";
import { ispHref, type Whose, whoseSettings } from "./whose.ts";

interface FormState {
  readonly values?: Input;
  readonly faults?: FieldErrors;
}

/** Previews the typed brand. */
export function showBranding(visit: StaffVisit, { values: entered, faults = {} }: FormState = {}): Response {
  const { by, db, query, view } = visit;
  requireFlag(by, "setting_manage");
  const whose = whoseSettings(visit, entered ? entered["isp"] : query.get("isp"));
  const ispId = whose.by.scope.ispId ?? 0;
  const sent = entered ? sentValues(visit, whose, entered) : {};
  const readValue = (key: BrandKey) => sent[key] ?? setting(db, key, ispId);
  const values = Object.fromEntries(brandKeys.map((key) => [key, readValue(key)])) as Record<
    BrandKey,
    string
  >;
  const look = readLook((name) => (entered ? entered[name] : query.get(name)));
  const { settings } = view.words;
  return page(
    visit,
    <SettingsFrame visit={visit} current="branding" scripts={[brandingScript.path]}>
      <div class="setting-bar">
        <p class="hint">{settings.branding.lead}</p>
        {whose.isps.length > 1 && <Owners visit={visit} whose={whose} />}
      </div>
      <div class="brand-columns">
        <div class="stack">
          <BrandForm visit={visit} whose={whose} values={values} look={look} faults={faults} />
          <LogoForm visit={visit} whose={whose} fault={faults["logo"]?.join(" ")} />
        </div>
        <Preview visit={visit} whose={whose} values={values} look={look} />
      </div>
    </SettingsFrame>,
    { status: Object.keys(faults).length > 0 ? 422 : 200, headers: framingHeaders },
  );
}

function Owners({ visit: { view }, whose }: { visit: StaffVisit; whose: Whose }) {
  const { settings } = view.words;
  return (
    <Segments
      label={settings.whose}
      tabs={[{ id: 0, name: settings.ofBox }, ...whose.isps].map(({ id, name }) => ({
        href: id === 0 ? BRANDING : `${BRANDING}?isp=${id}`,
        label: <bdi>{name}</bdi>,
        current: (whose.isp?.id ?? 0) === id,
      }))}
    />
  );
}

interface PreviewProps {
  visit: StaffVisit;
  whose: Whose;
  values: Readonly<Record<BrandKey, string>>;
  look: Look;
}

/** The real page in a frame; page, scheme and width are links, which the script turns into switches. */
function Preview({ visit: { view }, whose, values, look }: PreviewProps) {
  const { branding } = view.words.settings;
  const labels: Readonly<Record<string, string>> = {
    ...branding.page,
    ...branding.schemes,
    ...branding.widths,
  };
  const names = { page: branding.pages, scheme: branding.scheme, width: branding.width } as const;
  const isp = whose.isp ? { isp: String(whose.isp.id) } : {};
  const src = new URLSearchParams({ ...isp, ...look, ...values });
  return (
    <section aria-label={branding.frame(labels[look.page ?? ""] ?? "")}>
      <div class="brand-looks">
        {looks.map(({ name, options }) => (
          <Segments
            label={names[name]}
            tabs={options.map((option) => ({
              href: `${BRANDING}?${new URLSearchParams({ ...isp, ...look, [name]: option })}`,
              label: <span data-look-of={`${name}=${option}`}>{labels[option]}</span>,
              current: look[name] === option,
            }))}
          />
        ))}
      </div>
      <iframe
        id="brand-frame"
        class={look.width === "wide" ? "brand-frame wide" : "brand-frame"}
        src={`${BRANDING}/preview?${src}`}
        title={branding.frame(labels[look.page ?? ""] ?? "")}
        sandbox="allow-same-origin"
      />
    </section>
  );
}

/** Saves the brand, or previews it. */
export async function saveBranding(visit: StaffVisit, input: Input): Promise<Response> {
  requireFlag(visit.by, "setting_manage");
  const { db, now, view } = visit;
  const whose = whoseSettings(visit, input["isp"]);
  const sent = sentValues(visit, whose, input);
  const values = Object.fromEntries(
    Object.entries(sent).filter(([key]) => brandKeys.some((one) => one === key)),
  );
  const planned = await attempt(visit, () => plannedSettings(db, whose.by, { values }));
  if (planned instanceof DomainError) {
    if (planned.kind !== "invalid") throw planned;
    return showBranding(visit, { values: input, faults: planned.fields ?? {} });
  }
  if (readTextField(input, "preview", 3) === "yes") return showBranding(visit, { values: input });
  await writePatiently(db, (tx) => changeSettings(tx, whose.by, { changes: planned }, { now }));
  const { settings } = view.words;
  const { branding } = settings;
  const look = new URLSearchParams({ ...readLook((name) => input[name]) });
  return flash(
    visit,
    planned.length === 0
      ? { kind: "wait", title: settings.unchanged, text: settings.unchangedText }
      : { kind: "good", title: branding.saved, text: branding.savedText },
    ispHref(`${BRANDING}?${look}`, whose),
  );
}

export async function takeLogo(visit: StaffVisit, input: Input): Promise<Response> {
  const { db, now, view } = visit;
  const { branding } = view.words.settings;
  const whose = whoseSettings(visit, input["isp"]);
  const sent = input["logo"];
  const content = sent instanceof Blob ? await sent.bytes() : new Uint8Array();
  const refused = await attempt(visit, () =>
    writePatiently(db, (tx) => changeLogo(tx, whose.by, { content }, { now })),
  );
  if (refused) {
    if (refused.kind !== "invalid") throw refused;
    const fault =
      content.length === 0
        ? branding.pickLogo
        : `${branding.logo} ${refused.fields?.["logo"]?.join(" ") ?? ""}.`;
    return showBranding(visit, { values: input, faults: { logo: [fault] } });
  }
  return flash(
    visit,
    { kind: "good", title: branding.logoTaken, text: branding.savedText },
    ispHref(BRANDING, whose),
  );
}

export function removeLogo(visit: StaffVisit, input: Input): Response {
  const { db, now, view } = visit;
  const { branding } = view.words.settings;
  const whose = whoseSettings(visit, input["isp"]);
  resetSetting(db, whose.by, { key: "portal_logo" }, { now });
  return flash(
    visit,
    { kind: "good", title: branding.logoGone, text: branding.savedText },
    ispHref(BRANDING, whose),
  );
}

export function showContrast(visit: StaffVisit): Response {
  requireFlag(visit.by, "setting_manage");
  if (!visit.isPart) return seeOther(BRANDING);
  return part(visit, <Contrast visit={visit} color={visit.query.get("portal_color") ?? ""} />);
}
