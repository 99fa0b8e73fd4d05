import { html, type Html } from "./html.ts";

/** `extra` sources; nothing else, and no frames. */
function contentSecurityPolicy(extra: readonly string[]): string {
  const nothing = ["default-src 'none'", "base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'"];
  return [...nothing, ...extra].join("; ");
}

/** `policy`: CSP sources. */
export function page(
  { title, head = html``, body }: { title: string; head?: Html; body: Html },
  { status = 200, policy = [] }: { status?: number; policy?: readonly string[] } = {},
): Response {
  const { text } = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        ${head}
      </head>
      <body>
        ${body}
      </body>
    </html> `;
  return new Response(text, {
    status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": contentSecurityPolicy(policy),
      "referrer-policy": "no-referrer",
    },
  });
}
