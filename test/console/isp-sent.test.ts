import { expect, test } from "bun:test";
import { consoleSessionOf } from "../support/console-browser.ts";
import { callers, withTenants } from "../support/tenants.ts";

const line = {
  name: "a.csv",
  content: "Date;Amount;Text;Id\n2030-01-15;5.00;thanks;L-1\n",
  date_column: "Date",
  amount_column: "Amount",
  text_column: "Text",
  id_column: "Id",
  dates: "Y-m-d",
  decimals: "point",
  method: "bank",
};

test("what is sent without an ISP, or for one that there is not, is nobody's where there are several", async () => {
  using app = await withTenants();
  const cookie = await consoleSessionOf(app, callers.operator);
  const call = async (path: string, body?: URLSearchParams | FormData) => {
    const init = { headers: { cookie }, ...(body && { method: "POST", body }) };
    const answer = await app.app.handle(new Request(`http://localhost/console/${path}`, init));
    return { status: answer.status, text: await answer.text() };
  };
  const form_token = /name="form_token" value="([^"]+)"/.exec((await call("me")).text)?.[1] ?? "";
  const lines = () => app.db.$client.query("SELECT isp_id AS isp FROM incoming_payments").all();
  const before = lines();
  for (const sent of [{}, { isp_id: "99" }]) {
    const { status } = await call(
      "money/arrived/bank/take",
      new URLSearchParams({ ...line, ...sent, form_token }),
    );
    expect([400, 404, 422]).toContain(status);
    expect(lines()).toEqual(before);
    const files = new FormData();
    for (const [name, value] of Object.entries({ form_token, ...sent })) files.set(name, value);
    files.set("file", new File(["username\nann\n"], "people.csv"));
    expect([400, 404, 422]).toContain((await call("settings/import/upload/csv", files)).status);
  }
  await call("money/arrived/bank/take", new URLSearchParams({ ...line, isp_id: "2", form_token }));
  expect(lines()).toEqual([...before, { isp: 2 }]);
});
