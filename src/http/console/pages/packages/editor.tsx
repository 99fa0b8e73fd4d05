import type { Child } from "hono/jsx";
import type { FieldErrors } from "../../../../domain/core/errors/errors.ts";
import { FormToken } from "../../../pages/document.tsx";
import type { Pool } from "../../../../domain/goods/address-pools/give.ts";
import { Note } from "../../../pages/note.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Fold } from "../../../pages/parts/fold.tsx";
import { Check, Field, Select, TextArea } from "../../../pages/parts/field.tsx";
import { durationField } from "../../parts/duration.ts";
import type { ConsoleView } from "../../view.ts";
import { FairFields, Stored } from "./fair-fields.tsx";
import type { ReadValue } from "./values.ts";

interface EditorProps {
  view: ConsoleView;
  formToken: string;
  action: string;
  values: ReadValue;
  faults: FieldErrors;
  /** Pools of its ISP. */
  pools: readonly Pick<Pool, "name" | "range" | "length">[];
  problem: string | undefined;
  submit: string;
  back: string;
  whose: Child;
  attributes: Child;
}

export function Editor({
  view,
  formToken,
  action,
  values,
  faults,
  pools,
  problem,
  submit,
  back,
  whose,
  attributes,
}: EditorProps) {
  const { packages, fairUse } = view.words;
  const part = { view, values, faults };
  return (
    <form
      id="package-form"
      class="split"
      method="post"
      action={action}
      hx-post="/console/packages/told"
      hx-trigger="input delay:250ms from:this"
      hx-target="#told"
      hx-swap="outerMorph"
      hx-sync="this:replace"
    >
      <FormToken value={formToken} />
      <input type="hidden" name="key" value={values("key")} />
      <div>
        {problem !== undefined && <Note kind="bad">{problem}</Note>}
        <Card title={packages.whatIsSold}>
          {whose}
          <Sold {...part} />
        </Card>
        <Card title={packages.rate} lead={packages.rateLead}>
          {faults["rate_limit"] && <p class="fault">{faults["rate_limit"][0]}</p>}
          <RateFields {...part} />
        </Card>
        <Card title={packages.more} lead={packages.moreLead}>
          <Folded part={part} title={packages.data} set={setData(part)} faults={["data_quota_bytes"]}>
            <DataFields {...part} />
          </Folded>
          <Folded part={part} title={fairUse.editor.title} set={setFair(part)} faults={["tiers", "hours"]}>
            <p class="hint">{fairUse.editor.lead}</p>
            <FairFields {...part} />
          </Folded>
          <Folded part={part} title={fairUse.editor.topUp} set={setTopUp(part)}>
            <p class="hint">{fairUse.editor.topUpLead}</p>
            <TopUpFields {...part} />
          </Folded>
          <Folded part={part} title={packages.network} set={setNetwork(part)}>
            <p class="hint">{packages.networkLead}</p>
            <NetworkFields {...part} pools={pools} />
          </Folded>
        </Card>
        <div class="actions">
          <Button kind="solid" size="large">
            {submit}
          </Button>
          <Button href={back} size="large">
            {packages.cancel}
          </Button>
        </div>
      </div>
      <div>{attributes}</div>
    </form>
  );
}

export interface Part {
  view: ConsoleView;
  values: ReadValue;
  faults: FieldErrors;
}

interface FoldedProps {
  part: Part;
  title: string;
  set: readonly string[];
  faults?: readonly string[];
  children: Child;
}

/** Rare fields, folded; the heading names those that are set. */
function Folded({ part: { view, faults: wrong }, title, set, faults = [], children }: FoldedProps) {
  const { packages } = view.words;
  return (
    <Fold
      kind="package-part"
      open={faults.some((name) => wrong[name] !== undefined)}
      summary={
        <>
          <strong>{title}</strong>{" "}
          <span class="soft-text">{set.join(view.words.list.comma) || packages.nothingSet}</span>
        </>
      }
    >
      {children}
    </Fold>
  );
}

const setData = ({ view, values }: Part) =>
  values("quota") === "" ? [] : [`${values("quota")} GB`, quotaThen(view, values)];

const quotaThen = ({ words: { packages } }: ConsoleView, values: ReadValue) =>
  values("quota_then") === "slower" ? packages.thenSlower : packages.thenReject;

function setFair({ view, values }: Part): string[] {
  const { editor } = view.words.fairUse;
  return [
    ...(values("tier_1_after") === "" ? [] : [editor.tiers]),
    ...(values("hours_1_from") === "" ? [] : [editor.hours]),
  ];
}

function setTopUp({ view, values }: Part): string[] {
  const { editor } = view.words.fairUse;
  return [
    ...(values("top_up") === "" ? [] : [`${editor.bytes} ${values("top_up")}`]),
    ...(values("top_up_days") === "" ? [] : [`${editor.days} ${values("top_up_days")}`]),
  ];
}

function setNetwork({ view, values }: Part): string[] {
  const { fields } = view.words.packages;
  return [...networkNames, ...poolNames, "reply_attributes" as const]
    .filter((name) => !["", name === "simultaneous_use" ? "1" : ""].includes(values(name)))
    .map((name) => fields[name]);
}

const networkNames = [
  ...(["simultaneous_use", "idle_timeout", "framed_pool", "address_list"] as const),
  ...(["expired_pool", "expired_address_list", "framed_ipv6_pool", "delegated_ipv6_pool"] as const),
] as const;
const poolNames = ["address_pool", "delegated_ipv6_from"] as const;

function Text({
  name,
  label,
  part,
  help,
  attributes = {},
}: {
  name: string;
  label: string;
  part: Part;
  help?: string;
  attributes?: Readonly<Record<string, string | number | boolean>>;
}) {
  return (
    <Field
      name={name}
      label={label}
      value={part.values(name)}
      fault={part.faults[name]?.[0]}
      help={help}
      attributes={{ autocomplete: "off", ...attributes }}
    />
  );
}

function Sold(part: Part) {
  const { view, values, faults } = part;
  const { packages } = view.words;
  const sign = view.format.currencySign(view.brand.currency);
  const decimal = { inputmode: "decimal" };
  return (
    <div class="fields">
      <Text
        name="name"
        label={packages.name}
        part={part}
        attributes={{ maxlength: 120, autofocus: values("name") === "" }}
      />
      <Field
        name="price"
        label={packages.priceLabel}
        prefix={sign}
        value={values("price")}
        fault={faults["price"]?.[0]}
        help={packages.priceHelp}
        attributes={decimal}
      />
      <Field
        name="reseller_price"
        label={packages.resellerPrice}
        prefix={sign}
        value={values("reseller_price")}
        fault={faults["reseller_price"]?.[0]}
        help={packages.resellerHelp}
        attributes={decimal}
      />
      <Select
        name="billing_type"
        label={packages.billing}
        value={values("billing_type")}
        options={[
          { value: "prepaid", label: packages.prepaid },
          { value: "postpaid", label: packages.postpaid },
        ]}
      />
      <Text name="duration" label={packages.duration} part={part} {...durationField(view, "day", "month")} />
    </div>
  );
}

/** Rates, down and up beside each other, a line each. */
function RateFields({ view: { words }, values, faults }: Part) {
  const { packages } = words;
  const rows = [
    ["rate", packages.rateRow],
    ["burst", packages.burst],
    ["threshold", packages.threshold],
    ["time", packages.time],
    ["least", packages.least],
  ] as const;
  const wrong = (name: string) => faults[name]?.[0];
  return (
    <>
      <table class="rate-table">
        <caption class="unseen">{packages.rate}</caption>
        <thead>
          <tr>
            <td />
            <th scope="col">{packages.down}</th>
            <th scope="col">{packages.up}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, label]) => (
            <tr>
              <th scope="row">{label}</th>
              {["down", "up"].map((side) => (
                <td class={wrong(`${name}_${side}`) ? "field wrong" : "field"}>
                  <input
                    name={`${name}_${side}`}
                    value={values(`${name}_${side}`)}
                    inputmode="decimal"
                    autocomplete="off"
                    aria-label={`${label}${words.list.comma}${side === "down" ? packages.down : packages.up}`}
                    {...(wrong(`${name}_${side}`) && {
                      "aria-invalid": "true" as const,
                      autofocus: true,
                      "aria-describedby": `${name}_${side}-fault`,
                    })}
                  />
                  {wrong(`${name}_${side}`) && (
                    <p id={`${name}_${side}-fault`} class="fault">
                      {wrong(`${name}_${side}`)}
                    </p>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <div class="fields">
        <Field
          name="priority"
          label={packages.priority}
          value={values("priority")}
          fault={wrong("priority")}
          help={packages.priorityHelp}
          attributes={{ inputmode: "numeric" }}
        />
      </div>
    </>
  );
}

function DataFields(part: Part) {
  const { view, values } = part;
  const { packages } = view.words;
  return (
    <div class="fields">
      <Text
        name="quota"
        label={packages.quotaLabel}
        part={part}
        help={packages.quotaHelp}
        attributes={{ inputmode: "decimal" }}
      />
      <Select
        name="quota_then"
        label={packages.quotaThen}
        value={values("quota_then") || "reject"}
        options={[
          { value: "reject", label: packages.thenReject },
          { value: "slower", label: packages.thenSlower },
        ]}
      />
      <Text
        name="slower_down"
        label={packages.slowerDown}
        part={part}
        attributes={{ inputmode: "decimal" }}
      />
      <Text name="slower_up" label={packages.slowerUp} part={part} attributes={{ inputmode: "decimal" }} />
      <Stored part={part} row="slower" />
    </div>
  );
}

function TopUpFields(part: Part) {
  const { view, values } = part;
  const { editor } = view.words.fairUse;
  return (
    <div class="fields">
      <Text name="top_up" label={editor.bytes} part={part} attributes={{ inputmode: "decimal" }} />
      <Text name="top_up_days" label={editor.days} part={part} {...durationField(view, "day")} />
      <Check name="top_up_rolls" label={editor.rolls} checked={values("top_up_rolls") === "1"} />
    </div>
  );
}

function NetworkFields({ pools, ...part }: Part & Pick<EditorProps, "pools">) {
  const { fields, fieldHelp } = part.view.words.packages;
  return (
    <>
      <div class="fields">
        {networkNames.map((name) => (
          <Text
            name={name}
            label={fields[name]}
            part={part}
            help={fieldHelp[name]}
            {...(name === "idle_timeout" && durationField(part.view, "second"))}
          />
        ))}
        {poolNames.map((name) => {
          const fitting = pools.filter(
            ({ length }) => (length !== null) === (name === "delegated_ipv6_from"),
          );
          return (
            <Select
              name={name}
              label={fields[name]}
              help={fieldHelp[name]}
              value={part.values(name)}
              fault={part.faults[name]?.[0]}
              options={[
                { value: "", label: part.view.words.packages.noPool },
                ...fitting.map((pool) => ({ value: pool.name, label: `${pool.name} (${pool.range})` })),
              ]}
            />
          );
        })}
      </div>
      <div class="code-field after">
        <TextArea
          name="reply_attributes"
          label={fields.reply_attributes}
          help={fieldHelp.reply_attributes}
          value={part.values("reply_attributes")}
          fault={part.faults["reply_attributes"]?.join(part.view.words.list.semicolon)}
          rows={4}
          maxLength={10_000}
        />
      </div>
    </>
  );
}
