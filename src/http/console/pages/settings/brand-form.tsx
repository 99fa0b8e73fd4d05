import type { FieldErrors } from "../../../../domain/core/errors/errors.ts";
import { type BrandKey } from "../../../../domain/people/branding/branding.ts";
import { setting } from "../../../../domain/core/settings/settings.ts";
import { FormToken } from "../../../pages/document.tsx";
import { Action, Button } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import type { StaffVisit } from "../../guard.ts";
import { Contrast } from "./contrast.tsx";
import { SettingInput } from "./input.tsx";
import { BRANDING, type Look, looks } from "./preview.tsx";
import type { Whose } from "./whose.ts";

/** Sections of the form. */
const parts: readonly (readonly [name: "look" | "reach" | "pay" | "papers", keys: readonly BrandKey[]])[] = [
  ["look", ["portal_name", "portal_color"]],
  ["reach", ["portal_contact", "portal_phone", "portal_chat", "portal_url"]],
  ["pay", ["portal_pay_text", "portal_pay_link", "portal_expired_text"]],
  ["papers", ["isp_address", "isp_tax_number"]],
];

interface FormProps {
  visit: StaffVisit;
  whose: Whose;
  values: Readonly<Record<BrandKey, string>>;
  look: Look;
  faults: FieldErrors;
}

export function BrandForm({ visit, whose, values, look, faults }: FormProps) {
  const { view, formToken } = visit;
  const { branding } = view.words.settings;
  return (
    <form id="brand" method="post" action={BRANDING} class="stack" data-preview="#brand-frame">
      <FormToken value={formToken} />
      {whose.isp && <input type="hidden" name="isp" value={String(whose.isp.id)} />}
      {looks.map(({ name, options }) => (
        <input type="hidden" name={name} value={look[name] ?? options[0]} data-look />
      ))}
      {parts.map(([part, keys]) => (
        <Card title={branding[part]}>
          <div class="stack">
            {keys.map((key) => (
              <>
                <SettingInput visit={visit} name={key} value={values[key]} fault={faults[key]?.join(" ")} />
                {key === "portal_color" && <Contrast visit={visit} color={values.portal_color} />}
              </>
            ))}
          </div>
        </Card>
      ))}
      <div class="actions">
        <Button kind="solid">{branding.save}</Button>
        <Button name="preview" value="yes">
          {branding.preview}
        </Button>
      </div>
    </form>
  );
}

export function LogoForm({
  visit,
  whose,
  fault,
}: {
  visit: StaffVisit;
  whose: Whose;
  fault: string | undefined;
}) {
  const { view, formToken } = visit;
  const { branding } = view.words.settings;
  const isp = whose.isp && <input type="hidden" name="isp" value={String(whose.isp.id)} />;
  return (
    <Card title={branding.logo}>
      <form method="post" action={`${BRANDING}/logo`} enctype="multipart/form-data" class="stack">
        <FormToken value={formToken} />
        {isp}
        <div class={fault === undefined ? "field" : "field wrong"}>
          <label for="logo">{branding.logoFile}</label>
          <input
            id="logo"
            name="logo"
            type="file"
            accept="image/png,image/jpeg,image/webp,image/svg+xml"
            required
            aria-describedby="logo-help"
          />
          <p id="logo-help" class={fault === undefined ? "hint" : "fault"}>
            {fault ?? branding.logoHelp}
          </p>
        </div>
        <div class="actions">
          <Button>{branding.logoSend}</Button>
        </div>
      </form>
      {setting(visit.db, "portal_logo", whose.by.scope.ispId ?? 0) !== "" && (
        <div class="after">
          <Action
            action={`${BRANDING}/logo/remove`}
            formToken={formToken}
            fields={whose.isp ? { isp: whose.isp.id } : {}}
            kind="danger"
          >
            {branding.logoRemove}
          </Action>
        </div>
      )}
    </Card>
  );
}
