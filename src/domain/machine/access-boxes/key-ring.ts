import { hkdfSync, randomBytes } from "node:crypto";
import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { Scope } from "../../service/box-standing/box-scope.ts";

/*
 * Keys by subject, derived by HKDF (RFC 5869) from the primary's root: one for everybody, one for each ISP and from it its
 * branches, one for each box. A box gets those of its scope and can decrypt nothing else. Boxes of 0.2.0 know one shared key,
 * which stays until all are newer.
 */

const BYTES = 32;
/** Cached derived keys. */
const MOST_KNOWN = 10_000;

const key = Type.String({ pattern: "^[A-Za-z0-9+/]{43}=$" });
const keys = Type.Record(Type.String(), key);
const boxKeys = Type.Object({
  box: key,
  common: key,
  tree: Type.Optional(key),
  isps: Type.Optional(keys),
  branches: Type.Optional(keys),
  /** By ISP, for its routers. */
  routers: Type.Optional(keys),
});
const primaryKeys = Type.Object({ root: key });

const OF_BOX = /^gatehouse\.[a-z]+\.([a-z0-9-]+)(?:\.answer)?$/;

/** The root, a box's keys, or the shared key. */
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

  /** A new shared key. */
  static makeShared(): KeyRing {
    return KeyRing.of(randomBytes(BYTES));
  }

  /** Throws for what is no ring. */
  static of(kept: Uint8Array): KeyRing {
    const bytes = Buffer.from(kept);
    if (bytes.length === BYTES) return new KeyRing(bytes, () => bytes);
    const value: unknown = JSON.parse(bytes.toString());
    if (Value.Check(primaryKeys, value)) {
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

  /** undefined: not for this box. */
  findKey(subject: string): Buffer | undefined {
    const what = OF_BOX.test(subject) ? subject : subject.split(".").slice(0, 2).join(".");
    if (this.#known.size >= MOST_KNOWN) this.#known.clear();
    if (!this.#known.has(what)) this.#known.set(what, this.#find(what));
    return this.#known.get(what);
  }

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

/** `0.0` everybody, `0.1` all of ISP 1, `1.11` a branch. */
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
