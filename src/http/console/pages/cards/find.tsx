import { findCard } from "../../../../domain/service/cards/find.ts";
import { DomainError } from "../../../../domain/core/errors/errors.ts";
import type { Input } from "../../../../domain/core/fields/fields.ts";
import { attempt } from "../../attempt.ts";
import { FormToken } from "../../../pages/document.tsx";
import { Note } from "../../../pages/note.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import { Field } from "../../../pages/parts/field.tsx";
import { seeOther } from "../../../pages/respond.tsx";
import { page } from "../../answers.tsx";
import { Frame } from "../../frame.tsx";
import type { StaffVisit } from "../../guard.ts";
import { CARDS, cardHref } from "../../parts/hrefs.ts";

const FIND = `${CARDS}/find`;

/** The search for a card, posted, because a code must not stand in an address. */
export function FindCard({ visit: { view, formToken } }: { visit: StaffVisit }) {
  const { cards } = view.words;
  return (
    <form class="row at-end" method="post" action={FIND}>
      <FormToken value={formToken} />
      <Field
        name="card"
        label={cards.findLabel}
        attributes={{
          autocomplete: "off",
          autocapitalize: "characters",
          spellcheck: "false",
          maxlength: 60,
          placeholder: cards.findHint,
          class: "mono",
        }}
      />
      <Button icon="search">{cards.findButton}</Button>
    </form>
  );
}

/** Redirects to the card, or shows the form again, without the input: it may be a code. */
export async function find(visit: StaffVisit, input: Input): Promise<Response> {
  const { db, by, now } = visit;
  const code = typeof input["card"] === "string" ? input["card"].slice(0, 100) : "";
  const found = await attempt(visit, async () => findCard(db, by, code, { now }));
  if (!(found instanceof DomainError)) return seeOther(cardHref(found.id));
  if (found.kind === "forbidden") throw found;
  return findPage(visit, found);
}

function findPage(visit: StaffVisit, { message }: DomainError): Response {
  const { cards } = visit.view.words;
  return page(
    visit,
    <Frame
      {...{ visit, title: cards.findTitle, place: "cards" }}
      back={{ href: CARDS, label: visit.view.words.places.cards }}
    >
      <div class="page-head">
        <h1>{cards.findTitle}</h1>
      </div>
      <div class="stack">
        <Note kind="bad">
          {cards.notFound}: {message}.
        </Note>
        <div class="card">
          <FindCard visit={visit} />
        </div>
      </div>
    </Frame>,
    { status: 404 },
  );
}
