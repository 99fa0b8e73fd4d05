import type { FieldErrors } from "../../../../domain/core/errors/errors.ts";
import { Card } from "../../../pages/parts/card.tsx";
import { Check, Field, Select, TextArea } from "../../../pages/parts/field.tsx";
import { Fold } from "../../../pages/parts/fold.tsx";
import type { StaffVisit } from "../../guard.ts";
import { IspField } from "../../isp-field.tsx";
import type { ConsoleView } from "../../view.ts";
import { durationField } from "../../parts/duration.ts";
import type { ReadValue } from "../../parts/keyed.tsx";
import type { Making } from "./new-values.ts";

export interface Part {
  view: ConsoleView;
  making: Making;
  values: ReadValue;
  faults: FieldErrors;
}

const decimal = { inputmode: "decimal", autocomplete: "off", maxlength: 16 };
const whole = { inputmode: "numeric", autocomplete: "off", maxlength: 6 };

export function Made({ visit, view, making: { kind, sold }, values, faults }: Part & { visit: StaffVisit }) {
  const { making: phrases } = view.words.cards;
  return (
    <Card title={phrases.what}>
      <div class="fields">
        <Field
          name="quantity"
          label={phrases.quantity}
          value={values("quantity")}
          fault={faults["quantity"]?.[0]}
          attributes={whole}
        />
        <Field
          name="price"
          label={kind === "refill" ? phrases.priceOfRefill : phrases.price}
          prefix={view.format.currencySign(view.brand.currency)}
          value={values("price")}
          fault={faults["price"]?.[0]}
          attributes={decimal}
        />
        {!sold && <IspField visit={visit} value={values("isp_id")} fault={faults["isp_id"]?.[0]} />}
      </div>
    </Card>
  );
}

/** The limits of access cards; the first one reached ends a card. */
export function Ends({ view, values, faults }: Part) {
  const { making: phrases } = view.words.cards;
  return (
    <Card title={phrases.ends} lead={phrases.endsLead}>
      <div class="fields">
        <div class="wide">
          <Check name="by_clock" label={phrases.byClock} checked={values("by_clock") === "1"} />
          {faults["by_clock"] && <p class="fault">{faults["by_clock"][0]}</p>}
        </div>
        <Field
          {...durationField(view, "hour")}
          name="duration"
          label={phrases.duration}
          value={values("duration")}
          fault={faults["duration"]?.[0]}
        />
        <Field
          {...durationField(view, "hour")}
          name="uptime"
          label={phrases.online}
          value={values("uptime")}
          fault={faults["uptime_seconds"]?.[0]}
          help={phrases.onlineHelp}
        />
        <Field
          name="data"
          label={phrases.data}
          value={values("data")}
          fault={faults["data_quota_bytes"]?.[0]}
          help={phrases.dataHelp}
          attributes={decimal}
        />
        <Field
          name="devices"
          label={phrases.devices}
          value={values("devices")}
          fault={faults["devices"]?.[0]}
          attributes={whole}
        />
        <div class="wide">
          <Check
            name="lock_first_device"
            label={phrases.lock}
            checked={values("lock_first_device") === "1"}
          />
        </div>
      </div>
    </Card>
  );
}

/** Expiry, seller, and prices. */
export function Sale({ view, making: { choices }, values, faults }: Part) {
  const { making: phrases } = view.words.cards;
  return (
    <Card title={phrases.sale}>
      <div class="fields">
        <Field
          name="sell_by"
          type="date"
          label={phrases.sellBy}
          value={values("sell_by")}
          fault={faults["sell_by"]?.[0]}
          help={phrases.sellByHelp}
        />
        <Field
          name="use_by"
          type="date"
          label={phrases.useBy}
          value={values("use_by")}
          fault={faults["use_by"]?.[0]}
          help={phrases.useByHelp}
        />
        <Select
          name="reseller_id"
          label={phrases.holder}
          value={values("reseller_id")}
          fault={faults["reseller_id"]?.[0]}
          options={[
            { value: "", label: phrases.theIsp },
            ...choices.resellers.map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
        {choices.resellers.length > 0 && (
          <>
            <div class="of-reseller">
              <Field
                name="reseller_price"
                label={phrases.resellerPrice}
                prefix={view.format.currencySign(view.brand.currency)}
                value={values("reseller_price")}
                fault={faults["reseller_price"]?.[0]}
                attributes={decimal}
              />
            </div>
            <div class="of-reseller">
              <Select
                name="charge_on"
                label={phrases.chargeOn}
                value={values("charge_on") || "use"}
                options={(["use", "handover"] as const).map((value) => ({
                  value,
                  label: phrases.charges[value],
                }))}
              />
            </div>
          </>
        )}
        <div class="wide">
          <Check name="needs_sale" label={phrases.needsSale} checked={values("needs_sale") === "1"} />
        </div>
      </div>
    </Card>
  );
}

/** `wouldDo`: the length that is safe from guessing. */
export function More({ view, making, values, faults, wouldDo }: Part & { wouldDo: number | undefined }) {
  const { making: phrases } = view.words.cards;
  return (
    <Fold summary={phrases.more} kind="card folded quiet" open={faults["offline"] !== undefined}>
      <div class="fields">
        <Select
          name="alphabet"
          label={phrases.alphabet}
          value={values("alphabet")}
          fault={faults["alphabet"]?.[0]}
          options={(["clear", "digits"] as const).map((value) => ({
            value,
            label: phrases.alphabets[value],
          }))}
        />
        <Field
          name="length"
          label={phrases.length}
          value={values("length")}
          fault={faults["length"]?.[0]}
          help={
            <span id="would-do">
              {wouldDo === undefined ? phrases.lengthLater : phrases.lengthWouldDo(wouldDo)}
            </span>
          }
          attributes={whole}
        />
        <Field
          name="prefix"
          label={phrases.prefix}
          value={values("prefix")}
          fault={faults["prefix"]?.[0]}
          help={phrases.prefixHelp}
          attributes={{ maxlength: 8, autocomplete: "off", class: "mono" }}
        />
        {making.kind === "access" && (
          <div class="wide">
            <Check name="offline" label={phrases.offline} checked={values("offline") === "1"} />
          </div>
        )}
        <div class="wide">
          <TextArea
            name="note"
            label={phrases.note}
            value={values("note")}
            fault={faults["note"]?.[0]}
            maxLength={500}
            rows={2}
          />
        </div>
      </div>
    </Fold>
  );
}
