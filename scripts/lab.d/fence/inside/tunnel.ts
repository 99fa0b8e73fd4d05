/*
 * How much names can carry. bun tunnel.ts serve ADDRESS: a server of names that answers with as much as an answer holds, or below short.lab with
 * little; what was asked is of no matter. bun tunnel.ts ask udp|tcp ADDRESS DOMAIN SECONDS LARGEST: asks it through a resolver as fast as it can, and prints what came through.
 */
import { connect, createServer, type Socket } from "node:net";
import { createSocket } from "node:dgram";
import { answerRoom, carried, fullAnswer, longName, query, TXT } from "./names.ts";

/** Questions that came back answered within the time, and the bytes that their names and answers could carry. */
export interface Carried {
  readonly answers: number;
  readonly up: number;
  readonly down: number;
}

const MOST_BY_TCP = 65_000;
const LITTLE = 512;
/** Questions a second by UDP: far more than anybody lets through. */
const EVERY = 5;
/** Connections at once, and questions that wait for an answer on each. */
const CONNECTIONS = 4;
const PIPELINED = 40;
/** Bytes of a name: all of them, though no tunnel uses each bit. */
const NAME = 255;

/** Calls `take` with each message of a stream; `came`, with the bytes of each piece. */
function messages(socket: Socket, take: (message: Buffer) => void, came = (_bytes: number) => {}): void {
  let read: Buffer = Buffer.alloc(0);
  socket.on("error", () => {});
  socket.on("data", (chunk: Buffer) => {
    came(chunk.length);
    read = Buffer.concat([read, chunk]);
    while (read.length >= 2 && read.length >= read.readUInt16BE(0) + 2) {
      take(read.subarray(2, read.readUInt16BE(0) + 2));
      read = read.subarray(read.readUInt16BE(0) + 2);
    }
  });
}

function framed(message: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(message.length);
  return Buffer.concat([length, message]);
}

const mostFor = (question: Buffer, room: number) => (question.includes("short") ? LITTLE : room);

function serve(address: string): void {
  const socket = createSocket("udp4");
  socket.on("message", (question, peer) =>
    socket.send(fullAnswer(question, mostFor(question, answerRoom(question))), peer.port, peer.address),
  );
  socket.bind(53, address);
  createServer((connection) =>
    messages(connection, (question) => {
      connection.write(framed(fullAnswer(question, mostFor(question, MOST_BY_TCP))));
    }),
  ).listen(53, address);
}

async function ask([
  by = "",
  address = "",
  domain = "",
  seconds = "",
  largest = "",
]: string[]): Promise<Carried> {
  const total = { answers: 0, up: 0, down: 0 };
  let number = Date.now() % 1_000_000_000;
  const next = () =>
    query(longName(++number, domain), TXT, { id: number & 0xffff, largest: Number(largest) });
  const take = (answer: Buffer) => {
    if (carried(answer) === 0) return;
    total.answers++;
    total.up += NAME;
  };
  const came = (bytes: number) => {
    total.down += bytes;
  };
  if (by === "udp") {
    const socket = createSocket("udp4");
    socket.on("message", (answer) => {
      take(answer);
      came(carried(answer));
    });
    socket.on("error", () => {});
    setInterval(() => socket.send(next(), 53, address, () => {}), EVERY);
  } else {
    const open = () => {
      const socket = connect({ host: address, port: 53 });
      const send = () => socket.write(framed(next()));
      socket.on("connect", () => Array.from({ length: PIPELINED }, send));
      const more = (answer: Buffer) => {
        take(answer);
        send();
      };
      messages(socket, more, came);
      // a resolver has enough of a connection at some time
      socket.on("close", () => setTimeout(open, 100));
    };
    for (let at = 0; at < CONNECTIONS; at++) open();
  }
  await Bun.sleep(Number(seconds) * 1000);
  return total;
}

const [verb = "", ...rest] = process.argv.slice(2);
if (verb === "serve") serve(rest[0] ?? "");
else process.stdout.write(JSON.stringify(await ask(rest)), () => process.exit(0));
