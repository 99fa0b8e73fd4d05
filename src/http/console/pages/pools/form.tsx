import {
  createPool,
  deletePool,
  poolById,
  type PoolUse,
  updatePool,
} from "../../../../domain/goods/address-pools/pools.ts";
import { DomainError } from "../../../../domain/core/errors/errors.ts";
import { may, seesWholeIsp } from "../../../../domain/core/actor/actor.ts";
import type { Child } from "hono/jsx";
import { attempt } from "../../attempt.ts";
import { Action } from "../../../pages/parts/button.tsx";
import { Card } from "../../../pages/parts/card.tsx";
import { Facts } from "../../../pages/parts/facts.tsx";
import { flash } from "../../answers.tsx";
import { Frame } from "../../frame.tsx";
import type { StaffVisit } from "../../guard.ts";
import { ispFields } from "../../isp-field.tsx";
import type { FormField } from "../../parts/field.tsx";
import { form } from "../../parts/form.tsx";
import type { ConsoleView } from "../../view.ts";
import { AuditLogLink } from "../../parts/audit-log-link.tsx";
import { Addresses } from "./addresses.tsx";
import { freeRoom, poolHref, readPoolId } from "./words.ts";
import { POOLS } from "../../parts/hrefs.ts";

function buildFields({ words: { pools } }: ConsoleView, pool?: PoolUse["pool"]): FormField[] {
  const code = { spellcheck: "false", autocapitalize: "none" };
  return [
    { name: "name", label: pools.columns.name, value: pool?.name, required: true, max: 64 },
    {
      name: "range",
      label: pools.columns.range,
      help: pools.rangeHelp,
      value: pool?.range,
      required: true,
      max: 90,
      attributes: code,
    },
    {
      name: "length",
      label: pools.length,
      help: pools.lengthHelp,
      value: pool?.length ?? "",
      max: 2,
      attributes: { inputmode: "numeric" },
    },
  ];
}

interface Added {
  readonly id: number;
  readonly name: string;
  readonly size: number;
}

const add = form({
  path: `${POOLS}/new`,
  permit: "createPool",
  of: () => undefined,
  content: (visit) => {
    const { pools } = visit.view.words;
    return {
      title: pools.add,
      back: POOLS,
      submit: pools.save,
      groups: [
        {
          title: pools.change,
          lead: pools.addLead,
          fields: [...buildFields(visit.view), ...ispFields(visit)],
        },
      ],
      frame: (children) => (
        <Frame visit={visit} title={pools.add} place="routers">
          <div class="stack">
            <header class="page-head">
              <h1>{pools.add}</h1>
            </header>
            {children}
          </div>
        </Frame>
      ),
    };
  },
  once: (done: Added) => done,
  save: ({ db, by, now }, _, values) => {
    const { pool, size } = createPool(db, by, { isp_id: "", ...values }, { now });
    return { id: pool.id, name: pool.name, size };
  },
  done: ({ view: { words } }, { id, name, size }: Added) => ({
    title: words.pools.added(name),
    text: words.pools.addedText(size),
    to: poolHref(id),
  }),
});

const edit = form({
  path: poolHref(":id", "/edit"),
  on: poolHref(":id"),
  of: (visit) => poolById(visit.db, visit.by, readPoolId(visit)),
  content: (visit, use) => ({
    title: use.pool.name,
    back: poolHref(use.pool.id),
    submit: visit.view.words.pools.save,
    fields: buildFields(visit.view, use.pool),
    frame: (children) => (
      <PoolPage visit={visit} use={use}>
        {children}
      </PoolPage>
    ),
  }),
  save: ({ db, by, now }, { pool: { id } }, values) => updatePool(db, by, { id, input: values }, { now }),
  done: ({ view: { words } }, { pool }) => words.pools.saved(pool.name),
});

export const poolForms = [...add, ...edit];

function PoolPage({ visit, use, children }: { visit: StaffVisit; use: PoolUse; children: Child }) {
  const { by, view } = visit;
  const { pools } = view.words;
  const { pool, size, used, reserved, packages } = use;
  const { id } = pool;
  const count = view.format.number.bind(view.format);
  const changes = may(by, "nas_manage") && seesWholeIsp(by.scope);
  return (
    <Frame visit={visit} title={pool.name} place="routers" back={{ href: POOLS, label: pools.toPools }}>
      <div class="stack">
        <header class="page-head">
          <h1>
            <bdi>{pool.name}</bdi>
          </h1>
        </header>
        <p class="sentence">{pools.state(count(used), count(size), count(freeRoom(use)))}</p>
        <div class="split">
          <div>
            <Addresses visit={visit} pool={pool} />
          </div>
          <div>
            <Card
              title={pools.facts}
              aside={<AuditLogLink visit={visit} entity="address_pool" entityId={id} />}
            >
              <Facts
                facts={[
                  [pools.columns.range, <span class="mono">{pool.range}</span>],
                  [pools.eachOne, pool.length === null ? pools.anAddress : pools.each(pool.length)],
                  [pools.byHand, reserved > 0 ? count(reserved) : null],
                  [
                    pools.columns.packages,
                    packages.length > 0 ? packages.join(view.words.list.comma) : pools.by.nobody,
                  ],
                ]}
              />
            </Card>
            {changes && <Card title={pools.change}>{children}</Card>}
            {changes && used === 0 && packages.length === 0 && (
              <Action action={poolHref(id, "/delete")} formToken={visit.formToken} label={pools.remove}>
                {pools.remove}
              </Action>
            )}
          </div>
        </div>
      </div>
    </Frame>
  );
}

export async function removePool(visit: StaffVisit): Promise<Response> {
  const { db, by, now, view } = visit;
  const { pools } = view.words;
  const id = readPoolId(visit);
  const done = await attempt(visit, async () => deletePool(db, by, { id }, { now }));
  if (done instanceof DomainError)
    return flash(visit, { kind: "bad", title: pools.notRemoved, text: done.message }, poolHref(id));
  return flash(visit, { kind: "good", title: pools.removed(done.name) }, POOLS, { leaves: true });
}
