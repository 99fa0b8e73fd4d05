import { listChoices } from "../../../../domain/goods/subscribers/choices.ts";
import { from as fromField } from "../../../../domain/core/fields/fields.ts";
import { profileStatuses } from "../../../../domain/goods/subscribers/record.ts";
import { lineFilters } from "../../../../domain/desk/subscriber-table/table-filters.ts";
import { durationField, durationText, secondsIn } from "../../parts/duration.ts";
import type { Filter } from "../../parts/filters.tsx";
import type { StaffVisit } from "../../guard.ts";
import { isChosen } from "./query.ts";

type Several =
  "status" | "line" | "package" | "router" | "area" | "salesperson" | "subarea" | "city" | "branch";

/** Rare filters: in the bar only while set. */
const rare: ReadonlySet<string> = new Set<Several>(["salesperson", "subarea", "city", "branch"]);

export function buildFilters(visit: StaffVisit): Filter[] {
  const words = visit.view.words.subscribers;
  const all = buildSeveral(visit);
  const inBar = all.filter(({ name }) => !rare.has(name) || isChosen(visit.query, name));
  const salespeople = all.filter((one) => one.name === "salesperson" && !inBar.includes(one));
  const more: Filter[] = [
    { name: "owes", kind: "tick", label: words.owes },
    { name: "no_sms", kind: "tick", label: words.noSms },
    {
      name: "no_login_for",
      kind: "text",
      label: words.noLogin,
      chosenWords: words.noLoginFor(silence(visit)),
      ...durationField(visit.view, "day"),
    },
    { name: "box", kind: "text", label: words.box, attributes: { maxlength: 100 } },
    ...salespeople,
  ];
  return [...inBar, buildExpires(visit), { name: "more", kind: "group", label: words.filter.more, of: more }];
}

/** The time for which nobody is to have logged in, as it is printed. */
function silence({ view, query }: StaffVisit): string {
  const text = query.get("no_login_for") ?? "";
  const all = secondsIn(view, text, "day");
  return all === undefined ? text : durationText(view, all);
}

/** Each kind of which several can be chosen, where there is something to choose. */
function buildSeveral({ db, by, view }: StaffVisit): Filter[] {
  const words = view.words.subscribers;
  const choices = listChoices(db, by);
  const named = (rows: readonly { id: number; name: string }[]) =>
    rows.map(({ id, name }) => ({ value: id, label: name }));
  const options: Readonly<Record<Several, Filter["options"] & object>> = {
    status: profileStatuses.toReversed().map((value) => ({ value, label: words.status[value] })),
    line: lineFilters.map((value) => ({ value, label: words.lineFilter[value] })),
    package: named(choices.packages),
    router: named(choices.nas),
    area: named(choices.areas),
    salesperson: named(choices.salespersons),
    subarea: named(choices.subareas),
    city: named(choices.cities),
    branch: named(choices.branches),
  };
  return Object.entries(options).flatMap(([name, of]) =>
    of.length === 0
      ? []
      : [{ name, kind: "several", label: words.filter[name as Several], options: of } as const],
  );
}

function buildExpires({ query, view }: StaffVisit): Filter {
  const words = view.words.subscribers;
  const [from = "", to = ""] = ["expires_from", "expires_to"].map((name) => query.get(name) ?? "");
  const day = (text: string) => {
    const at = fromField.read(text);
    return at === undefined ? text : view.format.date(at);
  };
  return {
    name: "expires",
    kind: "group",
    label: words.filter.expires,
    chosenWords:
      from && to ? words.fromTo(day(from), day(to)) : from ? words.fromDay(day(from)) : words.toDay(day(to)),
    of: [
      { name: "expires_from", kind: "day", label: words.from },
      { name: "expires_to", kind: "day", label: words.to },
    ],
  };
}
