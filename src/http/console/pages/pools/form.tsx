import {
  createPool,
  deletePool,
  poolById,
  updatePool,
} from "../../../../domain/goods/address-pools/pools.ts";
import { DomainError, type FieldErrors } from "../../../../domain/core/errors/errors.ts";
import type { Input } from "../../../../domain/core/fields/fields.ts";
import { may, seesWholeIsp } from "../../../../domain/core/actor/actor.ts";
import { permit } from "../../../../domain/core/actor/permissions.ts";
import { attempt } from "../../attempt.ts";
import { FormToken } from "../../../pages/document.tsx";
import { Note } from "../../../pages/note.tsx";
import { Action, Button } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Facts } from "../../../pages/parts/facts.tsx";
import { Field } from "../../../pages/parts/field.tsx";
import { textOf } from "../../../pages/text-of.ts";
import { page, said } from "../../answers.tsx";
import { Frame } from "../../frame.tsx";
import type { StaffVisit } from "../../guard.ts";
import { IspField } from "../../isp-field.tsx";
import { TrailLink } from "../trail/link.tsx";
import { Addresses } from "./addresses.tsx";
import { hrefOf, idOf, POOLS, roomOf } from "./shown.ts";

const names = ["name", "range", "length"] as const;

interface Failed {
  readonly typed: Readonly<Record<string, string>>;
  readonly faults: FieldErrors;
  readonly problem: string | undefined;
}

/** The form for a new pool. */
export function newPool(visit: StaffVisit, failed?: Failed): Response {
  permit(visit.by, "createPool");
  const { pools } = visit.view.words;
  return page(
    visit,
    <Frame visit={visit} title={pools.add} place="routers">
      <div class="stack">
        <header class="page-head">
          <h1>{pools.add}</h1>
        </header>
        <Card title={pools.change} lead={pools.addLead}>
          <PoolForm
            visit={visit}
            action={`${POOLS}/new`}
            back={POOLS}
            failed={failed}
            typed={failed?.typed ?? {}}
          >
            <IspField
              visit={visit}
              typed={failed?.typed["isp_id"]}
              fault={failed?.faults["isp_id"]?.join("; ")}
            />
          </PoolForm>
        </Card>
      </div>
    </Frame>,
    { status: failed ? 422 : 200 },
  );
}

export async function addPool(visit: StaffVisit, input: Input): Promise<Response> {
  const { db, by, now, view } = visit;
  const typed = typedIn(input);
  const sent = { ...typed, isp_id: textOf(input, "isp_id", 9) };
  const done = await attempt(visit, async () => createPool(db, by, sent, { now }));
  if (done instanceof DomainError) return newPool(visit, failedOf(done, sent));
  const { pools } = view.words;
  const text = pools.addedText(view.format.number(done.size));
  return said(visit, { kind: "good", title: pools.added(done.pool.name), text }, hrefOf(done.pool.id));
}

/** A pool: its use, who has which address, and its range. */
export function showPool(visit: StaffVisit, failed?: Failed): Response {
  const { db, by, view } = visit;
  const { pools } = view.words;
  const id = idOf(visit);
  const use = poolById(db, by, id);
  const { pool, size, used, reserved, packages } = use;
  const count = view.format.number.bind(view.format);
  const changes = may(by, "nas_manage") && seesWholeIsp(by.scope);
  const stored = {
    name: pool.name,
    range: pool.range,
    length: pool.length === null ? "" : String(pool.length),
  };
  return page(
    visit,
    <Frame visit={visit} title={pool.name} place="routers">
      <div class="stack">
        <header class="page-head">
          <h1>
            <bdi>{pool.name}</bdi>
          </h1>
          <div class="actions">
            <Button href={POOLS} icon="back">
              {pools.toPools}
            </Button>
          </div>
        </header>
        <p class="sentence">{pools.state(count(used), count(size), count(roomOf(use)))}</p>
        <div class="columns">
          <div>
            <Addresses visit={visit} id={id} />
          </div>
          <div>
            <Card title={pools.facts} aside={<TrailLink visit={visit} entity="address_pool" entityId={id} />}>
              <Facts
                facts={[
                  [pools.columns.range, <span class="mono">{pool.range}</span>],
                  [pools.eachOne, pool.length === null ? pools.anAddress : pools.each(pool.length)],
                  [pools.byHand, reserved > 0 ? count(reserved) : null],
                  [pools.columns.packages, packages.length > 0 ? packages.join(", ") : pools.by.nobody],
                ]}
              />
            </Card>
            {changes && (
              <Card title={pools.change}>
                <PoolForm
                  visit={visit}
                  action={hrefOf(id, "/edit")}
                  back={POOLS}
                  failed={failed}
                  typed={failed?.typed ?? stored}
                />
              </Card>
            )}
            {changes && used === 0 && packages.length === 0 && (
              <Action action={hrefOf(id, "/delete")} formToken={visit.formToken} label={pools.remove}>
                {pools.remove}
              </Action>
            )}
          </div>
        </div>
      </div>
    </Frame>,
    { status: failed ? 422 : 200 },
  );
}

export async function savePool(visit: StaffVisit, input: Input): Promise<Response> {
  const { db, by, now, view } = visit;
  const id = idOf(visit);
  const typed = typedIn(input);
  const done = await attempt(visit, async () => updatePool(db, by, { id, input: typed }, { now }));
  if (done instanceof DomainError) return showPool(visit, failedOf(done, typed));
  return said(visit, { kind: "good", title: view.words.pools.saved(done.pool.name) }, hrefOf(id));
}

export async function removePool(visit: StaffVisit): Promise<Response> {
  const { db, by, now, view } = visit;
  const { pools } = view.words;
  const id = idOf(visit);
  const done = await attempt(visit, async () => deletePool(db, by, { id }, { now }));
  if (done instanceof DomainError)
    return said(visit, { kind: "bad", title: pools.notRemoved, text: done.message }, hrefOf(id));
  return said(visit, { kind: "good", title: pools.removed(done.name) }, POOLS, { leaves: true });
}

const typedIn = (input: Input) =>
  Object.fromEntries(names.map((name) => [name, textOf(input, name, 90).trim()]));

function failedOf(error: DomainError, typed: Failed["typed"]): Failed {
  const { code, fields, message } = error;
  if (!["invalid", "refused", "conflict"].includes(code)) throw error;
  return { typed, faults: fields ?? {}, problem: fields ? undefined : message };
}

interface FormProps {
  visit: StaffVisit;
  action: string;
  back: string;
  failed: Failed | undefined;
  typed: Readonly<Record<string, string>>;
  children?: unknown;
}

function PoolForm({ visit, action, back, failed, typed, children }: FormProps) {
  const { pools, frame } = visit.view.words;
  const code = { spellcheck: "false", autocapitalize: "none", autocomplete: "off" };
  const of = (name: (typeof names)[number]) => {
    const fault = failed?.faults[name]?.join("; ");
    return { name, value: typed[name] ?? "", ...(fault !== undefined && { fault }) };
  };
  return (
    <form class="stack" method="post" action={action}>
      <FormToken value={visit.formToken} />
      {failed?.problem !== undefined && <Note kind="bad">{failed.problem}</Note>}
      <div class="fields">
        <Field {...of("name")} label={pools.columns.name} required attributes={{ maxlength: 64 }} />
        <Field
          {...of("range")}
          label={pools.columns.range}
          help={pools.rangeHelp}
          required
          attributes={{ ...code, maxlength: 90 }}
        />
        <Field
          {...of("length")}
          label={pools.length}
          help={pools.lengthHelp}
          attributes={{ inputmode: "numeric", maxlength: 2 }}
        />
        {children}
      </div>
      <div class="actions">
        <Button kind="solid" size="large">
          {pools.save}
        </Button>
        <Button href={back} size="large">
          {frame.close}
        </Button>
      </div>
    </form>
  );
}
