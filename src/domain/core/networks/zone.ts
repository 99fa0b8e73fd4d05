/** Names of access boxes, as they stand in addresses of routers and in subjects. */
export const BOX_NAME = /^[a-z][a-z0-9-]{0,30}$/;

/** Splits a router's address: towers often share 192.168.88.1, so one access box's is 192.168.88.1%tower-1 (RFC 4007 section 11). null: any box. */
export function splitZone(address: string): { readonly host: string; readonly zone: string | null } {
  const at = address.lastIndexOf("%");
  return at < 0 ? { host: address, zone: null } : { host: address.slice(0, at), zone: address.slice(at + 1) };
}

export function withZone(host: string, zone: string | null): string {
  return zone === null ? host : `${host}%${zone}`;
}
