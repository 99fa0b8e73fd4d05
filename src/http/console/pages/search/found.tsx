import { normalCode } from "../../../../domain/goods/codes/codes.ts";
import type { Elsewhere } from "../../../../domain/desk/search/elsewhere.ts";
import type { Anything, Evidence, Person } from "../../../../domain/desk/search/find-anything.ts";
import { may } from "../../../../domain/core/actor/actor.ts";
import { permissions } from "../../../../domain/core/actor/permissions.ts";
import type { Range } from "../../../../domain/goods/subscribers/search-words.ts";
import { FormToken } from "../../../pages/document.tsx";
import { Icon, type IconName } from "../../../pages/icons.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import { Chip, Key } from "../../../pages/parts/chip.tsx";
import { Empty } from "../../../pages/parts/empty.tsx";
import type { StaffVisit } from "../../guard.ts";
import { cardHref, CARDS } from "../../parts/hrefs.ts";
import { Balance, LineDot, TimeLeft } from "../../parts/line-cells.tsx";

interface FoundProps {
  visit: StaffVisit;
  q: string;
  found: Anything;
}

/** Search results below the box; the first is selected. */
export function Found({ visit, q, found: { people, elsewhere } }: FoundProps) {
  const { view } = visit;
  const words = view.words.search;
  if (people.length + elsewhere.length === 0)
    return mayBeCode(visit, q) ? (
      <CodeHit visit={visit} q={q} />
    ) : (
      <p class="found-none">{words.nothingText(q)}</p>
    );
  return (
    <>
      <div role="listbox" aria-label={words.title}>
        {people.length > 0 && (
          <div role="group" aria-label={words.subscribers(people.length)} class="ruled">
            <p class="found-head" aria-hidden="true">
              {words.subscribers(people.length)}
            </p>
            {people.map((person) => (
              <Hit visit={visit} person={person} />
            ))}
          </div>
        )}
        {elsewhere.length > 0 && (
          <div role="group" aria-label={words.elsewhere} class="ruled">
            <p class="found-head" aria-hidden="true">
              {words.elsewhere}
            </p>
            {elsewhere.map((one, index) => (
              <a class="hit other" role="option" id={`other-${index}`} data-hit href={hitHref(one)}>
                <OtherLine visit={visit} one={one} />
              </a>
            ))}
          </div>
        )}
      </div>
      <p class="found-keys" aria-hidden="true">
        <Key>↑</Key>
        <Key>↓</Key> {words.choose}
        <Key>Enter</Key> {words.openIt}
        {may(visit.by, permissions.takePayment) && (
          <>
            <Key>Alt</Key>
            <Key>P</Key> {words.pay}
          </>
        )}
        <span class="push">
          <Key>Esc</Key> {words.close}
        </span>
      </p>
    </>
  );
}

/** Whether a fruitless search could be a card's code that the viewer may look up. */
function mayBeCode({ by }: StaffVisit, q: string): boolean {
  return may(by, permissions.findCard) && !/\s/.test(q) && /^[A-Z0-9]{6,32}$/.test(normalCode(q));
}

/** A code's search, posted, because a code must not stand in an address, and a wrong one counts. */
function CodeHit({ visit: { view, formToken }, q }: { visit: StaffVisit; q: string }) {
  const words = view.words.search;
  return (
    <>
      <div role="listbox" aria-label={words.title}>
        <button class="hit other" role="option" id="other-code" data-hit form="find-code">
          <Icon name="card" />
          <strong>{words.findCode}</strong>
        </button>
      </div>
      <p class="found-none">{words.nothingText(q)}</p>
      <form id="find-code" class="unseen" method="post" action={`${CARDS}/find`}>
        <FormToken value={formToken} />
        <input type="hidden" name="card" value={q} />
      </form>
    </>
  );
}

const personHref = ({ id }: Person) => `/console/subscribers/${id}`;

function Hit({ visit, person }: { visit: StaffVisit; person: Person }) {
  const pay = `${personHref(person)}/pay`;
  return (
    <li role="presentation">
      <a class="hit" role="option" id={`hit-${person.id}`} data-hit href={personHref(person)}>
        <PersonLine visit={visit} person={person} />
      </a>
      {may(visit.by, permissions.takePayment) && !person.isArchived && (
        <a href={pay} data-pay hidden hx-get={pay} hx-target="#drawer" hx-swap="innerHTML" tabindex={-1}>
          {visit.view.words.search.pay}
        </a>
      )}
    </li>
  );
}

function PersonLine({ visit: { view }, person }: { visit: StaffVisit; person: Person }) {
  const { name, inName, why, line, balance, isArchived } = person;
  return (
    <>
      <span class="hit-name">
        <LineDot line={line} view={view} />
        <strong>
          <Marked text={name} range={inName} />
        </strong>
        {isArchived && <Chip>{view.words.search.archived}</Chip>}
      </span>
      <span class="soft-text">{why === null ? person.mobile : <Why why={why} view={view} />}</span>
      <span class="wide-only soft-text">{person.package}</span>
      <span class="hit-left">
        <TimeLeft row={person} view={view} />
      </span>
      <span class="end">{balance !== null && <Balance minor={balance} view={view} />}</span>
    </>
  );
}

/** The matching field: "phone +1 555 0142", with the match marked. */
function Why({ why: { field, value, range, at }, view }: { why: Evidence; view: StaffVisit["view"] }) {
  const words = view.words.search;
  return (
    <>
      {words.why[field]} <Marked text={value} range={range} />
      {field === "had" && at !== undefined && <> {words.hadOn(view.format.shortDay(at))}</>}
    </>
  );
}

function Marked({ text, range }: { text: string; range: Range | null }) {
  if (range === null) return <bdi>{text}</bdi>;
  const [from, to] = range;
  return (
    <bdi>
      {text.slice(0, from)}
      <mark>{text.slice(from, to)}</mark>
      {text.slice(to)}
    </bdi>
  );
}

const icons: Readonly<Record<Elsewhere["kind"], IconName>> = {
  payment: "money",
  refund: "money",
  invoice: "invoices",
  box: "box",
  router: "router",
  package: "package",
  card: "card",
};

function OtherLine({ visit: { view }, one }: { visit: StaffVisit; one: Elsewhere }) {
  return (
    <>
      <Icon name={icons[one.kind]} />
      <strong>
        <Marked text={one.label} range={one.range} />
      </strong>
      <span class="soft-text">{describeHit(one, view)}</span>
    </>
  );
}

function describeHit(one: Elsewhere, { words, format, brand }: StaffVisit["view"]): string {
  const phrases = words.search;
  switch (one.kind) {
    case "payment":
    case "refund": {
      const text = phrases[one.kind](format.sum(one.amount, one.currency), one.name, format.shortDay(one.at));
      return one.isReversed ? `${text}${words.list.comma}${phrases.reversed}` : text;
    }
    case "invoice": {
      const state = one.isVoid
        ? phrases.void
        : one.paidAt === null
          ? phrases.open
          : phrases.paid(format.shortDay(one.paidAt));
      return `${phrases.invoice(format.sum(one.amount, one.currency), one.name)}${words.list.comma}${state}`;
    }
    case "box":
      return phrases.box(one.lines);
    case "router":
      return phrases.router(one.address);
    case "package":
      return phrases.package(format.sum(one.price, brand.currency));
    case "card":
      return phrases.card(one.paper, words.cards.standings[one.standing]);
  }
}

function hitHref(one: Elsewhere): string {
  switch (one.kind) {
    case "payment":
    case "refund":
      return `/console/money/payments/${one.id}`;
    case "invoice":
      return `/console/money/invoices/${one.id}`;
    case "box":
      return `/console/subscribers?${new URLSearchParams({ box: one.label })}`;
    case "router":
      return `/console/subscribers?router=${one.id}`;
    case "package":
      return `/console/packages/${one.id}`;
    case "card":
      return cardHref(one.id);
  }
}

export function FoundPage({ visit, q, title, found }: FoundProps & { title: string }) {
  const { people, elsewhere } = found;
  const words = visit.view.words.search;
  return (
    <div class="stack">
      <h1>{title}</h1>
      {people.length + elsewhere.length === 0 && (
        <div class="card">
          {q === "" ? (
            <Empty icon="search" title={words.type} text={words.typeText} />
          ) : (
            <Empty icon="search" title={words.nothing} text={words.nothingText(q)}>
              {mayBeCode(visit, q) && (
                <form method="post" action={`${CARDS}/find`}>
                  <FormToken value={visit.formToken} />
                  <input type="hidden" name="card" value={q} />
                  <Button icon="card">{words.findCode}</Button>
                </form>
              )}
            </Empty>
          )}
        </div>
      )}
      {people.length > 0 && (
        <section class="card found-page">
          <h2>{words.subscribers(people.length)}</h2>
          <ul>
            {people.map((person) => (
              <li>
                <a class="hit" href={personHref(person)}>
                  <PersonLine visit={visit} person={person} />
                </a>
              </li>
            ))}
          </ul>
        </section>
      )}
      {elsewhere.length > 0 && (
        <section class="card found-page">
          <h2>{words.elsewhere}</h2>
          <ul>
            {elsewhere.map((one) => (
              <li>
                <a class="hit other" href={hitHref(one)}>
                  <OtherLine visit={visit} one={one} />
                </a>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
