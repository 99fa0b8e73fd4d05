import { expect, test } from "bun:test";
import { consoleSessionOf } from "../support/console-browser.ts";
import { callers, type Tenants, withTenants } from "../support/tenants.ts";

const person = {
  name: "Nadia New",
  mobile_number: "+15550007",
  username: "nadia",
  password: "of-nadia-7",
  package_id: "1",
  nas_id: "1",
  connection_type_id: "1",
  salesperson_id: "1",
  box_number: "BOX-7",
  uplink_port: "77",
};

/** Who signs somebody up: opens the form, and sends it with its hidden fields and the button that is pressed. */
async function counter(app: Tenants) {
  const cookie = await consoleSessionOf(app, callers.admin);
  const ask = async (body?: URLSearchParams) => {
    const init = { headers: { cookie }, ...(body && { method: "POST", body }) };
    const answer = await app.app.handle(new Request("http://localhost/console/sign-up", init));
    return { status: answer.status, html: await answer.text() };
  };
  const send = (html: string, entered: object, pressed: readonly [string, string][] = []) => {
    const form = html.slice(html.indexOf('id="sign-up"'));
    const hidden = [...form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
    const fields = new Map([...hidden.map(([, name = "", value = ""]) => [name, value] as const)]);
    const body = new URLSearchParams([...fields, ...Object.entries(entered), ...pressed]);
    return ask(body);
  };
  const button = (html: string, name: string): [string, string] => [
    name,
    new RegExp(`<button[^>]*name="${name}"[^>]*value="([^"]*)"`).exec(html)?.[1] ?? "",
  ];
  return { open: ask, send, button };
}

const countOf = ({ db }: Tenants) =>
  db.$client.query<{ n: number }, []>("SELECT count(*) AS n FROM subscribers").get()?.n ?? 0;

test("a shared port with an unusual amount is asked about twice, and then done", async () => {
  using app = await withTenants();
  app.db.$client.run("UPDATE subscribers SET box_number = 'BOX-7', uplink_port = '77' WHERE id = 1");
  const before = countOf(app);
  const { open, send, button } = await counter(app);
  const fields = { ...person, amount: "20000000", method: "cash" };
  const port = await send((await open()).html, fields);
  expect(port.html).toContain("Port 77 of BOX-7 is taken.");
  const amount = await send(port.html, fields, [button(port.html, "shared_port")]);
  expect([amount.status, amount.html.includes("20 million")]).toEqual([422, true]);
  expect(countOf(app)).toBe(before);
  const done = await send(amount.html, fields, [button(amount.html, "sure")]);
  expect([done.status, countOf(app)]).toEqual([200, before + 1]);

  // another port after the amount was meant: asked about again, and the amount is not
  app.db.$client.run("UPDATE subscribers SET box_number = 'BOX-8', uplink_port = '5' WHERE id = 2");
  const other = {
    ...fields,
    username: "nora",
    mobile_number: "+15550008",
    box_number: "BOX-8",
    uplink_port: "5",
  };
  const first = await send((await open()).html, { ...other, uplink_port: "6" });
  const second = await send(first.html, other, [button(first.html, "sure")]);
  expect(second.html).toContain("Port 5 of BOX-8 is taken.");
  const last = await send(second.html, other, [button(second.html, "shared_port")]);
  expect([last.status, countOf(app)]).toEqual([200, before + 2]);
});

test("a form that is sent twice has its sheet both times, also for a port of a box", async () => {
  using app = await withTenants();
  const { open, send } = await counter(app);
  const { html } = await open();
  const first = await send(html, person);
  expect([first.status, first.html.includes(person.password)]).toEqual([200, true]);
  const again = await send(html, person);
  expect([again.status, again.html.includes(person.password)]).toEqual([200, true]);
});

test("a mobile number without a digit is refused, with what was typed still there", async () => {
  using app = await withTenants();
  const before = countOf(app);
  const { open, send } = await counter(app);
  const { status, html } = await send((await open()).html, { ...person, mobile_number: "call me" });
  expect([
    status,
    html.includes("must have the digits of a number"),
    html.includes('value="call me"'),
  ]).toEqual([422, true, true]);
  expect(countOf(app)).toBe(before);
});

test("an only package has its price as the amount at once, so that one press signs up, pays and opens the line", async () => {
  using app = await withTenants();
  app.db.$client.run("UPDATE packages SET status = 0 WHERE id <> 1");
  app.db.$client.run("UPDATE packages SET price = 1250, billing_type = 'prepaid' WHERE id = 1");
  const { open } = await counter(app);
  const amount = async () => /<input[^>]*name="amount"[^>]*>/.exec((await open()).html)?.[0];
  expect(await amount()).toContain('value="12.50"');
  app.db.$client.run("UPDATE packages SET billing_type = 'postpaid' WHERE id = 1");
  expect(await amount()).toContain('value=""');
});
