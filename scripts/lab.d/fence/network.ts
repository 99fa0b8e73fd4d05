import { BANK, PORTAL, RESOLVER } from "./router.ts";

/**
 * The houses: one that will expire, one that pays. `end` is where tunnels of other protocols than TCP and UDP end: they have no ports by which a
 * router could tell two houses behind its address apart.
 */
export const houses = {
  poor: { four: "10.50.0.9", six: "2001:db8:50::9", end: "198.51.100.61" },
  paid: { four: "10.60.0.9", six: "2001:db8:60::9", end: "198.51.100.62" },
} as const;
export type House = keyof typeof houses;

export const address = {
  /** The router's, as lines see it. */
  router: "10.0.0.1",
  wan: "192.0.2.2",
  /** Somebody's server, who would carry on whatever reaches him; and by IPv6. */
  far: "198.51.100.7",
  far6: "2001:db8:ffff::1",
  /** Servers of names: of iodine, and of our own measure. */
  iodine: "198.51.100.53",
  tunnel: "198.51.100.54",
} as const;
/** The end of iodine's tunnel. */
export const IODINE_SERVER = "10.99.0.1";
/** The other end of the uplink, and of a resolver's own. */
const [PROVIDER, PROVIDER_OF_NAMES, OWN_UPLINK] = ["192.0.2.1", "192.0.2.5", "192.0.2.6"];
const SIX = { uplink: "2001:db8:1::1", wan: "2001:db8:1::2" };

/** The interface of the router behind which a house is: it dials in. */
export const lineInterface = (house: House): string => `ppp-${house}`;

const inside = (space: string, command: string) => `ip netns exec ${space} ${command}`;

/** A wire between the router and a neighbour, an address on each end as PPP has it. Packets are of the size that a wire takes. */
function wire(space: string, name: string, own: string, other: string): string[] {
  return [
    `ip netns add ${space}`,
    `ip -n router link add ${name} type veth peer name eth0 netns ${space}`,
    `ip -n ${space} link set lo up`,
    `ip -n router link set ${name} gso_max_segs 1 up`,
    `ip -n ${space} link set eth0 gso_max_segs 1 up`,
    `ip -n router addr add ${own} peer ${other} dev ${name}`,
    `ip -n ${space} addr add ${other} peer ${own} dev eth0`,
  ];
}

function house(name: House): string[] {
  const { four, six } = houses[name];
  const router6 = six.replace(/9$/, "1");
  return [
    ...wire(name, lineInterface(name), address.router, four),
    `ip -n ${name} route add default via ${address.router}`,
    `ip -n router addr add ${router6}/64 dev ${lineInterface(name)} nodad`,
    `ip -n ${name} addr add ${six}/64 dev eth0 nodad`,
    `ip -n ${name} route add default via ${router6}`,
  ];
}

const far4 = [address.far, BANK, address.iodine, address.tunnel, houses.poor.end, houses.paid.end];

/**
 * The router between two houses, the ISP's box and its resolver, and the internet, each in a network namespace of its own. The resolver has an
 * uplink of its own, so that what arrives at the internet over the router's is what somebody sent through it.
 */
export const NETWORK = [
  "set -e",
  // modprobe finds what is needed later by itself
  "for module in ipv6 tun ip_gre ipip sit; do modprobe $module; done",
  "mkdir -p /dev/net; [ -e /dev/net/tun ] || mknod /dev/net/tun c 10 200",
  "ip netns add router",
  "ip -n router link set lo up",
  inside("router", "sysctl -qw net.ipv4.ip_forward=1 net.ipv6.conf.all.forwarding=1"),
  ...house("poor"),
  ...house("paid"),
  ...wire("portal", "portal", address.router, PORTAL),
  `ip -n portal route add default via ${address.router}`,
  ...wire("dns", "dns", address.router, RESOLVER),
  `ip -n dns route add 10.0.0.0/8 via ${address.router}`,
  ...wire("net", "wan", address.wan, PROVIDER),
  `ip -n router route add default via ${PROVIDER}`,
  `ip -n router addr add ${SIX.wan}/64 dev wan nodad`,
  `ip -n net addr add ${SIX.uplink}/64 dev eth0 nodad`,
  `ip -n router route add default via ${SIX.uplink}`,
  `ip -n net route add 2001:db8::/32 via ${SIX.wan}`,
  ...far4.map((one) => `ip -n net addr add ${one}/32 dev lo`),
  `ip -n net addr add ${address.far6}/128 dev lo nodad`,
  // the internet knows the way to houses, so that it can begin to talk too
  `ip -n net route add 10.0.0.0/8 via ${address.wan}`,
  "ip -n dns link add own type veth peer name dns netns net",
  `ip -n dns addr add ${OWN_UPLINK} peer ${PROVIDER_OF_NAMES} dev own`,
  `ip -n net addr add ${PROVIDER_OF_NAMES} peer ${OWN_UPLINK} dev dns`,
  "ip -n dns link set own up",
  "ip -n net link set dns up",
  `ip -n dns route add default via ${PROVIDER_OF_NAMES}`,
  // what arrives over the router's uplink is counted; that something was refused is no message of a house
  ...counters("net"),
  // whom it gets names from is asked another time
  ...["udp", "tcp"].map((protocol) =>
    inside("poor", `iptables-legacy -t raw -A PREROUTING -i eth0 -p ${protocol} --sport 53 -j ACCEPT`),
  ),
  ...counters("poor"),
].join("\n");

/** Counts in a chain of its own what comes in by a namespace's wire: in each family what is no error. */
function counters(space: string): string[] {
  return [
    inside(
      space,
      "iptables-legacy -t raw -A PREROUTING -i eth0 -p icmp --icmp-type destination-unreachable -j ACCEPT",
    ),
    inside(space, "iptables-legacy -t raw -A PREROUTING -i eth0"),
    ...["destination-unreachable", "neighbour-solicitation", "neighbour-advertisement"].map((type) =>
      inside(
        space,
        `ip6tables-legacy -t raw -A PREROUTING -i eth0 -p icmpv6 --icmpv6-type ${type} -j ACCEPT`,
      ),
    ),
    inside(space, "ip6tables-legacy -t raw -A PREROUTING -i eth0 -s fe80::/10 -j ACCEPT"),
    inside(space, "ip6tables-legacy -t raw -A PREROUTING -i eth0"),
  ];
}

/** Answers questions for names in a namespace; those that it does not know itself it asks others for, each of a domain or all. */
export const resolver = (
  space: string,
  own: string,
  { name, asked }: { name: string; asked: readonly string[] },
): string =>
  inside(
    space,
    `dnsmasq --keep-in-foreground --user=root --pid-file= --conf-file=/dev/null --no-resolv --no-hosts --bind-interfaces --listen-address=${own} ` +
      `--edns-packet-max=4096 --dns-forward-max=2000 --txt-record=who.lab,who:${name} ${asked.map((one) => `--server=${one}`).join(" ")}`,
  );
