import ipaddr from "ipaddr.js";

/** A prefix as a reserved byte, its length, and as many bytes as it needs (RFC 3162 section 2.3, RFC 4818 section 3). */
export function encodePrefix(prefix: string): Buffer {
  const [address, length] = ipaddr.parseCIDR(prefix);
  return Buffer.from([0, length, ...address.toByteArray().slice(0, Math.ceil(length / 8))]);
}
