import ipaddr from "ipaddr.js";

export interface Server {
  requestIP(request: Request): { address: string } | null;
}
type Address = ipaddr.IPv4 | ipaddr.IPv6;
/** Whether X-Forwarded-For of an address counts. */
export type TrustedProxies = (address: Address) => boolean;

export function trustedProxies(cidrs: readonly string[]): TrustedProxies {
  const networks = cidrs.map((cidr) =>
    ipaddr.parseCIDR(cidr.includes("/") ? cidr : `${cidr}/${cidr.includes(":") ? 128 : 32}`),
  );
  return (address) =>
    networks.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
}

/** The peer, or behind a trusted proxy the last untrusted address of X-Forwarded-For. `unknown` without a socket. */
export function clientAddress(request: Request, server: Server | null, trusted: TrustedProxies): string {
  const peer = parse(server?.requestIP(request)?.address ?? "");
  if (!peer) return "unknown";
  const forwardedFor = request.headers.get("x-forwarded-for");
  if (forwardedFor === null || !trusted(peer)) return peer.toString();
  for (const hop of forwardedFor.split(",").toReversed()) {
    const address = parse(hop.trim());
    if (!address) break; // what is before it in the list cannot be trusted either
    if (!trusted(address)) return address.toString();
  }
  return peer.toString();
}

/** Other headers by which proxies name their clients. */
const OTHER_PROXIES = [
  "forwarded",
  "via",
  "x-real-ip",
  "x-forwarded-host",
  "x-forwarded-port",
  "x-forwarded-proto",
];

/** Whether the request is local: peer and all forwarded addresses are. Trust does not matter: any named foreign address makes it remote. */
export function isThisBox(request: Request, server: Server | null): boolean {
  const { headers } = request;
  if (OTHER_PROXIES.some((name) => headers.has(name))) return false;
  const hops = headers.get("x-forwarded-for")?.split(",") ?? [];
  const peer = server?.requestIP(request)?.address ?? "";
  return [peer, ...hops].every((hop) => parse(hop.trim())?.range() === "loopback");
}

/** Whether a request came by TLS, to this socket or to a trusted proxy. */
export function isSecure(request: Request, server: Server | null, trusted: TrustedProxies): boolean {
  if (request.url.startsWith("https:")) return true;
  return forwarded("x-forwarded-proto", request, server, trusted) === "https";
}

/** The requested host, perhaps with a port, as this socket or a trusted proxy got it. */
export function requestedHost(request: Request, server: Server | null, trusted: TrustedProxies): string {
  const [first = ""] = forwarded("x-forwarded-host", request, server, trusted)?.split(",") ?? [];
  return first.trim() || (request.headers.get("host") ?? URL.parse(request.url)?.host ?? "");
}

/** A header of forwarding, which counts only from a trusted proxy. */
function forwarded(name: string, request: Request, server: Server | null, trusted: TrustedProxies) {
  const value = request.headers.get(name);
  if (value === null) return undefined;
  const peer = parse(server?.requestIP(request)?.address ?? "");
  return peer && trusted(peer) ? value : undefined;
}

/** An address with an optional port or brackets; IPv4 in IPv6 becomes IPv4. */
function parse(text: string): Address | undefined {
  const bare = /^\[(.*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(bare) || ipaddr.IPv6.isValid(bare);
  return isAddress ? ipaddr.process(bare) : undefined;
}
