import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { embeddedFile } from "../../os/embedded.ts";
import { describe } from "../describe.ts";
import { html } from "../html.ts";
import { page } from "../page.ts";

/** The API viewer, from the executable alone; nothing inline and nothing from elsewhere, so that its policy can be strict. */
export function docsRoutes() {
  return new Elysia()
    .get("/docs", () => docs(), describeDocs)
    .get(
      "/docs/viewer.css",
      () => asset("swagger-ui.css", "text/css"),
      describeAsset("docsStyle", "text/css"),
    )
    .get("/docs/viewer.js", () => asset("swagger-ui-bundle.js", SCRIPT), describeAsset("docsViewer", SCRIPT))
    .get("/docs/start.js", () => script(start), describeAsset("docsStart", SCRIPT));
}

const SCRIPT = "text/javascript";

const start = `window.ui = SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#docs",
  deepLinking: true,
  displayOperationId: false,
  docExpansion: "list",
  validatorUrl: null,
});
`;

function docs() {
  return page(
    {
      title: "Gatehouse API",
      head: html`<link rel="icon" href="data:," />
        <link rel="stylesheet" href="/docs/viewer.css" />
        <script src="/docs/viewer.js" defer></script>
        <script src="/docs/start.js" defer></script> `,
      body: html`<main id="docs"></main>
        <noscript
          ><p>
            This viewer needs JavaScript. The document itself: <a href="/openapi.json">/openapi.json</a>
          </p></noscript
        >`,
    },
    {
      policy: ["script-src 'self'", "style-src 'self'", "img-src data:", "connect-src 'self'"],
    },
  );
}

/** A file of the viewer, which the executable has packed: two megabytes are half of one. */
function asset(name: string, type: string): Response {
  const packed = embeddedFile(`${name}.gz`);
  const body = packed
    ? packed.stream().pipeThrough(new DecompressionStream("gzip"))
    : Bun.file(Bun.resolveSync(`swagger-ui-dist/${name}`, import.meta.dir));
  return new Response(body, { headers: { "content-type": `${type}; charset=utf-8` } });
}

function script(text: string): Response {
  return new Response(text, { headers: { "content-type": `${SCRIPT}; charset=utf-8` } });
}

const describeDocs = describe({
  operationId: "docs",
  tags: ["Appliance"],
  summary: "A viewer of this document, without internet access",
  access: "everybody",
  success: { description: "A page.", type: "text/html", schema: Type.String() },
});

function describeAsset(operationId: string, type: string) {
  return describe({
    operationId,
    tags: ["Appliance"],
    summary: "A part of the viewer",
    access: "everybody",
    success: { description: "The file.", type, schema: Type.String() },
  });
}
