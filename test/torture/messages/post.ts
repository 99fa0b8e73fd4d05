import { createServer, type Server, type ServerResponse, type IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { SMTPServer, type SMTPServerSession } from "smtp-server";
import { drawing } from "../trial.ts";

/*
 * A mail server and a gateway for text messages as somebody else would run them, in a process of their own: what they take is told by standard output
 * before it is acknowledged. Told on standard input how they behave.
 */

/**
 * `calm`: each message is taken. `moody`: some are refused, cut before or after they were taken, or answered late. `away`: nothing
 * listens. `deaf`: nobody answers. `cutting`: every connection is cut.
 */
export type Mood = "calm" | "moody" | "away" | "deaf" | "cutting";

export interface Order {
  readonly mood: Mood;
}

/** A message that was taken: by mail, by a gateway, or by one that knows messages again by our id. */
export interface Received {
  readonly by: "mail" | "sms" | "push";
  /** Of the Message-ID, or the field `id`. */
  readonly id: string;
  readonly to: string;
  readonly text: string;
}

interface Ports {
  readonly mail: number;
  readonly web: number;
}
export type PostMessage = Received | { readonly ports: Ports } | { readonly did: Mood };

/** Milliseconds that a late answer takes at the most. */
const LATE = 60;

if (import.meta.main) serve(Number(process.argv[2]));

function serve(seed: number): void {
  const draw = drawing(seed);
  const send = (what: PostMessage) => void process.stdout.write(`${JSON.stringify(what)}\n`);
  const state: State = { mood: "calm", draw, send, sockets: new Set() };
  let open: Listening | undefined;
  const listen = async (ports: Ports) => {
    open = await listenAt(state, ports);
    return open.ports;
  };
  const follow = async () => {
    const ports = await listen({ mail: 0, web: 0 });
    send({ ports });
    for await (const line of console) {
      if (line === "") continue;
      const order: Order = JSON.parse(line);
      state.mood = order.mood;
      for (const socket of state.sockets) socket.destroy();
      if (order.mood === "away") {
        await open?.close();
        open = undefined;
      } else if (!open) await listen(ports);
      send({ did: order.mood });
    }
    process.exit(0);
  };
  void follow();
}

interface State {
  mood: Mood;
  readonly draw: () => number;
  readonly send: (what: PostMessage) => void;
  readonly sockets: Set<Socket>;
}

interface Listening {
  readonly ports: Ports;
  readonly close: () => Promise<void>;
}

async function listenAt(state: State, ports: Ports): Promise<Listening> {
  const servers = [mailServer(state), webServer(state)] as const;
  const [mail, web] = await Promise.all(
    servers.map((server, index) => {
      const { promise, resolve } = Promise.withResolvers<number>();
      server.on("connection", (socket: Socket) => watch(state, socket));
      server.listen(index === 0 ? ports.mail : ports.web, "127.0.0.1", () => resolve(portOf(server)));
      return promise;
    }),
  );
  const close = async () => {
    await Promise.all(
      servers.map((server) => {
        const { promise, resolve } = Promise.withResolvers<void>();
        server.close(() => resolve());
        for (const socket of state.sockets) socket.destroy();
        return promise;
      }),
    );
  };
  return { ports: { mail: mail ?? 0, web: web ?? 0 }, close };
}

function portOf(server: { address(): unknown }): number {
  const address = server.address();
  return typeof address === "object" && address !== null && "port" in address ? Number(address.port) : 0;
}

function watch({ mood, sockets }: State, socket: Socket): void {
  sockets.add(socket);
  socket.on("close", () => sockets.delete(socket));
  socket.on("error", () => undefined); // of who is gone
  if (mood === "cutting") socket.destroy();
}

/** What happens to a message: it is refused for good or for now, lost before it was taken, or taken; and whether that is told. */
type Luck = "refused" | "later" | "lost" | "taken" | "cut";

function luckOf({ mood, draw }: State): Luck {
  if (mood !== "moody") return "taken";
  const luck = draw();
  if (luck < 0.02) return "refused";
  if (luck < 0.08) return "later";
  if (luck < 0.11) return "lost";
  return luck < 0.14 ? "cut" : "taken";
}

/** The moment before somebody is told that it was taken: whoever sent it may be gone by then. */
const hesitate = ({ mood, draw }: State) =>
  mood === "moody" && draw() < 0.5 ? Bun.sleep(draw() * LATE) : Promise.resolve();

const refusal = (responseCode: number, message: string) =>
  Object.assign(new Error(message), { responseCode });

function mailServer(state: State) {
  const server = new SMTPServer({
    authOptional: true,
    logger: false,
    disabledCommands: ["STARTTLS"],
    onData: (stream, session, done) => {
      let text = "";
      stream.on("data", (chunk: Buffer) => (text += chunk.toString("utf8")));
      stream.on("end", () => void takeMail(state, { text, session }, done));
    },
  });
  server.on("error", () => undefined); // of a connection, which its client hears of
  return server.server;
}

async function takeMail(
  state: State,
  { text, session }: { text: string; session: SMTPServerSession },
  done: (error?: Error | null) => void,
): Promise<void> {
  if (state.mood === "deaf") return;
  const luck = luckOf(state);
  if (luck === "refused") return done(refusal(550, "nobody wants this"));
  if (luck === "later") return done(refusal(451, "come again"));
  const cut = () => [...state.sockets].find(({ remotePort }) => remotePort === session.remotePort)?.destroy();
  if (luck === "lost") return void cut();
  const flat = text.replaceAll(/\r\n[ \t]+/g, " ");
  const id = /^Message-ID: <([^@]+)@/im.exec(flat)?.[1] ?? "";
  state.send({ by: "mail", id, to: session.envelope.rcptTo[0]?.address ?? "", text: bodyOf(text) });
  await hesitate(state);
  if (luck === "cut") return void cut();
  done();
}

const bodyOf = (mail: string) => mail.slice(mail.indexOf("\r\n\r\n") + 4).trim();

function webServer(state: State): Server {
  return createServer((request, response) => {
    let text = "";
    request.on("data", (chunk: Buffer) => (text += chunk.toString("utf8")));
    request.on("end", () => void takeWeb(state, text, { request, response }));
    request.on("error", () => undefined); // of who is gone
  });
}

async function takeWeb(
  state: State,
  body: string,
  { request, response }: { request: IncomingMessage; response: ServerResponse },
): Promise<void> {
  if (state.mood === "deaf") return;
  const luck = luckOf(state);
  const answer = (status: number, text: string) => response.writeHead(status).end(text);
  if (luck === "refused") return void answer(400, "no such number");
  if (luck === "later") return void answer(500, "out of order");
  if (luck === "lost") return void request.socket.destroy();
  const { id, to, text } = JSON.parse(body);
  state.send({ by: request.url === "/push" ? "push" : "sms", id, to, text });
  await hesitate(state);
  if (luck === "cut") request.socket.destroy();
  else answer(200, "accepted");
}
