import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

export type Arguments = Readonly<Record<string, unknown>>;

/** What an assistant's program is: a client of the SDK, here in place of one that a model drives. */
export class AssistantClient implements AsyncDisposable {
  readonly client: Client;

  private constructor(client: Client) {
    this.client = client;
  }

  static async over(
    transport: StreamableHTTPClientTransport | StdioClientTransport,
    mode: "legacy" | "auto" = "auto",
  ): Promise<AssistantClient> {
    const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
    await client.connect(transport);
    return new AssistantClient(client);
  }

  /** `key` with its secret, as a Bearer. */
  static at(address: string, key: string, mode?: "legacy" | "auto"): Promise<AssistantClient> {
    const requestInit = { headers: { authorization: `Bearer ${key}` } };
    return AssistantClient.over(
      new StreamableHTTPClientTransport(new URL(`http://${address}/mcp`), { requestInit }),
      mode,
    );
  }

  async names(): Promise<string[]> {
    return (await this.client.listTools()).tools.map(({ name }) => name);
  }

  /** What a tool answers, as it is read. */
  async text(name: string, sent: Arguments = {}): Promise<string> {
    const { content } = await this.client.callTool({ name, arguments: { ...sent } });
    return content.map((part) => (part.type === "text" ? part.text : "")).join("");
  }

  async ask(name: string, sent: Arguments = {}): Promise<Answer> {
    return JSON.parse(await this.text(name, sent)) as Answer;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.close();
  }
}

type Row = Readonly<Record<string, unknown>>;

export interface Answer {
  readonly total?: number;
  readonly rows: readonly Row[];
  readonly answer: Row;
  readonly more?: Row;
  readonly refused?: string;
  readonly code?: string;
  readonly [key: string]: unknown;
}
