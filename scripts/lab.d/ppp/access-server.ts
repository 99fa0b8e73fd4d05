/** Addresses of the lab: the box with Gatehouse, and the access server that asks it, whose other end of every line is `gateway`. */
export const address = {
  box: "10.9.0.1",
  accessServer: "10.9.0.2",
  gateway: "10.100.0.1",
  firstLine: "10.100.0.10",
};
export const SECRET = "lab-secret-16-characters";
/** Where the access server takes what subscribers send, and where it serves what they fetch. */
export const port = { sink: 7001, source: 7002, das: 3799 };

const OPTIONS = `auth
refuse-eap
logfile /tmp/access-server.log
debug
novj
nodeflate
nobsdcomp
lcp-echo-interval 2
lcp-echo-failure 3
noipv6
ms-dns ${address.gateway}
plugin radius.so
plugin radattr.so
radius-config-file /etc/radiusclient/radiusclient.conf
`;

/** What pppd's own RADIUS client reads: its options are not those of FreeRADIUS. */
export const files: Readonly<Record<string, string>> = {
  "etc/ppp/plain": OPTIONS,
  // pppd encrypts for all lines of a server or for none, and RADIUS can only forbid it
  "etc/ppp/encrypting": `${OPTIONS}require-mppe-128\n`,
  // what the interface counted while the ends still negotiated: pppd begins to count when the line is up, and so does this
  "etc/ppp/ip-pre-up.d/counted": `#!/bin/sh
[ "$PPP_LOCAL" = ${address.gateway} ] && cat /sys/class/net/$PPP_IFACE/statistics/rx_bytes /sys/class/net/$PPP_IFACE/statistics/tx_bytes >/tmp/counted.$PPP_IFACE
exit 0
`,
  "etc/radiusclient/radiusclient.conf": `auth_order radius
login_tries 4
login_timeout 60
nologin /etc/nologin
issue /etc/radiusclient/issue
authserver ${address.box}:1812
acctserver ${address.box}:1813
servers /etc/radiusclient/servers
dictionary /etc/radiusclient/dictionary
login_radius /usr/sbin/login.radius
seqfile /tmp/radius.seq
mapfile /etc/radiusclient/port-id-map
default_realm
radius_timeout 2
radius_retries 15
login_local /bin/login
nas_identifier lab
`,
  "etc/radiusclient/servers": `${address.box} ${SECRET}\n`,
  "etc/radiusclient/port-id-map": "",
  "etc/radiusclient/issue": "",
  "etc/radiusclient/dictionary": `VENDOR Microsoft 311
VENDOR Mikrotik 14988
${[
  ["User-Name", 1, "string"],
  ["Password", 2, "string"],
  ["CHAP-Password", 3, "string"],
  ["NAS-IP-Address", 4, "ipaddr"],
  ["NAS-Port-Id", 5, "integer"],
  ["Service-Type", 6, "integer"],
  ["Framed-Protocol", 7, "integer"],
  ["Framed-IP-Address", 8, "ipaddr"],
  ["Framed-IP-Netmask", 9, "ipaddr"],
  ["Filter-Id", 11, "string"],
  ["Framed-MTU", 12, "integer"],
  ["Reply-Message", 18, "string"],
  ["State", 24, "string"],
  ["Class", 25, "string"],
  ["Session-Timeout", 27, "integer"],
  ["Idle-Timeout", 28, "integer"],
  ["Called-Station-Id", 30, "string"],
  ["Calling-Station-Id", 31, "string"],
  ["NAS-Identifier", 32, "string"],
  ["Proxy-State", 33, "string"],
  ["Acct-Status-Type", 40, "integer"],
  ["Acct-Delay-Time", 41, "integer"],
  ["Acct-Input-Octets", 42, "integer"],
  ["Acct-Output-Octets", 43, "integer"],
  ["Acct-Session-Id", 44, "string"],
  ["Acct-Authentic", 45, "integer"],
  ["Acct-Session-Time", 46, "integer"],
  ["Acct-Input-Packets", 47, "integer"],
  ["Acct-Output-Packets", 48, "integer"],
  ["Acct-Terminate-Cause", 49, "integer"],
  ["Acct-Input-Gigawords", 52, "integer"],
  ["Acct-Output-Gigawords", 53, "integer"],
  ["CHAP-Challenge", 60, "string"],
  ["NAS-Port-Type", 61, "integer"],
  ["Connect-Info", 77, "string"],
  ["Message-Authenticator", 80, "string"],
  ["Acct-Interim-Interval", 85, "integer"],
  ["MS-CHAP-Response", 1, "string", "Microsoft"],
  ["MS-CHAP-Error", 2, "string", "Microsoft"],
  ["MS-MPPE-Encryption-Policy", 7, "integer", "Microsoft"],
  ["MS-MPPE-Encryption-Types", 8, "integer", "Microsoft"],
  ["MS-CHAP-Challenge", 11, "string", "Microsoft"],
  ["MS-CHAP-MPPE-Keys", 12, "string", "Microsoft"],
  ["MS-MPPE-Send-Key", 16, "string", "Microsoft"],
  ["MS-MPPE-Recv-Key", 17, "string", "Microsoft"],
  ["MS-CHAP2-Response", 25, "string", "Microsoft"],
  ["MS-CHAP2-Success", 26, "string", "Microsoft"],
  ["Mikrotik-Rate-Limit", 8, "string", "Mikrotik"],
  ["Mikrotik-Address-List", 19, "string", "Mikrotik"],
]
  .map((words) => `ATTRIBUTE ${words.join("\t")}\n`)
  .join("")}`,
};

/** The box and the access server, each in a network namespace of its own, and the wire that lines hang on. */
export const NETWORK = `set -e
ip netns add box
ip link add as0 type veth peer name box0 netns box
ip addr add ${address.accessServer}/30 dev as0
ip -n box addr add ${address.box}/30 dev box0
ip link set as0 up
ip -n box link set box0 up
ip -n box link set lo up
sysctl -qw net.ipv6.conf.all.disable_ipv6=1 net.ipv6.conf.default.disable_ipv6=1
ip link add br0 address 02:00:00:00:00:01 type bridge
ip link set br0 up
hostname lab
echo '${address.accessServer} lab' >>/etc/hosts
head -c 5000000 /dev/urandom >/tmp/five
head -c 3000000 /dev/urandom >/tmp/three
pppoe-server -I br0 -L ${address.gateway} -R 10.100.0.10 -N 100 -C plain -O /etc/ppp/plain
pppoe-server -I br0 -L ${address.gateway} -R 10.100.1.10 -N 100 -C encrypting -O /etc/ppp/encrypting
nc -l -k ${port.sink} >/dev/null 2>&1 &
busybox httpd -p ${port.source} -h /tmp
`;

/** The line of a house: a wire to the access server, in a namespace of its own. */
export const lineScript = (house: string): string => `set -e
ip netns add ${house}
ip link add ${house} type veth peer name eth0 netns ${house}
ip link set ${house} master br0 up
ip netns exec ${house} sysctl -qw net.ipv6.conf.all.disable_ipv6=1 net.ipv6.conf.default.disable_ipv6=1
ip -n ${house} link set lo up
ip -n ${house} link set eth0 up
`;
