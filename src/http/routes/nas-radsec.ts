import { Type } from "@sinclair/typebox";
import { id, text } from "../../domain/core/fields/fields.ts";
import { commandsFor } from "../../domain/goods/router-setup/commands.ts";
import { issueRadsec, revokeRadsec } from "../../domain/goods/radsec/certificate.ts";
import { listRadsecCertificates } from "../../domain/goods/radsec/list.ts";
import { importCommand, requireServerAddress } from "../../domain/goods/radsec/rules.ts";
import {
  exampleRadsecCertificate,
  radsecCertificateSchema,
  radsecCertificateToJson,
} from "../../wire/radsec.ts";
import { managementForm, noForm } from "../form.ts";
import { managed } from "../operation.ts";

const PREFIX = "/api/v1/nas/radsec";
const tags: [string] = ["Routers"];
const unknown = { 404: "There is no such router." };
const narrowedBy = ["isp_id"] as const;
const wholeIsp = "Accounts of one branch and Resellers read routers and change none: 403.";

const list = managed({
  method: "GET",
  path: `${PREFIX}/list/:id`,
  operation: "listRadsecCertificates",
  operationId: "listRadsecCertificates",
  tags,
  summary: "List the RadSec certificates of a router",
  description: "The newest first. Their keys are with the router alone.",
  form: noForm,
  ids: { id: "router" },
  success: {
    description: "The certificates.",
    schema: Type.Object({ certificates: Type.Array(radsecCertificateSchema) }),
    example: { certificates: [exampleRadsecCertificate] },
  },
  refusals: unknown,
  run: ({ db, by, ids: { id: nasId } }) => ({
    certificates: listRadsecCertificates(db, by, nasId).map(radsecCertificateToJson),
  }),
});

const issue = managed({
  method: "POST",
  path: `${PREFIX}/issue`,
  awaits: true,
  operation: "issueRadsec",
  operationId: "issueRadsecCertificate",
  tags,
  summary: "Make a RadSec certificate for a router",
  description: `As \`gatehouse nas radsec\`. The router asks by RadSec from now on; certificates that it has stay valid. The PKCS#12 and its password are in this answer alone. ${wholeIsp}`,
  form: {
    ...managementForm({ id, server: text(253) }, ["id", "server"], { id: 1, server: "203.0.113.10" }),
    narrowedBy,
    meanings: { server: "Our address as the router dials it, which our own certificate is made for." },
  },
  success: {
    description: "The certificate, as base64 of a PKCS#12, and the RouterOS commands, one a line.",
    schema: Type.Object({
      certificate: radsecCertificateSchema,
      pkcs12: Type.String(),
      password: Type.String(),
      script: Type.String(),
    }),
    example: {
      certificate: exampleRadsecCertificate,
      pkcs12: "MIINgA==",
      password: "9c2p9g8uv65cafzce934rb2ak",
      script: "/certificate import file-name=gatehouse-radsec-1.p12 passphrase=9c2p9g8uv65cafzce934rb2ak\n",
    },
  },
  refusals: {
    ...unknown,
    400: "The router is a network or asks access boxes, or the address is none.",
    409: "Another certificate was made at the same moment.",
  },
  run: async ({ db, by, values: value, now, nasTools: { findPlace } }) => {
    const server = requireServerAddress(value.server);
    const nasId = value.id;
    const { certificate, bundle, password } = await issueRadsec(db, by, { nasId, server }, { now });
    const { sections } = await commandsFor(
      db,
      by,
      { router: nasId, extras: [], isInUse: true },
      { now, findPlace: (router) => findPlace(router, [], server) },
    );
    const lines = [importCommand(certificate, password), ...sections.flatMap(({ commands }) => commands)];
    return {
      certificate: radsecCertificateToJson(certificate),
      pkcs12: bundle.toString("base64"),
      password,
      script: lines.map((line) => `${line}\n`).join(""),
    };
  },
});

const revoke = managed({
  method: "POST",
  path: `${PREFIX}/revoke`,
  operation: "revokeRadsec",
  operationId: "revokeRadsecCertificate",
  tags,
  summary: "Revoke a RadSec certificate",
  description: `Whoever has it is put out within a second, and let in no more. ${wholeIsp}`,
  form: {
    ...managementForm({ id, certificate_id: id }, ["id", "certificate_id"], { id: 1, certificate_id: 1 }),
    narrowedBy,
    meanings: { id: "The router.", certificate_id: "The certificate of it." },
  },
  success: {
    description: "Revoked.",
    schema: Type.Object({ success: Type.String() }),
    example: { success: "Certificate revoked." },
  },
  refusals: { 404: "There is no such router, or no such certificate of it.", 400: "It is revoked already." },
  run: ({ db, by, values: value, now }) => {
    revokeRadsec(db, by, { nasId: value.id, certificateId: value.certificate_id }, { now });
    return { success: "Certificate revoked." };
  },
});

export const radsecOperations = [list, issue, revoke];
