import { describe, expect, test } from "bun:test";
import { PNG } from "../support/logos.ts";
import { callers, type Tenants, undoneTenants } from "../support/tenants.ts";

const withTenants = undoneTenants();

const SETTING = "/api/v1/setting";
const basic = callers.admin;

const set = (app: Tenants, json: object, caller = basic) =>
  app.call("POST", `${SETTING}/set`, { basic: caller, json });

interface Listed {
  key: string;
}

async function listed(app: Tenants, caller: string, query = "") {
  const { body } = await app.call("GET", `${SETTING}/list?limit=1000${query}`, { basic: caller });
  const all: Listed[] = Array.isArray(body) ? body : [];
  return new Map(all.map((one) => [one.key, one]));
}

describe("settings", () => {
  test("an ISP's own are listed with value, default and meaning, and the operator's are not", async () => {
    using app = await withTenants();
    await set(app, { key: "portal_color", value: "#0A7D4F" });
    const own = await listed(app, basic);
    expect(own.get("portal_color")).toEqual({
      key: "portal_color",
      value: "#0a7d4f",
      default: "#1f5eff",
      is_set: true,
      meaning: "colour of the subscriber's pages; lightened or darkened where text would be hard to read",
    } as Listed);
    expect(own.get("tax_percent")).toMatchObject({ value: 0, default: 0, is_set: false });
    expect(own.has("auth_log_days")).toBe(false);
  });

  test("the operator has those of the box, and of an ISP that is named", async () => {
    using app = await withTenants();
    expect(await set(app, { key: "auth_log_days", value: "30" }, callers.operator)).toMatchObject({
      status: 200,
      body: { success: "Setting changed.", value: 30 },
    });
    await set(app, { key: "portal_name", value: "The box" }, callers.operator);
    await set(app, { key: "portal_name", value: "South", isp_id: 2 }, callers.operator);
    const ofBox = await listed(app, callers.operator);
    expect(ofBox.get("auth_log_days")).toMatchObject({ value: 30, is_set: true });
    expect(ofBox.get("portal_name")).toMatchObject({ value: "The box" });
    expect((await listed(app, callers.operator, "&isp_id=2")).get("portal_name")).toMatchObject({
      value: "South",
    });
    expect((await listed(app, basic)).get("portal_name")).toMatchObject({ value: "The box", is_set: false });
  });

  test("a text sent empty is empty", async () => {
    using app = await withTenants();
    await set(app, { key: "portal_contact", value: "call us" });
    const answer = await app.call("POST", `${SETTING}/set`, {
      basic,
      form: { key: "portal_contact", value: "" },
    });
    expect(answer.body).toEqual({ success: "Setting changed.", value: "" });
  });

  const refused = "of the whole appliance is its operator's; ask somebody who is";
  test.each<[string, object, number, object, string?]>([
    [
      "a value that it does not take",
      { key: "tax_percent", value: 101 },
      400,
      {
        error: "tax_percent must be a percentage from 0 to 100 with at most two decimals, such as 18 or 7.5",
        errors: {
          tax_percent: ["must be a percentage from 0 to 100 with at most two decimals, such as 18 or 7.5"],
        },
      },
    ],
    ["one of the operator", { key: "auth_log_days", value: 1 }, 403, { error: `auth_log_days ${refused}` }],
    [
      "a folder of the box, before anything is said of it",
      { key: "backup_folder", value: "/nowhere" },
      403,
      { error: `backup_folder ${refused}` },
    ],
    [
      "a folder that cannot be written to",
      { key: "backup_folder", value: "/proc/nowhere" },
      400,
      { error: expect.stringContaining("backup_folder stays as it was: ") },
      callers.operator,
    ],
    [
      "one of the box for an ISP",
      { key: "auth_log_days", value: 1, isp_id: 1 },
      403,
      { error: `auth_log_days ${refused}` },
      callers.operator,
    ],
    [
      "an ISP that there is not",
      { key: "portal_name", value: "A", isp_id: 99 },
      404,
      { error: "there is no ISP 99; name one that there is" },
      callers.operator,
    ],
    [
      "a file of the box as the logo",
      { key: "portal_logo", value: "/etc/secret.png" },
      400,
      {
        error: "portal_logo is uploaded with POST /api/v1/setting/logo; empty removes it",
        errors: { portal_logo: ["is uploaded with POST /api/v1/setting/logo; empty removes it"] },
      },
    ],
    [
      "a branch",
      { key: "portal_name", value: "A" },
      403,
      { error: "settings are the whole ISP's; ask somebody whose account is not of one branch" },
      callers.branch,
    ],
  ])("refuses %s", async (_, json, status, body, caller = basic) => {
    using app = await withTenants();
    const answer = await set(app, json, caller);
    expect({ status: answer.status, body: answer.body }).toEqual({ status, body });
  });
});

test("an ISP that the caller does not see is as one that is not there, and is not called -1", async () => {
  using app = await withTenants();
  for (const isp_id of [2, 99])
    expect(await app.call("GET", `${SETTING}/list?isp_id=${isp_id}`, { basic })).toMatchObject({
      status: 404,
      body: { error: "there is no such ISP; name one that there is" },
    });
});

describe("a logo", () => {
  const SVG = '<?xml version="1.0"?>\n<!-- ours -->\n<svg xmlns="http://www.w3.org/2000/svg"/>';
  const JPEG = Buffer.from([0xff, 0xd8, 0xff, 0xe0]);
  const WEBP = Buffer.from("RIFF\0\0\0\0WEBPVP8 ");

  async function upload(
    app: Tenants,
    content: string | Uint8Array<ArrayBuffer>,
    caller = basic,
    isp?: string,
  ) {
    const form = new FormData();
    form.set("logo", new Blob([content]), "whatever.exe");
    if (isp) form.set("isp_id", isp);
    return app.call("POST", `${SETTING}/logo`, { basic: caller, body: form });
  }

  /** Whether the sign-in page of an ISP shows one. */
  const served = async ({ app }: Tenants, isp: number) =>
    app.handle(new Request(`http://localhost/portal/brand/${isp}/logo`));

  test.each<[string, string | Uint8Array<ArrayBuffer>, string]>([
    ["PNG", new Uint8Array(PNG), "image/png"],
    ["JPEG", new Uint8Array(JPEG), "image/jpeg"],
    ["WebP", new Uint8Array(WEBP), "image/webp"],
    ["SVG", SVG, "image/svg+xml"],
    ["SVG with a type", '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x">\n<svg></svg>', "image/svg+xml"],
  ])(
    "%s is taken by its content, and served as what it is where no script runs",
    async (_, content, type) => {
      using app = await withTenants();
      expect((await upload(app, content)).body).toEqual({ success: "Logo changed." });
      const response = await served(app, 1);
      expect(response.headers.get("content-type")).toBe(type);
      expect(response.headers.get("content-security-policy")).toBe("default-src 'none'; sandbox");
      expect(Buffer.from(await response.arrayBuffer())).toEqual(Buffer.from(content));
      expect((await served(app, 2)).status).toBe(404);
    },
  );

  test("the next one takes its place, and empty removes it", async () => {
    using app = await withTenants();
    await upload(app, SVG);
    await upload(app, new Uint8Array(PNG));
    expect((await served(app, 1)).headers.get("content-type")).toBe("image/png");
    const kept = () => app.db.$client.query("SELECT isp_id FROM logos").all();
    expect(kept()).toEqual([{ isp_id: 1 }]);
    await set(app, { key: "portal_logo", value: "" });
    expect((await served(app, 1)).status).toBe(404);
    expect(kept()).toEqual([]);
  });

  test("that of the box is shown where an ISP has none", async () => {
    using app = await withTenants();
    await upload(app, SVG, callers.operator);
    await upload(app, new Uint8Array(PNG), callers.operator, "2");
    const types = [await served(app, 1), await served(app, 2)].map(({ headers }) =>
      headers.get("content-type"),
    );
    expect(types).toEqual(["image/svg+xml", "image/png"]);
  });

  const message = "must be a PNG, JPEG, WebP or SVG picture of at most 256 KB";
  test.each<[string, string | Uint8Array<ArrayBuffer>]>([
    ["a page", "<!DOCTYPE html><html><svg></svg></html>"],
    ["a page that begins as a comment", "<!-- --><html></html>"],
    ["a script", "alert(1) // <svg>"],
    ["nothing", ""],
    ["what is too large", new Uint8Array(Buffer.concat([PNG, Buffer.alloc(256 * 1024)]))],
  ])("refuses %s", async (_, content) => {
    using app = await withTenants();
    expect(await upload(app, content)).toMatchObject({
      status: 400,
      body: { error: `logo ${message}`, errors: { logo: [message] } },
    });
  });

  test.each([
    ["comments that begin and never end", "<!--".repeat(60_000)],
    ["comments", "<!---->".repeat(36_000)],
    ["a document type of blanks", `<!DOCTYPE ${" ".repeat(250_000)}x`],
    ["document types", "<!DOCTYPE>".repeat(26_000)],
    ["document types that declare something", "<!DOCTYPE[>".repeat(23_000)],
    ["instructions", "<?".repeat(130_000)],
  ])("%s without a picture are refused in no time", async (_, content) => {
    using app = await withTenants();
    const from = process.cpuUsage(); // which others on a busy machine do not add to
    expect((await upload(app, content)).status).toBe(400);
    const { user, system } = process.cpuUsage(from);
    expect((user + system) / 1000).toBeLessThan(5000);
  });

  test.each([
    '<?xml version="1.0"?>\n<!-- drawn -->\n<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "svg11.dtd" [<!ENTITY a "b">]>\n<svg>',
    "\ufeff <!-- --><svg:svg xmlns:svg='x'>",
    "<!doctype svg><svg>",
  ])("takes the drawing %j", async (content) => {
    using app = await withTenants();
    expect((await upload(app, content)).status).toBe(200);
  });

  test("refuses a text in place of a file", async () => {
    using app = await withTenants();
    expect(await app.call("POST", `${SETTING}/logo`, { basic, form: { logo: "x" } })).toMatchObject({
      status: 400,
      body: { errors: { logo: ["must be a file in a body of multipart/form-data"] } },
    });
  });
});
