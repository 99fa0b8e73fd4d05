import type { FieldErrors } from "../../../../domain/core/errors/errors.ts";
import { Card } from "../../../pages/parts/card.tsx";
import { Check, Field, Select, TextArea } from "../../../pages/parts/field.tsx";
import { Fold } from "../../../pages/parts/fold.tsx";
import type { StaffVisit } from "../../guard.ts";
import { IspField } from "../../isp-field.tsx";
import type { ConsoleView } from "../../view.ts";
import type { Typed } from "../money/keyed.tsx";
import type { Making } from "./new-typed.ts";

export interface Part {
  view: ConsoleView;
  making: Making;
  typed: Typed;
  faults: FieldErrors;
}

const decimal = { inputmode: "decimal", autocomplete: "off", maxlength: 16 };
const whole = { inputmode: "numeric", autocomplete: "off", maxlength: 6 };

/** How many, and for how much. */
export function Made({ visit, view, making: { kind, sold }, typed, faults }: Part & { visit: StaffVisit }) {
  const { making: say } = view.words.cards;
  return (
    <Card title={say.what}>
      <div class="fields">
        <Field
          name="quantity"
          label={say.quantity}
          value={typed("quantity")}
          fault={faults["quantity"]?.[0]}
          attributes={whole}
        />
        <Field
          name="price"
          label={kind === "refill" ? say.priceOfRefill : say.price}
          prefix={view.format.currencySign(view.brand.currency)}
          value={typed("price")}
          fault={faults["price"]?.[0]}
          attributes={decimal}
        />
        {!sold && <IspField visit={visit} typed={typed("isp_id")} fault={faults["isp_id"]?.[0]} />}
      </div>
    </Card>
  );
}

/** Of access cards: the clock, the time online and the data, whichever comes first. */
export function Ends({ view, typed, faults }: Part) {
  const { making: say } = view.words.cards;
  return (
    <Card title={say.ends} lead={say.endsLead}>
      <div class="fields">
        <div class="whole-row">
          <Check name="by_clock" label={say.byClock} checked={typed("by_clock") === "1"} />
          {faults["by_clock"] && <p class="fault">{faults["by_clock"][0]}</p>}
        </div>
        <Field
          name="duration"
          label={say.duration}
          value={typed("duration")}
          fault={faults["duration"]?.[0]}
          attributes={whole}
        />
        <Select
          name="duration_unit"
          label={say.unit}
          value={typed("duration_unit") || "hour"}
          options={(["hour", "day", "month"] as const).map((value) => ({ value, label: say.units[value] }))}
        />
        <Field
          name="uptime"
          label={say.online}
          value={typed("uptime")}
          fault={faults["uptime_seconds"]?.[0]}
          help={say.onlineHelp}
          attributes={decimal}
        />
        <Field
          name="data"
          label={say.data}
          value={typed("data")}
          fault={faults["data_quota_bytes"]?.[0]}
          help={say.dataHelp}
          attributes={decimal}
        />
        <Field
          name="devices"
          label={say.devices}
          value={typed("devices")}
          fault={faults["devices"]?.[0]}
          attributes={whole}
        />
        <div class="whole-row">
          <Check name="lock_first_device" label={say.lock} checked={typed("lock_first_device") === "1"} />
        </div>
      </div>
    </Card>
  );
}

/** Until when, by whom, and who pays what. */
export function Sale({ view, making: { choices }, typed, faults }: Part) {
  const { making: say } = view.words.cards;
  return (
    <Card title={say.sale}>
      <div class="fields">
        <Field
          name="sell_by"
          type="date"
          label={say.sellBy}
          value={typed("sell_by")}
          fault={faults["sell_by"]?.[0]}
          help={say.sellByHelp}
        />
        <Field
          name="use_by"
          type="date"
          label={say.useBy}
          value={typed("use_by")}
          fault={faults["use_by"]?.[0]}
          help={say.useByHelp}
        />
        <Select
          name="reseller_id"
          label={say.holder}
          value={typed("reseller_id")}
          fault={faults["reseller_id"]?.[0]}
          options={[
            { value: "", label: say.theIsp },
            ...choices.resellers.map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
        {choices.resellers.length > 0 && (
          <>
            <div class="of-reseller">
              <Field
                name="reseller_price"
                label={say.resellerPrice}
                prefix={view.format.currencySign(view.brand.currency)}
                value={typed("reseller_price")}
                fault={faults["reseller_price"]?.[0]}
                attributes={decimal}
              />
            </div>
            <div class="of-reseller">
              <Select
                name="charge_on"
                label={say.chargeOn}
                value={typed("charge_on") || "use"}
                options={(["use", "handover"] as const).map((value) => ({
                  value,
                  label: say.charges[value],
                }))}
              />
            </div>
          </>
        )}
        <div class="whole-row">
          <Check name="needs_sale" label={say.needsSale} checked={typed("needs_sale") === "1"} />
        </div>
      </div>
    </Card>
  );
}

/** How codes are made, and what is rarely said; `wouldDo` is the length that nobody guesses. */
export function More({ view, making, typed, faults, wouldDo }: Part & { wouldDo: number | undefined }) {
  const { making: say } = view.words.cards;
  return (
    <Fold summary={say.more} kind="card more-fields" open={faults["offline"] !== undefined}>
      <div class="fields">
        <Select
          name="alphabet"
          label={say.alphabet}
          value={typed("alphabet")}
          fault={faults["alphabet"]?.[0]}
          options={(["clear", "digits"] as const).map((value) => ({ value, label: say.alphabets[value] }))}
        />
        <Field
          name="length"
          label={say.length}
          value={typed("length")}
          fault={faults["length"]?.[0]}
          help={
            <span id="would-do">
              {wouldDo === undefined ? say.lengthLater : say.lengthWouldDo(view.format.number(wouldDo))}
            </span>
          }
          attributes={whole}
        />
        <Field
          name="prefix"
          label={say.prefix}
          value={typed("prefix")}
          fault={faults["prefix"]?.[0]}
          help={say.prefixHelp}
          attributes={{ maxlength: 8, autocomplete: "off", class: "mono" }}
        />
        {making.kind === "access" && (
          <div class="whole-row">
            <Check name="offline" label={say.offline} checked={typed("offline") === "1"} />
          </div>
        )}
        <div class="whole-row">
          <TextArea
            name="note"
            label={say.note}
            value={typed("note")}
            fault={faults["note"]?.[0]}
            maxLength={500}
            rows={2}
          />
        </div>
      </div>
    </Fold>
  );
}
