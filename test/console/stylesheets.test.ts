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

test("every stylesheet of parts and of pages is in the one that the console serves", async () => {
  for (const folder of folders)
    for (const file of new Glob("*.css").scanSync(folder)) {
      const style = await Bun.file(`${folder}/${file}`).text();
      expect([file, consoleStyle.text.includes(style)]).toEqual([file, true]);
    }
});
