import { type Static, Type } from "@sinclair/typebox";
import type { Addressee, Issuer } from "../domain/desk/papers/paper.ts";
import { text } from "./kinds.ts";

/* What receipts and invoices print beside their sums. */

export const issuerSchema = Type.Object({
  name: Type.String(),
  address_lines: Type.Array(Type.String()),
  tax_number: Type.String(),
  contact_lines: Type.Array(Type.String()),
  phone: Type.String(),
});

export const addresseeSchema = Type.Object({
  name: Type.String(),
  username: Type.String(),
  address: text,
  phone: text,
});

export const exampleIssuer = {
  name: "Northlink",
  address_lines: ["1 Harbour Road", "Riverton"],
  tax_number: "VAT GB123456789",
  contact_lines: ["desk@northlink.example"],
  phone: "+1 555 0100",
};
export const exampleAddressee = {
  name: "Sam Doe",
  username: "sam",
  address: "7 Hill Street",
  phone: "555 0142",
};

export function shownIssuer({
  name,
  address,
  taxNumber,
  contact,
  phone,
}: Issuer): Static<typeof issuerSchema> {
  return {
    name,
    address_lines: [...address],
    tax_number: taxNumber,
    contact_lines: [...contact],
    phone,
  };
}

export function shownAddressee({
  name,
  username,
  address,
  phone,
}: Addressee): Static<typeof addresseeSchema> {
  return { name, username, address, phone };
}
