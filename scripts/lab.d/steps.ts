import { basename } from "node:path";
import { rootBlocks, typedAsRoot } from "./handbook.ts";
import { hostileUser } from "./hostile-user.ts";
import { type Installed, LINE, type Step } from "./installed.ts";
import { moreBoxes } from "./more-boxes.ts";
import { must } from "./run-steps.ts";

const ISP = {
  isps: [{ id: 1, name: "Northlink" }],
  staff: [
    {
      id: 1,
      isp_id: 1,
      name: "Ada",
      username: "ada",
      email: "ada@isp.example",
      password: "secret-ada",
      profile_type: 1,
      status: 1,
    },
  ],
  nas: [{ id: 1, isp_id: 1, name: "core", address: "127.0.0.1", secret: "testing123" }],
  packages: [
    {
      id: 1,
      isp_id: 1,
      name: "Home",
      price: "15.00",
      billing_type: "prepaid",
      duration: 1,
      duration_unit: "month",
      rate_limit: "10M/10M",
    },
  ],
  subscribers: [
    {
      id: 1,
      isp_id: 1,
      name: "Sam",
      username: "sam",
      password: "pw-sam",
      package_id: 1,
      connection_type_id: 1,
      salesperson_id: 1,
      nas_id: 1,
      nic_number: "N1",
      mobile_number: "M1",
      balance: "100.00",
      current_expiration_date: "2030-01-01 00:00:00",
    },
  ],
};

/** In the order of an installation's life; each stands on those before. */
export const steps: readonly Step[] = [
  {
    what: "`./install` as root, as the handbook has it",
    isInShort: true,
    run: async (box) => {
      const name = basename(box.archive, ".tar.gz");
      const [unpack = ""] = rootBlocks("install");
      const typed = unpack.replaceAll(/gatehouse-[\d.]+-linux-x64/g, name);
      const { code, stdout, stderr } = await box.attempt(`cd /root\nsudo() { "$@"; }\n${typed}`);
      must(code === 0, `it ended with ${code}: ${stderr.trim()}`);
      must(/password: \S+/.test(stdout), "it printed no password of the first Admin");
      must((await box.unit("ActiveState")) === "active", "the service is not active");
      must((await box.unit("NRestarts")) === "0", "the service was restarted by systemd");
      await box.root(`mv /root/${name} /root/new`);
      return "it serves, and was started once";
    },
  },
  {
    what: "who it runs as",
    isInShort: true,
    run: async (box) => {
      const pid = await box.unit("MainPID");
      const status = await box.root(`cat /proc/${pid}/status`);
      const field = (name: string) => new RegExp(`^${name}:\\s*(\\S+)`, "m").exec(status)?.[1] ?? "";
      const uid = await box.root("id --user gatehouse");
      must(field("Uid") === uid, `it runs as user ${field("Uid")}`);
      must(field("CapEff") === "0000000000000000", `it has the capabilities ${field("CapEff")}`);
      must(
        field("NoNewPrivs") === "1" && field("Seccomp") === "2",
        "it may gain privileges, or call what it likes",
      );
      const nice = await box.root(`ps -o ni= -p ${pid}`);
      must(Number(nice) === 10, `its main thread has the nice value ${nice}`);
      return "user gatehouse, no capability, system calls filtered, the API behind RADIUS (nice 10)";
    },
  },
  {
    what: "an ISP imported, a login and accounting by radclient",
    isInShort: true,
    run: async (box) => {
      await box.root("gatehouse import -", JSON.stringify(ISP));
      await box.requireLogin();
      must((await box.login("sam", "wrong")) === "Access-Reject", "a wrong password was not rejected");
      const start = `User-Name = "sam", Acct-Status-Type = Start, Acct-Session-Id = "81000001", ${LINE}, Framed-IP-Address = 10.0.0.7`;
      const output = await box.root("radclient -x 127.0.0.1:1813 acct testing123", start);
      must(output.includes("Accounting-Response"), "accounting was not answered");
      must(
        (await box.root("gatehouse sessions list")).includes("10.0.0.7"),
        "the session is not in the list",
      );
      return "Access-Accept, Access-Reject for a wrong password, the session is in `gatehouse sessions list`";
    },
  },
  {
    what: "`systemctl restart`",
    isInShort: true,
    run: async (box) => {
      await box.root("systemctl restart gatehouse");
      await box.requireLogin();
      await requireSession(box);
      return "the next login is answered, and the session is still open";
    },
  },
  {
    what: "`kill -9`",
    isInShort: true,
    run: async (box) => {
      const before = await box.unit("MainPID");
      await box.root(`kill -9 ${before}`);
      await box.until("another process", async () => !["0", before].includes(await box.unit("MainPID")));
      await box.untilServing();
      await box.requireLogin();
      await requireSession(box);
      return "systemd starts it again, and nothing is missing";
    },
  },
  {
    what: "the watchdog: a process that stands still",
    run: async (box) => {
      // its 30 s and the 15 s for an orderly end, made short
      const unit = "/etc/systemd/system/gatehouse.service.d/short.conf";
      box.guest.write(unit, "[Service]\nWatchdogSec=2s\nTimeoutAbortSec=1s\n");
      await box.root("systemctl daemon-reload && systemctl restart gatehouse");
      await Bun.sleep(5000);
      must((await box.unit("NRestarts")) === "0", "the watchdog ended a process that was well");
      const before = await box.unit("MainPID");
      await box.root(`kill -STOP ${before}`);
      await box.until("another process", async () => !["0", before].includes(await box.unit("MainPID")));
      await box.untilServing();
      await box.requireLogin();
      await box.root(
        `rm -r ${unit.replace("/short.conf", "")} && systemctl daemon-reload && systemctl restart gatehouse`,
      );
      return "it lives through two of its periods, and is started again when it is stopped by SIGSTOP";
    },
  },
  {
    what: "the access box beside the books, with no nats-server to be reached",
    run: async (box) => {
      const unit = (property: string) =>
        box.root(`systemctl show --property=${property} --value gatehouse-access`);
      must((await unit("ActiveState")) === "inactive", "it runs although nobody switched it on");
      const { join } = JSON.parse(await box.root("gatehouse box add beside --json")) as { join: string };
      await box.root("gatehouse-access box join", `${join}\n`);
      await box.root("systemctl enable --now gatehouse-access");
      await box.until("the page of the access box", async () => {
        const { stdout } = await box.attempt("curl -s http://127.0.0.1:8085/healthz");
        // it has never heard its books, and says so
        return stdout.includes('"box":"beside"') && stdout.includes('"status":"failing"');
      });
      must((await unit("User")) === "gatehouse", "it does not run as the service's user");
      await box.requireLogin();
      await box.root("systemctl restart gatehouse");
      must((await unit("ActiveState")) === "active", "it was stopped with the books");
      await box.root("systemctl disable --now gatehouse-access && gatehouse box remove beside");
      return "off until it is switched on, with its own file and ports; it serves while the books are restarted, and goes";
    },
  },
  {
    what: "`gatehouse tls self-signed`, then a renewed certificate and `systemctl reload`",
    run: async (box) => {
      const output = await box.root("gatehouse tls self-signed isp.example");
      const lines = output.split("\n").filter((line) => line.startsWith("GATEHOUSE_TLS_"));
      must(lines.length === 2, "it did not say which lines the environment file needs");
      const environment = box.guest.read("/etc/gatehouse/gatehouse.env");
      box.guest.write(
        "/etc/gatehouse/gatehouse.env",
        `${environment}GATEHOUSE_PUBLIC_LISTEN=0.0.0.0:8443\n${lines.join("\n")}\n`,
      );
      await box.root("systemctl restart gatehouse");
      const first = await fingerprint(box);
      const pid = await box.unit("MainPID");
      await box.root(
        "cd /var/lib/gatehouse && gatehouse tls self-signed isp.example --out /var/lib/gatehouse/next && mv next/tls.key next/tls.crt . && systemctl reload gatehouse",
      );
      await box.until("the new certificate", async () => (await fingerprint(box)) !== first);
      must((await box.unit("MainPID")) === pid, "it was restarted");
      await requireSession(box);
      return "browsers get the new one; the same process goes on";
    },
  },
  {
    what: "a restart and an upgrade without the TLS files",
    run: async (box) => {
      await box.root(
        "mkdir /root/tls && cd /var/lib/gatehouse && mv tls.crt tls.key /root/tls/ && systemctl restart gatehouse",
      );
      await box.requireLogin();
      await requireSession(box);
      must((await fingerprint(box)) === "", "the public listener is open without a certificate");
      const { code, stdout } = await box.attempt("gatehouse check");
      must(
        code === 1 && /error +certificate: .*tls\.crt/.test(stdout),
        `gatehouse check says ${code}: ${stdout}`,
      );
      await box.root("/root/new/install");
      await box.requireLogin();
      await box.root("gatehouse tls self-signed isp.example && systemctl reload gatehouse");
      await box.until("the public listener", async () => (await fingerprint(box)) !== "");
      return "RADIUS and the LAN are served, `check` names the file, the upgrade goes through; a new pair opens the public listener";
    },
  },
  {
    what: "backups on another disk: `settings set backup_folder`",
    run: async (box) => {
      const folder = "/mnt/other disk/gatehouse";
      await box.root(`install -d -o gatehouse -g gatehouse '${folder}'`);
      const refused = await box.attempt(`gatehouse settings set backup_folder '${folder}'`);
      must(refused.code === 1, `it was taken although the unit forbids it: ${refused.stdout}`);
      const path = /\bReadWritePaths=(.*?); then:/.exec(refused.stderr)?.[1] ?? "";
      must(path !== "", `it does not say which drop-in to make: ${refused.stderr}`);
      must(
        (await box.attempt("gatehouse check")).stdout.includes("ReadWritePaths="),
        "check does not say it",
      );
      box.guest.write(
        "/etc/systemd/system/gatehouse.service.d/override.conf",
        `[Service]\nReadWritePaths=${path}\n`,
      );
      await box.root(
        `systemctl daemon-reload && systemctl restart gatehouse && gatehouse settings set backup_folder '${folder}'`,
      );
      const fine = await box.root("gatehouse check");
      must(!fine.includes("ReadWritePaths="), `check still says: ${fine}`);
      await box.root("gatehouse settings set backup_folder ''");
      return "refused in words with the drop-in to make; made so, the server can write there";
    },
  },
  {
    what: "`gatehouse.env` with quotes, comments and joined lines; a person without rights",
    run: async (box) => {
      const environment = box.guest.read("/etc/gatehouse/gatehouse.env");
      const lines = `; a comment\nGATEHOUSE_LOG_LEVEL='debug'\nGATEHOUSE_TRUSTED_PROXIES="10.0.0.0/8,\\\n 192.0.2.0/24" \n  TZ = Europe/Berlin\n`;
      box.guest.write("/etc/gatehouse/gatehouse.env", `${environment}${lines}`);
      await box.root("systemctl restart gatehouse");
      await box.requireLogin();
      const zone = await box.root("gatehouse settings list >/dev/null && gatehouse check | grep clock");
      const berlin = await box.root("TZ=Europe/Berlin date +'%F %H'");
      must(
        zone.includes(berlin),
        `the command's clock is not that of the file: ${zone}, it is ${berlin} there`,
      );
      box.guest.write("/etc/gatehouse/gatehouse.env", environment);
      await box.root("systemctl restart gatehouse");
      const stranger = await box.attempt(
        "setpriv --reuid=nobody --regid=nogroup --clear-groups gatehouse subscriber list",
      );
      must(
        stranger.code === 1 && stranger.stderr.includes("run it as root"),
        `nobody hears: ${stranger.stderr}`,
      );
      return "service and command read the same; nobody is told to run it as root";
    },
  },
  {
    what: "`reboot`",
    run: async (box) => {
      await box.guest.reboot();
      await box.untilServing();
      await box.requireLogin();
      await requireSession(box);
      return "it serves again by itself, and nothing is missing";
    },
  },
  {
    what: "an upgrade by `./install`",
    isInShort: true,
    run: async (box) => {
      const { code, stdout, stderr } = await box.attempt("/root/new/install");
      must(code === 0, `it ended with ${code}: ${stderr.trim()}`);
      const backup = /made and verified (\S+)/.exec(stdout)?.[1] ?? "nothing";
      must((await box.attempt(`test -s ${backup}`)).code === 0, `the backup ${backup} is not there`);
      await box.requireLogin();
      await requireSession(box);
      return "a verified backup is there, the new version serves, nothing is missing";
    },
  },
  {
    what: "the handbook's commands for root, as they stand there",
    isInShort: true,
    run: async (box) => {
      const blocks = typedAsRoot.flatMap(rootBlocks);
      for (const block of blocks) await box.root(`sudo() { "$@"; }\nset -e\n${block}`);
      await box.untilServing();
      await box.requireLogin();
      await requireSession(box);
      return `${blocks.length} blocks of ${typedAsRoot.join(", ")}; a backup is proven, and restored nothing is missing`;
    },
  },
  {
    what: "an upgrade to a version that does not serve",
    run: async (box) => {
      await box.root("rm -rf /root/bad && cp -R /root/new /root/bad");
      // says its version, and spoils the database before it gives up
      const program = `#!/bin/sh
case $1 in
  serve) echo spoilt >/var/lib/gatehouse/gatehouse.db; exit 1 ;;
  *) exec /opt/gatehouse-new "$@" ;;
esac
`;
      await box.root("install -m 755 /root/new/gatehouse /opt/gatehouse-new");
      box.guest.write("/root/bad/gatehouse", program, 0o755);
      await box.root("sed -i 's/^patience=.*/patience=5/' /root/bad/install");
      const { code, stderr } = await box.attempt("/root/bad/install");
      must(code === 1, `it ended with ${code}`);
      must(stderr.includes("the old version serves again"), `it said: ${stderr.trim()}`);
      await box.requireLogin();
      await requireSession(box);
      must((await box.attempt("gatehouse check")).code === 0, "gatehouse check finds errors");
      return "the old one serves again with the database as it was, and says where the failed one's is";
    },
  },
  hostileUser,
  {
    what: "`./uninstall`, and `./install` again",
    isInShort: true,
    run: async (box) => {
      await box.root("/root/new/uninstall");
      must((await box.attempt("command -v gatehouse")).code !== 0, "the command is still there");
      must((await box.attempt("systemctl cat gatehouse")).code !== 0, "the unit is still there");
      await box.root("/root/new/install");
      await box.requireLogin();
      await requireSession(box);
      await box.root(
        "gatehouse backup /var/lib/gatehouse/move.db --passphrase-stdin",
        "correct horse battery",
      );
      await box.root(
        "mv /var/lib/gatehouse/move.db /root/ && chown root: /root/move.db && /root/new/uninstall --purge",
      );
      must(
        (await box.attempt("ls -d /var/lib/gatehouse /etc/gatehouse")).stdout === "",
        "something is left after --purge",
      );
      must((await box.attempt("id gatehouse")).code !== 0, "the user is left after --purge");
      return "the data outlives the program; `--purge` leaves nothing";
    },
  },
  {
    what: "`./install --restore` of a backup on an empty box",
    run: async (box) => {
      await box.root("/root/new/install --restore /root/move.db --passphrase-stdin", "correct horse battery");
      await box.requireLogin();
      await requireSession(box);
      return "the line opens with its old password";
    },
  },
  ...moreBoxes,
];

async function requireSession(box: Installed): Promise<void> {
  must((await box.root("gatehouse sessions list")).includes("10.0.0.7"), "the open session is missing");
}

/** The SHA-256 of the certificate that the public listener shows; empty when it is shut. */
async function fingerprint(box: Installed): Promise<string> {
  return box.root(
    "openssl s_client -connect 127.0.0.1:8443 </dev/null 2>/dev/null | openssl x509 -noout -fingerprint -sha256 2>/dev/null || true",
  );
}
