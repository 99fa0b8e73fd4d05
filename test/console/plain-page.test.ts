import { expect, test } from "bun:test";
import { PlainPage } from "../support/plain-page.ts";

/* What a browser does not do without a script the page of test/support/plain-page.ts refuses, so that no test passes by it. */

const FORM = `<form id="one" method="post" action="/sent"><input type="hidden" name="token" value="t">
    <label for="name">Name</label><input id="name" name="name" required><input type="checkbox" name="more" value="7">
    <select name="kind"><option value="a">First</option><option value="b" selected>Second</option></select>
    <details><summary>More</summary><input id="folded" name="folded"></details>
    <fieldset disabled><input id="off" name="off" value="x"></fieldset>
    <button type="button">Script</button><button name="do" value="save">Save</button><button name="do" value="other">Other</button></form>
  <input name="apart" form="one" value="y"><p>Some <b>text</b></p><table><tr><td>1</td><td>2</td></tr></table>`;

test("a form is sent as a browser sends it, and what a browser refuses is refused", async () => {
  await using server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => {
      const html = { headers: { "content-type": "text/html" } };
      if (request.method === "GET") return new Response(`<html><body>${FORM}</body></html>`, html);
      const sent = decodeURIComponent(await request.text());
      return new Response(
        `<html><body><h1>${request.headers.get("origin")}</h1><p>${sent}</p></body></html>`,
        html,
      );
    },
  });
  const origin = `http://127.0.0.1:${server.port}`;
  const page = new PlainPage(origin);
  await page.goto("/");
  const save = page.getByRole("button", { name: "Save" });
  await expect(save.click()).rejects.toThrow("a browser does not send the form: name is empty");
  await expect(page.fill("#folded", "x")).rejects.toThrow("folded away");
  await expect(page.fill("#off", "x")).rejects.toThrow("disabled");
  await expect(page.getByRole("button", { name: "Script" }).click()).rejects.toThrow(
    "nothing without a script",
  );
  expect(page.locator("button").click).toThrow("3 elements in place of one");
  expect(() => page.waitForSelector("h1")).toThrow("0 elements are shown");
  expect(await page.innerText("table")).toBe("1\t2");
  expect(await page.innerText("p")).toBe("Some text");
  await page.getByLabel("Name").fill("Ann");
  await page.check("[name=more]");
  await page.selectOption("select", "First");
  await page.click("summary");
  await page.fill("#folded", "seen");
  await save.click();
  expect(await page.innerText("h1")).toBe(origin);
  expect(await page.innerText("p")).toBe("token=t&name=Ann&more=7&kind=a&folded=seen&do=save&apart=y");
});
