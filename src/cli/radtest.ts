import { type Command, Option } from "commander";
import { newestDecision } from "../domain/service/access/auth-log.ts";
import { everything } from "../domain/core/actor/operator.ts";
import { type LoginMethod, loginMethods, type LoginRequest } from "../domain/service/access/try-login.ts";
import { reasonWords } from "../domain/service/access/outcomes.ts";
import { radiusKind } from "../domain/goods/subscribers/connection-types.ts";
import { subscriberByUsername } from "../domain/goods/subscribers/find.ts";
import { parseMac } from "../domain/core/fields/text.ts";
import { formatListen, type Listen, parseListen } from "../config/listen.ts";
import { ownSecret } from "../radius/server/clients.ts";
import type { NamedAttribute } from "../radius/packet/codec.ts";
import type { TestAnswer } from "../radius/client/test-login.ts";
import type { Cli } from "./cli.ts";
import { CommandError, printJson, printLine } from "./io.ts";
import { loopbackFor, loginAttributes, loginKinds, reasonSince, replyAttributes } from "./login-request.ts";
import { readSecretFromStdin } from "./secrets.ts";
import { SEE_LIST } from "./see-list.ts";

interface Options {
  method: LoginMethod;
  service?: LoginRequest["kind"];
  mac?: string;
  passwordStdin?: boolean;
  server?: string;
  json?: boolean;
}

export function addRadtestCommand(program: Command, cli: Cli): void {
  program
    .command("radtest")
    .description("ask the running server to log a subscriber in, and say why it does not")
    .argument("<username>", "a subscriber, or a name as a router would send it")
    .addOption(
      new Option("--method <method>", "how the password is proven").choices(loginMethods).default("pap"),
    )
    .addOption(
      new Option("--service <service>", "as which kind of login (by default the subscriber's)").choices(
        loginKinds,
      ),
    )
    .option("--mac <address>", "as the device with this MAC address")
    .option("--password-stdin", "read the password from standard input, instead of the stored one")
    .option("--server <host:port>", "where the server listens (by default GATEHOUSE_RADIUS_AUTH_LISTEN)")
    .option("--json", "print JSON")
    .action(async (username: string, options: Options) => {
      const server = parseServer(cli, options.server);
      const entered = options.passwordStdin ? await readSecretFromStdin(cli.io, "password") : undefined;
      await cli.withStore(async (db) => {
        const stored =
          entered === undefined ? subscriberByUsername(db, everything, username, SEE_LIST) : undefined;
        const password = entered ?? (stored && db.vault.openText(stored.passwordSealed)) ?? "";
        const { testLogin } = await import("../radius/client/test-login.ts"); // RADIUS costs the other commands no start
        const before = newestDecision(db, cli.by, username)?.id ?? 0;
        const answer = await testLogin({
          server,
          secret: ownSecret(db.vault),
          username,
          password,
          method: options.method,
          attributes: buildAttributes(options, stored && radiusKind(stored.connectionTypeId)),
        });
        if (!answer) throw new CommandError(silence(server));
        report(cli, answer, await reasonSince(db, cli.by, username, before), options);
      });
    });
}

function report(cli: Cli, answer: TestAnswer, reason: string | undefined, { method, json }: Options): void {
  const isAccepted = answer.code === "Access-Accept";
  const record = replyAttributes(answer);
  if (json) {
    printJson(cli.io, {
      accepted: isAccepted,
      code: answer.code,
      reason: reason ?? null,
      words: reason === undefined ? null : reasonWords(reason),
      attributes: record,
    });
  } else {
    printLine(cli.io, `${answer.code} (${method})`);
    for (const { name, value } of record) printLine(cli.io, `  ${name} = ${value}`);
  }
  if (!answer.isProven)
    throw new CommandError("the server did not prove the password; a router would hang up");
  if (!isAccepted) throw new CommandError(reason === undefined ? replyMessage(record) : reasonWords(reason));
  if (!json && reason !== undefined && reason !== "accepted") printLine(cli.io, reasonWords(reason));
}

/** The address of the running server; a wildcard is asked at the loopback address. */
function parseServer(cli: Cli, named: string | undefined): Listen {
  if (named !== undefined) {
    const server = parseListen(named);
    if (!server || server.port === 0)
      throw new CommandError(`--server is ${named}; it must be an address and a port such as 127.0.0.1:1812`);
    return server;
  }
  const { host, port } = cli.config.radiusAuthListen;
  if (port === 0)
    throw new CommandError(
      "GATEHOUSE_RADIUS_AUTH_LISTEN lets the system choose the port; name it with --server 127.0.0.1:PORT (the ready line of gatehouse serve shows it)",
    );
  return loopbackFor({ host, port });
}

function buildAttributes({ service, mac }: Options, own: Options["service"]): NamedAttribute[] {
  const kind = service ?? own ?? "other";
  const station = mac === undefined ? undefined : parseMac(mac);
  if (mac !== undefined && station === undefined)
    throw new CommandError(`--mac is ${mac}; it must be a MAC address such as AA:BB:CC:DD:EE:FF`);
  return loginAttributes({ kind, mac: station });
}

function silence(server: Listen): string {
  return `no answer from ${formatListen(server)}: start the server (gatehouse serve), or name where it listens with --server HOST:PORT; it must use the same data folder`;
}

function replyMessage(attributes: ReturnType<typeof replyAttributes>): string {
  return attributes.find(({ name }) => name === "Reply-Message")?.value ?? "rejected";
}
