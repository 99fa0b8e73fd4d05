import { promisify } from "node:util";

/*
 * A key of RSA takes 100 ms of a core, and tests make a hundred: each process of them makes the first ones and has them again by turns, so
 * that an authority, its server and its routers differ. It comes before whatever imports node:crypto, which names what it finds then.
 */

const KEYS = 6;
const crypto = process.getBuiltinModule("node:crypto");
const make = crypto.generateKeyPair;
const makeRsa = promisify(make) as (kind: "rsa", options: { modulusLength: number }) => Promise<object>;
const made: Promise<object>[] = [];
let turn = 0;

async function byTurns(kind: string, options: { modulusLength: number }): Promise<object> {
  if (kind !== "rsa" || options.modulusLength !== 2048) throw new Error("no other key is made in a thread");
  const at = turn++ % KEYS;
  return (made[at] ??= makeRsa(kind, options));
}

crypto.generateKeyPair = Object.assign(make.bind(undefined), { [promisify.custom]: byTurns }) as typeof make;
