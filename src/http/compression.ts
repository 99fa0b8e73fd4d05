import { pipeline, Readable } from "node:stream";
import { createGzip, gzip } from "node:zlib";
import { takesGzip, WORTH } from "./pages/assets.ts";

/** Bytes from which on compression takes the loop for longer than a request should. */
const OFF_THE_LOOP = 64 * 1024;
/** The fastest: what is saved beyond it costs more than it brings on a box of two cores. */
const level = 1;

const TEXT = /^(?:text\/(?!event-stream)|application\/json\b)/;

/**
 * An answer in gzip where its client takes it: JSON from 1 kB on, at once or off the loop, and text of a response as it streams.
 * undefined: as it is. What a browser sends by itself for another's page stays as it is, since whoever controls words of it and sees
 * lengths could infer secrets (BREACH); a bearer token no browser sends by itself.
 */
export function compressed(
  value: unknown,
  request: Request,
  /** What it depends on besides, as the answer's headers have it. */
  vary: string | undefined,
): Response | Promise<Response> | undefined {
  if (!takesGzip(request) || isSentForOthers(request)) return undefined;
  if (value instanceof Response) return streamed(value);
  if (!Array.isArray(value) && (value as object | null)?.constructor !== Object) return undefined;
  const text = JSON.stringify(value);
  if (text.length < WORTH) return new Response(text, { headers: { "content-type": JSON_TYPE } });
  if (text.length < OFF_THE_LOOP) return inGzip(Bun.gzipSync(text, { level }), vary);
  return new Promise((resolve, reject) => {
    gzip(text, { level }, (error, bytes) => (error ? reject(error) : resolve(inGzip(bytes, vary))));
  });
}

const ENCODING = "Accept-Encoding";
/** The type that `Response.json` gives. */
const JSON_TYPE = "application/json;charset=utf-8";

const inGzip = (bytes: Uint8Array<ArrayBuffer>, vary: string | undefined) =>
  new Response(bytes, {
    headers: {
      "content-encoding": "gzip",
      "content-type": "application/json",
      vary: vary === undefined ? ENCODING : `${vary}, ${ENCODING}`,
    },
  });

function streamed(response: Response): Response | undefined {
  const { body, headers: own } = response;
  const isText = TEXT.test(own.get("content-type") ?? "");
  if (!body || !isText || own.has("content-encoding") || Number(own.get("content-length") ?? WORTH) < WORTH)
    return undefined;
  const packed = createGzip({ level });
  pipeline(Readable.fromWeb(body as never), packed, () => {}); // a client that goes away ends both
  const all = new Headers(own);
  all.delete("content-length");
  all.set("content-encoding", "gzip");
  all.append("vary", ENCODING);
  return new Response(Readable.toWeb(packed) as never, { status: response.status, headers: all });
}

function isSentForOthers({ headers: sent }: Request): boolean {
  const isElsewhere = ["same-site", "cross-site"].includes(sent.get("sec-fetch-site") ?? "");
  return isElsewhere && !/^bearer /i.test(sent.get("authorization") ?? "");
}
