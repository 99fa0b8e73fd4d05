import { SMTPServer } from "smtp-server";

/*
 * A mail server in a process of its own. What it does with a mail stands in whom it is for: `refused@`, `later@` (451 the first time), `busy@`
 * (421), `cut@` (closes when it has the mail), `gone@` (closes before it), `slow@` (answers nobody). Says each mail that it took as a
 * line of JSON.
 */

const { cert, key, secure, login } = JSON.parse(process.argv[2] ?? "{}") as {
  cert: string;
  key: string;
  secure: boolean;
  login: boolean;
};
const send = (what: object) => process.stdout.write(`${JSON.stringify(what)}\n`);
const seen = new Map<string, number>();

const refusal = (code: number, message: string) => Object.assign(new Error(message), { responseCode: code });

const server = new SMTPServer({
  cert,
  key,
  secure,
  authOptional: !login,
  logger: false,
  disabledCommands: cert === "" ? ["STARTTLS"] : [],
  onAuth: ({ username, password }, _session, done) =>
    username === "office" && password === "hush-mail-77"
      ? done(null, { user: username })
      : done(refusal(535, `no such password ${password}`)),
  onRcptTo: ({ address }, session, done) => {
    const times = (seen.get(address) ?? 0) + 1;
    seen.set(address, times);
    const who = address.split("@")[0];
    if (who === "refused") return done(refusal(550, "nobody of that name lives here"));
    if (who === "later" && times === 1) return done(refusal(451, "greylisted, come again"));
    if (who === "busy") return done(refusal(421, "too many connections"));
    if (who === "gone") return void closeOf(session.id);
    return done();
  },
  onData: (stream, session, done) => {
    let text = "";
    stream.on("data", (chunk: Buffer) => (text += chunk.toString("utf8")));
    stream.on("end", () => {
      const to = session.envelope.rcptTo.map(({ address }) => address);
      const from = session.envelope.mailFrom === false ? "" : session.envelope.mailFrom.address;
      send({ to, from, secure: session.secure, user: session.user, text });
      const who = to[0]?.split("@")[0];
      if (who === "cut") return closeOf(session.id);
      if (who !== "slow") done();
    });
  },
});

function closeOf(id: string): void {
  const connections: Set<{ id: string; _socket: { destroy(): void } }> = Reflect.get(server, "connections");
  for (const connection of connections) if (connection.id === id) connection._socket.destroy();
}

server.on("error", () => undefined); // of a connection, which its client hears of
server.listen(0, "127.0.0.1", () => {
  const address = server.server.address();
  send({ port: typeof address === "object" ? address?.port : 0 });
});
