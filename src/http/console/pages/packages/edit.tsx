import { randomUUID } from "node:crypto";
import { newRow } from "../../../../../db/columns.ts";
import { packages } from "../../../../../db/schema.ts";
import { DomainError, type Faults, rejectFaults } from "../../../../domain/core/errors/errors.ts";
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
import { listIspPools } from "../../../../domain/goods/address-pools/give.ts";
import { packageReply } from "../../../../domain/service/access/package-reply.ts";
import { requireFlag } from "../../../../domain/core/actor/actor.ts";
import { pathId } from "../../../form.ts";
import { attempt } from "../../attempt.ts";
import { Card } from "../../../pages/parts/card.tsx";
import { Select } from "../../../pages/parts/field.tsx";
import { page, part, flash } from "../../answers.tsx";
import { Frame } from "../../frame.tsx";
import type { StaffVisit } from "../../guard.ts";
import { chooseIsp, IspField } from "../../isp-field.tsx";
import { Editor } from "./editor.tsx";
import { starters } from "./starters.ts";
import { RouterReply } from "../../parts/attributes.tsx";
import { packageSent, type ReadValue, storedValues, valuesIn } from "./values.ts";

const HREF = "/console/packages";
const found = ({ db, by, params }: StaffVisit) =>
  packageById(db, by, pathId("package", params["id"] ?? null));

/** The form of a new package, empty or with a starter's values. */
export function newPackage(visit: StaffVisit): Response {
  requireFlag(visit.by, "package_manage");
  const like = starters.find(({ key }) => key === visit.query.get("like"));
  const fields: Readonly<Record<string, string>> = like?.fields ?? {};
  const { count, unit } = like?.lasts ?? { count: 30, unit: "day" };
  const known: Readonly<Record<string, string>> = {
    duration: visit.view.format.span(count, unit),
    key: randomUUID(),
    ...fields,
  };
  return editorPage(visit, { values: (name) => known[name] ?? "" });
}

export function editPackage(visit: StaffVisit): Response {
  requireFlag(visit.by, "package_manage");
  const sold = found(visit);
  return editorPage(visit, { values: storedValues(visit.view, sold), sold });
}

interface EditorState {
  readonly values: ReadValue;
  /** undefined: a new one. */
  readonly sold?: PricedPackage | undefined;
  readonly refused?: DomainError;
}

function editorPage(visit: StaffVisit, { values, sold, refused }: EditorState): Response {
  const { view, formToken } = visit;
  const { packages } = view.words;
  const title = sold ? packages.editTitle(sold.name) : packages.new;
  const back = sold ? `${HREF}/${sold.id}` : HREF;
  const ispId = sold?.ispId ?? chooseIsp(visit, values("isp_id")) ?? null;
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
        values={values}
        pools={listIspPools(visit.db, ispId)}
        whose={
          !sold && (
            <IspField visit={visit} value={values("isp_id")} fault={refused?.fields?.["isp_id"]?.[0]} />
          )
        }
        faults={refused?.fields ?? {}}
        problem={refused && visit.view.words.frame.notSaved(refused.message)}
        submit={sold ? packages.save : packages.create}
        back={back}
        attributes={<Preview visit={visit} values={values} ispId={ispId} />}
      />
    </Frame>,
    { status: refused ? 422 : 200 },
  );
}

/** What routers would be told, as far as the fields can be read. */
function Preview({
  visit,
  values: text,
  ispId,
}: {
  visit: StaffVisit;
  values: ReadValue;
  ispId: number | null;
}) {
  const { view, db, now } = visit;
  const { packages } = view.words;
  const faults: Faults = {};
  const values = readFields(packageInput, packageSent(view, text, faults), faults);
  const wrong = Object.keys(faults).some((name) => name !== "price" && name !== "name");
  const kinds = kindsInUse(db, ispId);
  const router = kinds.find((kind) => kind === text("told_kind")) ?? kinds[0];
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
          <RouterReply
            view={view}
            attributes={packageReply(db, toPackage(values, ispId ?? 0), { now, router })}
          />
        )}
      </Card>
    </div>
  );
}

type Values = ReturnType<typeof readFields<typeof packageInput>>;

/** An unsaved package, as far as replies need it. */
function toPackage(values: Values, ispId: number): Parameters<typeof packageReply>[1] {
  return newRow(packages, {
    ...values,
    id: 0,
    isp_id: ispId,
    name: "",
    price: 0,
    billing_type: "prepaid",
    created_at: 0,
    duration: values.duration ?? 1,
    duration_unit: values.duration_unit ?? "day",
  });
}

/** The attributes that routers would get, while typing. */
export function preview(visit: StaffVisit, input: Input): Response {
  requireFlag(visit.by, "package_manage");
  const values = valuesIn(input);
  const ispId = chooseIsp(visit, values("isp_id")) ?? null;
  return part(visit, <Preview visit={visit} values={values} ispId={ispId} />);
}

export async function create(visit: StaffVisit, input: Input): Promise<Response> {
  const { db, by, now, view } = visit;
  const values = valuesIn(input);
  const done = await attempt(visit, async () => {
    const faults: Faults = {};
    const sent = { ...packageSent(visit.view, values, faults), isp_id: values("isp_id") };
    rejectFaults(faults);
    const keyed = { path: `${HREF}/new`, key: values("key") || randomUUID(), input: sent };
    // a double press makes no second one
    return once(db, by, keyed, { now }, (tx) => () => {
      const { id, name, rateLimit } = createPackage(tx, by, sent, { now });
      return { id, name, rateLimit };
    });
  });
  if (done instanceof DomainError) {
    // a form that was sent before, and changed since, is a new one
    const isSpent = done.kind === "conflict" && done.fields === undefined;
    const key = isSpent ? randomUUID() : values("key");
    return editorPage(visit, { values: (name) => (name === "key" ? key : values(name)), refused: done });
  }
  const { packages } = view.words;
  return flash(
    visit,
    {
      kind: "good",
      title: packages.created(done.name),
      text: done.rateLimit ? packages.createdText : `${packages.createdText} ${packages.noRate}`,
    },
    `${HREF}/${done.id}`,
  );
}

export async function save(visit: StaffVisit, input: Input): Promise<Response> {
  const { db, by, now, view } = visit;
  const sold = found(visit);
  const values = valuesIn(input);
  const done = await attempt(visit, async () => {
    const faults: Faults = {};
    const sent = packageSent(visit.view, values, faults);
    rejectFaults(faults);
    return updatePackage(db, by, { id: sold.id, input: sent }, { now });
  });
  if (done instanceof DomainError) return editorPage(visit, { values, sold, refused: done });
  const { packages } = view.words;
  const hints = [
    ...(done.holders > 0 ? [packages.keepOld(done.holders)] : []),
    ...(done.changed.rateLimit ? [] : [packages.noRate]),
  ];
  const text = hints.length > 0 ? hints.join(" ") : undefined;
  return flash(visit, { kind: "good", title: packages.saved(done.changed.name), text }, `${HREF}/${sold.id}`);
}
