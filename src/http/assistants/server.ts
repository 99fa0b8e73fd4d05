import { createMcpHandler, Server } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { type Assistant, INSTRUCTIONS } from "./assistant.ts";

/* The Model Context Protocol, which assistants speak. The only place that imports it, loaded when the first of them asks. */

function serverOf(assistant: Assistant, version: string): Server {
  const server = new Server(
    { name: "gatehouse", title: "Gatehouse", version },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler("tools/list", () => ({ tools: assistant.tools() }));
  server.setRequestHandler("tools/call", async ({ params: { name, arguments: sent = {} } }) => {
    const { text, isError } = await assistant.answer(name, sent);
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
  return createMcpHandler(() => serverOf(assistant, version), options).fetch(request, { parsedBody: body });
}

/** Speaks over the standard streams until there is nobody to speak to. */
export async function answerStdio(assistant: Assistant, version: string): Promise<void> {
  const ended = new Promise((resolve) => process.stdin.once("end", resolve).once("close", resolve));
  const serving = serveStdio(() => serverOf(assistant, version));
  await ended;
  await serving.close();
}
