import { type Effect, hashFigures } from "../../../../domain/around/proposals/effect.ts";
import {
  type Proposal,
  proposalById,
  requireWaiting,
} from "../../../../domain/around/proposals/proposals.ts";
import { auditNames } from "../../../../domain/core/audit/audit-names.ts";
import { DomainError } from "../../../../domain/core/errors/errors.ts";
import { effectNow, press } from "../../../assistants/proposed.ts";
import { Note } from "../../../pages/note.tsx";
import { Facts } from "../../../pages/parts/facts.tsx";
import { page } from "../../answers.tsx";
import { drawerLink, Frame } from "../../frame.tsx";
import { type ConsoleRoute, staffPage, type StaffVisit } from "../../guard.ts";
import { ASKED } from "../../parts/asked.tsx";
import { fieldWords, listChanges, namedIn, referred, valueWords } from "../../parts/audit-log-changes.ts";
import { whatWords } from "../../parts/audit-log-what.tsx";
import { form } from "../../parts/form.tsx";
import { ispView } from "../../parts/isp-view.ts";
import { list } from "../../parts/list.tsx";
import { sentence } from "../../parts/phrases.ts";

const proposalHref = ({ id }: Proposal) => `${ASKED}/${id}`;

const readNames = ({ db, by }: StaffVisit, { entries }: Pick<Effect, "entries">) =>
  auditNames(db, by.scope, entries.flatMap(namedIn));

function describeFirst(visit: StaffVisit, { entries, call }: Proposal): string {
  const names = readNames(visit, { entries });
  const [first] = entries;
  return first ? whatWords(visit, first, names) : call;
}

export const Asked = list<Proposal>((visit) => {
  const { asked: words } = visit.view.words;
  const { format } = visit.view;
  return {
    name: words.title,
    columns: [
      {
        title: words.what,
        narrow: "lead",
        cell: (row) => (
          <a href={proposalHref(row)} {...drawerLink(proposalHref(row))}>
            {describeFirst(visit, row)}
          </a>
        ),
      },
      { title: words.key, cell: ({ keyName }) => <bdi>{keyName}</bdi> },
      { title: words.until, cell: ({ endsAt }) => format.timeNear(endsAt, visit.now) },
    ],
    empty: { icon: "check", title: words.empty, text: words.emptyText },
  };
});

const showAsked = staffPage(ASKED, (visit) => {
  const { asked: words } = visit.view.words;
  return page(
    visit,
    <Frame visit={visit} title={words.title} place={null}>
      <div class="stack">
        <h1>{words.title}</h1>
        <p class="hint">{words.lead}</p>
        <Asked visit={visit} rows={visit.asked()} />
      </div>
    </Frame>,
  );
});

/** What it would change now, if the reader pressed it. */
interface Looked {
  readonly proposal: Proposal;
  /** Found on first use: who presses it does it, and looks only where that was refused. */
  readonly effect: () => Effect | DomainError;
}

function lookedAt(visit: StaffVisit): Looked {
  const { db, by, needs, params, now } = visit;
  const proposal = proposalById(db, by.scope, { id: Number(params["id"]) || 0 });
  const look = () => {
    try {
      requireWaiting(proposal, now);
      return effectNow({ ...needs, db }, by, proposal);
    } catch (error) {
      if (error instanceof DomainError) return error;
      throw error;
    }
  };
  let found: Effect | DomainError | undefined;
  return { proposal, effect: () => (found ??= look()) };
}

function Changes({ visit, effect }: { visit: StaffVisit; effect: Effect }) {
  const { asked } = visit.view.words;
  const names = readNames(visit, effect);
  return effect.entries.map((entry) => (
    <section class="stack near">
      <h2>{whatWords(visit, entry, names)}</h2>
      <Facts
        facts={listChanges(entry)
          .filter(({ isSame }) => !isSame)
          .map(({ field, before, after }) => {
            const said = (value: unknown) =>
              valueWords(visit.view, { field, value, action: entry.action, names });
            return [
              fieldWords(visit.view, entry.action, field),
              <bdi>{before === undefined ? said(after) : asked.change(said(before), said(after))}</bdi>,
            ];
          })}
      />
    </section>
  ));
}

/** What was sent, for the audit log does not have the text of a message. */
function Sent({ visit, proposal: { sent } }: { visit: StaffVisit; proposal: Proposal }) {
  const { db, by, view } = visit;
  const fields = Object.entries(sent);
  const names = auditNames(
    db,
    by.scope,
    fields.flatMap(([field, value]) => referred(field, value) ?? []),
  );
  const about = { action: "", names };
  return (
    <Facts
      facts={fields.map(([field, value]) => [
        fieldWords(view, "", field),
        <bdi>{valueWords(view, { field, value, ...about })}</bdi>,
      ])}
    />
  );
}

function Wallets({
  visit,
  proposal,
  effect: { money },
}: {
  visit: StaffVisit;
  proposal: Proposal;
  effect: Effect;
}) {
  const { asked: words } = visit.view.words;
  const { format } = ispView(visit, proposal.ispId);
  if (money.length === 0) return <p>{words.noMoney}</p>;
  return (
    <Facts
      facts={money.map(({ name, before, after }) => [
        <bdi>{name}</bdi>,
        words.change(format.amount(before), format.amount(after)),
      ])}
    />
  );
}

function Shown({ visit, looked: { proposal, effect } }: { visit: StaffVisit; looked: Looked }) {
  const { asked: words } = visit.view.words;
  const found = effect();
  if (found instanceof DomainError) return <Note kind="bad">{words.refused(sentence(found.message))}</Note>;
  return (
    <>
      <h2>{words.sent}</h2>
      <Sent visit={visit} proposal={proposal} />
      <Changes visit={visit} effect={found} />
      <h2>{words.money}</h2>
      <Wallets visit={visit} proposal={proposal} effect={found} />
    </>
  );
}

const pressForm = form<Looked, string>({
  path: `${ASKED}/:id`,
  of: lookedAt,
  chosen: ({ effect }): Record<string, string> => {
    const found = effect();
    return found instanceof DomainError ? {} : { seen: hashFigures(found) };
  },
  content: (visit, looked) => {
    const { asked: words } = visit.view.words;
    return {
      title: words.one(looked.proposal.keyName),
      lead: words.lead,
      back: ASKED,
      place: null,
      get text() {
        return <Shown visit={visit} looked={looked} />;
      },
      get submit() {
        return looked.effect() instanceof DomainError ? undefined : words.press;
      },
    };
  },
  save: async ({ needs, db, by, query }, { proposal }) => {
    await press({ ...needs, db }, by, { proposal, seen: query.get("seen") ?? "" });
    return proposal.keyName;
  },
  done: ({ view }, key) => view.words.asked.done(key),
});

/** What assistants ask for, which nobody but a person does. */
export const askedRoutes: readonly ConsoleRoute[] = [showAsked, ...pressForm];
