import { expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { declareNoun } from "../../src/http/plain.ts";

const named = {
  prefix: "/api/v1/example",
  tags: ["Appliance"] as [string],
  name: "Example",
  one: "example",
  key: "example",
  record: Type.Object({ id: Type.Integer(), name: Type.String() }),
  example: { id: 1, name: "One" },
} as const;
interface Row {
  readonly id: number;
  readonly name: string;
  readonly secret: string;
}

// the type check is the test: an expected error that does not come is one
test("the compiler refuses a noun whose records are not what its schema says", () => {
  const nouns = [
    declareNoun({ ...named, toJson: ({ id, name }: Row) => ({ id, name }) }),
    // @ts-expect-error: it lacks the name
    declareNoun({ ...named, toJson: ({ id }: Row) => ({ id }) }),
    // @ts-expect-error: it has a secret
    declareNoun({ ...named, toJson: ({ id, name, secret }: Row) => ({ id, name, secret }) }),
  ];
  expect(nouns.map(({ key }) => key)).toEqual(nouns.map(() => "example"));
});
