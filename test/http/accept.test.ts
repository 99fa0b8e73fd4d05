import { expect, test } from "bun:test";
import { csvLine, plainCsvLine } from "../../src/domain/machine/imports/data-set/csv.ts";
import { acceptedFormat } from "../../src/http/accept.ts";
import { callers, stateOf, undoneTenants } from "../support/tenants.ts";

const withTenants = undoneTenants();

const of = (accept: string | null, csv = true) => {
  try {
    return acceptedFormat(accept, { csv });
  } catch (error) {
    return error;
  }
};
const refusal = expect.objectContaining({ status: 406 });

test.each<[accept: string | null, file: unknown, json: unknown]>([
  [null, undefined, undefined],
  ["", undefined, undefined],
  ["*/*", undefined, undefined],
  ["application/json", undefined, undefined],
  ["Application/JSON; charset=utf-8", undefined, undefined],
  ["application/*;q=0.1", undefined, undefined],
  ["text/html, application/xhtml+xml, */*;q=0.8", undefined, undefined],
  ["text/csv", csvLine, refusal],
  ["TEXT/CSV; header=present", csvLine, refusal],
  ["text/*", csvLine, refusal],
  ["application/json, text/csv;q=0.5", csvLine, undefined],
  ["text/csv; header=plain", plainCsvLine, refusal],
  ['text/csv;q=1;header="plain"', plainCsvLine, refusal],
  ["text/csv;q=0, */*", undefined, undefined],
  ["application/json;q=0", refusal, refusal],
  ["application/xml", refusal, refusal],
  ["text/html", refusal, refusal],
  ["nonsense", refusal, refusal],
])("%j", (accept, file, json) => {
  expect([of(accept), of(accept, false)]).toEqual([file, json]);
});

test("what cannot be answered as it is wanted is not done, and a plain file has text as it is", async () => {
  using app = await withTenants();
  app.db.$client.run("UPDATE areas SET name = '=Quay' WHERE id = 1");
  const call = (method: string, path: string, accept: string) =>
    app.call(method, path, { basic: callers.admin, headers: { accept } });
  const before = stateOf(app);
  expect(await call("DELETE", "/api/v1/subarea/delete/1", "application/xml")).toMatchObject({
    status: 406,
    body: { error: "this call answers application/json; send that as Accept, or none" },
  });
  expect(stateOf(app)).toEqual(before);
  const { body } = await call("GET", "/api/v1/area/list", "text/csv; header=plain");
  expect(body).toBe("id,isp_id,name,city_id\r\n1,1,=Quay,1\r\n");
});
