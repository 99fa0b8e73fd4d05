import { type Static, Type } from "@sinclair/typebox";
import type { Report } from "../../wire/report.ts";
import { reports } from "../../wire/reports.ts";
import { managementForm } from "../form.ts";
import { file, strict } from "../list.ts";
import { managed } from "../operation.ts";

/** JSON or CSV. */
function declareReport({ name, operation, summary, description, filters, record, example, read }: Report) {
  const rows = Type.Array(Type.Unsafe<Record<string, string | number | null>>(record));
  return managed({
    method: "GET",
    path: `/api/v1/report/${name}`,
    operation,
    operationId: operation,
    tags: ["Reports"],
    summary,
    description,
    form: strict(managementForm(filters, [], {})),
    success: { description: "The rows.", schema: rows, example: [example] satisfies Static<typeof rows> },
    run: ({ db, by, values: value, now }) => read({ db, by, now }, value).rows,
    csv: ({ db, by, values: value, now }, line) => {
      const { columns, rows } = read({ db, by, now }, value);
      return file(name, columns, [rows].values(), { line, record });
    },
  });
}

export const reportOperations = reports.map(declareReport);
