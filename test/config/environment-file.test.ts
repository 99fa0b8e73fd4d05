import { describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EnvironmentFile } from "../../src/config/environment-file.ts";
import { runs } from "../support/runs.ts";
import { drawing } from "../torture/trial.ts";

const read = (text: string) => EnvironmentFile.read(Buffer.from(text));

describe("as systemd.exec(5) says", () => {
  test.each([
    ["A=b", { A: "b" }],
    ["A=b\nC=d\n", { A: "b", C: "d" }],
    ["A=b\r\nC=d\r\n", { A: "b", C: "d" }],
    ["  A=b", { A: "b" }],
    ["A = b c  ", { A: "b c" }],
    ["A=", { A: "" }],
    ["A=b\nA=c", { A: "c" }],
    ["A=b # no comment", { A: "b # no comment" }],
    ["# A=b\n;C=d\n\nE=f", { E: "f" }],
    ["# the next line too \\\nA=b\nC=d", { C: "d" }],
    [`A="b c"`, { A: "b c" }],
    [`A="  b  "  `, { A: "  b  " }],
    [`A='b "c" \\d'`, { A: `b "c" \\d` }],
    [`A="b 'c' \\"d\\" \\$e \\\\ \\f"`, { A: `b 'c' "d" $e \\ \\f` }],
    [`A="b"'c'd`, { A: "bcd" }],
    [`A="b" c`, { A: "bc" }],
    [`A=b"c"`, { A: `b"c"` }],
    ["A=b\\\nc", { A: "bc" }],
    ["A=b \\\n  c", { A: "b   c" }],
    [`A="b\\\nc"`, { A: "bc" }],
    [`A="b\nc"`, { A: "b\nc" }],
    ["A=\\ b\\ ", { A: " b " }],
    ["export A=b\nC=d", { C: "d" }],
    ["A.B=c\n1=d\nno assignment\n=e", {}],
    [`A="b`, { A: "b" }],
    ["A=${B} $(c) `d`", { A: "${B} $(c) `d`" }],
  ])("%j", (text, expected: Record<string, string>) => {
    expect(read(text)).toEqual(expected);
  });

  test.each([Buffer.from([0x41, 0x3d, 0xff]), Buffer.from("A=\0")])("no text: %p", (bytes) => {
    expect(() => EnvironmentFile.read(bytes)).toThrow("is not UTF-8 text");
  });
});

/** What systemd itself reads: os-release(5) goes through the same parser, and its ID comes out of a %o of tmpfiles.d(5). */
function systemdReads(texts: readonly string[]): string[] {
  const root = mkdtempSync(join(tmpdir(), "gatehouse-tmpfiles-"));
  try {
    mkdirSync(join(root, "etc"));
    mkdirSync(join(root, "usr/lib/tmpfiles.d"), { recursive: true });
    writeFileSync(join(root, "usr/lib/tmpfiles.d/id.conf"), "f+ /id - - - - %o\n");
    return texts.map((text) => {
      rmSync(join(root, "id"), { force: true });
      writeFileSync(join(root, "etc/os-release"), text);
      Bun.spawnSync(["systemd-tmpfiles", `--root=${root}`, "--create"]);
      return readFileSync(join(root, "id"), "utf8");
    });
  } finally {
    rmSync(root, { recursive: true });
  }
}

test("side by side with systemd, whatever stands in the file", () => {
  const draw = drawing(7);
  const pieces = [
    "a",
    "b",
    " ",
    "  ",
    "\t",
    "\n",
    "\r",
    '"',
    "'",
    "\\",
    "#",
    ";",
    "=",
    "$",
    "`",
    "ID=",
    "é",
    "\\\n",
  ];
  const texts = Array.from({ length: runs(130, 400).numRuns }, () => {
    const rest = Array.from(
      { length: Math.floor(draw() * 14) },
      () => pieces[Math.floor(draw() * pieces.length)],
    );
    return `ID=${rest.join("")}`;
  }).filter((text) => !/^\s*[#;].*\\$/m.test(text)); // a comment goes on in the next line before systemd 254 only
  const theirs = systemdReads(texts);
  const differing = texts.flatMap((text, i) => {
    const ours = read(text)["ID"] ?? "";
    return ours === theirs[i] ? [] : [{ text, ours, theirs: theirs[i] }];
  });
  expect(differing).toEqual([]);
  expect(new Set(theirs).size).toBeGreaterThan(texts.length * 0.4);
});
