import { rootBlocks } from "./handbook.ts";
import type { Installed, Step } from "./installed.ts";
import { must } from "./run-steps.ts";

const ENV = "/etc/gatehouse/gatehouse.env";

/** The blocks of commands in the handbook's way to an access box, as one types them: what is walked is what is written. */
const chapter = (): readonly (readonly string[])[] =>
  rootBlocks("access-boxes")
    .map((block) => block.replaceAll("\\\n", " ").split("\n"))
    .map((lines) => lines.map((line) => line.replace(/\s+# .*$/, "").trim()).filter((line) => line !== ""));

/** All machines are this one: their addresses are its own, and what is carried between them stays. The package is there already. */
const here = (line: string) =>
  line
    .replaceAll(/10\.0\.0\.[12]|10\.1\.0\.2/g, "127.0.0.1")
    .replace(/^scp (\S+) root@127\.0\.0\.1:(\S*)$/, (_, file, to) =>
      to === "" ? "true" : `cp ${file} ${to}`,
    );

/** Types a block of the page on this machine, in a folder; `line` is what is pasted where it is asked for. */
async function type(box: Installed, block: number, { folder = "/root", line = "" } = {}): Promise<string> {
  const output: string[] = [];
  for (const command of chapter()[block] ?? []) {
    if (command.startsWith("#") || command.startsWith("apt ")) continue;
    output.push(
      await box.root(`cd ${folder} && ${here(command)}`, command.includes("box join") ? `${line}\n` : ""),
    );
  }
  must(output.length > 0, "the handbook's page has another form; see scripts/lab.d/more-boxes.ts");
  return output.join("\n");
}

const NATS = "GATEHOUSE_NATS_URL=tls://127.0.0.1:4222\nGATEHOUSE_NATS_CA=/etc/gatehouse/nats-ca.crt\n";

/** What a box says of itself where its page is. */
async function untilOutput(box: Installed, port: number, words: RegExp): Promise<void> {
  await box.until(`the box on ${port} saying ${words.source}`, async () =>
    words.test((await box.attempt(`curl -s http://127.0.0.1:${port}/healthz`)).stdout),
  );
}

/** The handbook's page on access boxes, from the installation on; the machine has books and a subscriber, and loses them. */
export const moreBoxes: readonly Step[] = [
  {
    what: "more than one box: nats-server, as the handbook has it, and the box beside the books",
    run: async (box) => {
      const output = await type(box, 0);
      box.guest.write("/root/tower-1.line", /gatehouse-box:\S+/.exec(output)?.[0] ?? "");
      await type(box, 1);
      await type(box, 2);
      box.guest.write(ENV, `${box.guest.read(ENV)}${NATS}`);
      await type(box, 3);
      const { join: line } = JSON.parse(await box.root("gatehouse box add beside --json")) as {
        join: string;
      };
      await box.root("gatehouse box server >/etc/nats-server.conf && systemctl reload nats-server");
      const beside = "/etc/gatehouse/gatehouse-access.env";
      box.guest.write(beside, `${box.guest.read(beside).replace(/^GATEHOUSE_NATS_.*\n/gm, "")}${NATS}`);
      await box.root("gatehouse-access box join", `${line}\n`);
      await box.root("systemctl enable --now gatehouse-access");
      await untilOutput(box, 8085, /hears its books, and logs in/);
      await box.until("all is well at the box", async () =>
        /beside +all is well/.test(await box.root("gatehouse box list")),
      );
      must(
        !/listen to others|0\.2\.0/.test((await box.attempt("gatehouse check")).stdout),
        "nats-server lets it listen to others",
      );
      await box.root("systemctl disable --now gatehouse-access");
      return "the certificate, one restart, and it hears its books; nats-server lets it hear nothing else";
    },
  },
  {
    what: "`box join` on a machine that was installed as ever, and `./install --access`",
    run: async (box) => {
      await box.root("cp /etc/gatehouse/nats-ca.crt /root/server.crt && systemctl stop gatehouse");
      await box.root("/root/new/uninstall --purge && /root/new/install && systemctl stop gatehouse");
      const line = box.guest.read("/root/tower-1.line");
      const output = await box.root("gatehouse box join", `${line}\n`);
      must(/is in \S*replaced-/.test(output), `its first Admin is not moved aside: ${output}`);
      await box.root("/root/new/uninstall --purge");
      // the two lines of the environment file are typed between the installation and the rest
      const [install = "", ...rest] = chapter()[4] ?? [];
      await box.root(`cd /root/new && ${install}`);
      box.guest.write(ENV, `${box.guest.read(ENV)}${NATS}`);
      for (const command of rest)
        if (!command.startsWith("#"))
          await box.root(`cd /root/new && ${here(command)}`, command.includes("join") ? `${line}\n` : "");
      await box.until("a login by what the books had published", async () => {
        const got = await box.login("sam", "pw-sam");
        return got === "Access-Accept";
      });
      return "both join; the box logs in by what its books had said, which are no more";
    },
  },
];
