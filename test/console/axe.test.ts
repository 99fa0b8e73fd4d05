import { expect, test } from "bun:test";
import { startChromium } from "../support/chromium.ts";
import { findingsOf } from "../support/axe.ts";

/* What was judged is not judged again (test/support/axe.ts): each fault here stands on a page that axe has found well but for it. */

const WELL = `<style>body { background: #fff; color: #111; font: 16px sans-serif } a, button, input { min-height: 32px; min-width: 32px }
    .bar { position: sticky; top: 0; background: #fff } .over { position: absolute; top: 600px } .dim { color: #ccc } .plain { color: #333; text-decoration: none }</style>
  <header class="bar"><nav aria-label="Places"><ul><li><a href="/a">First</a></li><li><a href="/b">Second</a></li></ul></nav></header>
  <main><h1>Page</h1><h2>Part</h2><p>Some text.</p><p class="over">Above it</p>
    <form><label for="name">Name</label><input id="name" value="x"><button>Save</button></form>
    <table><tr><th scope="col">A</th></tr><tr><td>1</td></tr></table></main>`;

const FAULTS: Readonly<Record<string, readonly [from: string, to: string]>> = {
  label: ['<label for="name">Name</label>', "<p>Name</p>"],
  "button-name": ["<button>Save</button>", "<button></button>"],
  "link-name": ['<a href="/b">Second</a>', '<a href="/b"><span></span></a>'],
  "color-contrast": ["<p>Some text.</p>", '<p class="dim">Some text.</p>'],
  "color-contrast above something": ['<p class="over">', '<p class="over dim">'],
  "color-contrast of a field": ['id="name"', 'id="name" class="dim"'],
  "heading-order": ["<h2>Part</h2>", "<h4>Part</h4>"],
  "empty-heading": ["<h2>Part</h2>", "<h2></h2>"],
  listitem: ["<ul><li>", "<div><li>"],
  "landmark-one-main": ["<main>", '<main role="presentation">'],
  "landmark-no-duplicate-banner": ["<main>", "<header>More</header><main>"],
  region: ["</main>", "</main><p>Some text.</p>"],
  "aria-valid-attr": ["<h1>", '<h1 aria-labelled="x">'],
  "aria-roles": ["<p>Some", '<p role="nothing">Some'],
  "link-in-text-block": ["Some text.</p><p", 'Some <a href="/c" class="plain">text</a>.</p><p'],
  "nested-interactive": ["<button>Save", '<button><input aria-label="In">Save'],
  "document-title": ["<title>T</title>", "<title></title>"],
  "html-has-lang": ['lang="en"', ""],
};

test("axe finds each fault of a page of which it has judged the rest before", async () => {
  const browser = await startChromium();
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
  const impacts = ["minor", "moderate", "serious", "critical"];
  const well = `<!doctype html><html lang="en"><head><title>T</title></head><body>${WELL}</body></html>`;
  const look = async (text: string) => {
    await page.setContent(text);
    return findingsOf(page, { impacts, rules: undefined });
  };
  const first = await look(well);
  expect(first.findings).toEqual([]);
  first.note();
  expect((await look(well.replace('<p class="over">Above it</p>', ""))).isSpared).toBe(true);
  for (const [fault, [from, to]] of Object.entries(FAULTS)) {
    expect(well).toContain(from);
    const { findings } = await look(well.replace(from, to));
    expect([fault, findings]).toEqual([
      fault,
      expect.arrayContaining([expect.objectContaining({ id: fault.split(" ")[0] })]),
    ]);
  }
  await page.context().close();
  await browser.close();
});
