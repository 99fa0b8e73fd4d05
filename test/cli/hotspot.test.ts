import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CommandLine, smallIsp } from "./harness.ts";

const pages = [
  ...["alogin.html", "api.json", "error.html", "errors.txt", "hotspot.js", "login.html", "logout.html"],
  ...["md5.js", "redirect.html", "rlogin.html", "status.html", "style.css"],
];

test("the pages of a hotspot are written with the name of the ISP, and what a phone loads is said", async () => {
  using cli = new CommandLine();
  await cli.import(smallIsp());
  const folder = join(cli.folder, "hotspot");
  const { code, stdout, stderr } = await cli.run(["hotspot", "pages", folder, "--language", "id"]);
  expect([code, stderr]).toEqual([0, ""]);
  const own = readdirSync(folder).filter((name) => !name.startsWith("words-"));
  expect(own.sort()).toEqual(pages);
  expect(readdirSync(folder)).toHaveLength(pages.length + 11);
  const login = readFileSync(join(folder, "login.html"), "utf8");
  expect(login).toContain('<html lang="id" dir="ltr">');
  expect(login).toContain("<bdi>Northlink</bdi>");
  expect(stdout).toMatch(/^a phone loads \d\d\.\d kB to log in$/m);
  expect(stdout).toContain("/ip hotspot profile set [find] html-directory=hotspot");
});

test("a logo is a file beside them", async () => {
  using cli = new CommandLine();
  await cli.import(smallIsp());
  const logo = join(cli.folder, "mark.svg");
  await Bun.write(logo, '<svg xmlns="http://www.w3.org/2000/svg"/>');
  await cli.run(["settings", "set", "portal_logo", logo]);
  const folder = join(cli.folder, "hotspot");
  const { stdout } = await cli.run(["hotspot", "pages", folder]);
  expect(stdout).toMatch(/kB to log in, 0\.0 kB of it the logo/);
  expect(readFileSync(join(folder, "logo.svg"), "utf8")).toStartWith("<svg");
  expect(readFileSync(join(folder, "login.html"), "utf8")).toContain('<img src="logo.svg" alt="">');
});

test.each([
  ["hotspot pages . --isp 1", 1, /exists already/],
  ["hotspot pages new --isp 9", 1, /ISP 9|no ISP/i],
  ["hotspot pages new --isp north", 1, /--isp is north; it must be the id of an ISP/],
  ["hotspot pages new --language xx", 2, /Allowed choices are en, id/],
])("%s is refused with what to do", async (command, expected, words) => {
  using cli = new CommandLine();
  await cli.import(smallIsp());
  const { code, stderr } = await cli.run(command);
  expect(code).toBe(expected);
  expect(stderr).toMatch(words);
});

test("where there are several ISPs it asks whose pages they are", async () => {
  using cli = new CommandLine();
  await cli.import({
    isps: [
      { id: 1, name: "One" },
      { id: 2, name: "Two" },
    ],
  });
  const { stderr } = await cli.run(["hotspot", "pages", join(cli.folder, "hotspot")]);
  expect(stderr).toContain("say whose pages they are: --isp ID");
});
