import { writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import registry from "oui-data";
import { devDependencies } from "../package.json";
import { shortName } from "./maker-names.ts";

/*
 * Makes the list of makers that domain/goods/devices/maker.ts reads, of the IEEE registry as the package oui-data has it. Run it after
 * each update of the package: scripts/bun scripts/makers.ts. First the numbers of makers and of names, 32 bits each; then the
 * makers' three bytes, sorted; a 16-bit index of the name for each; where each name begins in the text, 32 bits and one more than
 * there are; the text. All numbers are little-endian.
 */

const OUTPUT = "src/domain/goods/devices/makers.gz";

const makers = Object.entries<string>(registry).flatMap(([prefix, address]) => {
  const name = prefix.length === 6 ? shortName(address.split("\n", 1)[0] ?? "") : undefined;
  return name === undefined ? [] : [{ prefix: Number.parseInt(prefix, 16), name }];
});
makers.sort((a, b) => a.prefix - b.prefix);
const names = [...new Set(makers.map(({ name }) => name))].sort();
if (names.length > 0xffff) throw new Error("there are more names than 16 bits count; make their index wider");

const head = Buffer.alloc(8);
head.writeUInt32LE(makers.length, 0);
head.writeUInt32LE(names.length, 4);
const prefixes = Buffer.alloc(makers.length * 3);
const indexes = Buffer.alloc(makers.length * 2);
const indexByName = new Map(names.map((name, index) => [name, index]));
makers.forEach(({ prefix, name }, index) => {
  prefixes.writeUIntLE(prefix, index * 3, 3);
  indexes.writeUInt16LE(indexByName.get(name) ?? 0, index * 2);
});
const begins = Buffer.alloc((names.length + 1) * 4);
let end = 0;
names.forEach((name, index) => {
  end += Buffer.byteLength(name);
  begins.writeUInt32LE(end, (index + 1) * 4);
});
const list = Buffer.concat([head, prefixes, indexes, begins, Buffer.from(names.join(""))]);
const packed = gzipSync(list, { level: 9 });
writeFileSync(OUTPUT, packed);
process.stdout.write(
  `oui-data ${devDependencies["oui-data"]}: ${makers.length} prefixes, ${names.length} names, ${list.length} bytes, ${packed.length} packed\n`,
);
