import { expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { noForm } from "../../src/http/form.ts";
import { managed } from "../../src/http/operation.ts";

const schema = Type.Object({
  id: Type.Integer(),
  session: Type.Union([Type.Object({ ip: Type.String() }), Type.Null()]),
});
const success = { description: "The record.", schema, example: { id: 1, session: null } };
const declared = {
  method: "GET",
  operation: "listRoles",
  operationId: "example",
  tags: ["Appliance"] as [string],
  summary: "An example",
  form: noForm,
  success,
} as const;
const answers = {
  fits: { id: 1, session: null },
  lacks: { id: 1 },
  has: { id: 1, session: { ip: "", secret: "" } },
};

// the type check is the test: an expected error that does not come is one
test("the compiler refuses an answer that its schema does not have", () => {
  const operations = [
    managed({ ...declared, path: "/example", run: () => answers.fits }),
    managed({ ...declared, path: "/example", run: async () => answers.fits }),
    // @ts-expect-error: it lacks the session
    managed({ ...declared, path: "/example", run: () => answers.lacks }),
    // @ts-expect-error: it has a secret in the session
    managed({ ...declared, path: "/example", run: () => answers.has }),
    // @ts-expect-error: the same, later
    managed({ ...declared, path: "/example", run: async () => answers.has }),
  ];
  expect(operations.map(({ path }) => path)).toEqual(operations.map(() => "/example"));
});

test("the compiler refuses a path of which an id has no noun for who asks for one that is not there", () => {
  const named = managed({
    ...declared,
    path: "/example/:id",
    ids: { id: "example" },
    run: () => answers.fits,
  });
  // @ts-expect-error: no noun for the id
  const nameless = managed({ ...declared, path: "/example/:id", run: () => answers.fits });
  expect([named, nameless].map(({ hook }) => Object.keys(hook.detail.path ?? {}))).toEqual([["id"], []]);
});
