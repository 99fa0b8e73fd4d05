import { expect, test } from "bun:test";
import { version } from "../../package.json";
import { openStore } from "../../db/open.ts";
import { nasNamed } from "../../src/domain/goods/nas/nas.ts";
import { portalIsp } from "../support/portal-isp.ts";
import { by } from "../support/isp.ts";
import { FakeConfig } from "../support/fake-routeros-config.ts";
import { FakeFirewall } from "../support/fake-firewall.ts";
import { paste } from "../support/pasted-script.ts";
import { CommandLine, smallIsp } from "./harness.ts";

async function withIsp(nas: object = {}, packages: object = {}): Promise<CommandLine> {
  const cli = new CommandLine();
  const isp = smallIsp();
  await cli.import({
    ...isp,
    nas: isp.nas.map((one) => Object.assign(one, nas)),
    packages: isp.packages.map((one) => Object.assign(one, packages)),
  });
  return cli;
}

test("prints the RouterOS commands that point a router here", async () => {
  using cli = await withIsp(
    { coa_port: 1700, routeros: { host: "10.0.0.1", username: "api", password: "x y" } },
    { expired_address_list: "expired" },
  );
  const env = { GATEHOUSE_WALLED_LISTEN: "0.0.0.0:8081", GATEHOUSE_PUBLIC_LISTEN: "0.0.0.0:8443" };
  const { code, stdout, stderr } = await cli.run("nas script core --server 10.0.0.254 --dns router", { env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout.split("\n")).toEqual([
    "/radius remove [find comment=gatehouse]",
    "/radius add service=ppp,hotspot address=10.0.0.254 secret=testing123 authentication-port=1812 accounting-port=1813 timeout=3s comment=gatehouse",
    ':do { [[:parse "/radius set [find comment=gatehouse] require-message-auth=yes-for-request-resp"]] } on-error={ }',
    "/radius incoming set accept=yes port=1700",
    "/ppp aaa set use-radius=yes accounting=yes interim-update=5m",
    "/ip firewall filter remove [find comment=gatehouse chain=input]",
    "/ip firewall filter add chain=input action=accept protocol=udp src-address=10.0.0.254 dst-port=1700 comment=gatehouse",
    "/ip firewall filter add chain=input action=jump jump-target=gatehouse-garden-router src-address-list=expired comment=gatehouse",
    ":do { /ip firewall filter move [find comment=gatehouse chain=input] destination=[:pick [/ip firewall filter find chain=input dynamic=no] 0] } on-error={ }",
    "/ip hotspot profile set [find] use-radius=yes radius-accounting=yes radius-interim-update=received",
    "/ip firewall address-list remove [find list=gatehouse-portal comment=gatehouse]",
    "/ip firewall address-list add list=gatehouse-portal address=10.0.0.254 comment=gatehouse",
    ":if ([:len [/interface list find name=gatehouse-garden]] = 0) do={ /interface list add name=gatehouse-garden comment=gatehouse } else={ /interface list set [find name=gatehouse-garden] comment=gatehouse }",
    "/ip firewall filter remove [find comment=gatehouse chain=gatehouse-garden]",
    "/ip firewall filter add chain=gatehouse-garden action=accept protocol=tcp dst-port=8081,8443 dst-address-list=gatehouse-portal comment=gatehouse",
    "/ip firewall filter add chain=gatehouse-garden action=accept protocol=tcp src-port=8081,8443 src-address-list=gatehouse-portal comment=gatehouse",
    "/ip firewall filter add chain=gatehouse-garden action=accept dst-address-list=gatehouse-allowed comment=gatehouse",
    "/ip firewall filter add chain=gatehouse-garden action=accept src-address-list=gatehouse-allowed comment=gatehouse",
    "/ip firewall filter add chain=gatehouse-garden action=reject comment=gatehouse",
    ":do { /ip firewall filter move [find comment=gatehouse chain=gatehouse-garden] destination=[:pick [/ip firewall filter find chain=gatehouse-garden dynamic=no] 0] } on-error={ }",
    "/ip firewall filter remove [find comment=gatehouse chain=gatehouse-garden-router]",
    "/ip firewall filter add chain=gatehouse-garden-router action=accept protocol=udp dst-port=53 dst-limit=5,30,src-address comment=gatehouse",
    "/ip firewall filter add chain=gatehouse-garden-router action=drop protocol=udp dst-port=53 comment=gatehouse",
    "/ip firewall filter add chain=gatehouse-garden-router action=accept protocol=tcp dst-port=53 dst-limit=5,20,src-address comment=gatehouse",
    "/ip firewall filter add chain=gatehouse-garden-router action=drop protocol=tcp dst-port=53 comment=gatehouse",
    "/ip firewall filter add chain=gatehouse-garden-router action=accept protocol=udp dst-port=67 comment=gatehouse",
    "/ip firewall filter add chain=gatehouse-garden-router action=accept protocol=icmp comment=gatehouse",
    "/ip firewall filter add chain=gatehouse-garden-router action=reject comment=gatehouse",
    ":do { /ip firewall filter move [find comment=gatehouse chain=gatehouse-garden-router] destination=[:pick [/ip firewall filter find chain=gatehouse-garden-router dynamic=no] 0] } on-error={ }",
    "/ip firewall filter remove [find comment=gatehouse chain=gatehouse-garden-answers]",
    "/ip firewall filter add chain=gatehouse-garden-answers action=drop protocol=udp src-port=53,64872 packet-size=1501-65535 comment=gatehouse",
    "/ip firewall filter add chain=gatehouse-garden-answers action=accept protocol=udp src-port=53,64872 comment=gatehouse",
    "/ip firewall filter add chain=gatehouse-garden-answers action=accept protocol=tcp src-port=53,64872 dst-limit=5,20,dst-address comment=gatehouse",
    "/ip firewall filter add chain=gatehouse-garden-answers action=drop protocol=tcp src-port=53,64872 comment=gatehouse",
    ":do { /ip firewall filter move [find comment=gatehouse chain=gatehouse-garden-answers] destination=[:pick [/ip firewall filter find chain=gatehouse-garden-answers dynamic=no] 0] } on-error={ }",
    "/ip firewall filter remove [find comment=gatehouse chain=output]",
    "/ip firewall filter add chain=output action=jump jump-target=gatehouse-garden-answers dst-address-list=expired comment=gatehouse",
    ":do { /ip firewall filter move [find comment=gatehouse chain=output] destination=[:pick [/ip firewall filter find chain=output dynamic=no] 0] } on-error={ }",
    "/ip firewall nat remove [find comment=gatehouse chain=dstnat]",
    "/ip firewall nat add chain=dstnat action=dst-nat protocol=tcp dst-port=80 src-address-list=expired dst-address-list=!gatehouse-portal to-addresses=10.0.0.254 to-ports=8081 comment=gatehouse",
    "/ip firewall nat add chain=dstnat action=redirect protocol=udp dst-port=53 src-address-list=expired to-ports=53 comment=gatehouse",
    "/ip firewall nat add chain=dstnat action=redirect protocol=tcp dst-port=53 src-address-list=expired to-ports=53 comment=gatehouse",
    ":do { /ip firewall nat move [find comment=gatehouse chain=dstnat] destination=[:pick [/ip firewall nat find chain=dstnat dynamic=no] 0] } on-error={ }",
    "/ip firewall filter remove [find comment=gatehouse chain=forward]",
    "/ip firewall filter add chain=forward action=jump jump-target=gatehouse-garden src-address-list=expired comment=gatehouse",
    "/ip firewall filter add chain=forward action=jump jump-target=gatehouse-garden dst-address-list=expired comment=gatehouse",
    ":do { /ip firewall filter move [find comment=gatehouse chain=forward] destination=[:pick [/ip firewall filter find chain=forward dynamic=no] 0] } on-error={ }",
    ':do { [[:parse "/ipv6 firewall filter remove [find comment=gatehouse chain=forward]"]] } on-error={ }',
    ':do { [[:parse "/ipv6 firewall filter add chain=forward action=reject in-interface-list=gatehouse-garden comment=gatehouse"]] } on-error={ }',
    ':do { [[:parse "/ipv6 firewall filter add chain=forward action=reject out-interface-list=gatehouse-garden comment=gatehouse"]] } on-error={ }',
    ':do { [[:parse "/ipv6 firewall filter move [find comment=gatehouse chain=forward] destination=[:pick [/ipv6 firewall filter find chain=forward dynamic=no] 0]"]] } on-error={ }',
    ':do { [[:parse "/ipv6 firewall filter remove [find comment=gatehouse chain=input]"]] } on-error={ }',
    ':do { [[:parse "/ipv6 firewall filter add chain=input action=reject in-interface-list=gatehouse-garden comment=gatehouse"]] } on-error={ }',
    ':do { [[:parse "/ipv6 firewall filter move [find comment=gatehouse chain=input] destination=[:pick [/ipv6 firewall filter find chain=input dynamic=no] 0]"]] } on-error={ }',
    ':if (![/ip dns get allow-remote-requests]) do={ :put "This router answers no questions for names, so who is expired finds no page: say whom they ask with  gatehouse nas script --dns ADDRESS  and paste this anew" }',
    ":if ([:len [/user group find name=gatehouse]] = 0) do={ /user group add name=gatehouse policy=api,read,write } else={ /user group set [find name=gatehouse] policy=api,read,write }",
    ':if ([:len [/user find name=api]] = 0) do={ /user add name=api group=gatehouse password="x y" address=10.0.0.254/32 comment=gatehouse } else={ /user set [find name=api] group=gatehouse password="x y" address=10.0.0.254/32 comment=gatehouse }',
    ':put "Pasting does not do what gatehouse nas setup does: addresses of pools of expired subscribers, FastTrack, connections that are open already, IPv6 of PPP profiles. gatehouse nas watch says what of it leads out of the garden"',
    "",
  ]);
});

test("a router whose DHCP servers may ask asks for them too", async () => {
  using cli = await withIsp({ dhcp: true });
  const { stdout } = await cli.run("nas script core --server 10.0.0.254");
  expect(stdout).toContain("/radius add service=ppp,hotspot,dhcp address=10.0.0.254");
});

test("who expired is refused a script that would send them to the staff's listener", async () => {
  using cli = await withIsp({}, { expired_address_list: "expired" });
  const { code, stdout, stderr } = await cli.run("nas script core --server 10.0.0.254");
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toContain("the address list expired, and the walled garden");
  expect(stderr).toContain("set GATEHOUSE_WALLED_LISTEN=0.0.0.0:8081");
});

test("of several boxes a router asks the nearest first, and the next after a second", async () => {
  using cli = await withIsp({ routeros: { host: "10.0.0.1", username: "api", password: "x" } });
  const env = { GATEHOUSE_RADIUS_AUTH_LISTEN: "10.0.0.1:1812" };
  const { code, stdout } = await cli.run("nas script core --server 10.0.0.2,10.0.0.3:1822", { env });
  expect(code).toBe(0);
  const lines = stdout.split("\n");
  expect(lines.filter((line) => line.startsWith("/radius add"))).toEqual([
    "/radius add service=ppp,hotspot address=10.0.0.2 secret=testing123 authentication-port=1812 accounting-port=1813 timeout=1s comment=gatehouse",
    "/radius add service=ppp,hotspot address=10.0.0.3 secret=testing123 authentication-port=1822 accounting-port=1823 timeout=1s comment=gatehouse",
  ]);
  expect(lines.filter((line) => line.includes("src-address="))).toEqual(
    // the books end sessions too, though the router does not ask them
    ["10.0.0.2", "10.0.0.3", "10.0.0.1"].map(
      (address) =>
        `/ip firewall filter add chain=input action=accept protocol=udp src-address=${address} dst-port=3799 comment=gatehouse`,
    ),
  );
  expect(stdout).toContain("address=10.0.0.2/32,10.0.0.3/32,10.0.0.1/32");
  const wrong = await cli.run("nas script core --server tower-1");
  expect(wrong.stderr).toContain("it must be an IP address, or several such as 10.0.0.2,10.0.0.1:1822");
});

test("whoever follows the script's rules is led to the walled garden, and past it to nothing of ours", async () => {
  const isp = await portalIsp();
  await using _ = { [Symbol.asyncDispose]: () => isp.close() };
  using cli = await withIsp({}, { expired_address_list: "expired" });
  const env = {
    GATEHOUSE_WALLED_LISTEN: new URL(isp.walledOrigin).host,
    GATEHOUSE_HTTP_LISTEN: new URL(isp.origin).host,
  };
  expect((await cli.run("settings set garden_dns 10.0.0.53,10.0.0.54")).code).toBe(0);
  const { stdout } = await cli.run("nas script core --server 127.0.0.1", { env });
  const config = new FakeConfig();
  config.have("/ip/firewall/filter", { chain: "forward", action: "accept" });
  paste(config, stdout);
  config.have("/ip/firewall/address-list", { list: "expired", address: "10.50.0.9", dynamic: "true" });
  const routes = [
    { network: "10.50.0.0/24", interface: "<pppoe-1>" },
    { network: "0.0.0.0/0", interface: "ether1" },
  ];
  const firewall = new FakeFirewall(config, { own: ["10.0.0.1"], routes, wan: "ether1" });
  const follow = (protocol: "tcp" | "udp", to: string, dport: number) => {
    const verdict = firewall.send({ from: "10.50.0.9", to, protocol, dport, sport: 40_000 + dport });
    return verdict.passed ? `${verdict.to}:${verdict.dport}` : verdict.by;
  };

  const page = await fetch(`http://${follow("tcp", "198.51.100.7", 80)}/news`, {
    headers: { host: "news.example" },
  });
  expect(page.headers.get("x-gatehouse-captive")).toBe("unknown");

  const staff = Number(new URL(isp.origin).port);
  expect(follow("tcp", "127.0.0.1", staff)).toBe("reject");
  expect(follow("tcp", "198.51.100.7", 443)).toBe("reject");
  expect(follow("udp", "198.51.100.53", 53)).toBe("10.0.0.53:53");
  expect(follow("tcp", "10.0.0.54", 53)).toBe("10.0.0.54:53");
  expect(follow("udp", "10.0.0.53", 443)).toBe("reject");
});

test("whom the walled garden asks has to be said, and its profile is made of what is said", async () => {
  using cli = await withIsp({}, { expired_address_list: "expired" });
  const env = { GATEHOUSE_WALLED_LISTEN: "0.0.0.0:8081" };
  const script = (args: string) => cli.run(`nas script core --server 10.0.0.254 ${args}`.trim(), { env });
  expect((await script("")).stderr).toContain(
    "has to be said: --dns ADDRESS, or --dns router where that answers",
  );
  expect((await script("--dns tower")).stderr).toContain(
    "--dns is tower; it must be one or two IPv4 addresses such as 10.0.0.53,10.0.0.54",
  );
  const { stdout } = await script(
    "--dns 10.0.0.53,10.0.0.54 --garden-local-address 10.50.0.1 --garden-pool poor",
  );
  const config = new FakeConfig("6.49.17");
  paste(config, stdout);
  expect(config.rows("/ip/firewall/address-list").map(({ list, address }) => `${list} ${address}`)).toEqual([
    "gatehouse-portal 10.0.0.254",
    "gatehouse-dns 10.0.0.53",
    "gatehouse-dns 10.0.0.54",
  ]);
  expect(config.rows("/ppp/profile").at(-1)).toMatchObject({
    name: "gatehouse-garden",
    "local-address": "10.50.0.1",
    "remote-address": "poor",
    "interface-list": "gatehouse-garden",
    comment: "gatehouse",
  });
});

test("a router without an API account gets one, and the same again the next time", async () => {
  using cli = await withIsp();
  const first = await cli.run("nas script core --server 10.0.0.254");
  const password = / \/user add name=gatehouse group=gatehouse password=(\S{24}) /.exec(first.stdout)?.[1];
  expect(password).toBeDefined();
  expect((await cli.run("nas script core --server 10.0.0.254")).stdout).toBe(first.stdout);
  const db = openStore(cli.data, { now: 0 });
  const { routerosHost, routerosPort, routerosUsername, routerosPasswordSealed } = nasNamed(db, by, "core");
  expect([routerosHost, routerosPort, routerosUsername]).toEqual(["10.0.0.1", 8728, "gatehouse"]);
  expect(routerosPasswordSealed && db.vault.openText(routerosPasswordSealed)).toBe(password ?? "");
  const audited = db.$client
    .query("SELECT action, before, after FROM audit_entries WHERE action LIKE 'nas.%' ORDER BY id")
    .values();
  db.$client.close();
  expect(audited.map(([action]) => action)).toEqual(["nas.script", "nas.api_account", "nas.script"]);
  expect(JSON.stringify(audited)).not.toContain(password ?? "");
});

test("a network of routers has no account, and a list that nobody is put on no rules", async () => {
  using cli = await withIsp({ address: "10.0.0.0/24" });
  const { stdout } = await cli.run("nas script core --server 10.0.0.254");
  expect(stdout).not.toContain("/user");
  expect(stdout).not.toContain("/ip firewall nat");
});

test("a secret that the console would read otherwise is quoted", async () => {
  using cli = await withIsp({ secret: 'a"b\\c $d?é' });
  const { stdout } = await cli.run("nas script core --server 10.0.0.254");
  expect(stdout).toContain('secret="a\\"b\\\\c \\$d\\?\\C3\\A9" ');
});

test("our address is the one that leads to the router, unless we listen on one", async () => {
  using cli = await withIsp({ address: "127.0.0.1" });
  expect((await cli.run("nas script core")).stdout).toContain(" address=127.0.0.1 ");
  const env = {
    GATEHOUSE_RADIUS_AUTH_LISTEN: "192.0.2.9:18120",
    GATEHOUSE_RADIUS_ACCT_LISTEN: "192.0.2.9:18130",
  };
  const { stdout } = await cli.run("nas script core", { env });
  expect(stdout).toContain(" address=192.0.2.9 ");
  expect(stdout).toContain(" authentication-port=18120 accounting-port=18130 ");
});

test.each([
  ["nas script nowhere", "there is no NAS nowhere"],
  ["nas script core --server here", "--server is here; it must be an IP address"],
])("%s is refused", async (argv, message) => {
  using cli = await withIsp();
  const { code, stderr } = await cli.run(argv);
  expect(code).toBe(1);
  expect(stderr).toContain(message);
});

test("a router runs the appliance itself: the commands of its container, then those that point it there", async () => {
  using cli = await withIsp(
    { address: "172.31.255.1", routeros: { host: "172.31.255.1", username: "api", password: "x" } },
    { expired_address_list: "expired" },
  );
  const { code, stdout, stderr } = await cli.run("nas script core --container --disk disk1 --dns router");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const lines = stdout.trimEnd().split("\n");
  const radius = lines.indexOf("/radius remove [find comment=gatehouse]");
  expect(lines.slice(0, radius)).toEqual([
    `# before: the package container, /system device-mode update container=yes, and gatehouse-${version}-container-arm64.tar on disk1`,
    ":if ([:len [/interface bridge find name=gatehouse-lan]] = 0) do={ /interface bridge add name=gatehouse-lan comment=gatehouse }",
    ":if ([:len [/ip address find interface=gatehouse-lan]] = 0) do={ /ip address add address=172.31.255.1/30 interface=gatehouse-lan comment=gatehouse } else={ /ip address set [find interface=gatehouse-lan comment=gatehouse] address=172.31.255.1/30 }",
    ":if ([:len [/interface veth find name=gatehouse]] = 0) do={ /interface veth add name=gatehouse address=172.31.255.2/30 gateway=172.31.255.1 comment=gatehouse } else={ /interface veth set [find name=gatehouse] address=172.31.255.2/30 gateway=172.31.255.1 }",
    ":if ([:len [/interface bridge port find interface=gatehouse]] = 0) do={ /interface bridge port add bridge=gatehouse-lan interface=gatehouse comment=gatehouse }",
    ':if ([:len [/interface list find name=WAN]] > 0 and [:len [/ip firewall nat find comment="gatehouse container"]] = 0) do={ /ip firewall nat add chain=srcnat action=masquerade src-address=172.31.255.2 out-interface-list=WAN comment="gatehouse container" } else={ /ip firewall nat set [find comment="gatehouse container"] src-address=172.31.255.2 }',
    ":if ([:len [/container find comment=gatehouse]] > 0) do={ :do { /container stop [find comment=gatehouse] } on-error={ }; :delay 20s; /container remove [find comment=gatehouse]; :delay 10s }",
    ':do { [[:parse "/container mounts remove [find list=gatehouse]"]] } on-error={ [[:parse "/container mounts remove [find name=gatehouse]"]] }',
    ':do { [[:parse "/container mounts add list=gatehouse src=/disk1/gatehouse/data dst=/data"]] } on-error={ [[:parse "/container mounts add name=gatehouse src=/disk1/gatehouse/data dst=/data"]] }',
    ':do { [[:parse "/container envs remove [find list=gatehouse]"]] } on-error={ [[:parse "/container envs remove [find name=gatehouse]"]] }',
    ':do { [[:parse "/container envs add list=gatehouse key=GATEHOUSE_WALLED_LISTEN value=0.0.0.0:8081"]] } on-error={ [[:parse "/container envs add name=gatehouse key=GATEHOUSE_WALLED_LISTEN value=0.0.0.0:8081"]] }',
    ':do { [[:parse "/container envs add list=gatehouse key=TZ value=[/system clock get time-zone-name]"]] } on-error={ [[:parse "/container envs add name=gatehouse key=TZ value=[/system clock get time-zone-name]"]] }',
    `:do { [[:parse "/container add file=disk1/gatehouse-${version}-container-arm64.tar interface=gatehouse root-dir=disk1/gatehouse/root logging=yes start-on-boot=yes comment=gatehouse mountlists=gatehouse envlists=gatehouse user=0:0"]] } on-error={ [[:parse "/container add file=disk1/gatehouse-${version}-container-arm64.tar interface=gatehouse root-dir=disk1/gatehouse/root logging=yes start-on-boot=yes comment=gatehouse mounts=gatehouse envlist=gatehouse"]] }`,
    "{ :local up false; :for i from=1 to=120 do={ :if (!$up) do={ :delay 5s; :do { /container start [find comment=gatehouse]; :set up true } on-error={ } } } }",
    "# the first Admin's password is in first-password.txt of /data; then http://172.31.255.2:8080/console",
  ]);
  expect(lines[radius + 1]).toContain("address=172.31.255.2 secret=testing123 authentication-port=1812");
  expect(stdout).toContain("to-addresses=172.31.255.2 to-ports=8081");
});

test("a container is made before there is a router, or a store", async () => {
  using cli = new CommandLine();
  const made = await cli.run("nas script --container --arch amd64 --server 10.9.9.1");
  expect({ code: made.code, stderr: made.stderr }).toEqual({ code: 0, stderr: "" });
  expect(made.stdout).toContain("add name=gatehouse address=10.9.9.1/30 gateway=10.9.9.2");
  expect(made.stdout).toContain("container-amd64.tar");
  expect(made.stdout).not.toContain("/radius");
  const backups = await cli.run("nas script --container --backups usb2/kept");
  expect(backups.stdout).toContain("/container mounts add list=gatehouse src=/usb2/kept dst=/backups");
  expect(backups.stdout).toContain("mounts=gatehouse,gatehouse-backups envlist=gatehouse");
});

test.each([
  ["nas script", "which router?"],
  ["nas script --container --server 10.9.9.3", "it must be one of the two addresses of a /30"],
  ["nas script --container --server tower", "it must be one of the two addresses of a /30"],
  ["nas script --container --disk a;b", "--disk is a;b; it must be a disk or a folder of the router"],
  [
    "nas script --container --disk ../flash",
    "--disk is ../flash; it must be a disk or a folder of the router",
  ],
  ["nas script --container --backups /b", "--backups is /b; it must be a disk or a folder of the router"],
])("%s is refused in words", async (command, words) => {
  using cli = new CommandLine();
  const { code, stdout, stderr } = await cli.run(command);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toContain(words);
});
