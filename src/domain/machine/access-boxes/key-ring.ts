import { hkdfSync, randomBytes } from "node:crypto";
import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { Scope } from "../../service/box-standing/box-scope.ts";

/*
 * Which key seals what is told under a subject. The books have one root, from which the others follow (HKDF, RFC 5869): one for what every
 * box is told, one for each ISP, from which those of its branches follow, one for each box and its books. A box is given those of its scope,
 * so that it opens nothing else, whatever nats-server lets it read. Boxes of 0.2.0 know one key for everything, which all share until each
 * has said that it knows better.
 */

const BYTES = 32;
/** Keys that a ring has at hand: subjects are named by others. */
const MOST_KNOWN = 10_000;

const key = Type.String({ pattern: "^[A-Za-z0-9+/]{43}=$" });
const keys = Type.Record(Type.String(), key);
const boxKeys = Type.Object({
  box: key,
  common: key,
  /** Of every ISP, for a box of everybody's subscribers. */
  tree: Type.Optional(key),
  isps: Type.Optional(keys),
  /** `1.11` is a branch of an ISP. */
  branches: Type.Optional(keys),
  /** By ISP, of its routers, whose subscribers may be any of it. */
  routers: Type.Optional(keys),
});
const booksKeys = Type.Object({ root: key });

const OF_BOX = /^gatehouse\.[a-z]+\.([a-z0-9-]+)(?:\.answer)?$/;

/** The keys of the books, of a box, or the one that all of 0.2.0 share. */
export class KeyRing {
  readonly #bytes: Buffer;
  readonly #find: (subject: string) => Buffer | undefined;
  readonly #root: Buffer | undefined;
  readonly #known = new Map<string, Buffer | undefined>();

  private constructor(bytes: Buffer, find: (subject: string) => Buffer | undefined, root?: Buffer) {
    this.#bytes = bytes;
    this.#find = find;
    this.#root = root;
  }

  static make(): KeyRing {
    return KeyRing.of(Buffer.from(JSON.stringify({ root: randomBytes(BYTES).toString("base64") })));
  }

  /** A new key that all share. */
  static makeShared(): KeyRing {
    return KeyRing.of(randomBytes(BYTES));
  }

  /** As `bytes` were kept. Throws for what is no ring. */
  static of(kept: Uint8Array): KeyRing {
    const bytes = Buffer.from(kept);
    if (bytes.length === BYTES) return new KeyRing(bytes, () => bytes);
    const value: unknown = JSON.parse(bytes.toString());
    if (Value.Check(booksKeys, value)) {
      const root = Buffer.from(value.root, "base64");
      return new KeyRing(bytes, findInRoot(root), root);
    }
    return new KeyRing(bytes, findInBox(Value.Parse(boxKeys, value)));
  }

  get bytes(): Buffer {
    return this.#bytes;
  }

  get isShared(): boolean {
    return this.#bytes.length === BYTES;
  }

  /** What seals and opens what stands under a subject; undefined: it is not for this box. */
  keyOf(subject: string): Buffer | undefined {
    const what = OF_BOX.test(subject) ? subject : subject.split(".").slice(0, 2).join(".");
    if (this.#known.size >= MOST_KNOWN) this.#known.clear();
    if (!this.#known.has(what)) this.#known.set(what, this.#find(what));
    return this.#known.get(what);
  }

  /** On the books: the keys of a box. */
  for({ name, scope }: { readonly name: string; readonly scope: Scope | null }): KeyRing {
    if (this.isShared || !this.#root) return this;
    const tree = derived(this.#root, "tree");
    const encoded = (one: Buffer) => one.toString("base64");
    const base = {
      box: encoded(derived(this.#root, `box ${name}`)),
      common: encoded(derived(tree, "common")),
    };
    if (scope === null) return KeyRing.#ofBox({ ...base, tree: encoded(tree) });
    const { isps = [], branches = [] } = scope;
    const all = new Set([...isps, ...branches.map(({ isp }) => isp)]);
    return KeyRing.#ofBox({
      ...base,
      isps: Object.fromEntries(isps.map((isp) => [isp, encoded(ispKey(tree, isp))])),
      branches: Object.fromEntries(
        branches.map(({ isp, branch }) => [
          `${isp}.${branch}`,
          encoded(branchKey(ispKey(tree, isp), String(branch))),
        ]),
      ),
      routers: Object.fromEntries([...all].map((isp) => [isp, encoded(routersKey(ispKey(tree, isp)))])),
    });
  }

  static #ofBox(value: object): KeyRing {
    return KeyRing.of(Buffer.from(JSON.stringify(value)));
  }
}

function derived(from: Uint8Array, what: string): Buffer {
  return Buffer.from(hkdfSync("sha256", from, "", `gatehouse boxes ${what}`, BYTES));
}

const ispKey = (tree: Uint8Array, isp: string | number) => derived(tree, `isp ${isp}`);
const branchKey = (ofIsp: Uint8Array, branch: string) => derived(ofIsp, `branch ${branch}`);
const routersKey = (ofIsp: Uint8Array) => derived(ofIsp, "routers");

const findInRoot = (root: Buffer) => (what: string) => {
  const [, name] = OF_BOX.exec(what) ?? [];
  return name === undefined ? findInTree(derived(root, "tree"), what) : derived(root, `box ${name}`);
};

/** `0.0` is what every box is told, `0.1` what every box of ISP 1 is, `1.11` a branch of it. */
function findInTree(tree: Buffer, place: string): Buffer {
  const [isp = "", branch = ""] = place.split(".");
  if (place === "0.0") return derived(tree, "common");
  return isp === "0" ? routersKey(ispKey(tree, branch)) : branchKey(ispKey(tree, isp), branch);
}

const findInBox =
  ({ box: node, common, tree, isps = {}, branches = {}, routers = {} }: ReturnType<typeof parsed>) =>
  (what: string): Buffer | undefined => {
    const bytes = (encoded: string | undefined) =>
      encoded === undefined ? undefined : Buffer.from(encoded, "base64");
    if (OF_BOX.test(what)) return bytes(node);
    if (what === "0.0") return bytes(common);
    if (tree !== undefined) return findInTree(Buffer.from(tree, "base64"), what);
    const [isp = "", branch = ""] = what.split(".");
    if (isp === "0") return bytes(routers[branch]);
    const ofIsp = bytes(isps[isp]);
    return ofIsp ? branchKey(ofIsp, branch) : bytes(branches[what]);
  };

const parsed = (value: unknown) => Value.Parse(boxKeys, value);
