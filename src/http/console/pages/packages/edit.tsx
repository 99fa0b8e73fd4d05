import { randomUUID } from "node:crypto";
import { newRow } from "../../../../../db/columns.ts";
import { packages } from "../../../../../db/schema.ts";
import { DomainError, type FieldErrors, rejectFaults } from "../../../../domain/core/errors/errors.ts";
import { type Input, readFields } from "../../../../domain/core/fields/fields.ts";
import { kindsInUse } from "../../../../domain/goods/nas/find.ts";
import { once } from "../../../../domain/core/once/once.ts";
import {
  createPackage,
  packageById,
  packageInput,
  type PricedPackage,
  updatePackage,
} from "../../../../domain/goods/packages/packages.ts";
import { poolsOfIsp } from "../../../../domain/goods/address-pools/give.ts";
import { toldOf } from "../../../../domain/service/access/package-told.ts";
import { requireFlag } from "../../../../domain/core/actor/actor.ts";
import { pathId } from "../../../form.ts";
import { attempt } from "../../attempt.ts";
import { Card } from "../../../pages/parts/card.tsx";
import { Select } from "../../../pages/parts/field.tsx";
import { page, part, said } from "../../answers.tsx";
import { Frame } from "../../frame.tsx";
import type { StaffVisit } from "../../guard.ts";
import { IspField, ispOfForm } from "../../isp-field.tsx";
import { Editor } from "./editor.tsx";
import { starters } from "./starters.ts";
import { RouterTold } from "./told.tsx";
import { packageSent, type Typed, typedIn, typedOf } from "./typed.ts";

const HREF = "/console/packages";
const found = ({ db, by, params }: StaffVisit) =>
  packageById(db, by, pathId("package", params["id"] ?? null));

/** An empty editor, or one that has what an ISP mostly begins with. */
export function newPackage(visit: StaffVisit): Response {
  requireFlag(visit.by, "package_manage");
  const like = starters.find(({ key }) => key === visit.query.get("like"));
  const fields: Readonly<Record<string, string>> = like?.fields ?? { duration: "30", duration_unit: "day" };
  const key = randomUUID();
  return editorPage(visit, { typed: (name) => (name === "key" ? key : (fields[name] ?? "")) });
}

export function editPackage(visit: StaffVisit): Response {
  requireFlag(visit.by, "package_manage");
  const sold = found(visit);
  return editorPage(visit, { typed: typedOf(sold), sold });
}

interface Shown {
  readonly typed: Typed;
  /** What is changed; undefined: it is a new one. */
  readonly sold?: PricedPackage | undefined;
  readonly refused?: DomainError;
}

function editorPage(visit: StaffVisit, { typed, sold, refused }: Shown): Response {
  const { view, formToken } = visit;
  const { packages } = view.words;
  const title = sold ? packages.editTitle(sold.name) : packages.new;
  const back = sold ? `${HREF}/${sold.id}` : HREF;
  const ispId = sold?.ispId ?? ispOfForm(visit, typed("isp_id")) ?? null;
  return page(
    visit,
    <Frame visit={visit} title={title} place="packages">
      <div class="page-head">
        <h1>{title}</h1>
      </div>
      <Editor
        view={view}
        formToken={formToken}
        action={sold ? `${HREF}/${sold.id}/edit` : `${HREF}/new`}
        typed={typed}
        pools={poolsOfIsp(visit.db, ispId)}
        whose={
          !sold && <IspField visit={visit} typed={typed("isp_id")} fault={refused?.fields?.["isp_id"]?.[0]} />
        }
        faults={refused?.fields ?? {}}
        problem={refused && packages.notSaved(refused.message)}
        submit={sold ? packages.save : packages.create}
        back={back}
        told={<Preview visit={visit} typed={typed} ispId={ispId} />}
      />
    </Frame>,
    { status: refused ? 422 : 200 },
  );
}

/** What routers would be told, as far as the fields can be read. */
function Preview({ visit, typed, ispId }: { visit: StaffVisit; typed: Typed; ispId: number | null }) {
  const { view, db, now } = visit;
  const { packages } = view.words;
  const faults: FieldErrors = {};
  const values = readFields(packageInput, packageSent(typed, faults), faults);
  const wrong = Object.keys(faults).some((name) => name !== "price" && name !== "name");
  const kinds = kindsInUse(db, ispId);
  const router = kinds.find((kind) => kind === typed("told_kind")) ?? kinds[0];
  const { fact } = view.words.routers;
  return (
    <div id="told">
      <Card title={packages.told} lead={packages.toldLead}>
        {kinds.length > 1 && (
          <div class="told-by">
            <Select
              name="told_kind"
              label={fact.kind}
              value={router}
              options={kinds.map((value) => ({ value, label: fact.kinds[value] }))}
            />
          </div>
        )}
        {wrong ? (
          <p class="hint">{packages.toldLater}</p>
        ) : (
          <RouterTold view={view} told={toldOf(db, soldOf(values, ispId ?? 0), { now, router })} />
        )}
      </Card>
    </div>
  );
}

type Values = ReturnType<typeof readFields<typeof packageInput>>;

/** A package that is not stored yet, as far as routers are told of it. */
function soldOf(values: Values, ispId: number): Parameters<typeof toldOf>[1] {
  return newRow(packages, {
    ...values,
    ...{ id: 0, isp_id: ispId, name: "", price: 0, billing_type: "prepaid", created_at: 0 },
    duration: values.duration ?? 1,
    duration_unit: values.duration_unit ?? "day",
  });
}

/** What routers would be told, while somebody types. */
export function preview(visit: StaffVisit, input: Input): Response {
  requireFlag(visit.by, "package_manage");
  const typed = typedIn(input);
  const ispId = ispOfForm(visit, typed("isp_id")) ?? null;
  return part(visit, <Preview visit={visit} typed={typed} ispId={ispId} />);
}

export async function create(visit: StaffVisit, input: Input): Promise<Response> {
  const { db, by, now, view } = visit;
  const typed = typedIn(input);
  const done = await attempt(visit, async () => {
    const faults: FieldErrors = {};
    const sent = { ...packageSent(typed, faults), isp_id: typed("isp_id") };
    rejectFaults(faults);
    const keyed = { path: `${HREF}/new`, key: typed("key") || randomUUID(), input: sent };
    // a double press, or a form that is sent again, makes no second one
    return once(db, by, keyed, { now }, (tx) => () => {
      const { id, name } = createPackage(tx, by, sent, { now });
      return { id, name };
    });
  });
  if (done instanceof DomainError) {
    // a form that was sent already, and changed since, is another one
    const isSpent = done.code === "conflict" && done.fields === undefined;
    const key = isSpent ? randomUUID() : typed("key");
    return editorPage(visit, { typed: (name) => (name === "key" ? key : typed(name)), refused: done });
  }
  const { packages } = view.words;
  return said(
    visit,
    { kind: "good", title: packages.created(done.name), text: packages.createdText },
    `${HREF}/${done.id}`,
  );
}

export async function save(visit: StaffVisit, input: Input): Promise<Response> {
  const { db, by, now, view } = visit;
  const sold = found(visit);
  const typed = typedIn(input);
  const done = await attempt(visit, async () => {
    const faults: FieldErrors = {};
    const sent = packageSent(typed, faults);
    rejectFaults(faults);
    return updatePackage(db, by, { id: sold.id, input: sent }, { now });
  });
  if (done instanceof DomainError) return editorPage(visit, { typed, sold, refused: done });
  const { packages } = view.words;
  const text =
    done.holders > 0 ? packages.keepOld(view.format.number(done.holders), done.holders) : undefined;
  return said(visit, { kind: "good", title: packages.saved(done.changed.name), text }, `${HREF}/${sold.id}`);
}
