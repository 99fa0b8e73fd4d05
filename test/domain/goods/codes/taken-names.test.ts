import { expect, test } from "bun:test";
import { createCardBatch } from "../../../../src/domain/service/cards/batches.ts";
import { printedCode } from "../../../../src/domain/goods/codes/codes.ts";
import { IS_A_CODE } from "../../../../src/domain/goods/codes/taken-names.ts";
import { DomainError, type FieldErrors } from "../../../../src/domain/core/errors/errors.ts";
import { createSubscriber } from "../../../../src/domain/goods/subscribers/create.ts";
import { aSubscriber, loadIsp } from "../../../support/isp.ts";
import { cli } from "../../../support/people.ts";
import { callers, sam, type Tenants, undoneTenants } from "../../../support/tenants.ts";

const withTenants = undoneTenants();

function codeOf({ db, clock }: Tenants): string {
  const refill = { isp_id: 1, kind: "refill", quantity: 1, price: "5.00" };
  createCardBatch(db, cli, refill, { now: clock.now });
  const row = db.$client
    .query<{ sealed: Uint8Array }, []>("SELECT code_sealed AS sealed FROM cards WHERE id = 1")
    .get();
  return db.vault.openText(row?.sealed ?? new Uint8Array());
}

async function faultsOf(work: () => unknown): Promise<FieldErrors | undefined> {
  try {
    await work();
  } catch (error) {
    if (error instanceof DomainError) return error.fields;
    throw error;
  }
  return undefined;
}

test("no new username is the code of a card, however it is written; one that was there stays", async () => {
  using app = await withTenants();
  const { db, clock } = app;
  const code = codeOf(app);
  const at = { now: clock.now };
  for (const username of [code, code.toLowerCase(), printedCode(code)]) {
    const refused = { username: [IS_A_CODE.toString()] };
    expect(await faultsOf(() => createSubscriber(db, cli, { ...sam, username }, at))).toEqual(refused);
    const row = aSubscriber(30, { username });
    const fields = await faultsOf(() => loadIsp(db, { subscribers: [row] }));
    expect(JSON.stringify(fields)).toContain(IS_A_CODE.toString());
  }
  expect(await faultsOf(() => createSubscriber(db, cli, sam, at))).toBeUndefined();
  db.$client.query("UPDATE subscribers SET username = ?1, username_key = lower(?1) WHERE id = 1").run(code);
  const same = { username: code, name: "As before" };
  const { status } = await app.call("POST", "/api/v1/subscriber/update", {
    basic: callers.admin,
    form: same,
  });
  expect(status).toBe(200);
});
