import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./free-port.ts";

/** A real nats-server with JetStream in a folder of its own, on a loopback port. */
export class NatsServer implements AsyncDisposable {
  readonly port: number;
  readonly folder: string;
  /** The output of `gatehouse box server`: who may do what. */
  configuration: string | undefined;
  #process: Bun.Subprocess | undefined;
  /** A whole configuration; listener and store are arguments. */
  config: string | undefined;

  private constructor(port: number, folder: string) {
    this.port = port;
    this.folder = folder;
  }

  static async start(configuration?: string): Promise<NatsServer> {
    const server = new NatsServer(freePort(), mkdtempSync(join(tmpdir(), "gatehouse-nats-")));
    server.configuration = configuration;
    if (configuration !== undefined) selfSigned(server.certificate, `${server.folder}.key`);
    await server.up();
    return server;
  }

  get url(): string {
    return `${this.configuration === undefined ? "nats" : "tls"}://127.0.0.1:${this.port}`;
  }

  get certificate(): string {
    return `${this.folder}.crt`;
  }

  /** Starts it, after `kill` on the same port. */
  async up(): Promise<void> {
    const command = ["nats-server", ...this.#options()];
    if (this.config !== undefined) command.push("-c", this.config);
    const started = Bun.spawn(command, { stderr: "pipe", stdout: "ignore" });
    this.#process = started;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    void read(started.stderr, (text) => text.includes("Server is ready") && resolve()).then((text) =>
      reject(new Error(`nats-server did not start: ${text}`)),
    );
    await promise;
  }

  /** Reloads with another configuration, as `systemctl reload` does. */
  reload(configuration: string): void {
    this.configuration = configuration;
    this.#options();
    this.#process?.kill("SIGHUP");
  }

  get pid(): number {
    return this.#process?.pid ?? 0;
  }

  /** The configuration with our port, folder and certificate. */
  #options(): string[] {
    if (this.configuration === undefined)
      return ["-a", "127.0.0.1", "-p", String(this.port), "-js", "-sd", this.folder];
    const file = `${this.folder}.conf`;
    const text = this.configuration
      .replace(/^listen: .*$/m, `listen: "127.0.0.1:${this.port}"`)
      .replace(/store_dir: .*$/m, `store_dir: "${this.folder}"`)
      .replace("/etc/nats/server.crt", this.certificate)
      .replace("/etc/nats/server.key", `${this.folder}.key`);
    writeFileSync(file, text);
    return ["-c", file];
  }

  async kill(): Promise<void> {
    this.#process?.kill("SIGKILL");
    await this.#process?.exited;
  }

  loseStore(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    this.loseStore();
    for (const end of ["conf", "crt", "key"]) rmSync(`${this.folder}.${end}`, { force: true });
  }
}

/** As the handbook makes a certificate. */
function selfSigned(certificate: string, key: string): void {
  const how = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 -subj /CN=nats";
  const command = ["openssl", ...how.split(" "), "-addext", "subjectAltName=IP:127.0.0.1"];
  const { success, stderr } = Bun.spawnSync([...command, "-keyout", key, "-out", certificate]);
  if (!success) throw new Error(`openssl made no certificate: ${stderr.toString()}`);
}

/** Reads to the end, for a full pipe would stop the server. Resolves with the first lines. */
async function read(stderr: ReadableStream<Uint8Array>, onLine: (text: string) => void): Promise<string> {
  const decoder = new TextDecoder();
  let output = "";
  for await (const chunk of stderr) {
    if (output.length > 100_000) continue;
    output += decoder.decode(chunk, { stream: true });
    onLine(output);
  }
  return output;
}
