import type { Desk, DeskPackage } from "../../../../domain/desk/payments/desk.ts";
import { formatAmount } from "../../../../domain/core/amounts/money.ts";
import type { UnusualAmount } from "../../../../domain/desk/payments/unusual.ts";
import { Icon } from "../../../pages/icons.tsx";
import { Note } from "../../../pages/note.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import { Field, Select } from "../../../pages/parts/field.tsx";
import { Fold } from "../../../pages/parts/fold.tsx";
import type { StaffVisit } from "../../guard.ts";
import type { ConsoleView } from "../../view.ts";
import { type PayValues, chooseMethod } from "./values.ts";
import { Sums } from "./sums.tsx";
import { DrawerForm } from "../../drawer-form.tsx";
import { TakeUnusual, Unusual } from "../../unusual.tsx";

interface PayProps {
  visit: StaffVisit;
  desk: Desk;
  values: PayValues;
  problem?: string | undefined;
  /** An unusually large amount to confirm, and the pressed button. */
  confirmation?: { readonly unusual: UnusualAmount; readonly action: "renew" | "take" } | undefined;
  faults?: Readonly<Record<string, string[]>> | undefined;
}

export function PayForm({ visit, desk, values, problem, confirmation, faults = {} }: PayProps) {
  const { view } = visit;
  const { pay } = view.words;
  const action = `/console/subscribers/${desk.subscriber.id}/pay`;
  const method = chooseMethod(values, desk);
  return (
    <DrawerForm id="pay-form" action={action} visit={visit} opens>
      <input type="hidden" name="key" value={values.key} />
      <input type="hidden" name="seen_balance" value={String(desk.balance)} />
      <input type="hidden" name="seen_price" value={String(chosenPrice(desk, values) ?? "")} />
      <div class="drawer-body">
        {problem !== undefined && <Note kind="bad">{problem}</Note>}
        {confirmation && (
          <>
            <input type="hidden" name="wanted" value={confirmation.action} />
            <Unusual view={view} confirmation={confirmation.unusual} currency={desk.currency} />
          </>
        )}
        <Amount view={view} desk={desk} values={values} action={action} fault={faults["amount"]?.[0]} />
        <Methods view={view} desk={desk} method={method} action={action} />
        <Reference view={view} values={values} action={action} fault={faults["reference"]?.[0]} />
        <Then view={view} desk={desk} values={values} action={action} />
        <Fold summary={pay.addNote} kind="folded quiet" open={values.note !== ""}>
          <Field
            name="note"
            label={pay.note}
            value={values.note}
            fault={faults["note"]?.[0]}
            attributes={{ maxlength: 500 }}
          />
        </Fold>
        <Sums view={view} desk={desk} method={method} />
      </div>
      <Foot view={view} desk={desk} confirmation={confirmation?.unusual} />
    </DrawerForm>
  );
}

/** Loads a part after a change. */
function asks(action: string, trigger: string) {
  return {
    "hx-get": `${action}/sums`,
    "hx-trigger": trigger,
    "hx-include": "#pay-form [data-asked]",
    "hx-target": "#pay-sums",
    "hx-swap": "outerMorph",
    "hx-sync": "#pay-sums:replace", // of its own: what is sent by the form is never given up for it
  };
}

interface Part {
  view: ConsoleView;
  desk: Desk;
  values: PayValues;
  action: string;
}

function Amount({ view, desk, values, action, fault }: Part & { fault: string | undefined }) {
  const { words, format } = view;
  const { pay } = words;
  const value = values.amount === "" ? formatAmount(desk.amount) : values.amount;
  const packageName = priceName(desk, values);
  return (
    <div class="stack near">
      <Field
        name="amount"
        label={pay.amount}
        value={value}
        prefix={format.currencySign(desk.currency)}
        fault={fault}
        attributes={{
          inputmode: "decimal",
          autocomplete: "off",
          autofocus: true,
          maxlength: 16,
          "data-asked": true,
          ...asks(action, "input changed delay:150ms"),
        }}
      />
      {desk.amounts.length > 0 && (
        <ul class="row" aria-label={pay.choose}>
          {desk.amounts.map(({ amount, what }) => (
            <li>
              <a
                class="filter"
                href={`${action}?${new URLSearchParams({ package: values.package, amount: formatAmount(amount) })}`}
                data-amount={formatAmount(amount)}
                {...(amount === desk.amount && { "aria-current": "true" as const })}
              >
                {format.amount(amount)} <span class="soft-text">{pay.what[what](packageName)}</span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Methods({ view: { words }, desk, method, action }: Omit<Part, "values"> & { method: string }) {
  const { pay } = words;
  return (
    <fieldset>
      <legend class="legend">{pay.paidBy}</legend>
      <div class="choices pay-methods">
        {desk.methods.map((one) => (
          <label>
            <input
              type="radio"
              name="method"
              value={one}
              checked={one === method}
              data-asked
              {...asks(action, "change")}
            />
            <Icon name="check" />
            {pay.methodName(one)}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** The reference, checked while typing against other payments; cash has none. */
function Reference({
  view: { words },
  values,
  action,
  fault,
}: Omit<Part, "desk"> & { fault: string | undefined }) {
  const { pay } = words;
  return (
    <div>
      <Field
        name="reference"
        label={pay.reference}
        value={values.reference}
        fault={fault}
        attributes={{
          maxlength: 100,
          autocomplete: "off",
          spellcheck: "false",
          class: "mono",
          "aria-describedby": "reference-use",
          "hx-get": `${action}/reference`,
          "hx-trigger": "input changed delay:150ms",
          "hx-include": "#pay-form [name=method]:checked",
          "hx-target": "#reference-use",
          "hx-swap": "innerHTML",
        }}
      />
      <p id="reference-use" class="hint" aria-live="polite" />
    </div>
  );
}

function Then({ view, desk, values, action }: Part) {
  const { pay } = view.words;
  if (desk.packages.length === 0) return null;
  const chosen = values.package || String(desk.packages[0]?.id ?? "none");
  const options = desk.packages.map((sold, index) => ({
    value: sold.id,
    label: thenWords(view, desk, sold, index === 0 && chosen === String(sold.id)),
  }));
  return (
    <Select
      name="package"
      label={pay.thenDo}
      value={chosen}
      options={[...options, { value: "none", label: pay.onlyTake }]}
      attributes={{
        "data-asked": true,
        "hx-get": action,
        "hx-trigger": "change",
        "hx-include":
          "#pay-form [name=method]:checked, #pay-form [name=reference], #pay-form [name=note], #pay-form [name=key]",
        "hx-target": "#drawer",
        "hx-swap": "innerMorph",
      }}
    />
  );
}

function thenWords(
  { words: { pay }, format }: ConsoleView,
  desk: Desk,
  sold: DeskPackage,
  isOwn: boolean,
): string {
  const span = format.span(sold.duration, sold.durationUnit);
  const sale = desk.sale?.sold.id === sold.id ? desk.sale : null;
  if (sale?.goesOn) return pay.renewFrom(sold.name, span, format.date(sale.start));
  if (!isOwn) return pay.changeTo(sold.name, span, format.amount(sold.price));
  return sale ? pay.renewNow(sold.name, span) : pay.renew(sold.name, span);
}

interface FootProps {
  view: ConsoleView;
  desk: Desk;
  confirmation: UnusualAmount | undefined;
}

function Foot({ view, desk, confirmation }: FootProps) {
  return (
    <footer class="drawer-foot">
      <Presses view={view} desk={desk} />
      {confirmation && <TakeUnusual view={view} confirmation={confirmation} />}
    </footer>
  );
}

interface PressesProps {
  view: ConsoleView;
  desk: Desk;
  /** Beside the sums, after a change. */
  isBeside?: boolean;
}

/** What can be pressed, by the amount. */
export function Presses({ view, desk, isBeside = false }: PressesProps) {
  const { pay } = view.words;
  const renews = desk.sale !== null;
  const takes = desk.amount > 0 || !renews;
  return (
    <div id="pay-presses" class="row" {...(isBeside && { "hx-swap-oob": "outerMorph" })}>
      {renews && (
        <Button kind="solid" size="large" name="do" value="renew" showKey="Enter">
          {takes ? pay.payAndRenew : pay.renewFromWallet}
        </Button>
      )}
      {takes && (
        <Button
          kind={renews ? "outline" : "solid"}
          size="large"
          name="do"
          value="take"
          {...(!renews && { showKey: "Enter" })}
        >
          {pay.onlyTake}
        </Button>
      )}
    </div>
  );
}

/** The selected price. */
function chosenPrice({ packages, sale }: Desk, values: PayValues): number | null {
  if (values.package === "none") return null;
  const named = packages.find(({ id }) => String(id) === values.package) ?? packages[0];
  return sale?.sold.price ?? named?.price ?? null;
}

function priceName({ packages }: Desk, values: PayValues): string {
  return (packages.find(({ id }) => String(id) === values.package) ?? packages[0])?.name ?? "";
}
