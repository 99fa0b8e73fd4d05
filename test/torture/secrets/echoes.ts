import { createServer, type Server } from "node:net";

/** A gateway, a receiver and a mail server that say everything again that they were sent, and take nothing. */
export class Echoes implements AsyncDisposable {
  readonly bodies: string[] = [];
  readonly seen = new Set<"gateway" | "receiver" | "mail">();
  readonly #http;
  readonly #mail: Server;
  mailPort = 0;

  constructor() {
    this.#http = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: async (request) => {
        const body = await request.text();
        const { pathname } = new URL(request.url);
        this.seen.add(pathname.startsWith("/hook") ? "receiver" : "gateway");
        this.bodies.push(body);
        const headers = [...request.headers].map(([name, value]) => `${name}: ${value}`).join("\n");
        return new Response(`${request.url}\n${headers}\n${body}`, { status: 500 });
      },
    });
    this.#mail = createServer((socket) => {
      socket.on("error", () => {});
      socket.write("220 mail.example\r\n");
      socket.on("data", (chunk) => {
        const line = chunk.toString().trim();
        if (/^(EHLO|HELO)/.test(line)) return socket.write("250-mail.example\r\n250 AUTH PLAIN LOGIN\r\n");
        this.seen.add("mail");
        return socket.write(`535 5.7.8 ${line} is not known\r\n`);
      });
    });
  }

  get origin(): string {
    return `http://127.0.0.1:${this.#http.port}`;
  }

  async open(): Promise<void> {
    await new Promise<void>((resolve) => this.#mail.listen(0, "127.0.0.1", resolve));
    const address = this.#mail.address();
    this.mailPort = typeof address === "object" && address !== null ? address.port : 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#http.stop(true);
    await new Promise((resolve) => this.#mail.close(resolve));
  }
}
