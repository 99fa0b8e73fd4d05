import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import viewer from "swagger-ui-dist/swagger-ui-bundle.js" with { type: "file" };
import style from "swagger-ui-dist/swagger-ui.css" with { type: "file" };
import { describe } from "../describe.ts";
import { html } from "../html.ts";
import { page } from "../page.ts";

/** The API viewer, from the executable alone; nothing inline and nothing from elsewhere, so that its policy can be strict. */
export function docsRoutes() {
  return new Elysia()
    .get("/docs", () => docs(), describeDocs)
    .get("/docs/viewer.css", () => asset(style, "text/css"), describeAsset("docsStyle", "text/css"))
    .get("/docs/viewer.js", () => asset(viewer, SCRIPT), describeAsset("docsViewer", SCRIPT))
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

function asset(file: string, type: string): Response {
  return new Response(Bun.file(file), { headers: { "content-type": `${type}; charset=utf-8` } });
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
