import openapiTS, { astToString, type OpenAPI3 } from "openapi-typescript";

/** The types of the API, which openapi-fetch makes a client of. Throws for a document that it cannot read. */
export async function generateTypes(document: object): Promise<string> {
  return astToString(await openapiTS(document as OpenAPI3));
}
