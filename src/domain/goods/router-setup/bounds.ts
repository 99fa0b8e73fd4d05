import { isIPv4 } from "node:net";

const toNumber = (address: string) =>
  address.split(".").reduce((value, part) => value * 256 + Number(part), 0);

/** An address, network or range; undefined: others. */
export function boundsIn(text: string): readonly [first: number, last: number] | undefined {
  const [, from = "", length, to] = /^([\d.]+)(?:\/(\d+)|-([\d.]+))?$/.exec(text) ?? [];
  if (!isIPv4(from) || (to !== undefined && !isIPv4(to)) || Number(length ?? 32) > 32) return undefined;
  const first = toNumber(from);
  if (to !== undefined) return [first, toNumber(to)];
  const size = 2 ** (32 - Number(length ?? 32));
  const network = Math.floor(first / size) * size;
  return [network, network + size - 1];
}
