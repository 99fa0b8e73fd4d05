import { expect, test } from "bun:test";
import { Glob } from "bun";
import { consoleStyle } from "../../src/http/console/assets.ts";

const folders = ["src/http/pages/css", "src/http/console/assets"];

/** The classes to which a stylesheet gives a look wherever they stand: `.filter` and `.filter:hover`, not `.people .filter`. */
function classesOf(style: string): Set<string> {
  const selectors = style.replaceAll(/\/\*.*?\*\//gs, "").matchAll(/([^{};]+)\{/g);
  const each = [...selectors].flatMap(([, list = ""]) => list.replaceAll(/\([^)]*\)/g, "").split(","));
  return new Set(each.flatMap((one) => /^\.([\w-]+)(?:::?[\w-]+|\[[^\]]*\])*$/.exec(one.trim())?.[1] ?? []));
}

test("a class has its look from one file: all of them are one stylesheet in every page", async () => {
  const filesOf = new Map<string, string[]>();
  for (const folder of folders)
    for (const file of new Glob("*.css").scanSync(folder)) {
      if (file === "print.css") continue; // takes away on paper what others have
      for (const name of classesOf(await Bun.file(`${folder}/${file}`).text()))
        filesOf.set(name, [...(filesOf.get(name) ?? []), file]);
    }
  expect(filesOf.get("menu")).toEqual(["tabs.css"]);
  expect([...filesOf].filter(([, files]) => files.length > 1)).toEqual([]);
});

test("every file is in the stylesheet that pages have", async () => {
  const sent = consoleStyle.text;
  const missing: string[] = [];
  for (const folder of folders)
    for (const file of new Glob("*.css").scanSync(folder))
      if (!sent.includes(await Bun.file(`${folder}/${file}`).text())) missing.push(file);
  expect(missing).toEqual([]);
});

test("what is narrow on a screen is not narrow on paper: a page is printed as it is on a wide screen", async () => {
  const found: string[] = [];
  for (const folder of folders)
    for (const file of new Glob("*.css").scanSync(folder))
      for (const [query] of (await Bun.file(`${folder}/${file}`).text()).matchAll(/@media [^{]*width[^{]*/g))
        if (!/screen|^@media print, /.test(query)) found.push(`${file}: ${query}`);
  expect(found).toEqual([]);
});
