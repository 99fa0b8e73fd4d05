import type { Need } from "../../../domain/machine/check/needs-someone.ts";
import { setting } from "../../../domain/core/settings/settings.ts";
import { Icon, type IconName } from "../../pages/icons.tsx";
import { Button } from "../../pages/parts/button.tsx";
import { Card } from "../../pages/parts/card.tsx";
import { Count } from "../../pages/parts/chip.tsx";
import type { StaffVisit } from "../guard.ts";
import { outageEvidence, outageTitle } from "./outage-words.ts";
import { boxHref, outageHref, personHref } from "./hrefs.ts";
import { faultView } from "./remedies.ts";

interface Line {
  readonly icon: IconName;
  readonly tone: "bad" | "warn";
  readonly title: string;
  readonly text: string;
  readonly link?: { readonly href: string; readonly label: string };
}

interface Props {
  readonly visit: StaffVisit;
  readonly items: readonly Need[];
  readonly id?: string;
  /** When it loads itself again. */
  readonly live?: Readonly<Record<string, string>>;
}

/** The most urgent first, each with a link. */
export function NeedsSomeone({ visit, items, id, live }: Props) {
  const { words, format } = visit.view;
  const { findings } = words;
  const props = { ...(id !== undefined && { id }), ...(live && { live }) };
  return (
    <Card
      title={
        <>
          {findings.title} {items.length > 0 && <Count>{format.number(items.length)}</Count>}
        </>
      }
      aside={findings.checked(format.timeNear(visit.now, visit.now))}
      kind="needs"
      {...props}
    >
      {items.length === 0 ? (
        <p>
          <Icon name="check" />
          <span>
            <strong>{findings.nothing}</strong>
            <span class="hint">{findings.nothingText}</span>
          </span>
        </p>
      ) : (
        <ul class="rows">
          {items.map((item) => (
            <NeedLine line={toLine(item, visit)} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function NeedLine({ line: { icon, tone, title, text, link } }: { line: Line }) {
  return (
    <li>
      <span class={`${tone}-text`}>
        <Icon name={icon} />
      </span>
      <span>
        <strong>{title}</strong>
        <span class="hint">{text}</span>
      </span>
      {link && (
        <Button href={link.href} size="small">
          {link.label}
        </Button>
      )}
    </li>
  );
}

const PAGE = "/console/findings";

function toLine(item: Need, visit: StaffVisit): Line {
  switch (item.kind) {
    case "outage":
      return outageLine(item, visit);
    case "check":
      return checkLine(item, visit);
    case "devices":
      return devicesLine(item, visit);
    case "renewals":
      return renewalsLine(item, visit);
    case "houses":
      return housesLine(item, visit);
    case "typing":
      return typingLine(item, visit);
  }
}

/** A finding of the check in the console's words. */
function checkLine({ fault: { severity, about } }: Of<"check">, { view }: StaffVisit): Line {
  const { title, text, remedy, href } = faultView(about, view);
  const tone = severity === "error" ? "bad" : "warn";
  return { icon: "shield", tone, title, text, link: { href, label: remedy } };
}

type Of<K extends Need["kind"]> = Extract<Need, { kind: K }>;

function outageLine({ outage }: Of<"outage">, { view }: StaffVisit): Line {
  const { findings } = view.words;
  const isBox = outage.boxNumber !== null;
  return {
    icon: isBox ? "box" : "alert",
    tone: "bad",
    title: outageTitle(outage, view),
    text: outageEvidence(outage, view),
    link: isBox
      ? { href: boxHref(outage.boxNumber), label: findings.box }
      : { href: outageHref(outage.id), label: findings.lines },
  };
}

/** The only one, or the list. */
function oneOrAll(
  { findings }: StaffVisit["view"]["words"],
  { count, one, all }: { count: number; one: string | undefined; all: string },
) {
  return count === 1 && one !== undefined
    ? { href: one, label: findings.open }
    : { href: `${PAGE}#${all}`, label: findings.see(count) };
}

/** The first names and "more". */
function firstNames(
  { list }: StaffVisit["view"]["words"],
  rows: readonly { readonly name: string }[],
): string {
  const names = rows.slice(0, 3).map(({ name }) => name);
  return rows.length > names.length ? `${names.join(list.comma)} …` : names.join(list.comma);
}

function devicesLine({ devices }: Of<"devices">, { view }: StaffVisit): Line {
  const { words, format, now } = view;
  const [first] = devices;
  const isOne = devices.length === 1 && first !== undefined;
  const count = devices.length;
  return {
    icon: "swap",
    tone: "warn",
    title: isOne ? words.findings.device(first.name) : words.findings.devices(count),
    text: isOne
      ? words.findings.refused(first.attempts, format.timeNear(first.firstAt, now))
      : firstNames(words, devices),
    link: oneOrAll(words, { count, one: first && personHref(first.subscriberId), all: "devices" }),
  };
}

function renewalsLine({ renewals, total, short }: Of<"renewals">, { view, db, by }: StaffVisit): Line {
  const { words, format, now } = view;
  const [first] = renewals;
  const { ispId } = by.scope;
  const at = format.timeNear(first?.expiresAt ?? now, now);
  return {
    icon: "money",
    tone: "warn",
    title: total === 1 && first ? words.findings.renewal(first.name) : words.findings.renewals(total),
    // each ISP has its currency
    text:
      ispId === null
        ? words.findings.firstDue(at)
        : words.findings.short(format.sum(short, setting(db, "currency", ispId)), at),
    link: oneOrAll(words, { count: total, one: first && personHref(first.subscriberId), all: "renewals" }),
  };
}

function housesLine({ names }: Of<"houses">, { view }: StaffVisit): Line {
  const { words } = view;
  const [first] = names;
  const count = names.length;
  return {
    icon: "people",
    tone: "warn",
    title: count === 1 && first ? words.findings.house(first.name) : words.findings.houses(count),
    text: count === 1 && first ? words.findings.housesHint(first.houses.length) : firstNames(words, names),
    link: oneOrAll(words, { count, one: first && personHref(first.subscriberId), all: "houses" }),
  };
}

function typingLine({ mistakes }: Of<"typing">, { view }: StaffVisit): Line {
  const { words } = view;
  const [first] = mistakes;
  const count = mistakes.length;
  return {
    icon: "edit",
    tone: "warn",
    title:
      count === 1 && first
        ? words.findings.typing(first.username, first.meant.username)
        : words.findings.typings(count),
    text: first ? words.findings.typingHint(first.attempts, first.nasName) : "",
    link: oneOrAll(words, { count, one: first && personHref(first.meant.subscriberId), all: "typing" }),
  };
}
