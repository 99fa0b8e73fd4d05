import { nkeys } from "@nats-io/transport-node";
import type { Nkey } from "../domain/machine/access-boxes/boxes.ts";

const text = new TextDecoder();

export function makeNkey(): Nkey {
  const pair = nkeys.createUser();
  return { publicKey: pair.getPublicKey(), seed: text.decode(pair.getSeed()) };
}

export function publicKeyOf(seed: string): string {
  return nkeys.fromSeed(new TextEncoder().encode(seed)).getPublicKey();
}
