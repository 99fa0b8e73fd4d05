import { Type } from "@sinclair/typebox";
import type { Addressee, Issuer } from "../domain/desk/printouts/printout.ts";
import { declareRecord } from "./record.ts";

/* Fields of receipts and invoices besides their sums. */

export const {
  schema: issuerSchema,
  example: exampleIssuer,
  toJson: issuerToJson,
} = declareRecord<Issuer>()({
  name: { kind: "words", example: "Northlink" },
  address_lines: {
    shape: Type.Array(Type.String()),
    of: ({ address }) => [...address],
    example: ["1 Harbour Road", "Riverton"],
  },
  tax_number: { kind: "words", example: "VAT GB123456789" },
  contact_lines: {
    shape: Type.Array(Type.String()),
    of: ({ contact }) => [...contact],
    example: ["desk@northlink.example"],
  },
  phone: { kind: "words", example: "+1 555 0100" },
});

export const {
  schema: addresseeSchema,
  example: exampleAddressee,
  toJson: addresseeToJson,
} = declareRecord<Addressee>()({
  name: { kind: "words", example: "Sam Doe" },
  username: { kind: "words", example: "sam" },
  address: { kind: "words", isNullable: true, example: "7 Hill Street" },
  phone: { kind: "words", isNullable: true, example: "555 0142" },
});
