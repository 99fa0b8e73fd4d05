/** The name of an access box, as it stands in the address of a router and in subjects. */
export const BOX_NAME = /^[a-z][a-z0-9-]{0,30}$/;

/**
 * The parts of a router's address: towers often have the same 192.168.88.1, so that the address of a router at one access box carries the
 * box, as 192.168.88.1%tower-1 (the form of RFC 4007 section 11). null: a router that may ask every box.
 */
export function splitZone(address: string): { readonly host: string; readonly zone: string | null } {
  const at = address.lastIndexOf("%");
  return at < 0 ? { host: address, zone: null } : { host: address.slice(0, at), zone: address.slice(at + 1) };
}

/** The address at a box; without one it is that of every box. */
export function withZone(host: string, zone: string | null): string {
  return zone === null ? host : `${host}%${zone}`;
}
