import { createMcpHandler, Server } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { type Assistant, INSTRUCTIONS } from "./assistant.ts";

/* The Model Context Protocol, which assistants speak. The only place that imports it, loaded when the first of them asks. */

/** Hears of each question for tools and each call of one, in milliseconds. */
type Answered = (milliseconds: number) => void;

function makeServer(assistant: Assistant, version: string, answered: Answered = () => {}): Server {
  const server = new Server(
    { name: "gatehouse", title: "Gatehouse", version },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  const timed = async <T>(work: () => T | Promise<T>): Promise<T> => {
    const began = performance.now();
    try {
      return await work();
    } finally {
      answered(Math.round(performance.now() - began));
    }
  };
  server.setRequestHandler("tools/list", () => timed(() => ({ tools: assistant.tools() })));
  server.setRequestHandler("tools/call", async ({ params: { name, arguments: sent = {} } }) => {
    const { text, isError } = await timed(() => assistant.answer(name, sent));
    return { content: [{ type: "text" as const, text }], isError };
  });
  return server;
}

/** Nothing is sent without being asked for, so that nobody waits for more (Streamable HTTP without sessions). */
const options = { maxSubscriptions: 0 };

/** Answers one message. */
export async function answerHttp(
  assistant: Assistant,
  request: Request,
  { body, version }: { body: unknown; version: string },
): Promise<Response> {
  return createMcpHandler(() => makeServer(assistant, version), options).fetch(request, { parsedBody: body });
}

/** Speaks over the standard streams until there is nobody to speak to. */
export async function answerStdio(
  assistant: Assistant,
  { version, answered }: { version: string; answered: Answered },
): Promise<void> {
  const ended = new Promise((resolve) => process.stdin.once("end", resolve).once("close", resolve));
  const serving = serveStdio(() => makeServer(assistant, version, answered));
  await ended;
  await serving.close();
}
