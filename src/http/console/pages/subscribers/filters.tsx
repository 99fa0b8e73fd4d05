import type { Child } from "hono/jsx";
import { type Choices, listChoices } from "../../../../domain/goods/subscribers/choices.ts";
import { from as fromField } from "../../../../domain/core/fields/fields.ts";
import { profileStatuses } from "../../../../domain/goods/subscribers/record.ts";
import { lineFilters } from "../../../../domain/desk/subscriber-table/table-filters.ts";
import { Icon } from "../../../pages/icons.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import { Check, Field } from "../../../pages/parts/field.tsx";
import { Menu } from "../../../pages/parts/menu.tsx";
import type { ConsoleWords } from "../../../words/console/en.ts";
import type { StaffVisit } from "../../guard.ts";
import { hasValue, hrefWith, isChosen, keptFields } from "./query.ts";
import { SUBSCRIBERS } from "../../parts/hrefs.ts";

interface Kind {
  readonly name: keyof ConsoleWords["subscribers"]["filter"] & (typeof own)[number];
  readonly options: readonly (readonly [value: string | number, label: string])[];
}

const own = [
  ...(["status", "line", "package", "router", "area", "salesperson"] as const),
  ...(["subarea", "city", "branch"] as const),
];
/** What many lists never ask for: a chip of the bar only while it is set. */
const rare: ReadonlySet<string> = new Set(["salesperson", "subarea", "city", "branch"]);
const others = ["expires_from", "expires_to", "owes", "no_sms", "no_login_for", "box"];

/** The filters as chips in one form: what is chosen stands first, each can be taken off. */
export function Filters({ visit }: { visit: StaffVisit }) {
  const { query, view, db, by } = visit;
  const kinds = kindsOf(view.words.subscribers, listChoices(db, by));
  const chosen = (kind: Kind) => isChosen(query, kind.name);
  const context = kinds.filter((kind) => !rare.has(kind.name) || chosen(kind));
  return (
    <form class="filters" action={SUBSCRIBERS} method="get" aria-label={view.words.subscribers.filters}>
      {keptFields(query, [...own, ...others]).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      {context.filter(chosen).map((kind) => (
        <KindChip visit={visit} kind={kind} />
      ))}
      {context
        .filter((kind) => !chosen(kind))
        .map((kind) => (
          <KindChip visit={visit} kind={kind} />
        ))}
      <Expires visit={visit} />
      <MoreFilters visit={visit} salespeople={kinds.find((kind) => kind.name === "salesperson")} />
    </form>
  );
}

function kindsOf(words: StaffVisit["view"]["words"]["subscribers"], choices: Choices): Kind[] {
  const named = (rows: readonly { id: number; name: string }[]) =>
    rows.map(({ id, name }) => [id, name] as const);
  const kinds: Kind[] = [
    { name: "status", options: profileStatuses.toReversed().map((one) => [one, words.status[one]]) },
    { name: "line", options: lineFilters.map((one) => [one, words.lineFilter[one]]) },
    { name: "package", options: named(choices.packages) },
    { name: "router", options: named(choices.nas) },
    { name: "area", options: named(choices.areas) },
    { name: "salesperson", options: named(choices.salespersons) },
    { name: "subarea", options: named(choices.subareas) },
    { name: "city", options: named(choices.cities) },
    { name: "branch", options: named(choices.branches) },
  ];
  return kinds.filter(({ options }) => options.length > 0);
}

function KindChip({ visit: { query, view }, kind: { name, options } }: { visit: StaffVisit; kind: Kind }) {
  const words = view.words.subscribers;
  const chosen = options.filter(([value]) => hasValue(query, name, value)).map(([, label]) => label);
  const clear = chosen.length === 0 ? null : hrefWith(query, { [name]: null });
  return (
    <Chip
      label={words.filter[name]}
      value={chosen.length === 0 ? words.any : chosen.join(", ")}
      clear={clear}
      view={view}
    >
      {options.map(([value, label]) => (
        <Check name={name} value={String(value)} label={label} checked={hasValue(query, name, value)} />
      ))}
    </Chip>
  );
}

interface ChipProps {
  label: string;
  value: string;
  /** Where it is taken off; null: it is not set. */
  clear: string | null;
  view: StaffVisit["view"];
  children: Child;
}

function Chip({ label, value, clear, view, children }: ChipProps) {
  const { apply, clearOne } = view.words.subscribers;
  return (
    <span class={clear === null ? "people-filter" : "people-filter set"}>
      <Menu label={label} value={value} chosen={clear !== null}>
        {children}
        <Button size="small">{apply}</Button>
      </Menu>
      {clear !== null && (
        <a class="filter-off" href={clear} aria-label={clearOne(label)}>
          <Icon name="close" />
        </a>
      )}
    </span>
  );
}

function Expires({ visit: { query, view } }: { visit: StaffVisit }) {
  const words = view.words.subscribers;
  const [from = "", to = ""] = ["expires_from", "expires_to"].map((name) => query.get(name) ?? "");
  const day = (text: string) => {
    const at = fromField.read(text);
    return at === undefined ? text : view.format.date(at);
  };
  const chosen =
    from && to ? words.fromTo(day(from), day(to)) : from ? words.fromDay(day(from)) : words.toDay(day(to));
  const isSet = from !== "" || to !== "";
  return (
    <Chip
      label={words.filter.expires}
      value={isSet ? chosen : words.anyDay}
      clear={isSet ? hrefWith(query, { expires_from: null, expires_to: null }) : null}
      view={view}
    >
      <Field type="date" name="expires_from" label={words.from} value={from} />
      <Field type="date" name="expires_to" label={words.to} value={to} />
    </Chip>
  );
}

function MoreFilters({ visit, salespeople }: { visit: StaffVisit; salespeople: Kind | undefined }) {
  const { query, view } = visit;
  const words = view.words.subscribers;
  const days = query.get("no_login_for") ?? "";
  const box = query.get("box") ?? "";
  const owes = query.get("owes") === "1";
  const noSms = query.get("no_sms") === "1";
  const set = [
    owes && words.owes,
    noSms && words.noSms,
    days && words.noLoginFor(days),
    box && `${words.box} ${box}`,
  ].filter(Boolean);
  const isSeparate = salespeople !== undefined && !isChosen(query, "salesperson");
  return (
    <Chip
      label={set.length === 0 ? "+" : words.filter.more}
      value={set.length === 0 ? words.filter.more : set.join(", ")}
      clear={
        set.length === 0 ? null : hrefWith(query, { owes: null, no_sms: null, no_login_for: null, box: null })
      }
      view={view}
    >
      <Check name="owes" label={words.owes} checked={owes} />
      <Check name="no_sms" label={words.noSms} checked={noSms} />
      <Field
        name="no_login_for"
        label={words.noLogin}
        type="number"
        value={days}
        attributes={{ min: 1, max: 3650 }}
      />
      <Field name="box" label={words.box} value={box} attributes={{ maxlength: 100 }} />
      {isSeparate && (
        <fieldset class="stack near">
          <legend class="legend">{words.filter.salesperson}</legend>
          {salespeople.options.map(([value, label]) => (
            <Check name="salesperson" value={String(value)} label={label} />
          ))}
        </fieldset>
      )}
    </Chip>
  );
}
