import { randomBytes } from "node:crypto";
import { createCardBatch, type NewBatch, planCardBatch } from "../../../../domain/service/cards/batches.ts";
import { cardChoices } from "../../../../domain/service/cards/choices.ts";
import { printedBatch } from "../../../../domain/service/cards/print.ts";
import { inWords, attempt } from "../../attempt.ts";
import { DomainError, type Faults } from "../../../../domain/core/errors/errors.ts";
import { phrase } from "../../../../domain/core/errors/phrase.ts";
import type { Input } from "../../../../domain/core/fields/fields.ts";
import { once } from "../../../../domain/core/once/once.ts";
import { requireFlag } from "../../../../domain/core/actor/actor.ts";
import { cardKinds } from "../../../../../db/schema.ts";
import { FormToken } from "../../../pages/document.tsx";
import { Note } from "../../../pages/note.tsx";
import { Button } from "../../../pages/parts/button.tsx";
import { Empty } from "../../../pages/parts/empty.tsx";
import { Select } from "../../../pages/parts/field.tsx";
import { Segments } from "../../../pages/parts/tabs.tsx";
import { page, part, flash } from "../../answers.tsx";
import { FilterForm } from "../../parts/filters.tsx";
import { Frame } from "../../frame.tsx";
import type { StaffVisit } from "../../guard.ts";
import { chooseIsp } from "../../isp-field.tsx";
import { type ReadValue, valuesIn } from "../../parts/keyed.tsx";
import { Ends, Made, More, Sale } from "./new-fields.tsx";
import { Summary } from "./new-summary.tsx";
import { batchSent, type Kind, type Making, chooseBatchIsp, hashPlan, usualValues } from "./new-values.ts";
import { brandFor, ispView } from "../../parts/isp-view.ts";
import { BATCHES, batchHref, CARDS } from "../../parts/hrefs.ts";

export const NEW = `${CARDS}/new`;

/** The chosen kind and package; access cards and the first package by default. */
function readMaking(visit: StaffVisit, chosen: (name: string) => string): Making {
  const { db, by } = visit;
  requireFlag(by, "card_make");
  if (by.scope.salespersonId !== null)
    throw new DomainError("forbidden", phrase`a reseller makes no cards; ask staff of the ISP for a batch`);
  const choices = cardChoices(db, by);
  const kind = cardKinds.find((one) => one === chosen("kind")) ?? "access";
  const named = choices.packages.find(({ id }) => String(id) === chosen("package_id"));
  const usualIsp = chooseIsp(visit);
  return { kind, choices, usualIsp, sold: kind === "refill" ? undefined : (named ?? cheapest(choices)) };
}

/** Cards are mostly made of the smallest package. */
const cheapest = ({ packages }: Making["choices"]) =>
  packages.toSorted((one, other) => one.price - other.price)[0];

/** The plan of the fields; undefined, with faults, where one is invalid. */
function planned(
  visit: StaffVisit,
  making: Making,
  values: ReadValue,
): { plan: NewBatch | undefined; refused: DomainError | undefined; sent: Input } {
  const { db, by, now } = visit;
  const faults: Faults = {};
  const sent = batchSent(visit.view, values, making, faults);
  try {
    const plan = planCardBatch(db, by, sent, { now });
    if (Object.keys(faults).length > 0)
      throw new DomainError("invalid", phrase`check the fields`, { fields: faults });
    return { plan, refused: undefined, sent };
  } catch (error) {
    if (!(error instanceof DomainError) || error.kind === "forbidden") throw error;
    return { plan: undefined, refused: inWords(visit.view, withFields(error, faults)), sent };
  }
}

function withFields(error: DomainError, faults: Faults): DomainError {
  if (Object.keys(faults).length === 0) return error;
  const { message, fields } = error.phrases;
  return new DomainError(error.kind, message, {
    code: error.code,
    fields: { ...fields, ...faults },
  });
}

export function newBatchPage(visit: StaffVisit): Response {
  const making = readMaking(visit, (name) => visit.query.get(name) ?? "");
  return editor(visit, { making, values: usualValues(visit.view, making) });
}

export function summaryPart(visit: StaffVisit, input: Input): Response {
  const values = valuesIn(input);
  const making = readMaking(visit, values);
  const { plan } = planned(visit, making, values);
  return part(
    visit,
    <Summary visit={visit} making={making} plan={plan} asksLength={values("length").trim() !== ""} />,
  );
}

export async function create(visit: StaffVisit, input: Input): Promise<Response> {
  const { db, by, now, view } = visit;
  const values = valuesIn(input);
  const making = readMaking(visit, values);
  const { plan, refused, sent } = planned(visit, making, values);
  if (!plan) return editor(visit, { making, values, refused });
  if (values("told") !== hashPlan(plan, values("length").trim() !== ""))
    return editor(visit, { making, values, asksAgain: true });
  const done = await attempt(visit, async () =>
    once(db, by, { path: NEW, key: values("key"), input: sent }, { now }, (tx) => () => {
      const { batch } = createCardBatch(tx, by, sent, { now });
      return { id: batch.id };
    }),
  );
  if (done instanceof DomainError) return editor(visit, { making, values, refused: done });
  const { making: phrases } = view.words.cards;
  const { quantity, resellerId, resellerPrice, chargeOn } = plan;
  const who = making.choices.resellers.find(({ id }) => id === resellerId);
  const paid = chargeOn === "handover" ? (resellerPrice ?? 0) * quantity : 0;
  const sum = view.format.sum(paid, brandFor(visit, plan.ispId).currency);
  return flash(
    visit,
    {
      kind: "good",
      title: phrases.made(quantity, printedBatch(done)),
      text: who && paid > 0 ? phrases.debited(view.format.name(who.name), sum) : phrases.madeText,
      links: [{ href: `${BATCHES}/${done.id}/print`, label: view.words.cards.batch.print }],
    },
    batchHref(done.id),
  );
}

interface NewForm {
  readonly making: Making;
  readonly values: ReadValue;
  readonly refused?: DomainError | undefined;
  /** The plan differs from the one that was read. */
  readonly asksAgain?: boolean;
}

function editor(visit: StaffVisit, { making, values, refused, asksAgain }: NewForm): Response {
  const { view } = visit;
  const { making: phrases } = view.words.cards;
  const lacksPackage = making.kind !== "refill" && making.sold === undefined;
  return page(
    visit,
    <Frame
      visit={visit}
      title={phrases.title}
      place="cards"
      back={{ href: CARDS, label: view.words.places.cards }}
    >
      <div class="page-head">
        <h1>{phrases.title}</h1>
        <Kinds view={view} current={making.kind} />
      </div>
      <div class="stack">
        <p class="sentence">{phrases.kindText[making.kind]}</p>
        {refused && <Note kind="bad">{phrases.notMade(refused.message)}</Note>}
        {asksAgain && <Note kind="wait">{phrases.readOnce}</Note>}
        {lacksPackage ? (
          <NoPackage view={view} />
        ) : (
          <MakingForm visit={visit} making={making} values={values} refused={refused} />
        )}
      </div>
    </Frame>,
    { status: refused ? 422 : 200 },
  );
}

function Kinds({ view, current }: { view: StaffVisit["view"]; current: Kind }) {
  const { making: phrases } = view.words.cards;
  const tabs = cardKinds.map((kind) => ({
    href: `${NEW}?kind=${kind}`,
    label: phrases.kinds[kind],
    current: kind === current,
  }));
  return <Segments label={phrases.kindLabel} tabs={tabs} />;
}

function NoPackage({ view }: { view: StaffVisit["view"] }) {
  const { making: phrases } = view.words.cards;
  return (
    <section class="card">
      <Empty icon="package" title={phrases.noPackages} text={phrases.noPackagesText}>
        <Button href="/console/packages/new" kind="solid" size="large" icon="plus">
          {phrases.newPackage}
        </Button>
      </Empty>
    </section>
  );
}

function MakingForm({ visit, making, values, refused }: { visit: StaffVisit } & NewForm) {
  const { formToken } = visit;
  const { plan } = planned(visit, making, values);
  const ispId = plan?.ispId ?? chooseBatchIsp(making, values);
  const view = ispId === undefined ? visit.view : ispView(visit, ispId);
  const fields = { view, making, values, faults: refused?.fields ?? {} };
  // a form that was sent before, and changed since, is a new one
  const isSpent = refused?.kind === "conflict";
  const key = (!isSpent && values("key")) || randomBytes(16).toString("base64url");
  return (
    <>
      {making.sold && <PackageChoice visit={visit} making={making} />}
      <form
        id="making"
        class="split"
        method="post"
        action={NEW}
        hx-post={`${CARDS}/told`}
        hx-trigger="input delay:250ms from:this"
        hx-target="#told"
        hx-swap="outerMorph"
        hx-sync="this:replace"
      >
        <FormToken value={formToken} />
        <input type="hidden" name="key" value={key} />
        <input type="hidden" name="kind" value={making.kind} />
        {making.sold && <input type="hidden" name="package_id" value={making.sold.id} />}
        <div>
          <Made {...fields} visit={visit} />
          {making.kind === "access" && <Ends {...fields} />}
          <Sale {...fields} />
          <More {...fields} wouldDo={plan?.length ?? undefined} />
        </div>
        <div>
          <Summary visit={visit} making={making} plan={plan} asksLength={values("length").trim() !== ""} />
        </div>
      </form>
    </>
  );
}

/** Another package brings its terms into the fields. */
function PackageChoice({
  visit: { view },
  making: { kind, sold, choices },
}: {
  visit: StaffVisit;
  making: Making;
}) {
  const { making: phrases } = view.words.cards;
  return (
    <FilterForm href={NEW} kind="card row at-end">
      <input type="hidden" name="kind" value={kind} />
      <Select
        name="package_id"
        label={phrases.package}
        value={sold?.id ?? ""}
        options={choices.packages.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <Button size="small">{phrases.take}</Button>
    </FilterForm>
  );
}
